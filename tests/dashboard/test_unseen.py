"""What one cannot see in a text, and what a page shows of it."""

from __future__ import annotations

import pytest

from nebo.product.dashboard.templatetags.wording import label, text
from nebo.product.dashboard.unseen import split_unseen, with_labels

RLO, LRI, ZWSP, ZWJ, ZWNJ, VS16 = "\u202e", "\u2066", "\u200b", "\u200d", "\u200c", "\ufe0f"
FLAG_OF_SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    "written",
    [
        "Plays the cello",
        "Two\nlines\tand a tab",
        "Grüße, naïve, 北京, שלום, مرحبا",
        f"می{ZWNJ}خواهم",  # Persian parts its letters so
        f"\U0001f469{ZWJ}\U0001f467",  # a family
        f"\u2764{VS16} and 1{VS16}\u20e3",
        FLAG_OF_SCOTLAND,
        "",
    ],
)
def test_what_spelling_and_emoji_need_stays_as_it_is(written: str) -> None:
    assert with_labels(written) == written


@pytest.mark.parametrize(
    "written, shown",
    [
        (f"{RLO}edirrevo", "[U+202E]edirrevo"),
        (f"pay{LRI}pal", "pay[U+2066]pal"),
        (f"al{ZWSP}ice", "al[U+200B]ice"),
        (f"a{ZWJ}dmin", "a[U+200D]dmin"),
        (f"a{ZWNJ}dmin", "a[U+200C]dmin"),
        (f"{ZWNJ}", "[U+200C]"),
        ("so\u00adft", "so[U+00AD]ft"),
        ("bell\x07", "bell[U+0007]"),
        ("a\u3164b", "a[U+3164]b"),
        (f"x{VS16}", f"x[U+{ord(VS16):04X}]"),
        ("hi" + "".join(chr(0xE0000 + ord(c)) for c in "obey"), "hi[4 invisible characters]"),
        ("hi" + "\U000e0100" * 40, "hi[40 invisible characters]"),
    ],
)
def test_what_nobody_sees_is_named(written: str, shown: str) -> None:
    assert with_labels(written) == shown
    assert label(written) == shown


def test_no_letter_is_lost_or_moved() -> None:
    written = f"a{RLO}b{ZWSP}{ZWSP}c"

    assert "".join(run.text for run in split_unseen(written) if not run.title) == "abc"
    assert [run.title for run in split_unseen(written) if run.title] == [
        "Right-to-left override",
        "Zero width space",
    ]


def test_a_text_stands_alone_and_is_never_markup() -> None:
    html = text(f"<b>{RLO}x</b>")

    assert html.startswith('<bdi dir="auto">&lt;b&gt;<span class="unseen" title="Right-to-left override">')
    assert html.endswith("U+202E</span>x&lt;/b&gt;</bdi>")
    assert RLO not in html

"""Characters that one cannot see, or that turn the text around them: which of them a page shows by their number.

Joiners and variation selectors are left alone where spelling and emoji need them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext

ZWNJ, ZWJ = "\u200c", "\u200d"
LAID_OUT = "\n\r\t"  # controls that only part words
# Letters and symbols by their category, which print nothing: fillers and the empty Braille pattern.
BLANK = "\u115f\u1160\u3164\uffa0\u2800\u034f"
PRINTED = range(0x600, 0x70F + 1)  # Arabic and Syriac signs that are "format" by category, and drawn
SELECTORS = range(0xFE00, 0xFE0F + 1)  # of a variant of the character before
MORE_SELECTORS = range(0xE0100, 0xE01EF + 1)
TAGS = range(0xE0020, 0xE007F + 1)
BLACK_FLAG = "\U0001f3f4"
CURSIVE = frozenset({
    "ARABIC", "SYRIAC", "NKO", "MANDAIC", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU",
    "KANNADA", "MALAYALAM", "SINHALA", "MYANMAR", "KHMER", "MONGOLIAN", "TIBETAN",
})  # fmt: skip
_BLANKS = re.compile(f"[{BLANK}\ufe00-\ufe0f\U000e0100-\U000e01ef]")
SHOWN_ONE_BY_ONE = 3  # of a run; a longer one is counted


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text; `title` names the characters of one that cannot be seen, and `text` is their label then."""

    text: str
    title: str = ""


def split_unseen(text: str) -> Iterator[Run]:
    """The text in order, what is not seen apart from what is."""
    if text.replace("\n", "").isprintable() and not _BLANKS.search(text):
        yield Run(text)
        return
    for hidden, places in groupby(range(len(text)), key=lambda place: is_unseen(text, place)):
        chars = [text[place] for place in places]
        yield _labelled(chars) if hidden else Run("".join(chars))


def with_labels(text: str) -> str:
    """The same as plain text, for where no markup can stand: a title, a label."""
    return "".join(f"[{run.text}]" if run.title else run.text for run in split_unseen(text))


def is_unseen(text: str, place: int) -> bool:
    """Whether the character at `place` would not be seen, or would turn others round."""
    char = text[place]
    code = ord(char)
    if char in BLANK:
        return True
    if code in SELECTORS or code in MORE_SELECTORS:
        return not _varies(text, place)
    if char in LAID_OUT or code in PRINTED or unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp"):
        return False
    if char in (ZWNJ, ZWJ):
        return not _joins(text, place)
    return not (code in TAGS and _is_in_flag(text, place))


def _labelled(chars: list[str]) -> Run:
    names = [unicodedata.name(char, f"control {ord(char)}").capitalize() for char in chars]
    title = ", ".join(dict.fromkeys(names[:SHOWN_ONE_BY_ONE]))
    if len(chars) > SHOWN_ONE_BY_ONE:
        return Run(gettext("%(number)s invisible characters") % {"number": len(chars)}, title)
    return Run(" ".join(f"U+{ord(char):04X}" for char in chars), title)


def _joins(text: str, place: int) -> bool:
    """Between two emoji, or between letters of a script that joins them."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if not before or not after:
        return False
    if unicodedata.category(after) == "So" and text[place] == ZWJ:
        return unicodedata.category(before) in ("So", "Sk") or ord(before) in SELECTORS
    return _script(before) in CURSIVE and _script(after) in CURSIVE


def _varies(text: str, place: int) -> bool:
    """A selector straight after what it varies: a symbol, a digit of a key, an ideograph."""
    before = text[place - 1 : place]
    if not before:
        return False
    if ord(text[place]) in MORE_SELECTORS:
        return _script(before) == "CJK"
    return unicodedata.category(before) in ("So", "Sm", "Po", "Nd") or _script(before) in ("CJK", "MONGOLIAN")


def _is_in_flag(text: str, place: int) -> bool:
    start = place
    while start and ord(text[start]) in TAGS:
        start -= 1
    return text[start] == BLACK_FLAG


def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]

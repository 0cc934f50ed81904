"""What people read stands in the catalogues of translations: all of it, translated, and nothing else."""

from __future__ import annotations

import gettext
import re
from html.parser import HTMLParser
from pathlib import Path

import allauth
import pytest

from tests.catalogue import (
    LOCALE,
    ROOT,
    THEIRS,
    Entry,
    compile_mo,
    list_asked,
    list_catalogues,
    read_po,
    write_po,
)

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
# What the API says of itself stays English, as agents read it; so do our own words in Django's admin site.
ENGLISH = ("dashboard/api", "dashboard/_api", "admin/")
BLOCK = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}|{% comment %}.*?{% endcomment %}", re.DOTALL)
TAG = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}", re.DOTALL)
SPOKEN = (
    "aria-label",
    "title",
    "placeholder",
    "alt",
    "data-none",
    "data-some",
    "data-copied",
    "data-selected",
)
NAMES = re.compile(
    r"\bNebo\b|\bnebo-export-\.zip\b|\.md\b|\bdoor-wide\b"
)  # a file, its ending, a class of a style
# A word of ours as what a tag or a filter is given.
GIVEN = re.compile(r"""\b(?:label|title|back_word|more_word)=["']|\|default:["'](?:[A-Z]|\w+ )""")
LETTER = re.compile(r"[^\W\d_]")
FORMAL = re.compile(r"\b(?:Sie|Ihr\w*|Ihnen)\b")
MARK = re.compile(r"%\(\w+\)s|%%|\{\w*\}|<[^>]+>")


class Words(HTMLParser):
    """The texts of a page, without code and keys, and the attributes that are read out."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.words += [value or "" for name, value in attrs if name in SPOKEN]
        if tag in ("code", "kbd", "script", "pre"):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.words.append(data)


def words_of(page: str) -> list[str]:
    parser = Words()
    parser.feed(page)
    return [text for word in parser.words if LETTER.search(text := " ".join(word.split()))]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_every_word_of_a_template_is_from_the_catalogue(path: Path) -> None:
    if str(path.relative_to(ROOT / "templates")).startswith(ENGLISH):
        return
    text = path.read_text(encoding="utf-8")

    left = words_of(TAG.sub("", BLOCK.sub("", text)))

    assert [word for word in left if LETTER.search(NAMES.sub("", word))] == []
    assert [found.group() for tag in TAG.findall(text) for found in GIVEN.finditer(tag)] == []


@pytest.mark.parametrize("path", list_catalogues(), ids=lambda path: path.parent.parent.name)
class TestCatalogue:
    def test_it_has_every_text_that_is_asked_for_and_no_other(self, path: Path) -> None:
        asked, known = list_asked(), read_po(path)

        assert {text: entry.many for text, entry in known.items() if text} == {
            text: entry.many for text, entry in asked.items()
        }

    def test_every_text_is_translated_and_none_by_guessing(self, path: Path) -> None:
        entries = [entry for text, entry in read_po(path).items() if text]

        assert [entry.one for entry in entries if not entry.told or not all(entry.told)] == []
        assert [entry.one for entry in entries if "fuzzy" in entry.flags] == []

    def test_what_stands_in_a_text_stands_in_its_translation(self, path: Path) -> None:
        entries = [entry for text, entry in read_po(path).items() if text]

        # An English "one" may leave its number out; a plural tells it.
        lost = [entry.one for entry in entries for told in entry.told if not _has_marks(entry, told)]

        assert lost == []

    def test_the_compiled_file_says_what_the_readable_one_says(self, path: Path) -> None:
        with path.with_suffix(".mo").open("rb") as file:
            compiled = gettext.GNUTranslations(file)
        known = [entry for text, entry in read_po(path).items() if text]

        assert {entry.one: [*_told(compiled, entry)] for entry in known} == {
            entry.one: entry.told for entry in known
        }
        assert path.with_suffix(".mo").read_bytes() == compile_mo(read_po(path))


def _has_marks(entry: Entry, told: str) -> bool:
    asked = [sorted(MARK.findall(text)) for text in (entry.one, entry.many) if text]
    return sorted(MARK.findall(told)) in asked


def _told(compiled: gettext.GNUTranslations, entry: Entry) -> list[str]:
    if not entry.many:
        return [compiled.gettext(entry.one)]
    return [compiled.ngettext(entry.one, entry.many, number) for number in (1, 2)]


def test_what_allauth_says_formally_in_german_is_said_like_the_rest_and_nothing_else() -> None:
    path = THEIRS / "de" / "LC_MESSAGES" / "django.po"
    with Path(allauth.__file__).parent.joinpath("locale/de/LC_MESSAGES/django.mo").open("rb") as file:
        theirs = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]  # all texts, by the English ones
    formal = {
        key[0] if isinstance(key, tuple) else key
        for key, told in theirs.items()
        if key and FORMAL.search(told)
    }

    ours = {text: entry for text, entry in read_po(path).items() if text}

    assert set(ours) == formal
    assert [
        text for text, entry in ours.items() for told in entry.told if FORMAL.search(told) or not told
    ] == []
    assert [text for text, entry in ours.items() for told in entry.told if not _has_marks(entry, told)] == []
    assert path.with_suffix(".mo").read_bytes() == compile_mo(read_po(path))


def test_what_allauth_says_with_capitals_in_english_is_said_with_small_letters_and_nothing_else() -> None:
    path = THEIRS / "en" / "LC_MESSAGES" / "django.po"

    ours = {text: entry.told for text, entry in read_po(path).items() if text}

    renamed = {"Two-Factor Authentication": ["Two-factor sign-in"]}
    assert {
        text: told for text, told in ours.items() if [text.lower()] != [one.lower() for one in told]
    } == renamed
    assert [told for (told,) in ours.values() if re.search(r" [A-Z][a-z]", told)] == []
    assert path.with_suffix(".mo").read_bytes() == compile_mo(read_po(path))


def test_every_language_that_can_be_chosen_has_a_catalogue() -> None:
    from django.conf import settings

    chosen = {code for code, _name in settings.LANGUAGES} - {"en"}

    assert {path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/django.mo")} == chosen


def test_a_text_may_have_quotes_lines_and_more_than_one_number(tmp_path: Path) -> None:
    texts = {
        "": Entry(
            "", told=["Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n!=1;\n"]
        ),
        'Say "no"\nor \\': Entry('Say "no"\nor \\', told=["Sag „nein“\noder \\"]),
        "one": Entry("one", "%(n)s of them", ["eins", "%(n)s davon"]),
    }

    write_po(tmp_path / "django.po", texts)
    back = read_po(tmp_path / "django.po")

    assert {text: (one.many, one.told) for text, one in back.items()} == {
        text: (one.many, one.told) for text, one in texts.items()
    }

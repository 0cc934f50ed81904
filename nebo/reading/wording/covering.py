"""The words of a text that carry a claim, in five languages, and whether other words cover them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache

from nebo.reading.wording.figures import is_figure
from nebo.reading.wording.vocabulary import LIGHT, kin_of, stands_for_kin
from nebo.reading.words.content_words import without_accents
from nebo.reading.words.kept import kept
from nebo.reading.words.naming import count_alike, is_same_word

MIN_LETTERS = 2
ALIKE_LETTERS = 4  # letters with which a loan word and its like begin: "vegetarian", „Vegetarierin“
ALIKE_SHARE = 0.5  # of the longer one's letters

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SPELLINGS = (("ph", "f"), ("k", "c"), ("qu", "c"), ("y", "i"), ("z", "c"), ("th", "t"), ("w", "v"))
_ANY_LIGHT = frozenset().union(*LIGHT.values())


def list_words(text: str) -> list[str]:
    """The words of a text in small letters; what an apostrophe joins is two: "l'hôtel", "Anna's"."""
    found = _WORD.findall(unicodedata.normalize("NFC", text).replace("’", "'").lower())
    return [part for word in found for part in word.split("'") if part]


@kept
def language_of(text: str) -> str:
    """The language of which a text has most small words; English where none has more."""
    words = list_words(text)
    counts = {name: sum(word in light for word in words) for name, light in LIGHT.items()}
    return max(counts, key=lambda name: (counts[name], name == "en"))


def content_words(text: str) -> tuple[str, ...]:
    """The words that say something, each once, in their order; numbers and times are compared apart."""
    light = LIGHT[language_of(text)]
    words = (word for word in list_words(text) if len(word) >= MIN_LETTERS and not is_figure(word))
    return tuple(dict.fromkeys(word for word in words if word not in light))


def find_uncovered(words: Iterable[str], quoted: Collection[str]) -> list[str]:
    """Those that none of the words said means, as far as letters and kin can tell."""
    return [word for word in words if not any(means_same(word, other) for other in quoted)]


@lru_cache(20_000)
def means_same(claimed: str, quoted: str) -> bool:
    """Whether two words are one but for ending, spelling or language, or mean the same relative."""
    if claimed == quoted:
        return True
    if kin_of(claimed) or kin_of(quoted):
        return stands_for_kin(claimed, quoted)
    ours, theirs = plain(claimed), plain(quoted)
    return is_same_word(ours, theirs) or _are_loans(ours, theirs)


def plain(word: str) -> str:
    """Without accents."""
    return without_accents(word.lower())


def _are_loans(one: str, other: str) -> bool:
    """Whether two words begin alike once spelt by sound: "pharmacist", "farmacista"."""
    ours, theirs = by_sound(one), by_sound(other)
    alike = count_alike(ours, theirs)
    return alike >= ALIKE_LETTERS and alike >= ALIKE_SHARE * max(len(ours), len(theirs))


def by_sound(word: str) -> str:
    """As it would sound in any of the languages."""
    for spelt, sound in _SPELLINGS:
        word = word.replace(spelt, sound)
    return re.sub(r"(.)\1", r"\1", word)


def is_light(word: str) -> bool:
    """Whether a word says nothing by itself in some language."""
    return word in _ANY_LIGHT

"""The words by which a text is about something, each as a stem: what two texts have in common, in any language.

A light stem (one ending off, then the first six letters, of a long word two thirds) is enough to tell "allergies" and
"allergisch" from other words. It is no grammar: what is looked up in an index is stemmed by Postgres
(`search/language.py`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from nebo.reading.words.stop_words import COURTESY, GRAMMAR

STEM_LETTERS = 6
LEAST_STEM = 3  # letters that an ending leaves
READ_CHARS = 8_000  # characters of a text that are looked at
KEPT = 4_000  # texts of which it stays known whether they are bare; an answer shows the same ones again and again
KEPT_CHARS = 400  # of such a text

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"[^.!?…\n。！？]+[.!?…。！？]*")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff]+")
_ENDINGS = (
    "ischen", "ische", "iendo", "ando", "isch", "ado", "ada", "ern", "ies", "ing", "ung", "ar", "as", "ed", "em", "en",
    "er", "es", "ly", "os", "a", "e", "i", "n", "o", "s", "y", "é", "ó",
)  # fmt: skip


def content_words(text: str) -> frozenset[str]:
    """The stems of what a text is about; none for a text of mere grammar and courtesy."""
    return frozenset(_stems(text[:READ_CHARS]))


def list_content_words(text: str) -> list[str]:
    """The same in their order, each once."""
    return list(dict.fromkeys(_stems(text[:READ_CHARS])))


def is_bare(text: str) -> bool:
    """Whether a text says nothing by itself: "OK.", "Noted.", "Sure, no problem!". Looks no further than it must."""
    return _is_bare_kept(text) if len(text) <= KEPT_CHARS else _is_bare(text)


def _is_bare(text: str) -> bool:
    if any(_tells(found[0]) for found in _WORD.finditer(text[:READ_CHARS])):
        return False
    return not any(found[0].isdigit() for found in _WORD.finditer(text))


_is_bare_kept = lru_cache(KEPT)(_is_bare)


def split_sentences(text: str) -> list[str]:
    """Roughly; enough to see which part of a text says something."""
    return [part.strip() for part in _SENTENCE.findall(text) if part.strip()]


def _tells(word: str) -> bool:
    return bool(_UNSPACED.search(word) or stem_of(word))


def _stems(text: str) -> list[str]:
    if not _UNSPACED.search(text):
        return list(filter(None, map(stem_of, _WORD.findall(text))))
    found: list[str] = []
    for raw in _WORD.findall(text):
        if _UNSPACED.search(raw):
            found.extend(_pairs(raw))
        elif stem := stem_of(raw):
            found.append(stem)
    return found


@lru_cache(20_000)
def stem_of(word: str) -> str:
    """Empty for a word that tells nothing."""
    plain = word.lower().replace("’", "'").removesuffix("'s")
    if plain in GRAMMAR or plain in COURTESY:
        return ""
    bare = without_accents(plain)
    if not bare.isdigit() and len(bare) < 2:
        return ""
    bare = _without_ending(_without_ending(bare))  # "flowers" and "flower"
    return bare if bare.isdigit() else bare[: max(STEM_LETTERS, -(-2 * len(bare) // 3))]


def _without_ending(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= LEAST_STEM:
            return word[: -len(ending)]
    return word


def without_accents(word: str) -> str:
    """The word in plain letters, ß as ss."""
    if word.isascii():
        return word
    spread = unicodedata.normalize("NFKD", word.replace("ß", "ss"))
    return "".join(letter for letter in spread if not unicodedata.combining(letter))


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]

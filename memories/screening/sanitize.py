"""Text made fit to keep: control characters out, limits held, orders to the agent found.

Orders are looked for in several readings of a text, because what a model reads isn't what the bytes say:
as written, folded (compatibility forms, look-alike letters, marks and invisible characters away), with invisible
characters as spaces, with punctuation as spaces, with spaced-out letters joined, and what tag characters spell.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby

from memories.screening.instructions import HINTS, PATTERNS, SPACELESS_PATTERNS
from memories.screening.lookalikes import LOOKALIKES
from nebo.reading.words.content_words import split_sentences

KEY_MAX_CHARS = 128  # characters; docs/design.md#memory-numbers
VALUE_MAX_CHARS = 2048  # characters
LEFT_OUT = "[an order to the agent, left out]"
TAG_FIRST, TAG_LAST = 0xE0020, 0xE007E  # code points; tag characters that spell ASCII (Unicode 23.9)
TAG_OFFSET = 0xE0000  # code points between a tag character and the letter it spells
BLACK_FLAG = "\U0001f3f4"  # the only base that tag characters rightly follow: regional flags (UTS 51)
CANCEL_TAG = "\U000e007f"

_KEPT_CONTROLS = "\n\t"
_KEPT_JOINERS = "\u200c\u200d"  # needed in Persian and Indic spelling, and in emoji
_NEWLINES = re.compile(r"\r\n?|[\u2028\u2029\u0085]")
_NON_WORDS = re.compile(r"[^\w:<>/,\n]+|_+")
_SPELLED = re.compile(r"(?<!\w)\w(?:[\s.\-_*|·]{1,3}\w){7,120}(?!\w)")
_WORD_CUT = re.compile(r"\s+\S*$")


class TextTooLong(ValueError):
    """A key or a value is over its limit; carries `limit` and `length` in characters."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(f"{length} characters; at most {limit} are kept.")
        self.length = length
        self.limit = limit


def find_instructions(text: str) -> list[str]:
    """Names of the patterns by which a text reads like an order to the agent; empty for ordinary text."""
    readings = _readings(text)
    found = [
        name for name, pattern in PATTERNS.items() if any(pattern.search(reading) for reading in readings)
    ]
    joined = _spelled_out(readings[-1])
    return found + [name for name, pattern in SPACELESS_PATTERNS.items() if joined and pattern.search(joined)]


@lru_cache(2_000)
def without_orders(text: str) -> str:
    """The text, and of its sentences that read like orders to the agent only that they were there."""
    if not _may_order(text) or not find_instructions(text):
        return text
    parts = [LEFT_OUT if find_instructions(part) else part for part in split_sentences(text)]
    if LEFT_OUT not in parts:  # it is one only together
        return LEFT_OUT
    return " ".join(part for part, _ in groupby(parts))


def _may_order(text: str) -> bool:
    """Whether a closer look is worth it, which takes forty times as long: a prompt shows dozens of turns."""
    folded = fold(text)
    if not text.isascii() and any(unicodedata.category(c) == "Cf" for c in text):
        return True
    plain = " ".join(_NON_WORDS.sub(" ", folded).split())
    return any(hint in plain or hint in folded for hint in HINTS) or bool(_SPELLED.search(plain))


def clean_text(text: str) -> str:
    """The text without control, direction, tag and invisible characters; line breaks and tabs stay.

    Joiners stay, since spelling and emoji need them, and so do the tags of a regional flag.
    """
    return without_hidden(text).strip()


def without_hidden(text: str) -> str:
    """The same with the space at its ends."""
    lines = _NEWLINES.sub("\n", text)
    if lines.replace("\n", "").isprintable():  # nearly every text, and told forty times as fast
        return lines
    return "".join(c for i, c in enumerate(lines) if _is_kept(lines, i))


def clean_key(key: str) -> str:
    """A key on one line without control characters; raises TextTooLong over 128 characters."""
    return _within(" ".join(clean_text(key).split()), KEY_MAX_CHARS)


def clean_value(value: str) -> str:
    """A value without control characters; raises TextTooLong over 2,048 characters."""
    return _within(clean_text(value), VALUE_MAX_CHARS)


def cut_value(value: str, limit: int = VALUE_MAX_CHARS) -> str:
    """A cleaned value cut at a word so that it fits with its ellipsis; for extracted text, never for what is typed."""
    text = clean_text(value)
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    at_word = _WORD_CUT.sub("", head) if not text[limit - 1].isspace() else head
    return (at_word.rstrip() or head) + "…"


def fold(text: str) -> str:
    """Lower-case reading of a text with look-alikes, marks, widths and invisible characters away."""
    decomposed = unicodedata.normalize("NFKD", text)
    letters = (c for c in decomposed if unicodedata.category(c) not in ("Cf", "Mn", "Me"))
    return "".join(LOOKALIKES.get(c, c) for c in letters).translate(LOOKALIKES_TABLE).lower()


LOOKALIKES_TABLE = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'})


def _readings(text: str) -> list[str]:
    folded = fold(text)
    readings = [text, folded]
    if any(unicodedata.category(c) == "Cf" for c in text):
        spaced = "".join(" " if unicodedata.category(c) == "Cf" else c for c in text)
        readings += [fold(spaced), _hidden_text(text)]
    return [*readings, _NON_WORDS.sub(" ", folded)]


def _hidden_text(text: str) -> str:
    return "".join(chr(ord(c) - TAG_OFFSET) for c in text if TAG_FIRST <= ord(c) <= TAG_LAST)


def _spelled_out(text: str) -> str:
    return "".join(re.sub(r"\W|_", "", run.group()) for run in _SPELLED.finditer(text))


def _is_kept(text: str, index: int) -> bool:
    char = text[index]
    category = unicodedata.category(char)
    if category not in ("Cc", "Cf", "Cs"):
        return True
    return char in _KEPT_CONTROLS or char in _KEPT_JOINERS or _is_flag_tag(text, index)


def _is_flag_tag(text: str, index: int) -> bool:
    if not (TAG_FIRST <= ord(text[index]) <= TAG_LAST or text[index] == CANCEL_TAG):
        return False
    flag = text.rfind(BLACK_FLAG, max(0, index - 7), index)
    return flag >= 0 and all(TAG_FIRST <= ord(c) <= TAG_LAST for c in text[flag + 1 : index])


def _within(text: str, limit: int) -> str:
    if len(text) > limit:
        raise TextTooLong(len(text), limit)
    return text

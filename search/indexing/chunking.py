"""Splitting long texts into overlapping chunks at sentence ends."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

MAX_CHARS = 1600  # characters, about 400 tokens of English; docs/design.md#search-numbers
OVERLAP_CHARS = 320  # characters, about 80 tokens

# One punctuation mark at a time keeps the scan linear on a megabyte of dots.
SENTENCE_END = re.compile(
    r"(?:\r?\n){2,}\s*"  # a blank line
    r"|[.!?…][\"'”’»)\]]?\s+"  # a full stop, perhaps a closing quote, then space
    r"|[。！？｡][」』”’）]?\s*"  # CJK writes no space after its full stop
)
SPACE_BEFORE_WORD = re.compile(r"\s(?=\S)")


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A piece of a text; `source[start:end] == text`, offsets in code points."""

    text: str
    start: int
    end: int
    index: int


def split_text(
    text: str, *, max_chars: int = MAX_CHARS, overlap_chars: int = OVERLAP_CHARS
) -> list[TextChunk]:
    """Cut `text` into chunks of at most `max_chars` that together cover all of it.

    A text shorter than `max_chars + overlap_chars` stays whole, an empty one gives no chunk. Neighbours share
    at most `overlap_chars`. A sentence longer than a chunk is cut, at a space where there is one.
    Raises ValueError unless `0 <= overlap_chars < max_chars`.
    """
    if not 0 <= overlap_chars < max_chars:
        raise ValueError("overlap_chars must be at least 0 and less than max_chars")
    if not text:
        return []
    if len(text) < max_chars + overlap_chars:
        return [TextChunk(text, 0, len(text), 0)]
    spans = _iter_spans(text, max_chars, overlap_chars)
    return [TextChunk(text[start:end], start, end, index) for index, (start, end) in enumerate(spans)]


def _iter_spans(text: str, max_chars: int, overlap_chars: int) -> Iterator[tuple[int, int]]:
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    start = covered = 0
    while covered < len(text):
        covered = _find_end(text, ends, covered, start + max_chars)
        yield start, covered
        start = _find_restart(text, ends, covered, max(start + 1, covered - overlap_chars))


def _find_end(text: str, ends: list[int], covered: int, limit: int) -> int:
    """The last place after `covered` and up to `limit` where a chunk may end."""
    if limit >= len(text):
        return len(text)
    sentence_end = _last_at_most(ends, limit)
    if sentence_end > covered:
        return sentence_end
    # Only the later half: a chunk that brings one new word is not worth a row.
    for position in range(limit, (covered + limit) // 2, -1):
        if text[position - 1].isspace():
            return position
    return limit


def _find_restart(text: str, ends: list[int], covered: int, earliest: int) -> int:
    """Where the next chunk begins: a sentence's start, else a word's, else exactly `earliest`."""
    position = bisect_right(ends, earliest - 1)
    if position < len(ends) and ends[position] < covered:
        return ends[position]
    space = SPACE_BEFORE_WORD.search(text, earliest - 1, covered)
    return space.end() if space else earliest


def _last_at_most(sorted_numbers: list[int], limit: int) -> int:
    position = bisect_right(sorted_numbers, limit)
    return sorted_numbers[position - 1] if position else 0

"""Where words stand in a message, and the message without them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memories.screening.placeholders import replace_stretches
from memories.screening.sensitive import widened

Span = tuple[int, int]


def find_spans(content: str, words: str) -> list[Span]:
    """Every place of these words, in any case and with any blanks between them."""
    parts = [re.escape(part) for part in words.split()]
    pattern = re.compile(r"\s+".join(parts), re.IGNORECASE) if parts else None
    return [match.span() for match in pattern.finditer(content)] if pattern else []


def widened_all(content: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The stretches with whole words, in order, those that touch joined."""
    joined: list[Span] = []
    for start, end in sorted(widened(content, *span) for span in spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return tuple(joined)


def without_spans(content: str, spans: Iterable[Span], mark: str) -> str:
    """The text with a mark in the place of each stretch."""
    return replace_stretches(content, [(start, end, mark) for start, end in spans])

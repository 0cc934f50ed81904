"""What stands in the place of words that no agent is shown: forgotten ones, and secrets."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memories.screening.sensitive import MASK, find_sensitive, widened

WITHHELD = "[withheld]"
REDACTED = "[redacted]"

Span = tuple[int, int]

_MARK = re.compile(r"\[(?:withheld|redacted|[a-z ]+ removed)\]")
_WORD = re.compile(r"\w")
# Where a whole sentence was; amid one, the mark says that something is missing.
_FORGOTTEN = re.compile(r"(?:^|(?<=[.!?…])\s+)\s*\[(?:withheld|redacted)\](?:[.!?]|(?=\s|$))")


def shown_instead(content: str, stretches: Iterable[Span] = ()) -> str | None:
    """A message as agents are shown it: a mark for each of the stretches and for each secret; None where all of it may
    be shown. No mark cuts a word in two.
    """
    masks = [(start, end, WITHHELD) for start, end in stretches if start < end]
    masks += [
        (match.start, match.end, MASK.format(kind=match.kind.replace("_", " ")))
        for match in find_sensitive(content)
    ]
    return replace_stretches(content, masks) if masks else None


def replace_stretches(content: str, masks: Iterable[tuple[int, int, str]]) -> str:
    """The text with a mark in the place of each stretch (start, end, mark); of those that touch, the first's mark."""
    parts, at = [], 0
    for start, end, mark in sorted((*widened(content, start, end), mark) for start, end, mark in masks):
        if start >= at:
            parts += [content[at:start], mark]
        at = max(at, end)
    return "".join([*parts, content[at:]])


def says_nothing(shown: str) -> bool:
    """Whether nothing but marks is left of a text."""
    return not _WORD.search(_MARK.sub("", shown))


def without_marks(shown: str) -> str:
    """A text without the marks in the place of whole sentences."""
    return _FORGOTTEN.sub("", shown).strip()

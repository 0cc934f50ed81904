"""`remember globally: …` and `global memory: …`: what follows is kept word for word.

Globally means in all of the person's sessions (docs/memories.md#word-for-word). What belongs
to everyone in a tenant is never written this way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TRIGGER = re.compile(
    r"^[ \t]*(?:please[,\s]+)?(?:remember[ \t]+globally|global[ \t]+memory)[ \t]*[:：][ \t]*(?P<what>\S.*)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class GlobalNote:
    """What is to be kept, and where it stands in the message: `text[start:end]` with its trigger, `what` without."""

    what: str
    start: int
    end: int


def find_global_notes(text: str) -> list[GlobalNote]:
    """The memos of a message. One at its very beginning goes to its end, another to the end of its line."""
    found = list(_TRIGGER.finditer(text))
    if found and not text[: found[0].start()].strip():
        first = found[0]
        end = next((other.start() for other in found[1:]), len(text))
        found_first = GlobalNote(text[first.start("what") : end].strip(), first.start(), end)
        return [found_first, *map(_global_note, found[1:])]
    return [_global_note(match) for match in found]


def _global_note(match: re.Match[str]) -> GlobalNote:
    return GlobalNote(match["what"].strip(), match.start(), match.end())

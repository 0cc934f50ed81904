"""A sentence cut at its commas and dashes, where a part alone may say what all of it does: "it's done, sold to Ed"."""

from __future__ import annotations

import re

MAX_PARTS = 4  # of a sentence; one that has more is a list or a story
_PAUSE = re.compile(r"\s*[;:,]\s+|\s+[-–—]+\s+")


def split_at_pauses(text: str) -> list[str]:
    """Its parts, two to four; none where it has no pause, or too many."""
    parts = [part for part in _PAUSE.split(text) if part]
    return parts if 1 < len(parts) <= MAX_PARTS else []

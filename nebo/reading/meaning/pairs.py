"""What a new sentence is to something known: both are read as one text."""

from __future__ import annotations

MAX_OLD_CHARS = 300  # characters of what is known; more is no single fact


def pair_text(old: str, new: str) -> str:
    """The text that the reader is given for a pair."""
    return f"{old[:MAX_OLD_CHARS].strip()} → {new[:MAX_OLD_CHARS].strip()}"

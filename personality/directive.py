"""Which observations speak for how a person likes to be spoken to, and in what order."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memories.decay import has_faded
from memories.models import Memory

NAMESPACE = "tacit/personality"
STYLE_PREFIX = "style/"
DIRECTIVE_KEY = "directive"
MIN_STYLES = 3  # observations; fewer say too little (seed 000 §4)
MAX_STYLES = 15  # observations; the strongest (seed 000 §4)
DIRECTIVE_MAX_CHARS = 1_500  # characters; three to five sentences


def strongest(styles: Iterable[Memory], *, now: datetime) -> list[Memory]:
    """Observations that have not faded, the most often seen first; empty when there are too few.

    A wish said outright (it has a slot) stands until another takes its place.
    """
    live = [
        style
        for style in styles
        if "slot" in style.metadata or not has_faded(style.reinforced_count, style.last_reinforced, now=now)
    ]
    if len(live) < MIN_STYLES:
        return []
    live.sort(key=lambda style: (-style.reinforced_count, -style.last_reinforced.timestamp(), style.key))
    return live[:MAX_STYLES]


def describe(style: Memory) -> str:
    """`style/humor-dry: Prefers dry wit (observed 5 times)`; models and rules both read this form."""
    times = "1 time" if style.reinforced_count == 1 else f"{style.reinforced_count} times"
    return f"{style.key}: {' '.join(style.value.split())} (observed {times})"

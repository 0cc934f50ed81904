"""Which observations speak for how a person likes to be spoken to, and in what order."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memories.decay import has_faded
from memories.models import Memory
from memories.storing.styles import STYLE_NAMESPACE, WISHED
from nebo.reading.relations.manners import manner_of
from nebo.reading.requests.wishes import is_negated
from nebo.reading.words.naming import named_words

NAMESPACE = STYLE_NAMESPACE
DIRECTIVE_KEY = "directive"
MIN_STYLES = 3  # observations; fewer say too little; docs/design.md#prompt-numbers
MAX_STYLES = 15  # observations; the strongest
DIRECTIVE_MAX_CHARS = 1_500  # characters; three to five sentences


def strongest(styles: Iterable[Memory], *, now: datetime) -> list[Memory]:
    """Observations that have not faded, the most often seen first, of those seen as often the newest; empty when
    there are too few. One that says the opposite of a stronger one is passed over.

    A wish said outright stands until another takes its place.
    """
    live = [
        style
        for style in styles
        if WISHED in style.metadata or not has_faded(style.reinforced_count, style.last_reinforced, now=now)
    ]
    live.sort(key=lambda style: (-style.reinforced_count, -style.last_reinforced.timestamp(), style.key))
    chosen: list[Memory] = []
    for style in live:
        if not any(disagree(style.value, other.value) for other in chosen):
            chosen.append(style)
    return chosen[:MAX_STYLES] if len(chosen) >= MIN_STYLES else []


def disagree(one: str, other: str) -> bool:
    """Whether of two observations about the same words one declines what the other wants."""
    words, others = named_words(one), named_words(other)
    shared = len(words & others)
    return 2 * shared >= max(1, min(len(words), len(others))) and is_negated(one) != is_negated(other)


def answered_questions(styles: Iterable[Memory]) -> list[str]:
    """Questions of which one answer holds that these observations answer."""
    return sorted({about for about in map(question_of, styles) if about})


def question_of(style: Memory) -> str:
    """The question of one answer that an observation answers, or empty."""
    return str(style.metadata.get("slot") or manner_of(style.value))


def describe(style: Memory) -> str:
    """`style/humor-dry: Prefers dry wit (observed 5 times, last on 2031-05-02)`; models and rules both read this."""
    times = "1 time" if style.reinforced_count == 1 else f"{style.reinforced_count} times"
    last = style.last_reinforced.date().isoformat()
    return f"{style.key}: {' '.join(style.value.split())} (observed {times}, last on {last})"

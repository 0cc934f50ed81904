"""How a token budget is shared among what competes for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

DEFAULT_BUDGET = 8_000  # tokens
MIN_BUDGET = 200  # tokens
MAX_BUDGET = 1_000_000  # tokens
STABLE_SHARE = 0.35  # of the budget, at most, for the stable prefix's memories
FILES_SHARE = 0.25  # of the budget, at most, for the persona's files
CARD_SHARE = 0.35  # of what the stable prefix leaves, first, for recalled cards
SPINE_SHARE = 0.10  # of the budget, at most, for the long-term summary
ROLLING_SHARE = 0.08  # of the budget, at most, for the rolling summary
GOODBYE_SHARE = 0.12  # of the budget, at most, for what the last conversation was about
OPEN_LOOPS_SHARE = 0.15  # of the budget, at most, for what is open
LAST_WORDS_SHARE = 0.08  # of the budget, at most, for the last words of a conversation not yet summarised


@dataclass(frozen=True, slots=True)
class Shares:
    """Which of the ranked cards fit, and how many of the newest messages."""

    cards: Sequence[int]
    messages: int


def fit(sizes: Sequence[int], room: int) -> int:
    """How many from the beginning fit into `room` tokens."""
    used = 0
    for count, size in enumerate(sizes):
        used += size
        if used > room:
            return count
    return len(sizes)


def pack(sizes: Sequence[int], room: int) -> list[int]:
    """Which fit into `room` tokens, in their order: what is too long lets what comes after it pass."""
    packed = []
    for place, size in enumerate(sizes):
        if size <= room:
            packed.append(place)
            room -= size
    return packed


def share(*, room: int, cards: Sequence[int], newest_first: Sequence[int]) -> Shares:
    """Cards get their share first, messages what is left, and cards again what messages leave.

    `cards` and `newest_first` are sizes in tokens. The newest message is always kept.
    """
    few = pack(cards, int(room * CARD_SHARE))
    left = room - sum(cards[place] for place in few)
    messages = max(fit(newest_first, left), min(1, len(newest_first)))
    left -= sum(newest_first[:messages])
    others = [place for place in range(len(cards)) if place not in few]
    more = [others[place] for place in pack([cards[place] for place in others], left)]
    return Shares(sorted([*few, *more]), messages)

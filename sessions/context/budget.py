"""How a token budget is shared among what competes for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

DEFAULT_BUDGET = 8_000  # tokens
MIN_BUDGET = 200  # tokens
MAX_BUDGET = 1_000_000  # tokens
PREFIX_SHARE = 0.70  # of the budget, at most, for the whole stable prefix; a long one of few tokens is cut
STABLE_SHARE = 0.35  # of the budget, at most, for the stable prefix's memories
FILES_SHARE = 0.25  # of the budget, at most, for the persona's files
CARD_SHARE = 0.35  # of what the stable prefix leaves, first, for recalled cards
BEFORE_SHARE = 0.50  # of what the stable prefix leaves, at most, for all that doesn't depend on the question
SUMMARY_SHARE = 0.25  # of the budget, at most, for what was folded away
SNAPSHOT_SHARE = 0.08  # of the budget, at most, for what stood when it was folded
SPINE_SHARE = 0.10  # of the budget, at most, for the long-term summary
ROLLING_SHARE = 0.08  # of the budget, at most, for the rolling summary
LAST_TALK_SHARE = 0.12  # of the budget, at most, for what the last conversation was about
OPEN_LOOPS_SHARE = 0.15  # of the budget, at most, for what is open
TEAM_SHARE = 0.10  # of what the stable prefix leaves, at most, for what others shared with the team
LAST_WORDS_SHARE = 0.08  # of the budget, at most, for the last words of a conversation not yet summarised
PEOPLE_SHARE = 0.10  # of the budget, at most, for the cards of whom the recalled speaks


@dataclass(frozen=True, slots=True)
class Shares:
    """Which of the ranked cards fit, how many of the newest messages, and what is left over."""

    cards: Sequence[int]
    messages: int
    left: int = 0


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


def share(
    *, room: int, cards: Sequence[int], newest_first: Sequence[int], covered: Sequence[int] | None = None
) -> Shares:
    """Cards get their share first, messages what is left, and cards again what messages leave.

    `cards` and `newest_first` are sizes in tokens. The newest message is always kept. `covered` says of each card how
    many messages show what it says, 0 for a card that no message shows: it is left out where so many stay, and only
    there.
    """
    says = covered or [0] * len(cards)
    messages = fit(newest_first, room - int(room * CARD_SHARE))
    first = _open(range(len(cards)), says, messages)
    few = _packed(first, cards, int(room * CARD_SHARE))
    while True:
        few = _open(few, says, messages)
        left = room - sum(cards[place] for place in few)
        more = max(fit(newest_first, left), messages, min(1, len(newest_first)))
        if more == messages:
            break
        messages = more
    left -= sum(newest_first[:messages])
    others = [place for place in _open(range(len(cards)), says, messages) if place not in few]
    also = _packed(others, cards, left)
    return Shares(sorted([*few, *also]), messages, left - sum(cards[place] for place in also))


def _packed(places: Sequence[int], sizes: Sequence[int], room: int) -> list[int]:
    return [places[at] for at in pack([sizes[place] for place in places], room)]


def _open(places: Sequence[int], covered: Sequence[int], messages: int) -> list[int]:
    """Those that so many messages don't show."""
    return [place for place in places if not 0 < covered[place] <= messages]

"""Whether a clause tells something that is worth keeping by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from nebo.reading.meaning.kinds import Kind

TELLING: tuple[Kind, ...] = ("lasting", "relative", "other", "event", "ended")
ASKING: tuple[Kind, ...] = ("forget", "request", "question", "wish")
WORTH_TELLING = 0.9  # of a clause beside another, from which it stands by itself
PLAINLY_WORTH = 0.75  # where it surely tells something
SURE = 0.9
DOUBT = 0.5  # chance from which a clause tells something, or doesn't mean it
UNMEANT: tuple[Kind, ...] = ("supposed", "quoted", "joking")


class ClauseReading(Protocol):
    """What a sentence was read to be."""

    @property
    def slot(self) -> str: ...

    @property
    def slot_chance(self) -> float: ...

    @property
    def chances(self) -> Mapping[str, float]: ...

    @property
    def worth(self) -> Mapping[str, float]: ...

    def may_be(self, kind: Kind) -> bool: ...


def tells(one: ClauseReading) -> bool:
    """Whether a clause is worth keeping by itself, in earnest."""
    chances = one.chances
    telling = max(chances[kind] for kind in TELLING)
    return (
        one.worth["good"] >= (PLAINLY_WORTH if telling >= SURE else WORTH_TELLING)
        and telling >= DOUBT
        and all(chances[kind] < DOUBT for kind in UNMEANT)
        and not any(one.may_be(kind) for kind in ASKING if kind != "wish" or not _names(one))
    )


def _names(one: ClauseReading) -> bool:
    """Whether it says what somebody is called, which sounds like a wish to be called so."""
    return one.slot == "name" and one.slot_chance >= PLAINLY_WORTH


def question_of(one: ClauseReading) -> tuple[str, str]:
    """What a clause is about: its slot, and whether that is the speaker's own."""
    return one.slot, max(("lasting", "relative", "other"), key=one.chances.__getitem__)

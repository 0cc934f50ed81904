"""What becomes of a wish: accepted, rejected or deferred, each with a reason.

The table stands in docs/personality.md#wishes too:

| field | explicit | only likely a wish, or about one thing |
|---|---|---|
| stable: name, role, creature, rules | accepted | waits for 0.90 |
| volatile: voice, length, emoji, … | accepted | waits for 0.70 |

What waits gathers evidence over the turns: 1 − Π(1 − weight). A wish that is not stated outright and goes against
what the person decided in the last week needs as much as a stable one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from math import prod

from personality.fields import STABLE_FIELDS
from personality.models import PersonaCandidate
from personality.wishes.finding import Wish

STABLE_THRESHOLD = 0.90  # of combined weight
VOLATILE_THRESHOLD = 0.70  # of combined weight
EVIDENCE_LIFE = timedelta(days=30)  # older evidence no longer counts
RECENT = timedelta(days=7)  # how long a decision of the person stands against hints

EXPLICIT_DIRECTIVE = "explicit_directive"
REPEATED_EVIDENCE = "repeated_evidence"
BELOW_THRESHOLD = "below_threshold"
NEEDS_CONFIRMATION = "needs_confirmation"
SAFETY_CONFLICT = "safety_conflict"
CONTRADICTS_RECENT = "contradicts_recent"
DUPLICATE = "duplicate"
HYPOTHETICAL = "hypothetical"
NOT_ADDRESSED = "not_addressed_to_agent"
SUPERSEDED = "superseded_in_turn"
LOCKED = "locked_by_team"
EXPIRED = "expired"
CONFIRMED = "confirmed_by_person"
DECLINED = "declined_by_person"
UNDONE = "undone_by_person"
CHOSEN = "chosen_by_person"  # on a page, without a word said

SPOKEN = frozenset({"explicit", "hedged", "passing"})  # said to the agent and meant

_ACCEPTED, _REJECTED, _DEFERRED = PersonaCandidate.Decision


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known besides the wish itself."""

    locked: bool = False
    already_so: bool = False
    contradicts_recent: bool = False
    weights: tuple[float, ...] = ()  # of the evidence that speaks for it already


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision, its reason, and how sure all the evidence makes it (0 to 1)."""

    decision: str
    reason: str
    confidence: float


def decide(wish: Wish, situation: Situation) -> Verdict:
    """Safety first, then whether it was said to the agent at all, then how much speaks for it."""
    sure = combine((*situation.weights, wish.weight))
    refused = _refusal(wish, situation)
    if refused:
        return Verdict(_REJECTED, refused, sure)
    if wish.is_explicit:
        return Verdict(_ACCEPTED, EXPLICIT_DIRECTIVE, sure)
    if sure >= threshold(wish.field, strict=situation.contradicts_recent):
        return Verdict(_ACCEPTED, REPEATED_EVIDENCE, sure)
    return Verdict(_DEFERRED, _why_waiting(wish, situation), sure)


def threshold(field: str, *, strict: bool = False) -> float:
    """How much combined weight a field takes."""
    return STABLE_THRESHOLD if strict or field in STABLE_FIELDS else VOLATILE_THRESHOLD


def combine(weights: Iterable[float]) -> float:
    """1 − Π(1 − weight): each piece of evidence takes its share of the doubt that is left."""
    return round(1 - prod(1 - weight for weight in weights), 4)


def _refusal(wish: Wish, situation: Situation) -> str:
    grounds = (
        (wish.unsafe, SAFETY_CONFLICT),
        (wish.mode == "reported", NOT_ADDRESSED),
        (wish.mode == "hypothetical", HYPOTHETICAL),
        (situation.locked, LOCKED),
        (situation.already_so, DUPLICATE),
    )
    return next((reason for holds, reason in grounds if holds), "")


def _why_waiting(wish: Wish, situation: Situation) -> str:
    if situation.contradicts_recent:
        return CONTRADICTS_RECENT
    return NEEDS_CONFIRMATION if wish.field in STABLE_FIELDS else BELOW_THRESHOLD

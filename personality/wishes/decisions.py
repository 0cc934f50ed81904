"""A decision about a persona as a turn's answer tells it."""

from __future__ import annotations

from typing import Annotated, TypedDict

from nebo.api.shapes import Id, like, one_of
from personality.models import PersonaCandidate


class DecisionFields(TypedDict):
    """What was asked of a persona, and what was decided."""

    field: Annotated[str, like("response_length")]
    value: Annotated[str, like("short", "Empty: as the team made it.")]
    decision: Annotated[str, one_of(PersonaCandidate.Decision)]
    reason: Annotated[str, like("explicit")]
    candidate_id: Id


def decision_json(candidate: PersonaCandidate) -> DecisionFields:
    """One decision."""
    return {
        "field": candidate.field,
        "value": candidate.value,
        "decision": str(candidate.decision),
        "reason": candidate.reason,
        "candidate_id": str(candidate.pk),
    }

"""A decision about a persona as a turn's answer tells it."""

from __future__ import annotations

from personality.models import PersonaCandidate


def decision_json(candidate: PersonaCandidate) -> dict[str, str]:
    """`{field, value, decision, reason, candidate_id}`; an empty value means: as the team made it."""
    return {
        "field": candidate.field,
        "value": candidate.value,
        "decision": str(candidate.decision),
        "reason": candidate.reason,
        "candidate_id": str(candidate.pk),
    }

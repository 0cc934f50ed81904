"""What others shared with the team, beside an answer about one person."""

from __future__ import annotations

from uuid import UUID

from memories.team.recalling import TeamMemory, find_team_memories, note_team_read
from nebo.api.views import TenantView


def recall_team(
    view: TenantView, person_id: UUID, question: str, vector: list[float] | None
) -> list[TeamMemory]:
    """What is about the question, with a line of the log; none where the team's policy has no team memory.

    The answer isn't kept for an `Idempotency-Key`: whoever shared it may take it back.
    """
    found = find_team_memories(tenant=view.tenant, person_id=person_id, question=question, vector=vector)
    if found:
        note_team_read(tenant=view.tenant, actor=view.actor, person_id=person_id, memories=found)
        view.show_others()
    return found

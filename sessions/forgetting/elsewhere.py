"""What else says what was forgotten: found by meaning and withheld, by the job `forget-elsewhere`.

It puts a `rewrite` in the queue for every conversation that was touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memories.forgetting.mentions import (
    ForgottenMemory,
    Mentions,
    decide_mentions,
    find_forgotten,
    list_alike,
    list_other_topics,
)
from memories.forgetting.requests import ask_about_passages, close_questions
from memories.models import Memory, Withheld
from memories.storing.audited_writes import lock_person
from memories.storing.marking import mark_alike
from memories.withholding.lines import replace_lines
from memories.withholding.withholding import MessageSpan, keep_withheld, release
from nebo.jobs.claims import Claim
from nebo.tenants.actor import Actor
from search.answer_versions import invalidate_answers
from sessions.models import RollingSummary
from sessions.scheduling import schedule_rewriting


def forget_elsewhere(*, claim: Claim) -> None:
    """Find and withhold what says it in other words; nothing is left to find once it was undone."""
    tenant_id = claim.tenant_id
    forgotten = find_forgotten(tenant=tenant_id, memory_id=UUID(claim.payload["memory_id"]))
    found = decide_mentions(forgotten) if forgotten else None
    others = list_other_topics(forgotten) if forgotten else []
    alike = list_alike(tenant=tenant_id, forgotten=forgotten) if forgotten else []
    with claim.publish() as result:
        claim.hold_words()
        if forgotten is not None and found is not None and _stands(tenant_id, forgotten):
            result.update(_withhold(claim, forgotten, found, others))
            actor = Actor("job", str(claim.job_id))
            result["alike"] = mark_alike(tenant=tenant_id, memory=forgotten.memory, ids=alike, actor=actor)
        if forgotten is None:
            close_questions(
                tenant=tenant_id,
                memory_id=claim.payload["memory_id"],
                actor=Actor("job", str(claim.job_id)),
            )
        result["sessions"] = _schedule_rewriting(claim)


def _withhold(
    claim: Claim, forgotten: ForgottenMemory, found: Mentions, others: Sequence[MessageSpan]
) -> dict[str, int]:
    """What says it, and ask about what may; what only has its words is shown again."""
    tenant_id, memory = claim.tenant_id, forgotten.memory
    messages = keep_withheld(tenant=tenant_id, memory=memory, stretches=found.stretches)
    released = release(tenant=tenant_id, memory=memory, stretches=others)
    replace_lines(tenant=tenant_id, memory=memory, lines=found.lines)
    actor = Actor("job", str(claim.job_id))
    asked = ask_about_passages(tenant=tenant_id, memory=memory, stretches=found.unclear, actor=actor)
    return {"messages": len(messages), "released": released, "asked": len(asked.passages) if asked else 0}


def _stands(tenant_id: UUID, forgotten: ForgottenMemory) -> bool:
    """Whether it is forgotten still, once the person is held; answers made before count no more."""
    memory = forgotten.memory
    lock_person(tenant=tenant_id, person=memory.person)
    invalidate_answers(tenant=tenant_id, person_id=memory.person_id)
    now = Memory.objects.for_tenant(tenant_id).filter(pk=memory.pk, version=memory.version)
    return now.exists()


def _schedule_rewriting(claim: Claim) -> int:
    """A job a conversation in which words are withheld for this memory, or were until now."""
    rows = Withheld.objects.for_tenant(claim.tenant_id).filter(memory_id=claim.payload["memory_id"])
    newest = RollingSummary.objects.for_tenant(claim.tenant_id).filter(state__person_id=claim.person_id)
    spoken_for = newest.order_by("state_id", "-created_at", "-id").distinct("state_id")
    touched = {str(pk) for pk in rows.values_list("session_id", flat=True)}
    if touched or claim.payload.get("sessions"):
        touched |= {str(pk) for pk in spoken_for.values_list("session_id", flat=True) if pk}
    touched |= set(claim.payload.get("sessions", ()))
    for session_id in sorted(touched):
        schedule_rewriting(
            tenant=claim.tenant_id,
            person_id=claim.person_id,
            session_id=UUID(session_id),
            undone_since=claim.payload.get("undone_since"),
        )
    return len(touched)

"""Work on memories that comes round daily."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from uuid import UUID

from memories.audit.sealing import enqueue_sealing, seal_all
from memories.curation.run import curate_person, list_due_people
from memories.curation.upkeep import clean_provisional, empty_trash, end_memories
from memories.learning.verification import KIND, verify_proposals
from memories.todos.store import expire_todos
from nebo.jobs.claims import Claim
from nebo.jobs.lanes import Lane
from nebo.jobs.periodic import for_each_tenant, periodic
from nebo.jobs.registry import handler
from nebo.tenants.actor import Actor

DAILY = timedelta(days=1)


@handler("clean-provisional", lane=Lane.UPKEEP)
def clean_provisional_memories(claim: Claim) -> None:
    """Guesses that nobody confirmed go to the trash."""
    count = clean_provisional(tenant=claim.tenant_id, actor=Actor("job", str(claim.job_id)))
    with claim.publish() as result:
        result["deleted"] = count


@handler("empty-trash", lane=Lane.UPKEEP)
def empty_whole_trash(claim: Claim) -> None:
    """What a person removes for good, and is more than a page can wait for."""
    count = empty_trash(
        tenant=claim.tenant_id,
        person_ids=[UUID(one) for one in claim.payload["people"]],
        before=datetime.fromisoformat(claim.payload["before"]),
        actor=Actor("job", str(claim.job_id)),
        redact=claim.payload["redact"],
    )
    with claim.publish() as result:
        result["removed"] = count


@handler("seal-audit", lane=Lane.UPKEEP)
def seal_audit_log(claim: Claim) -> None:
    """What the audit log has gathered since becomes a link of its chain."""
    count = seal_all(tenant=claim.tenant_id)
    with claim.publish() as result:
        result["sealed"] = count


@handler("curate", lane=Lane.UPKEEP)
def curate_memories(claim: Claim) -> None:
    """One person's memories, or those of everyone in the tenant whose memories changed since the last time."""
    people = [claim.person_id] if claim.person_id else list_due_people(tenant=claim.tenant_id)
    actor = Actor("job", str(claim.job_id))
    counts: Counter[str] = Counter()
    for person_id in people:
        counts.update(curate_person(tenant=claim.tenant_id, person_id=person_id, actor=actor))
    with claim.publish() as result:
        result.update({"people": len(people), **counts})


@handler("end-memories", lane=Lane.UPKEEP)
def end_memories_due(claim: Claim) -> None:
    """What was told to hold until a day that has come holds no longer."""
    with claim.publish() as result:
        result["ended"] = end_memories(tenant=claim.tenant_id, actor=Actor("job", str(claim.job_id)))


@handler("expire-todos", lane=Lane.UPKEEP)
def expire_open_todos(claim: Claim) -> None:
    """What stayed open past its time leaves the list."""
    with claim.publish() as result:
        result["expired"] = expire_todos(tenant=claim.tenant_id, actor=Actor("job", str(claim.job_id)))


@handler(KIND, lane=Lane.SUMMARY)
def verify(claim: Claim) -> None:
    """What code alone couldn't tell is asked about, once a run."""
    verify_proposals(claim=claim)


for_each_tenant("clean-provisional", every=DAILY)
for_each_tenant("curate", every=DAILY)
for_each_tenant("end-memories", every=DAILY)
for_each_tenant("expire-todos", every=DAILY)
periodic("seal-audit", every=timedelta(minutes=10))(enqueue_sealing)

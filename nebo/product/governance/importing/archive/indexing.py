"""The index of what came in with an archive: made by jobs, a piece at a time, of what isn't in it yet.

What a message confides is read again, since an archive doesn't say who may find it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from memories.models import Memory
from memories.storing.audited_writes import passage_of
from memories.understanding import Understanding
from nebo.jobs.claims import Claim
from nebo.jobs.lanes import Lane
from nebo.jobs.services import enqueue
from nebo.reading.meaning.reader import read_all
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from search.answer_versions import invalidate_answers
from search.indexing.passages import index_passages
from search.models import Chunk
from sessions.learning.audience import find_confidential_in
from sessions.models import Message, Session
from sessions.turns.indexing import index_messages

KIND = "index-person"
LANE = Lane.SUMMARY
MEMORIES_AT_ONCE = 200
MESSAGES_AT_ONCE = 40
SENTENCES_AT_ONCE = 1_000  # all of them; none is left to another job


def index_person(*, claim: Claim) -> None:
    """First memories, then messages from the oldest on."""
    if claim.person_id is None or _index_memories(claim):
        return
    _index_messages(claim)


def _index_memories(claim: Claim) -> int:
    """A piece of those that live and aren't found; how many."""
    with tenant_scope(claim.tenant_id):
        found = Chunk.objects.for_tenant(claim.tenant_id).filter(
            person_id=claim.person_id, memory_id=OuterRef("pk")
        )
        rows = Memory.objects.for_tenant(claim.tenant_id).filter(
            ~Exists(found), person_id=claim.person_id, status=Memory.Status.ACTIVE
        )
        memories = list(rows.order_by("pk")[:MEMORIES_AT_ONCE])
    if not memories:
        return 0
    with claim.publish() as result:
        claim.hold_words()
        live = _list_live(claim, memories)
        invalidate_answers(tenant=claim.tenant_id, person_id=live_person(claim))
        index_passages(
            tenant=claim.tenant_id,
            person_id=live_person(claim),
            passages=[passage_of(memory) for memory in live],
        )
        result["memories"] = len(live)
        claim.give_way()
    return len(memories)


def _list_live(claim: Claim, memories: Sequence[Memory]) -> list[Memory]:
    """As they are now that the person's row is held."""
    ids = [memory.pk for memory in memories]
    rows = Memory.objects.for_tenant(claim.tenant_id).filter(pk__in=ids, status=Memory.Status.ACTIVE)
    return list(rows.order_by("pk"))


def live_person(claim: Claim) -> UUID:
    """The person whom the job is about."""
    assert claim.person_id is not None
    return claim.person_id


def _index_messages(claim: Claim) -> None:
    after = claim.payload["after"]
    with tenant_scope(claim.tenant_id):
        messages = list(_list_unfound(claim, after)[:MESSAGES_AT_ONCE])
    texts = [message.content if message.role == Message.Role.USER else "" for message in messages]
    readings = read_all(texts, limit=SENTENCES_AT_ONCE)
    understood = {m.pk: Understanding(one) for m, one in zip(messages, readings, strict=True)}
    with claim.publish() as result:
        claim.hold_words()
        tenant = Tenant.objects.get(pk=claim.tenant_id)
        for session_id, some in groupby(messages, lambda message: message.session_id):
            _index_session(tenant, session_id, list(some), understood)
        result["messages"] = len(messages)
        if messages:
            enqueue(
                tenant=tenant,
                kind=KIND,
                payload={"after": str(messages[-1].pk)},
                dedupe_key=f"index-person:{claim.person_id}",
                person_id=claim.person_id,
                lane=LANE,
            )


def _list_unfound(claim: Claim, after: str) -> QuerySet[Message]:
    found = Chunk.objects.for_tenant(claim.tenant_id).filter(
        person_id=claim.person_id,
        source="session",
        session_id=OuterRef("session_id"),
        seq_from__lte=OuterRef("seq"),
        seq_to__gte=OuterRef("seq"),
    )
    rows = Message.objects.for_tenant(claim.tenant_id).filter(~Exists(found), person_id=claim.person_id)
    return (rows.filter(pk__gt=after) if after else rows).order_by("pk")


def _index_session(
    tenant: Tenant, session_id: UUID, messages: Sequence[Message], understood: dict[UUID, Understanding]
) -> None:
    session = Session.objects.for_tenant(tenant).select_related("persona").get(pk=session_id)
    confidential = find_confidential_in(
        tenant=tenant, session=session, messages=messages, understood=understood
    )
    index_messages(tenant, session, messages, confidential)

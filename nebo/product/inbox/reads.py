"""Reading all that waits for a person's decision, with what stands behind it: two statements, however much it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet, UUIDField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.db.models.lookups import Exact

from memories.curation.selectors import list_open_proposals
from memories.forgetting.requests import list_requests
from memories.models import AuditEntry, Entity, ExtractionRun, Memory, MemoryEntity, Observation, Todo
from memories.withholding.withholding import list_messages
from nebo.product.inbox.actions import DECISIONS
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.reads import Queries, Rows, TenantReads
from personality.models import PersonaCandidate, PersonaEvidence
from personality.personas.selectors import list_all_personas

SHOWN = 50  # of each kind; the next come as these are decided
LATELY = 20  # runs and decisions looked at
FACTS = 200  # about all names together


def read_waiting(*, tenant: Tenant, person_id: UUID, only: UUID | None = None) -> Rows:
    """The rows that wait, by kind; of one thing alone if it is named."""
    return WAITING.read(tenant=tenant, person_id=person_id, only=only)


def read_beside(*, tenant: Tenant, person_id: UUID, found: Rows, memories: Sequence[Memory]) -> Rows:
    """What a person has to see to decide about them."""
    requests, runs, pairs = found["requests"], found["runs"], found["pairs"]
    return BESIDE.read(
        tenant=tenant,
        person_id=person_id,
        owner_ids=list({memory.person_id for memory in memories}),
        memory_ids=[memory.pk for memory in memories],
        namespaces=list({memory.namespace for memory in memories}),
        keys=list({memory.key for memory in memories}),
        slots=[slot for memory in memories if (slot := str(memory.metadata.get("slot") or ""))],
        entity_ids=[id for pair in pairs for id in (pair.first_id, pair.second_id)],
        named_ids=[id for one in requests for id in (*one.memory_ids, *_passage_ids(one, "memory"))],
        todo_ids=[id for one in requests for id in one.todo_ids],
        message_ids=[
            *(one.message_id for one in requests if one.message_id),
            *(id for one in requests for id in _passage_ids(one, "message")),
            *(id for run in runs for id in cited_by(run)),
        ],
        candidate_ids=[one.pk for one in found["wishes"]],
    )


def cited_by(run: ExtractionRun) -> set[UUID]:
    """The messages that a run's proposals quote."""
    seen = [one for row in run.proposals for one in (row, *row.get("observations", ()))]
    return {UUID(one["message_id"]) for one in seen if one.get("message_id")}


def _passage_ids(request: Any, name: str) -> list[UUID]:
    return [UUID(one[name]) for one in request.passages]


def list_waiting(
    *, tenant: Tenant | UUID, person_id: UUID, shared: bool = True
) -> dict[str, QuerySet[Any, Any]]:
    """All that waits for a person's decision, by kind; with what is everyone's for those who may decide about that."""
    people = UserProfile.objects.for_tenant(tenant)
    whose = Q(person_id=person_id)
    if shared:
        whose |= Q(person_id__in=people.filter(kind=UserProfile.Kind.SHARED).values("pk"))
    quarantined = Memory.objects.for_tenant(tenant).filter(whose, status=Memory.Status.QUARANTINED)
    wishes = PersonaCandidate.objects.for_tenant(tenant).filter(
        person_id=person_id, decision=PersonaCandidate.Decision.DEFERRED
    )
    runs = ExtractionRun.objects.for_tenant(tenant).filter(person_id=person_id)
    return {
        "memories": quarantined.order_by("-updated_at", "-id"),
        "pairs": list_open_proposals(tenant=tenant, person_id=person_id).select_related(None),
        "requests": list_requests(tenant=tenant, person_id=person_id).select_related(None),
        "wishes": wishes.order_by("-updated_at", "-id"),
        "runs": runs.filter(status=ExtractionRun.Status.REVIEW).order_by("-created_at"),
    }


def _list_waiting(tenant: UUID, *, person_id: UUID, only: UUID) -> Queries:
    one = Exact(F("pk"), Coalesce(Value(only, output_field=UUIDField()), F("pk")))
    parts = list_waiting(tenant=tenant, person_id=person_id)
    runs = ExtractionRun.objects.for_tenant(tenant).filter(person_id=person_id)
    entries = AuditEntry.objects.for_tenant(tenant).filter(person_id=person_id, action__in=DECISIONS)
    return {
        **{name: rows.filter(one)[:SHOWN] for name, rows in parts.items()},
        "applied": runs.filter(status=ExtractionRun.Status.APPLIED).order_by("-created_at")[:LATELY],
        "decisions": entries.order_by("-at")[:LATELY],
        "shared": UserProfile.objects.for_tenant(tenant).filter(kind=UserProfile.Kind.SHARED).values("id"),
        "personas": list_all_personas(tenant=tenant).values("id", "name", "slug"),
    }


WAITING = TenantReads(_list_waiting, given={"person_id": "uuid", "only": "uuid"})


def _list_beside(
    tenant: UUID,
    *,
    memory_ids: Sequence[UUID],
    named_ids: Sequence[UUID],
    message_ids: Sequence[UUID],
    candidate_ids: Sequence[UUID],
    entity_ids: Sequence[UUID],
    todo_ids: Sequence[UUID],
    **rivals: Any,
) -> Queries:
    person_id = rivals["person_id"]
    observations = Observation.objects.for_tenant(tenant).filter(memory_id__in=memory_ids)
    evidence = PersonaEvidence.objects.for_tenant(tenant).filter(candidate_id__in=candidate_ids)
    links = MemoryEntity.objects.for_tenant(tenant).filter(
        entity_id__in=entity_ids, memory__status=Memory.Status.ACTIVE
    )
    quoted = (
        Q(pk__in=message_ids)
        | Q(pk__in=observations.values("message_id"))
        | Q(pk__in=evidence.values("message_id"))
    )
    return {
        "observations": observations.order_by("created_at", "id"),
        "evidence": evidence.order_by("created_at", "id"),
        "messages": list_messages(tenant).filter(quoted, person_id=person_id),
        "entities": Entity.objects.for_tenant(tenant).filter(pk__in=entity_ids),
        "facts": links.order_by("-memory__pinned", "-memory__importance", "-memory__created_at").values(
            "entity_id", value=F("memory__value")
        )[:FACTS],
        "named": Memory.objects.for_tenant(tenant).filter(pk__in=named_ids, person_id=person_id),
        "todos": Todo.objects.for_tenant(tenant).filter(pk__in=todo_ids, person_id=person_id),
        "rivals": _list_rivals(tenant, **rivals),
    }


def _list_rivals(
    tenant: UUID,
    *,
    person_id: UUID,
    owner_ids: Sequence[UUID],
    namespaces: Sequence[str],
    keys: Sequence[str],
    slots: Sequence[str],
) -> QuerySet[Memory]:
    """Live memories that have the address of one that waits, or answer the same question about the person."""
    live = Memory.objects.for_tenant(tenant).filter(status=Memory.Status.ACTIVE, person_id__in=owner_ids)
    slot = live.annotate(slot=KT("metadata__slot")).filter(slot__in=slots)
    address = live.filter(namespace__in=namespaces, key__in=keys)
    return live.filter(Q(pk__in=slot.values("pk")) | Q(pk__in=address.values("pk")))


BESIDE = TenantReads(
    _list_beside,
    given={
        "person_id": "uuid",
        "owner_ids": "uuid[]",
        "memory_ids": "uuid[]",
        "namespaces": "text[]",
        "keys": "text[]",
        "slots": "text[]",
        "entity_ids": "uuid[]",
        "named_ids": "uuid[]",
        "todo_ids": "uuid[]",
        "message_ids": "uuid[]",
        "candidate_ids": "uuid[]",
    },
)

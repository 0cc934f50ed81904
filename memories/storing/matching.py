"""Finding the memory that already says what a new one says. The person's row must be held."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Case, Q, QuerySet, Value, When

from memories.entity_refs import find_ref, resolve_memory_key
from memories.models import Memory, Observation
from memories.new_memory import NewMemory
from memories.storing.entities import get_aliases
from memories.storing.styles import STYLE_NAMESPACE
from nebo.reading.relations.same_fact import SAME_FACT_SIMILARITY, is_same_text, may_be_same
from nebo.tenants.models import Tenant
from search.retrieval.nearest import list_nearest_memories

PROPOSALS = frozenset({Memory.Source.EXTRACTION, Memory.Source.SIGNAL})  # sources that propose, never decide
NEAREST = 5  # candidates looked at; the best may differ in a number
SIBLINGS = 20  # facts that may share one key by number (person/sarah, person/sarah-2, …)


def list_live(*, tenant: Tenant | UUID, draft: Memory) -> QuerySet[Memory]:
    """Live memories of the same person, persona, scope and session."""
    audience = Q(persona_id=draft.persona_id, scope=draft.scope, session_id=draft.session_id)
    return Memory.objects.for_tenant(tenant).filter(
        audience, person_id=draft.person_id, status=Memory.Status.ACTIVE
    )


def find_at_address(*, tenant: Tenant | UUID, draft: Memory) -> Memory | None:
    """The live memory under the same namespace and key."""
    live = list_live(tenant=tenant, draft=draft)
    return live.filter(namespace=draft.namespace, key=draft.key).first()


def find_same_content(*, tenant: Tenant | UUID, draft: Memory) -> Memory | None:
    """A live memory in the namespace with the same text under any key, with or without a full stop."""
    live = list_live(tenant=tenant, draft=draft).filter(namespace=draft.namespace)
    plain = draft.value.rstrip(" .")
    same = Q(value__iexact=draft.value) | Q(value__iexact=plain) | Q(value__iexact=f"{plain}.")
    return live.filter(same).order_by("created_at").first()


def find_by_memory_key(*, tenant: Tenant | UUID, draft: Memory) -> Memory | None:
    """The live memory with the same memory key: the only one written under it, else the only one read so.

    A key that was merely derived names a whole subject, and several facts may share it: then it is none of them.
    """
    if not draft.memory_key:
        return None
    aliases = get_aliases(tenant=tenant, person_id=draft.person_id)
    key = resolve_memory_key(draft.memory_key, aliases)
    live = (
        list_live(tenant=tenant, draft=draft)
        .filter(memory_key=key)
        .exclude(source=Memory.Source.CURATED_FOLD)
    )
    read = Case(When(source__in=PROPOSALS, then=Value(1)), default=Value(0))
    found = list(live.annotate(read=read).order_by("read", "created_at")[:2])
    alone = len(found) == 1 or (
        len(found) == 2 and (found[0].source in PROPOSALS) < (found[1].source in PROPOSALS)
    )
    return found[0] if alone else None


def find_near_duplicate(
    *, tenant: Tenant | UUID, draft: Memory, vector: list[float] | None, apart: Collection[UUID] = ()
) -> Memory | None:
    """The nearest live memory that says the same in other words; none of those that are known to be `apart`."""
    if vector is None:
        return None
    nearest = list_nearest_memories(
        tenant=tenant,
        person_id=draft.person_id,
        vector=vector,
        limit=NEAREST,
        persona_id=draft.persona_id,
        session_id=draft.session_id,
    )
    near = [
        item.memory_id
        for item in nearest
        if item.similarity >= SAME_FACT_SIMILARITY and item.memory_id not in apart
    ]
    found = list_live(tenant=tenant, draft=draft).in_bulk(near) if near else {}
    same = (found[i] for i in near if i in found and _is_same_fact(found[i], draft))
    return next(same, None)


def find_already_read(*, tenant: Tenant | UUID, draft: Memory, new: NewMemory) -> Memory | None:
    """What an earlier reading of the same messages made of this fact, also where it was deleted since.

    So reading a conversation twice changes nothing, and what a person forgot doesn't come back by itself.
    """
    messages = [seen.message_id for seen in new.observations if seen.message_id]
    if not messages:
        return None
    keys = [draft.key, *(f"{draft.key}-{number}" for number in range(2, SIBLINGS + 2))]
    same_key = Q(memory__key__in=keys)
    if names_only_its_entity(draft):  # what a rule heard of Sarah is not all there is to read about her
        same_key &= ~Q(extractor="signal")
    same_fact = same_key | Q(memory__value__iexact=draft.value)
    audience = Q(memory__person_id=draft.person_id, memory__persona_id=draft.persona_id)
    seen = Observation.objects.for_tenant(tenant).filter(
        same_fact, audience, message_id__in=messages, memory__namespace=draft.namespace
    )
    for run_id in {seen.run_id for seen in new.observations if seen.run_id}:
        seen = seen.exclude(run_id=run_id)
    first = seen.select_related("memory").order_by("created_at").first()
    return first.memory if first else None


def is_sibling(*, tenant: Tenant | UUID, held: Memory, new: NewMemory) -> bool:
    """Whether the same reading of the same message made `held` too: two facts, not one that changed."""
    runs = {seen.run_id for seen in new.observations if seen.run_id}
    messages = [seen.message_id for seen in new.observations if seen.message_id]
    if not runs or not messages:
        return False
    observations = Observation.objects.for_tenant(tenant).filter(memory=held)
    return observations.filter(run_id__in=runs, message_id__in=messages).exists()


def names_only_its_entity(draft: Memory) -> bool:
    """Whether the key says whom a fact is about and not which fact (`person/sarah`): many stand under such a key."""
    return (
        draft.layer == Memory.Layer.ENTITY and draft.key.count("/") == 1 and find_ref(draft.key) is not None
    )


def is_seen(*, tenant: Tenant | UUID, memory: Memory, new: NewMemory) -> bool:
    """Whether every message cited already speaks for this memory; False where none is cited."""
    messages = {seen.message_id for seen in new.observations if seen.message_id}
    if not messages:
        return False
    observations = Observation.objects.for_tenant(tenant).filter(memory=memory, message_id__in=messages)
    return set(observations.values_list("message_id", flat=True)) == messages


def _is_same_fact(one: Memory, other: Memory) -> bool:
    if is_same_text(one.value, other.value):
        return one.layer == other.layer
    if one.layer != other.layer or not may_be_same(one.value, other.value):
        return False
    narrow = one.layer == Memory.Layer.DAILY or STYLE_NAMESPACE in (one.namespace, other.namespace)
    return one.namespace == other.namespace or not narrow

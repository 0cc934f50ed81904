"""Names that may be one: entities of a person that sound or are spelled alike are proposed for merging, once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from memories.models import Entity, Memory, MemoryEntity, MergeProposal
from memories.people.sound_alike import Likeness, block_keys, compare_names, compare_short, plain
from memories.storing.audited_writes import lock_person
from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of

MAX_ENTITIES = 5_000  # of a person that are compared
MAX_BLOCK = 50  # names that share a key; more of them share nothing worth a look
MAX_PROPOSALS = 50  # a run, the most alike first


def propose_merges(*, tenant: Tenant | UUID, person_id: UUID) -> int:
    """Store the pairs nobody has decided about yet, with why; how many are new. Four queries.

    Two that one memory tells apart ("Jon and John met") are two.
    """
    entities = _list_entities(tenant, person_id)
    alike = [*_list_alike(entities), *_list_short(entities)]
    found = sorted(alike, key=lambda row: (-row[2].similarity, row[0].ref))
    together = _list_together(tenant, [entity.pk for one, other, _ in found for entity in (one, other)])
    rows = [
        _proposal(tenant_id_of(tenant), person_id, one, other, alike)
        for one, other, alike in found
        if not together.get(one.pk, set()) & together.get(other.pk, set())
    ]
    known = MergeProposal.objects.for_tenant(tenant).filter(person_id=person_id)
    decided = set(known.values_list("first_id", "second_id"))
    new = [row for row in rows if (row.first_id, row.second_id) not in decided][:MAX_PROPOSALS]
    MergeProposal.objects.for_tenant(tenant).bulk_create(new, ignore_conflicts=True)
    return len(new)


def dismiss_proposal(*, tenant: Tenant | UUID, proposal: MergeProposal, actor: Actor) -> MergeProposal:
    """They are two: never proposed again. Raises Conflict for one that was merged."""
    _hold_two(tenant, proposal)
    if proposal.status == MergeProposal.Status.OPEN:
        decide(proposal, MergeProposal.Status.DISMISSED, actor)
        _note(tenant, proposal, actor, "proposal.dismissed")
    return proposal


def propose_again(*, tenant: Tenant | UUID, proposal: MergeProposal, actor: Actor) -> MergeProposal:
    """Nobody has decided about these two after all. Raises Conflict while they are merged."""
    _hold_two(tenant, proposal)
    proposal.status, proposal.decided_at, proposal.decided_by = MergeProposal.Status.OPEN, None, ""
    proposal.save(update_fields=["status", "decided_at", "decided_by"])
    _note(tenant, proposal, actor, "proposal.reopened")
    return proposal


def _hold_two(tenant: Tenant | UUID, proposal: MergeProposal) -> None:
    """Lock its person, and look again: both names must stand by themselves."""
    lock_person(tenant=tenant, person=proposal.person)
    proposal.refresh_from_db()
    if proposal.status == MergeProposal.Status.MERGED:
        raise Conflict(_("These two are merged; split them instead."))


def _note(tenant: Tenant | UUID, proposal: MergeProposal, actor: Actor, action: str) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="merge_proposal",
        object_id=proposal.pk,
        person_id=proposal.person_id,
    )


def decide(proposal: MergeProposal, status: str, actor: Actor) -> None:
    """Note a decision and who made it."""
    proposal.status, proposal.decided_at, proposal.decided_by = status, timezone.now(), str(actor)[:120]
    proposal.save(update_fields=["status", "decided_at", "decided_by"])


def _list_entities(tenant: Tenant | UUID, person_id: UUID) -> list[Entity]:
    """Those that a live memory speaks of."""
    rows = Entity.objects.for_tenant(tenant).filter(
        person_id=person_id, merged_into=None, links__memory__status=Memory.Status.ACTIVE
    )
    return list(rows.distinct().order_by("ref")[:MAX_ENTITIES])


def _list_alike(entities: Sequence[Entity]) -> Iterator[tuple[Entity, Entity, Likeness]]:
    """Pairs of one type whose names are alike, each once."""
    blocks: dict[tuple[str, str], list[Entity]] = {}
    for entity in entities:
        for key in block_keys(_name(entity)):
            blocks.setdefault((entity.type, key), []).append(entity)
    seen: set[tuple[UUID, UUID]] = set()
    for block in blocks.values():
        for one, other in combinations(block[:MAX_BLOCK], 2):
            if (one.pk, other.pk) in seen:
                continue
            seen.add((one.pk, other.pk))
            alike = compare_names(_name(one), _name(other))
            if alike is not None:
                yield one, other, alike


def _list_short(entities: Sequence[Entity]) -> Iterator[tuple[Entity, Entity, Likeness]]:
    """People called by their first name alone, and the only one known whose full name begins so."""
    people = [entity for entity in entities if entity.type == "person"]
    by_first: dict[str, list[Entity]] = {}
    for entity in people:
        by_first.setdefault(plain(_name(entity)).partition(" ")[0], []).append(entity)
    for named in by_first.values():
        found = [
            (one, other, alike)
            for one in named
            for other in named
            if (alike := compare_short(_name(one), _name(other)))
        ]
        if len(found) == 1:
            yield found[0]


def _name(entity: Entity) -> str:
    return entity.ref.partition(":")[2].replace("_", " ")


def _list_together(tenant: Tenant | UUID, entity_ids: Sequence[UUID]) -> dict[UUID, set[UUID]]:
    """Which live memories speak of each."""
    links = MemoryEntity.objects.for_tenant(tenant).filter(
        entity_id__in=entity_ids, memory__status=Memory.Status.ACTIVE
    )
    found: dict[UUID, set[UUID]] = {}
    for entity_id, memory_id in links.values_list("entity_id", "memory_id"):
        found.setdefault(entity_id, set()).add(memory_id)
    return found


def _proposal(tenant_id: UUID, person_id: UUID, one: Entity, other: Entity, alike: Likeness) -> MergeProposal:
    first, second = sorted((one, other), key=lambda entity: entity.ref)
    return MergeProposal(
        tenant_id=tenant_id,
        person_id=person_id,
        first=first,
        second=second,
        evidence={"sound": alike.sound, "edits": alike.edits, "similarity": alike.similarity},
    )

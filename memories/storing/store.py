"""Storing a memory: screened, placed at its address, and told apart from what is known already.

What an agent or a person writes is a decision and takes effect at once. What was read out of a conversation is a
proposal: it may add, reinforce, or supersede with a link; it never touches what a person pinned or confirmed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from memories.confidence import passes_gate
from memories.confidence import reinforce as boosted
from memories.entity_refs import resolve_refs
from memories.models import Memory
from memories.new_memory import NewMemory, embedding_text, make_key
from memories.screening.checks import screen
from memories.screening.sensitive import redact
from memories.storing import matching
from memories.storing.audited_writes import change_memory, insert_memory
from memories.storing.blocking import answer_marked, find_blocking
from memories.storing.comparing import NOT_COMPARED, Comparison
from memories.storing.entities import ENTITY_REFS_MAX, get_aliases, name_subject, original_labels
from memories.storing.intake import Intake, as_brought, draft_memory, hold_owner, stated_at, with_observation
from memories.storing.restatements import find_restated_by, has_wording
from memories.storing.superseding import find_same, list_replaced, supersede
from memories.storing.unfolding import find_part_at, take_apart_for_news
from memories.trust import capped, is_less_sure, is_weaker
from nebo.reading.relations.same_fact import is_same_text
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.selectors import get_shared_person

Action = Literal["created", "updated", "reinforced", "superseded", "quarantined", "unchanged"]

REASON_PINNED = "Contradicts a memory you pinned or confirmed."
REASON_WEAKER = "Contradicts what you said yourself; only the assistant said this."
REASON_LESS_SURE = "Contradicts what is known more surely."
MAX_IMPORTANCE = 3  # docs/design.md#memory-numbers
WHY_CHARS = 160  # characters of a fact in a reason


@dataclass(frozen=True, slots=True)
class Stored:
    """The memory that now says it, what was done, and whether it was there already in other words.

    `before` is what it said until now; empty for a new one.
    """

    memory: Memory
    action: Action
    deduplicated: bool = False
    before: str = ""


def store_memory(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    new: NewMemory,
    actor: Actor,
    vector: list[float] | None = None,
    deduplicate: bool = True,
    compared: Comparison = NOT_COMPARED,
) -> Stored:
    """Remember `new` about `person`, or strengthen what says so already, inside the caller's scope.

    `compared` is what it is to known memories: they are strengthened or closed. `vector` is that of
    `embedding_text(address_key(key, value), value)`; without one, near-duplicates are not looked for and the vector
    follows by a job. A global memory belongs to the tenant's shared profile. Raises InvalidInput (400, naming the
    field), KeptOut, Forbidden, and CollectionPaused.
    """
    new = as_brought(new, actor)
    owner = get_shared_person(tenant=tenant) if new.scope == Memory.Scope.GLOBAL else person
    screened = hold_owner(tenant=tenant, owner=owner, screened=screen(new), actor=actor)
    labels = {ref: redact(label) for ref, label in original_labels(screened.new.entity_refs).items()}
    draft = name_subject(draft_memory(owner, screened), labels=labels)
    vectors = {embedding_text(draft.key, draft.value): vector} if vector is not None else None
    if compared.slot:
        draft.metadata.setdefault("slot", compared.slot)
    whole = with_observation(screened.new, draft, actor)
    intake = Intake(tenant, whole, draft, actor, vectors, deduplicate, labels, compared)
    if (marked := find_blocking(intake)) is not None:
        reason = answer_marked(intake, marked)
        return _contest(intake, reason) if reason else Stored(marked, "unchanged", deduplicated=True)
    if intake.proposed:
        read = matching.find_already_read(tenant=tenant, draft=draft, new=intake.new)
        if read is not None:
            return Stored(read, "unchanged", deduplicated=True)
        if not screened.reason and (stated := find_restated_by(tenant=tenant, person_id=owner.pk, new=whole)):
            return _close(intake, _list_also_replaced(intake, stated), _keep_restatement(intake, stated))
    return _quarantine(intake) if screened.reason else _place(intake, vector)


def _place(intake: Intake, vector: list[float] | None) -> Stored:
    """Its address, what is known already, else a new one; what it answers anew is closed with it."""
    folded = _merge_into_fold(intake)
    if folded is not None:
        return folded
    answered = _list_replaced(intake)
    objection = _find_objection(intake, answered)
    if objection:
        return _contest(intake, objection)
    held = matching.find_at_address(tenant=intake.tenant, draft=intake.draft)
    if held is not None and (held in answered or not _needs_own_key(intake, held)):
        return _close(intake, [one for one in answered if one != held], _merge_into(intake, held))
    known = _find_known(intake, vector) if intake.deduplicate else None
    if known is not None:
        return _reinforce(intake, known)
    keyed = matching.find_by_memory_key(tenant=intake.tenant, draft=intake.draft) if intake.keyed else None
    if keyed is not None and held is None and intake.deduplicate:
        return _merge_into(intake, keyed)
    newer = next((one for one in answered if _begin_of(one) > stated_at(intake.new)), None)
    if newer is not None and intake.proposed:
        return _store_history(intake, newer)
    return _close(intake, answered, _create(_with_own_key(intake) if held is not None else intake))


def _find_known(intake: Intake, vector: list[float] | None) -> Memory | None:
    """The same text, or the same meaning, under any key. What was weighed and isn't the same is none of them."""
    tenant, draft, compared = intake.tenant, intake.draft, intake.compared
    other = compared.those("beside", "changes", "ends")
    return (
        matching.find_same_content(tenant=tenant, draft=draft)
        or matching.find_near_duplicate(tenant=tenant, draft=draft, vector=vector, apart=other)
        or find_same(tenant=tenant, draft=draft, ids=compared.those("same"))
    )


def _list_replaced(intake: Intake) -> list[Memory]:
    """What it takes the place of. A guess closes nothing, and a deliberate write nothing that a person decided."""
    ids = intake.compared.those("changes", "ends") if intake.deduplicate else []
    if not ids or not passes_gate(intake.draft.confidence):
        return []
    found = list_replaced(tenant=intake.tenant, draft=intake.draft, new=intake.new, ids=ids)
    return found if intake.proposed else [one for one in found if not _is_decided(one)]


def _list_also_replaced(intake: Intake, stated: Memory) -> list[Memory]:
    """What the other wording of a memory answers anew, too: nothing that a person decided or that is known better."""
    found = [one for one in _list_replaced(intake) if one.pk != stated.pk and not _is_decided(one)]
    return [one for one in found if not _outweighed(intake, one) and _begin_of(one) <= stated_at(intake.new)]


def _find_objection(intake: Intake, answered: Sequence[Memory]) -> str:
    """Why a proposal may not close what it answers anew; empty where it may."""
    if not intake.proposed:
        return ""
    if any(map(_is_decided, answered)):
        return REASON_PINNED
    return next(filter(None, (_outweighed(intake, one) for one in answered)), "")


def _is_decided(memory: Memory) -> bool:
    return memory.pinned or memory.confirmed_at is not None


def _close(intake: Intake, answered: Sequence[Memory], stored: Stored) -> Stored:
    """The answers that no longer hold give way to the new one, if it is live."""
    if not answered or stored.memory.status != Memory.Status.ACTIVE:
        return stored
    supersede(
        tenant=intake.tenant,
        memories=answered,
        by=stored.memory,
        at=stated_at(intake.new),
        change=intake.change("superseded", f"Is another now: “{intake.draft.value[:WHY_CHARS]}”"),
    )
    return replace(stored, action="superseded") if stored.action == "created" else stored


def _merge_into_fold(intake: Intake) -> Stored | None:
    """A part of a fold has this one's address. The same again strengthens the fold; anything else takes the fold apart,
    so that it concerns that part alone. None if this is the usual case."""
    part = find_part_at(tenant=intake.tenant, draft=intake.draft)
    if part is None:
        return None
    fold = part.fold.memory
    if any(is_same_text(text, intake.draft.value) for text in (part.memory.value, fold.value)):
        return _reinforce(intake, fold)
    if _needs_own_key(intake, part.memory):
        return None
    if fold.pinned or fold.confirmed_at is not None:
        return _contest(intake, REASON_PINNED) if intake.proposed else None
    if intake.proposed and is_weaker(intake.draft.trust, part.memory.trust):
        return _contest(intake, REASON_WEAKER)
    take_apart_for_news(tenant=intake.tenant, draft=intake.draft, actor=intake.actor)
    return None


def _needs_own_key(intake: Intake, held: Memory) -> bool:
    """Two facts of one reading share no key, and who asks for a second copy without a key gets one."""
    if not intake.deduplicate and not intake.proposed:
        return intake.draft.key == make_key(intake.draft.value)
    if is_same_text(held.value, intake.draft.value) or not intake.proposed:
        return False
    if matching.names_only_its_entity(intake.draft):
        return True
    return matching.is_sibling(tenant=intake.tenant, held=held, new=intake.new)


def _with_own_key(intake: Intake) -> Intake:
    """The first of key-2, key-3, … that is free."""
    draft = intake.draft
    live = matching.list_live(tenant=intake.tenant, draft=draft).filter(namespace=draft.namespace)
    taken = set(live.filter(key__startswith=draft.key[:120]).values_list("key", flat=True))
    numbers = range(2, len(taken) + 3)
    draft.key = next(key for n in numbers if (key := f"{draft.key[:120]}-{n}") not in taken)
    return intake


def _merge_into(intake: Intake, held: Memory) -> Stored:
    """A memory stands where this one belongs."""
    if is_same_text(held.value, intake.draft.value):
        return _reinforce(intake, held)
    if not intake.proposed:
        return _rewrite(intake, held)
    if held.pinned or held.confirmed_at is not None:
        return _contest(intake, REASON_PINNED)
    outweighed = _outweighed(intake, held)
    return _contest(intake, outweighed) if outweighed else _supersede(intake, held)


def _outweighed(intake: Intake, held: Memory) -> str:
    """Why a proposal doesn't take the place of what is known, or empty; a person's own later word always may."""
    if is_weaker(intake.draft.trust, held.trust):
        return REASON_WEAKER
    read = intake.new.source == Memory.Source.EXTRACTION
    return REASON_LESS_SURE if read and is_less_sure(intake.draft.confidence, held.confidence) else ""


def _create(intake: Intake) -> Stored:
    """A pin is a change of its own, so that taking it off gives back the importance that was said."""
    pinned = intake.draft.pinned
    intake.draft.pinned = False
    memory = insert_memory(
        tenant=intake.tenant,
        memory=intake.draft,
        change=intake.change("created"),
        observations=intake.new.observations,
        labels=intake.labels,
    )
    if pinned:
        fields = {"pinned": True, "importance": MAX_IMPORTANCE}
        change_memory(tenant=intake.tenant, memory=memory, fields=fields, change=intake.change("pinned"))
    return Stored(memory, "created")


def _reinforce(intake: Intake, held: Memory) -> Stored:
    """One more observation. What is written on purpose in other words replaces the wording, never a pinned one's."""
    weaker = is_weaker(intake.draft.trust, held.trust)  # what the assistant repeats is no new evidence
    if intake.proposed and (weaker or matching.is_seen(tenant=intake.tenant, memory=held, new=intake.new)):
        return Stored(held, "unchanged", deduplicated=True)
    is_fold = held.source == Memory.Source.CURATED_FOLD  # says more than one fact: never reworded by one
    reworded = not (intake.proposed or weaker or held.pinned or held.confirmed_at or is_fold)
    fields, before = {**_merged(intake, held), **_stronger(intake, held)}, held.value
    if reworded:
        fields["value"] = intake.draft.value
    memory = change_memory(
        tenant=intake.tenant,
        memory=held,
        fields=fields,
        change=intake.change("reinforced"),
        observations=intake.new.observations,
    )
    return Stored(memory, "reinforced", deduplicated=True, before=before)


def _keep_restatement(intake: Intake, held: Memory) -> Stored:
    """The same words of the same message, worded otherwise: kept beside the first wording, and no new evidence.

    What became of that memory since (corrected, superseded, forgotten) holds for this wording too.
    """
    if held.status != Memory.Status.ACTIVE or has_wording(tenant=intake.tenant, memory=held, new=intake.new):
        return Stored(held, "unchanged", deduplicated=True)
    memory = change_memory(
        tenant=intake.tenant,
        memory=held,
        fields=_merged(intake, held),
        change=intake.change("reinforced"),
        observations=intake.new.observations,
    )
    return Stored(memory, "reinforced", deduplicated=True)


def _stronger(intake: Intake, held: Memory) -> dict[str, object]:
    """One observation more; a person's own word lifts what was only inferred."""
    trust = held.trust if is_weaker(intake.draft.trust, held.trust) else intake.draft.trust
    confidence = max(boosted(held.confidence), intake.draft.confidence)
    return {
        "reinforced_count": held.reinforced_count + 1,
        "last_reinforced": max(held.last_reinforced, stated_at(intake.new)),
        "confidence": capped(confidence, trust, held.namespace),
        "trust": trust,
    }


def _merged(intake: Intake, held: Memory) -> dict[str, object]:
    """What a second writing adds to the first: tags, references, importance, a pin."""
    draft = intake.draft
    aliases = get_aliases(tenant=intake.tenant, person_id=held.person_id) if draft.entity_refs else {}
    about = [*held.entity_refs, *resolve_refs(draft.entity_refs, aliases)]
    pinned = held.pinned or (draft.pinned and not intake.proposed)
    return {
        "tags": list(dict.fromkeys([*held.tags, *draft.tags]))[:20],
        "entity_refs": list(dict.fromkeys(about))[:ENTITY_REFS_MAX],
        "entity_label": held.entity_label or draft.entity_label,
        "entity_type": held.entity_type or draft.entity_type,
        "memory_key": held.memory_key or draft.memory_key,
        "pinned": pinned,
        "importance": MAX_IMPORTANCE if pinned else max(held.importance, draft.importance),
        "metadata": {**held.metadata, **({} if intake.proposed else draft.metadata)},
    }


def _rewrite(intake: Intake, held: Memory) -> Stored:
    """The same key written again with another value: the memory changes in place, its version keeps the old."""
    draft, before = intake.draft, held.value
    fields = {
        **_merged(intake, held),
        "value": draft.value,
        "tags": draft.tags or held.tags,
        "source": draft.source,
        "trust": draft.trust,
        "confidence": draft.confidence,
        "valid_from": draft.valid_from,
        "last_reinforced": draft.last_reinforced,
        "expires_at": draft.expires_at,
    }
    memory = change_memory(
        tenant=intake.tenant,
        memory=held,
        fields=fields,
        change=intake.change("updated"),
        observations=intake.new.observations,
    )
    return Stored(memory, "updated", before=before)


def _supersede(intake: Intake, held: Memory) -> Stored:
    """The newer of two values lives, the older is kept with a link; evidence read late is history at once."""
    if stated_at(intake.new) < _begin_of(held):
        return _store_history(intake, held)
    # The address is freed first: two live memories may never share one, not even for a moment.
    Memory.objects.for_tenant(intake.tenant).filter(pk=held.pk).update(status=Memory.Status.SUPERSEDED)
    memory = _create(intake).memory
    fields = {
        "status": Memory.Status.SUPERSEDED,
        "valid_to": memory.valid_from,
        "superseded_by_id": memory.pk,
    }
    change_memory(tenant=intake.tenant, memory=held, fields=fields, change=intake.change("superseded"))
    return Stored(memory, "superseded")


def _store_history(intake: Intake, newer: Memory) -> Stored:
    """What was so until a newer answer, which is known already."""
    draft = intake.draft
    draft.status, draft.valid_to, draft.superseded_by = Memory.Status.SUPERSEDED, _begin_of(newer), newer
    return Stored(_create(intake).memory, "superseded")


def _begin_of(memory: Memory) -> datetime:
    return memory.valid_from or memory.first_observed


def _contest(intake: Intake, reason: str) -> Stored:
    intake.draft.status = Memory.Status.QUARANTINED
    intake.draft.quarantine_reason = reason
    return _quarantine(intake)


def _quarantine(intake: Intake) -> Stored:
    """Kept for the person to see and decide on, out of search and prompts; the same one again adds nothing."""
    draft = intake.draft
    same = Memory.objects.for_tenant(intake.tenant).filter(
        person_id=draft.person_id,
        namespace=draft.namespace,
        key=draft.key,
        value=draft.value,
        status=Memory.Status.QUARANTINED,
    )
    known = same.first()
    if known is not None:
        return Stored(known, "quarantined", deduplicated=True)
    draft.pinned, draft.importance = False, min(draft.importance, 2)
    memory = insert_memory(
        tenant=intake.tenant,
        memory=draft,
        change=intake.change("quarantined", draft.quarantine_reason),
        observations=intake.new.observations,
    )
    return Stored(memory, "quarantined")

"""Storing a memory: screened, placed at its address, and told apart from what is known already.

What an agent or a person writes is a decision and takes effect at once. What was read out of a conversation is a
proposal: it may add, reinforce, or supersede with a link; it never touches what a person pinned or confirmed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.utils import timezone

from memories.confidence import reinforce as boosted
from memories.entity_refs import resolve_refs
from memories.models import Memory
from memories.new_memory import NewMemory, NewObservation, embedding_text, make_key
from memories.normalize import parse_namespace, storage_namespace
from memories.screening import Screened, screen
from memories.sensitive import redact
from memories.services import matching
from memories.services.door import Change, change_memory, insert_memory, lock_person
from memories.services.entities import ENTITY_REFS_MAX, get_aliases, name_subject, normal_refs, said_labels
from memories.services.retold import find_retold, has_wording, list_heard
from memories.services.unfolding import find_part_at, take_apart_for_news
from memories.trust import capped, is_weaker
from nebo.errors import Forbidden, InvalidInput
from nebo.reading.same_fact import is_same_text
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.selectors import get_shared_profile

Action = Literal["created", "updated", "reinforced", "superseded", "quarantined", "unchanged"]

PROPOSALS = matching.PROPOSALS  # sources that propose, never decide
REASON_PINNED = "Contradicts a memory you pinned or confirmed."
REASON_WEAKER = "Contradicts what you said yourself; only the assistant said this."
MAX_IMPORTANCE = 3  # seed 002
MEMORY_KEY_CHARS = 300


@dataclass(frozen=True, slots=True)
class Stored:
    """The memory that now says it, what was done, and whether it was there already in other words.

    `before` is what it said until now; empty for a new one.
    """

    memory: Memory
    action: Action
    deduplicated: bool = False
    before: str = ""


@dataclass(frozen=True, slots=True)
class _Intake:
    """One memory on its way in: what was said, the row it would be, and who brings it."""

    tenant: Tenant | UUID
    new: NewMemory
    draft: Memory
    actor: Actor
    vectors: Mapping[str, list[float]] | None
    deduplicate: bool
    labels: Mapping[str, str]

    @property
    def proposed(self) -> bool:
        return self.new.source in PROPOSALS

    @property
    def keyed(self) -> bool:
        """Whether the writer names it by a memory key; one that was merely derived names a whole subject."""
        return bool(self.new.memory_key) and not self.proposed

    def change(self, action: str, reason: str = "") -> Change:
        run_id = next((seen.run_id for seen in self.new.observations if seen.run_id), None)
        return Change(action=action, actor=self.actor, reason=reason, run_id=run_id, vectors=self.vectors)


def store_memory(
    *,
    tenant: Tenant | UUID,
    profile: UserProfile,
    new: NewMemory,
    actor: Actor,
    vector: list[float] | None = None,
    deduplicate: bool = True,
) -> Stored:
    """Remember `new` about `profile`, or strengthen what says so already, inside the caller's scope.

    `vector` is that of `embedding_text(address_key(key, value), value)`; without one, near-duplicates are not
    looked for and the vector follows by a job. A global memory belongs to the tenant's shared profile.
    Raises InvalidInput (400, naming the field) and Forbidden.
    """
    check_scope(new, actor)
    owner = get_shared_profile(tenant=tenant) if new.scope == Memory.Scope.GLOBAL else profile
    screened = screen(new)
    lock_person(tenant=tenant, profile=owner)
    labels = {ref: redact(label) for ref, label in said_labels(screened.new.entity_refs).items()}
    draft = name_subject(draft_memory(owner, screened), labels=labels)
    vectors = {embedding_text(draft.key, draft.value): vector} if vector is not None else None
    new = _with_sighting(screened.new, draft, actor)
    intake = _Intake(tenant, new, draft, actor, vectors, deduplicate, labels)
    if intake.proposed:
        read = matching.find_already_read(tenant=tenant, draft=draft, new=intake.new)
        if read is not None:
            return Stored(read, "unchanged", deduplicated=True)
        told = None if screened.reason else _find_told(intake)
        if told is not None:
            return _retell(intake, told)
    return _quarantine(intake) if screened.reason else _place(intake, vector)


def check_scope(new: NewMemory, actor: Actor) -> None:
    """A session memory names its session; what everyone is told is never a job's idea."""
    if new.scope == Memory.Scope.SESSION and new.session_id is None:
        raise InvalidInput("A memory of scope “session” needs a session.", field="session")
    if new.scope == Memory.Scope.GLOBAL and (new.source in PROPOSALS or actor.kind == "job"):
        raise Forbidden("What is extracted is never global.")


def draft_memory(owner: UserProfile, screened: Screened) -> Memory:
    """The row a screened memory would be."""
    new, namespace = screened.new, storage_namespace(screened.new.layer, screened.new.namespace)
    status = Memory.Status.QUARANTINED if screened.reason else Memory.Status.ACTIVE
    said_at = _said_at(new)
    return Memory(
        profile=owner, persona_id=new.persona_id, scope=new.scope,
        session_id=new.session_id if new.scope == Memory.Scope.SESSION else None,
        layer=parse_namespace(namespace).layer, namespace=namespace, key=new.key, value=new.value,
        tags=list(new.tags), type=new.type, entity_refs=normal_refs(new.entity_refs),
        entity_label=new.entity_label, entity_type=new.entity_type, fact_type=new.fact_type,
        memory_key=new.memory_key.strip().lower()[:MEMORY_KEY_CHARS], importance=new.importance,
        pinned=new.pinned, source=new.source, trust=new.trust, status=status,
        quarantine_reason=screened.reason[:200], confidence=capped(new.confidence, new.trust, namespace),
        expires_at=new.expires_at, metadata=dict(new.metadata), valid_from=said_at,
        first_observed=said_at, last_reinforced=said_at,
    )  # fmt: skip


def _place(intake: _Intake, vector: list[float] | None) -> Stored:
    """Its address, the same text, its memory key, the same meaning: the first that holds decides.

    A memory key names a whole subject (`people|person|john|fact`), so only what is written on purpose goes by it:
    by proposals, every new fact about John would supersede the last.
    """
    folded = _meet_fold(intake)
    if folded is not None:
        return folded
    held = matching.find_at_address(tenant=intake.tenant, draft=intake.draft)
    if held is not None and not _needs_own_key(intake, held):
        return _meet(intake, held)
    if intake.deduplicate:
        same = matching.find_same_content(tenant=intake.tenant, draft=intake.draft)
        if same is not None:
            return _reinforce(intake, same)
        keyed = (
            matching.find_by_memory_key(tenant=intake.tenant, draft=intake.draft) if intake.keyed else None
        )
        if keyed is not None and held is None:
            return _meet(intake, keyed)
        near = matching.find_near_duplicate(tenant=intake.tenant, draft=intake.draft, vector=vector)
        if near is not None:
            return _reinforce(intake, near)
    return _create(_with_own_key(intake) if held is not None else intake)


def _meet_fold(intake: _Intake) -> Stored | None:
    """A part of a fold stands where this one belongs: the same again strengthens the fold; other news take it apart,
    so that it is about that part alone. None where the usual way goes on."""
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


def _needs_own_key(intake: _Intake, held: Memory) -> bool:
    """Two facts of one reading share no key, and who asks for a second copy without a key gets one."""
    if not intake.deduplicate and not intake.proposed:
        return intake.draft.key == make_key(intake.draft.value)
    if is_same_text(held.value, intake.draft.value) or not intake.proposed:
        return False
    if matching.names_only_its_entity(intake.draft):
        return True
    return matching.is_sibling(tenant=intake.tenant, held=held, new=intake.new)


def _with_own_key(intake: _Intake) -> _Intake:
    """The first of key-2, key-3, … that is free."""
    draft = intake.draft
    live = matching.list_live(tenant=intake.tenant, draft=draft).filter(namespace=draft.namespace)
    taken = set(live.filter(key__startswith=draft.key[:120]).values_list("key", flat=True))
    numbers = range(2, len(taken) + 3)
    draft.key = next(key for n in numbers if (key := f"{draft.key[:120]}-{n}") not in taken)
    return intake


def _meet(intake: _Intake, held: Memory) -> Stored:
    """A memory stands where this one belongs."""
    if is_same_text(held.value, intake.draft.value):
        return _reinforce(intake, held)
    if not intake.proposed:
        return _rewrite(intake, held)
    if held.pinned or held.confirmed_at is not None:
        return _contest(intake, REASON_PINNED)
    if is_weaker(intake.draft.trust, held.trust):
        return _contest(intake, REASON_WEAKER)
    return _supersede(intake, held)


def _create(intake: _Intake) -> Stored:
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


def _reinforce(intake: _Intake, held: Memory) -> Stored:
    """One more sighting. What is written on purpose in other words replaces the wording, never a pinned one's."""
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


def _find_told(intake: _Intake) -> Memory | None:
    """What a rule heard in the same words, if an extraction tells it again."""
    if intake.new.source != Memory.Source.EXTRACTION:
        return None
    heard = list_heard(tenant=intake.tenant, profile_id=intake.draft.profile_id, news=[intake.new])
    return find_retold(intake.new, heard)


def _retell(intake: _Intake, held: Memory) -> Stored:
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


def _stronger(intake: _Intake, held: Memory) -> dict[str, object]:
    """One sighting more; a person's own word lifts what was only inferred."""
    trust = held.trust if is_weaker(intake.draft.trust, held.trust) else intake.draft.trust
    confidence = max(boosted(held.confidence), intake.draft.confidence)
    return {
        "reinforced_count": held.reinforced_count + 1,
        "last_reinforced": max(held.last_reinforced, _said_at(intake.new)),
        "confidence": capped(confidence, trust, held.namespace),
        "trust": trust,
    }


def _merged(intake: _Intake, held: Memory) -> dict[str, object]:
    """What a second writing adds to the first: tags, references, importance, a pin."""
    draft = intake.draft
    aliases = get_aliases(tenant=intake.tenant, profile_id=held.profile_id) if draft.entity_refs else {}
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


def _rewrite(intake: _Intake, held: Memory) -> Stored:
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


def _supersede(intake: _Intake, held: Memory) -> Stored:
    """The newer of two values lives, the older is kept with a link; evidence read late is history at once."""
    draft = intake.draft
    if _said_at(intake.new) < (held.valid_from or held.first_observed):
        draft.status, draft.valid_to, draft.superseded_by = (
            Memory.Status.SUPERSEDED,
            held.valid_from or held.first_observed,
            held,
        )
        return Stored(_create(intake).memory, "superseded")
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


def _contest(intake: _Intake, reason: str) -> Stored:
    intake.draft.status = Memory.Status.QUARANTINED
    intake.draft.quarantine_reason = reason
    return _quarantine(intake)


def _quarantine(intake: _Intake) -> Stored:
    """Kept for the person to see and decide on, out of search and prompts; the same one again adds nothing."""
    draft = intake.draft
    same = Memory.objects.for_tenant(intake.tenant).filter(
        profile_id=draft.profile_id,
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


def _with_sighting(new: NewMemory, draft: Memory, actor: Actor) -> NewMemory:
    """A write that cites nothing is its own sighting."""
    if new.observations:
        return new
    seen = NewObservation(
        extractor=new.source,
        value=draft.value,
        confidence=draft.confidence,
        trust=new.trust,
        actor=str(actor),
    )
    return replace(new, observations=(seen,))


def _said_at(new: NewMemory) -> datetime:
    """When the newest of its evidence was said."""
    moments = [seen.observed_at for seen in new.observations if seen.observed_at]
    return max(moments, default=timezone.now())

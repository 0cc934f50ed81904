"""A memory on its way in: what was said, the row it would be, and who brings it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memories.models import Memory
from memories.new_memory import NewMemory, NewObservation
from memories.normalize import parse_namespace, storage_namespace
from memories.screening.checks import Screened
from memories.screening.personal import judge_memory
from memories.storing.audited_writes import Change, lock_person, lock_to_bring, policy_of
from memories.storing.comparing import Comparison
from memories.storing.entities import normal_refs
from memories.storing.matching import PROPOSALS
from memories.trust import capped, lowest, trust_of
from nebo.errors import Forbidden, InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

MEMORY_KEY_CHARS = 300
BROUGHT_BEFORE = {*PROPOSALS, Memory.Source.IMPORT}  # sources of what came with something else


@dataclass(frozen=True, slots=True)
class Intake:
    """One memory on its way in: what was said, the row it would be, and who brings it."""

    tenant: Tenant | UUID
    new: NewMemory
    draft: Memory
    actor: Actor
    vectors: Mapping[str, list[float]] | None
    deduplicate: bool
    labels: Mapping[str, str]
    compared: Comparison

    @property
    def proposed(self) -> bool:
        return self.new.source in PROPOSALS

    @property
    def keyed(self) -> bool:
        """Whether the writer names it by a memory key; one that was merely derived names a whole subject."""
        return bool(self.new.memory_key) and not self.proposed

    def change(self, action: str, reason: str = "") -> Change:
        run_id = next((seen.run_id for seen in self.new.observations if seen.run_id), None)
        message_id = next((seen.message_id for seen in self.new.observations if seen.message_id), None)
        return Change(action, self.actor, reason, run_id, self.vectors, message_id)


def as_brought(new: NewMemory, actor: Actor) -> NewMemory:
    """With the trust of the least of its lineage: its bringer's, its own, and that of all that it rests on.

    What was read in a conversation is as good as who said it. What came along from elsewhere is nobody's own word.
    Raises InvalidInput and Forbidden for a scope that it can't have.
    """
    _check_scope(new, actor)
    bringer = actor.trust if new.source in PROPOSALS or actor.kind == "job" else trust_of(actor)
    brought = Memory.Trust.AGENT if new.source == Memory.Source.IMPORT else ""
    trust = (
        lowest(bringer, brought, new.trust, *(seen.trust for seen in new.observations)) or Memory.Trust.AGENT
    )
    return replace(new, trust=trust)


def _check_scope(new: NewMemory, actor: Actor) -> None:
    """A session memory names its session; what everyone is told is never a job's idea."""
    if new.scope == Memory.Scope.SESSION and new.session_id is None:
        raise InvalidInput("A memory of scope “session” needs a session.", field="session")
    if new.scope == Memory.Scope.GLOBAL and (new.source in PROPOSALS or actor.kind == "job"):
        raise Forbidden("What is extracted is never global.")


def hold_owner(*, tenant: Tenant | UUID, owner: UserProfile, screened: Screened, actor: Actor) -> Screened:
    """Writes to one person's memories queue here; with what the workspace decided about sensitive matters. Raises
    CollectionPaused (of a turn or a file that was asked when it came) and KeptOut.
    """
    new = screened.new
    if new.source in BROUGHT_BEFORE:
        held = lock_person(tenant=tenant, person=owner)
    else:
        held = lock_to_bring(tenant=tenant, person=owner, actor=actor, session_id=new.session_id)
    if new.to_forget or (actor.kind == "user" and new.source not in BROUGHT_BEFORE):
        return screened
    verdict = judge_memory(policy_of(held), new)
    verdict.check()
    approved = actor.kind == "user" and new.source in PROPOSALS  # who decides on a proposal has seen it
    return screened if screened.reason or approved else replace(screened, reason=verdict.reason)


def draft_memory(person: UserProfile, screened: Screened) -> Memory:
    """The row a screened memory would be."""
    new, namespace = screened.new, storage_namespace(screened.new.layer, screened.new.namespace)
    status = Memory.Status.QUARANTINED if screened.reason else Memory.Status.ACTIVE
    stated = stated_at(new)
    return Memory(
        person=person, persona_id=new.persona_id, scope=new.scope,
        session_id=new.session_id if new.scope == Memory.Scope.SESSION else None,
        layer=parse_namespace(namespace).layer, namespace=namespace, key=new.key, value=new.value,
        tags=list(new.tags), type=new.type, entity_refs=normal_refs(new.entity_refs),
        entity_label=new.entity_label, entity_type=new.entity_type, fact_type=new.fact_type,
        memory_key=new.memory_key.strip().lower()[:MEMORY_KEY_CHARS], importance=new.importance,
        pinned=new.pinned, source=new.source, trust=new.trust, status=status,
        quarantine_reason=screened.reason[:200], confidence=capped(new.confidence, new.trust, namespace),
        expires_at=new.expires_at, metadata=dict(new.metadata), valid_from=stated,
        first_observed=stated, last_reinforced=stated,
    )  # fmt: skip


def with_observation(new: NewMemory, draft: Memory, actor: Actor) -> NewMemory:
    """A write that cites nothing is its own observation."""
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


def stated_at(new: NewMemory) -> datetime:
    """When the newest of its evidence was said."""
    moments = [seen.observed_at for seen in new.observations if seen.observed_at]
    return max(moments, default=timezone.now())

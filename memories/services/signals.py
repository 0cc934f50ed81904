"""What a message says outright is known at once: signals are read by rule and stored in the turn's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Q

from memories.extraction.answer import end_of_day, memory_of_draft
from memories.extraction.mapping import to_draft
from memories.extraction.parsing import ExtractedFact
from memories.models import Memory, Todo
from memories.new_memory import NewMemory, NewObservation
from memories.retelling import stems
from memories.selectors import is_shared_session
from memories.services.audit import record_audit
from memories.services.door import lock_person
from memories.services.edit import delete_memory
from memories.services.sighting import store_style
from memories.services.store import store_memory
from memories.services.todos import NewTodo, store_todo
from memories.signals import Signal, find_signals
from nebo.errors import InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

FORGET_CANDIDATES = 20  # memories a request to forget may mean, at most, before it means nothing


@dataclass(frozen=True, slots=True)
class _Turn:
    """One message on its way through the rules."""

    tenant: Tenant | UUID
    profile: UserProfile
    session_id: UUID
    persona_id: UUID | None
    message_id: UUID
    text: str
    at: datetime
    actor: Actor


def apply_signals(  # noqa: PLR0913 - a message with all it belongs to
    *,
    tenant: Tenant | UUID,
    profile: UserProfile,
    session_id: UUID,
    persona_id: UUID | None,
    message_id: UUID,
    text: str,
    speaker: str,
    at: datetime,
    actor: Actor,
) -> list[Memory]:
    """Store what one message of a person says outright; returns the memories that changed, forgotten ones too.

    A request to forget is carried out (into the trash) only when it can mean one memory; else it becomes an open
    thread that names how many it could mean. Tasks become todos.
    """
    shared = is_shared_session(tenant=tenant, session_id=session_id, speaker=speaker)
    signals = find_signals(text, speaker=speaker, at=at, shared=shared)
    if not signals:
        return []
    lock_person(tenant=tenant, profile=profile)
    turn = _Turn(tenant, profile, session_id, persona_id, message_id, text, at, actor)
    changed = [memory for signal in signals for memory in _apply(turn, signal)]
    return list({memory.pk: memory for memory in changed}.values())


def list_meant(*, tenant: Tenant | UUID, profile: UserProfile, what: str) -> list[Memory]:
    """Live memories that a request to forget `what` can mean: all its words stand in key or value."""
    words = stems(what)
    if not words:
        return []
    rows = Memory.objects.for_tenant(tenant).filter(
        profile=profile, scope=Memory.Scope.USER, status=Memory.Status.ACTIVE
    )
    for word in words:
        rows = rows.filter(Q(value__icontains=word) | Q(key__icontains=word))
    found = rows.select_related("profile", "persona").order_by("-created_at")
    return [m for m in found[: FORGET_CANDIDATES * 2] if words <= stems(f"{m.key} {m.value}")]


def _apply(turn: _Turn, signal: Signal) -> list[Memory]:
    if signal.kind == "forget":
        return _forget(turn, signal)
    if signal.kind == "task":
        _keep_task(turn, signal)
        return []
    return _remember(turn, signal)


def _remember(turn: _Turn, signal: Signal) -> list[Memory]:
    new = _memory_of(turn, signal)
    try:
        if signal.category == "style":
            style = store_style(tenant=turn.tenant, profile=turn.profile, new=new, actor=turn.actor)
            return [style]
        stored = store_memory(tenant=turn.tenant, profile=turn.profile, new=new, actor=turn.actor)
    except (
        InvalidInput
    ):  # raised before anything is written; a turn is never refused for what a rule made of it
        return []
    return [] if stored.action == "unchanged" else [stored.memory]


def _memory_of(turn: _Turn, signal: Signal) -> NewMemory:
    """Addressed like an extracted fact, so that the reading that follows finds it."""
    fact = ExtractedFact(
        category=signal.category,  # type: ignore[arg-type]  # one of the five, by the rules' own map
        key=signal.key,
        value=signal.value,
        tags=signal.tags,
        explicit=True,
        type=signal.type,
        entity_label=signal.entity_label,
        entity_type=signal.entity_type,
        fact_type=signal.fact_type,
        importance=signal.importance,
    )
    seen = NewObservation(
        extractor="signal",
        value=signal.value,
        confidence=signal.confidence,
        trust=Memory.Trust.USER,
        message_id=turn.message_id,
        quote=turn.text[signal.start : signal.end],
        quote_start=signal.start,
        quote_end=signal.end,
        actor=str(turn.actor),
        observed_at=turn.at,
    )
    draft = to_draft(fact, on=turn.at.astimezone(UTC).date())
    told = {"slot": signal.slot, "detail": signal.detail}
    return memory_of_draft(
        draft, seen, source=Memory.Source.SIGNAL, metadata={name: said for name, said in told.items() if said}
    )


def _keep_task(turn: _Turn, signal: Signal) -> None:
    new = NewTodo(
        text=signal.value,
        kind=Todo.Kind.COMMITMENT,
        quote=turn.text[signal.start : signal.end],
        message_id=turn.message_id,
        session_id=turn.session_id,
        persona_id=turn.persona_id,
        due_at=end_of_day(signal.due),
        expires_at=signal.expires_at,
    )
    store_todo(tenant=turn.tenant, profile=turn.profile, new=new, actor=turn.actor)


def _forget(turn: _Turn, signal: Signal) -> list[Memory]:
    """Exactly one that nobody pinned or confirmed is unmistakable."""
    meant = list_meant(tenant=turn.tenant, profile=turn.profile, what=signal.detail)
    if len(meant) == 1 and not (meant[0].pinned or meant[0].confirmed_at):
        delete_memory(tenant=turn.tenant, memory=meant[0], actor=turn.actor)
        return meant
    if meant:
        _propose_forgetting(turn, signal, meant)
    return []


def _propose_forgetting(turn: _Turn, signal: Signal, meant: list[Memory]) -> None:
    record_audit(
        tenant=turn.tenant,
        actor=turn.actor,
        action="memory.forget_proposed",
        object_type="memory",
        profile_id=turn.profile.pk,
        detail={"message": str(turn.message_id), "memories": [str(memory.pk) for memory in meant]},
    )
    new = NewTodo(
        text=f"Asked to forget “{signal.detail}”: {len(meant)} memories could be meant.",
        kind=Todo.Kind.THREAD,
        quote=turn.text[signal.start : signal.end],
        message_id=turn.message_id,
        session_id=turn.session_id,
        persona_id=turn.persona_id,
    )
    store_todo(tenant=turn.tenant, profile=turn.profile, new=new, actor=turn.actor)

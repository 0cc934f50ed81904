"""What a message says outright is known at once: signals are read by rule and stored in the turn's transaction."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import UUID

from memories.between_us import NOTHING_CONFIDED, Confided
from memories.confidence import EXPLICIT
from memories.extraction.answer import end_of_day, memory_of_draft
from memories.extraction.mapping import to_draft
from memories.extraction.parsing import ExtractedFact
from memories.forgetting import ForgetRequest
from memories.globally import Memo, find_memos, without_memos
from memories.models import VALUE_LIMIT, Memory
from memories.new_memory import NewMemory, NewObservation
from memories.sanitize import cut_value
from memories.services.door import lock_person
from memories.services.forgetting import Asked, forget
from memories.services.sighting import store_style
from memories.services.store import store_memory
from memories.services.todo_closing import close_mentioned
from memories.services.todos import NewTodo, expiry_of, store_todo
from memories.signals import Signal, find_signals
from nebo.errors import InvalidInput
from nebo.llm.rules.grammar import read_closings
from nebo.llm.rules.statements import Turn, todo_kind
from nebo.tenants.actor import Actor
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_id_of


@dataclass(frozen=True, slots=True)
class _Turn:
    """One message on its way through the rules."""

    tenant: Tenant | UUID
    profile: UserProfile
    session_id: UUID
    persona_id: UUID | None
    todo_persona_id: UUID | None
    message_id: UUID
    text: str
    at: datetime
    actor: Actor
    confided: Confided
    shared: bool

    def audience(self, signal: Signal | Memo, *, others: UUID | None) -> UUID | None:
        """The persona that alone may know it, if it was told to one alone."""
        return self.confided.audience(self.message_id, signal.start, signal.end, others=others)

    @property
    def listener(self) -> UUID:
        """The persona that is spoken with."""
        return self.todo_persona_id or default_persona_id(tenant_id_of(self.tenant))


@dataclass(slots=True)
class Heard:
    """What came of a message: memories that changed, forgotten ones too, and what it asks to have forgotten that
    somebody must decide on first.
    """

    memories: list[Memory] = field(default_factory=list)
    forget_requests: list[ForgetRequest] = field(default_factory=list)


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
    todo_persona_id: UUID | None = None,
    confided: Confided = NOTHING_CONFIDED,
    shared: bool = False,
    memos_only: bool = False,
) -> Heard:
    """Store what one message of a person says outright.

    A request to forget is carried out (into the trash) only when it can mean one memory; else it waits for a
    decision. Tasks become todos of the persona they were told to, `todo_persona_id`; what is said to be done closes
    its own. What is `confided` to one persona is stored for it alone. In a `shared` session, where others speak too,
    whose a fact is must be said. With `memos_only` nothing is read but what stands behind “remember globally:”.
    """
    memos = find_memos(text)
    turn = _Turn(
        tenant,
        profile,
        session_id,
        persona_id,
        todo_persona_id,
        message_id,
        text,
        at,
        actor,
        confided,
        shared,
    )
    heard = Heard()
    for memo in memos:
        heard.memories.extend(_keep_memo(turn, memo))
    if not memos_only:
        _read(turn, without_memos(text, memos), speaker, heard)
    heard.memories = list({memory.pk: memory for memory in heard.memories}.values())
    return heard


def _read(turn: _Turn, text: str, speaker: str, heard: Heard) -> None:
    """What the rules make of a message."""
    signals = find_signals(text, speaker=speaker, at=turn.at, shared=turn.shared)
    closings = read_closings(Turn(text, speaker=speaker, at=turn.at))
    if not signals and not closings:
        return
    lock_person(tenant=turn.tenant, profile=turn.profile)
    close_mentioned(
        tenant=turn.tenant,
        profile=turn.profile,
        persona_id=turn.todo_persona_id,
        message_id=turn.message_id,
        text=text,
        closings=closings,
        actor=turn.actor,
    )
    for signal in signals:
        _apply(turn, signal, heard)


def _apply(turn: _Turn, signal: Signal, heard: Heard) -> None:
    if signal.kind == "forget":
        _forget(turn, signal, heard)
    elif signal.kind == "task":
        _keep_task(turn, signal)
    else:
        heard.memories.extend(_remember(turn, signal))


def _remember(turn: _Turn, signal: Signal) -> list[Memory]:
    new = replace(_memory_of(turn, signal), persona_id=turn.audience(signal, others=turn.persona_id))
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
    kind = todo_kind(signal.tags)
    due_at = end_of_day(signal.due)
    new = NewTodo(
        text=signal.value,
        kind=kind,
        quote=turn.text[signal.start : signal.end],
        message_id=turn.message_id,
        session_id=turn.session_id,
        persona_id=turn.audience(signal, others=turn.todo_persona_id),
        due_at=due_at,
        expires_at=expiry_of(kind, said_at=turn.at, due_at=due_at),
    )
    store_todo(tenant=turn.tenant, profile=turn.profile, new=new, actor=turn.actor)


def _forget(turn: _Turn, signal: Signal, heard: Heard) -> None:
    asked = Asked(
        what=signal.detail,
        quote=turn.text[signal.start : signal.end],
        message_id=turn.message_id,
        session_id=turn.session_id,
        persona_id=turn.todo_persona_id,
        listener_id=turn.listener,
    )
    done = forget(tenant=turn.tenant, profile=turn.profile, asked=asked, actor=turn.actor)
    if isinstance(done, ForgetRequest):
        heard.forget_requests.append(done)
    else:
        heard.memories.extend(done)


def _keep_memo(turn: _Turn, memo: Memo) -> list[Memory]:
    """Word for word, for all of the person's sessions."""
    seen = NewObservation(
        extractor="signal",
        value=memo.what,
        confidence=EXPLICIT,
        trust=Memory.Trust.USER,
        message_id=turn.message_id,
        quote=memo.what,
        quote_start=turn.text.index(memo.what, memo.start),
        quote_end=turn.text.index(memo.what, memo.start) + len(memo.what),
        actor=str(turn.actor),
        observed_at=turn.at,
    )
    new = NewMemory(
        value=cut_value(memo.what, VALUE_LIMIT),
        layer=Memory.Layer.TACIT,
        namespace="notes",
        source=Memory.Source.SIGNAL,
        importance=2,
        tags=("remember",),
        confidence=EXPLICIT,
        persona_id=turn.audience(memo, others=turn.persona_id),
        observations=(seen,),
    )
    stored = store_memory(tenant=turn.tenant, profile=turn.profile, new=new, actor=turn.actor)
    return [] if stored.action == "unchanged" else [stored.memory]

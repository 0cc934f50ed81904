"""What the memory endpoints give: each shape, and the function that makes it."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from memories.models import Memory, Observation, Todo, Version
from memories.people.cards import Card
from memories.screening.placeholders import WITHHELD
from nebo.api.shapes import Id, Moment, like, one_of
from nebo.api.times import as_utc
from nebo.tenants.models import UserProfile

OWN, TEAM = VISIBILITIES = ("own", "team")
Value = Annotated[str, like("Lives in Lisbon.")]
Quote = Annotated[str, like("I moved to Lisbon in March", "Verbatim, or `[withheld]`.")]
Slug = Annotated[str | None, like(None, "A persona, where it is for that one alone.")]
Ref = Annotated[str, like("person:john")]
Entry = Annotated[dict[str, Any], like({"value": "Lives in Lisbon.", "pinned": False})]


class Owned(TypedDict):
    """Which memory it is, and whose."""

    id: Id
    user: Annotated[str | None, like("ana", "Null for what everyone is told.")]
    persona: Slug
    session: Annotated[Id | None, like(None)]


class Words(TypedDict):
    """What a memory says of itself."""

    key: Annotated[str, like("location")]
    value: Value
    namespace: Annotated[str, like("tacit/user")]
    tags: Annotated[list[str], like(["home"])]
    entity_refs: Annotated[list[str], like([])]
    entity_label: Annotated[str, like("")]
    memory_key: Annotated[str, like("", "What the one memory there is of something is known by.")]


class MemoryFields(Owned, Words):
    """A memory. One that is never to be mentioned has `[withheld]` in the place of its words."""

    superseded_by: Annotated[Id | None, like(None, "The memory that holds in its place.")]
    confidence: Annotated[float, like(0.9)]
    layer: Annotated[str, one_of(["", *Memory.Layer.values], "tacit")]
    type: Annotated[str, one_of(Memory.Type)]
    scope: Annotated[str, one_of(Memory.Scope, "user")]
    visibility: Annotated[str, one_of(VISIBILITIES, about="`team`: shared, where the team's policy allows.")]
    entity_type: Annotated[str, like("")]
    fact_type: Annotated[str, one_of(Memory.FactType)]
    importance: Annotated[int, like(2, "From 0 to 3.")]
    pinned: bool
    status: Annotated[str, one_of(Memory.Status)]
    source: Annotated[str, one_of(Memory.Source, "agent")]
    trust: Annotated[str, one_of(Memory.Trust)]
    reinforced_count: int
    access_count: int
    version: int
    valid_from: Moment | None
    valid_to: Annotated[Moment | None, like(None)]
    expires_at: Annotated[Moment | None, like(None)]
    created_at: Moment
    updated_at: Moment
    quarantine_reason: NotRequired[str]


class StoredFields(MemoryFields):
    """A memory, and whether it was known before."""

    deduplicated: bool


class VersionFields(TypedDict):
    """A change of a memory: the fields that it changed, before and after."""

    version: int
    action: Annotated[str, like("updated")]
    actor: Annotated[str, like("key:0199c5a2", "Who did it: a key, a login, or a job.")]
    reason: Annotated[str, like("")]
    before: Annotated[Entry | None, like(None)]
    after: Entry
    run: Annotated[Id | None, like(None)]
    created_at: Moment


class SourceFields(TypedDict):
    """A message that a memory was read from."""

    id: Id
    external_id: Annotated[str | None, like("msg-17")]
    session_id: Id
    seq: int
    role: Annotated[str, like("user")]
    name: Annotated[str, like("")]
    content: Annotated[str, like("I moved to Lisbon in March, by the way.")]
    created_at: Moment


class ObservationFields(TypedDict):
    """An observation of a memory: in which message, in which words."""

    id: Id
    extractor: Annotated[str, like("rules", "model, rules, signal, agent, user or import")]
    model: Annotated[str, like("")]
    value: Value
    quote: Quote
    quote_start: Annotated[int | None, like(0)]
    quote_end: Annotated[int | None, like(26)]
    confidence: Annotated[float, like(0.9)]
    trust: Annotated[str, one_of(Memory.Trust)]
    actor: Annotated[str, like("")]
    run: Annotated[Id | None, like(None)]
    observed_at: Moment
    message: SourceFields | None


class CardFactFields(TypedDict):
    """A fact on a card."""

    memory_id: Id
    value: Annotated[str, like("John is Ana's brother.")]
    pinned: bool
    importance: Annotated[int, like(2)]


class CardFields(TypedDict):
    """What is known about one entity."""

    ref: Ref
    type: Annotated[str, like("person")]
    label: Annotated[str, like("John")]
    text: Annotated[str, like("[person:john]: John is Ana's brother.")]
    facts: list[CardFactFields]


class TodoFields(TypedDict):
    """Something open."""

    id: Id
    user: Annotated[str, like("ana")]
    persona: Slug
    session: Annotated[Id | None, like(None)]
    message: Annotated[Id | None, like(None)]
    kind: Annotated[str, one_of(Todo.Kind)]
    text: Annotated[str, like("Send Ana the invoice")]
    quote: Annotated[str, like("I'll send you the invoice on Friday", "Verbatim, or `[withheld]`.")]
    status: Annotated[str, one_of(Todo.Status)]
    due_at: Moment | None
    overdue: bool
    expires_at: Annotated[Moment | None, like(None)]
    closed_at: Annotated[Moment | None, like(None)]
    closed_by: Annotated[str, like("")]
    closed_message: Annotated[Id | None, like(None)]
    closed_quote: Annotated[str, like("")]
    created_at: Moment
    updated_at: Moment
    version: int


class ProfileFields(TypedDict):
    """A person, as far as memories fill in who they are."""

    user: Annotated[str, like("ana", "The external id.")]
    display_name: Annotated[str, like("Ana")]
    location: Annotated[str, like("Lisbon")]
    timezone: Annotated[str, like("Europe/Lisbon")]
    occupation: Annotated[str, like("architect")]
    goals: Annotated[str, like("")]
    context: Annotated[str, like("")]
    communication_style: Annotated[str, like("")]
    interests: Annotated[list[str], like(["sailing"])]
    memory_version: Annotated[int, like(12, "Grows with every write.")]
    created_at: Moment
    updated_at: Moment


SILENT: Words = {
    "key": WITHHELD, "value": WITHHELD, "namespace": WITHHELD, "tags": [], "entity_refs": [], "entity_label": "",
    "memory_key": "",
}  # fmt: skip


def memory_json(memory: Memory, *, whole: bool = False) -> MemoryFields:
    """A memory, with the reason where it waits for review; `user` is null for everyone's.

    What is never to be mentioned says nothing of itself, unless asked for `whole`.
    """
    is_shared = memory.person.kind == UserProfile.Kind.SHARED
    shown: MemoryFields = {
        "id": str(memory.pk),
        "user": None if is_shared else memory.person.external_id,
        "persona": memory.persona.slug if memory.persona else None,
        "session": _id(memory.session_id),
        "superseded_by": _id(memory.superseded_by_id),
        "confidence": round(memory.confidence, 4),
        "layer": memory.layer,
        "namespace": memory.namespace,
        "key": memory.key,
        "value": memory.value,
        "tags": memory.tags,
        "type": memory.type,
        "scope": memory.scope,
        "visibility": TEAM if memory.is_shared else OWN,
        "entity_refs": memory.entity_refs,
        "entity_label": memory.entity_label,
        "entity_type": memory.entity_type,
        "fact_type": memory.fact_type,
        "memory_key": memory.memory_key,
        "importance": memory.importance,
        "pinned": memory.pinned,
        "status": memory.status,
        "source": memory.source,
        "trust": memory.trust,
        "reinforced_count": memory.reinforced_count,
        "access_count": memory.access_count,
        "version": memory.version,
        "valid_from": as_utc(memory.valid_from),
        "valid_to": as_utc(memory.valid_to),
        "expires_at": as_utc(memory.expires_at),
        "created_at": as_utc(memory.created_at),
        "updated_at": as_utc(memory.updated_at),
    }
    if memory.quarantine_reason:
        shown["quarantine_reason"] = memory.quarantine_reason
    is_silent = memory.status == Memory.Status.UNMENTIONED and not whole
    return {**shown, **SILENT} if is_silent else shown


def version_json(version: Version) -> VersionFields:
    """One change."""
    return {
        "version": version.number,
        "action": version.action,
        "actor": version.actor,
        "reason": version.reason,
        "before": version.before,
        "after": version.after,
        "run": _id(version.run_id),
        "created_at": as_utc(version.created_at),
    }


def observation_json(seen: Observation) -> ObservationFields:
    """One observation, with the message it was read from and the words that say so, unless those are withheld."""
    withheld = seen.message is not None and seen.quote not in seen.message.words
    return {
        "id": str(seen.pk),
        "extractor": seen.extractor,
        "model": seen.model,
        "value": seen.value,
        "quote": WITHHELD if withheld else seen.quote,
        "quote_start": seen.quote_start,
        "quote_end": seen.quote_end,
        "confidence": round(seen.confidence, 4),
        "trust": seen.trust,
        "actor": seen.actor,
        "run": _id(seen.run_id),
        "observed_at": as_utc(seen.observed_at),
        "message": _source_json(seen),
    }


def card_json(card: Card) -> CardFields:
    """What is known about one entity."""
    return {
        "ref": card.entity.ref,
        "type": card.entity.type,
        "label": card.entity.label,
        "text": card.text,
        "facts": [
            {
                "memory_id": str(fact.pk),
                "value": fact.value,
                "pinned": fact.pinned,
                "importance": fact.importance,
            }
            for fact in card.facts
        ],
    }


def todo_json(todo: Todo) -> TodoFields:
    """Something open."""
    return {
        "id": str(todo.pk),
        "user": todo.person.external_id,
        "persona": todo.persona.slug if todo.persona else None,
        "session": _id(todo.session_id),
        "message": _id(todo.message_id),
        "kind": todo.kind,
        "text": todo.text,
        "quote": WITHHELD if todo.message and todo.quote not in todo.message.words else todo.quote,
        "status": todo.effective_status,
        "due_at": as_utc(todo.due_at),
        "overdue": todo.is_overdue,
        "expires_at": as_utc(todo.expires_at),
        "closed_at": as_utc(todo.closed_at),
        "closed_by": todo.closed_by,
        "closed_message": _id(todo.closed_message_id),
        "closed_quote": todo.closed_quote,
        "created_at": as_utc(todo.created_at),
        "updated_at": as_utc(todo.updated_at),
        "version": todo.version,
    }


def person_json(person: UserProfile) -> ProfileFields:
    """A person."""
    return {
        "user": person.external_id,
        "display_name": person.display_name,
        "location": person.location,
        "timezone": person.timezone,
        "occupation": person.occupation,
        "goals": person.goals,
        "context": person.context,
        "communication_style": person.communication_style,
        "interests": person.interests,
        "memory_version": person.memory_version,
        "created_at": as_utc(person.created_at),
        "updated_at": as_utc(person.updated_at),
    }


def _source_json(seen: Observation) -> SourceFields | None:
    message = seen.message
    if message is None:
        return None
    return {
        "id": str(message.pk),
        "external_id": message.external_id,
        "session_id": str(message.session_id),
        "seq": message.seq,
        "role": message.role,
        "name": message.name,
        "content": message.words,
        "created_at": as_utc(message.created_at),
    }


def _id(value: Any) -> str | None:
    return str(value) if value else None

"""The API's answers as types. They are plain dictionaries; a newer server may send more than is named here."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Role = Literal["user", "assistant", "system", "tool"]


class NewMessage(TypedDict):
    """A message as it is sent. `external_id` is your own name for it; sent twice, it is stored once."""

    role: Role
    content: str
    name: NotRequired[str]
    external_id: NotRequired[str]
    created_at: NotRequired[str]


class Message(TypedDict):
    """A message as it is stored. `compacted`: a summary stands in its place in the context."""

    id: str
    seq: int
    role: Role
    name: str
    content: str
    external_id: str | None
    tokens: int
    compacted: bool
    withheld: bool
    created_at: str


class Memory(TypedDict):
    """Something known about a person."""

    id: str
    user: str | None
    persona: str | None
    session: str | None
    layer: str
    namespace: str
    key: str
    value: str
    tags: list[str]
    type: str
    scope: str
    visibility: Literal["own", "team"]
    entity_refs: list[str]
    entity_label: str
    entity_type: str
    fact_type: str
    importance: int
    pinned: bool
    status: str
    source: str
    trust: str
    confidence: float
    reinforced_count: int
    access_count: int
    valid_from: str | None
    valid_to: str | None
    superseded_by: str | None
    expires_at: str | None
    created_at: str
    updated_at: str
    version: int
    quarantine_reason: NotRequired[str]
    deduplicated: NotRequired[bool]


class Pending(TypedDict):
    """What still waits for this person: vectors to be made, and whether something is being learned."""

    vectors: int
    learning: bool


class HitMessage(TypedDict):
    """A message that a result is about."""

    id: str
    external_id: str | None


class Hit(TypedDict):
    """One result of a search: a memory, or a passage of a conversation."""

    source: Literal["memory", "session"]
    text: str
    score: float
    vector_score: float | None
    text_score: float | None
    created_at: str
    memory_id: NotRequired[str]
    namespace: NotRequired[str]
    key: NotRequired[str]
    session_id: NotRequired[str]
    messages: NotRequired[list[HitMessage]]


class TeamMemory(TypedDict):
    """What somebody else shared with the team; `via` is the key that did, None where the person did."""

    text: str
    by: str
    via: str | None
    shared_at: str
    trust: str


class SearchAnswer(TypedDict):
    """Results, best first. `degraded` says why they may be less good than usual."""

    results: list[Hit]
    took_ms: float
    team: NotRequired[list[TeamMemory]]
    pending: Pending
    degraded: str | None


class Recall(TypedDict):
    """What is near to a question, ready to be put into a prompt; `block` is empty if nothing is."""

    block: str
    memories: list[Memory]
    team: NotRequired[list[TeamMemory]]
    pending: Pending
    degraded: str | None


class ToolAnswer(TypedDict):
    """`text` is for the model."""

    ok: bool
    text: str
    data: dict[str, Any]


class Card(TypedDict):
    """Something recalled for the question."""

    text: str
    score: float
    memory_id: NotRequired[str]
    message_ids: NotRequired[list[str]]


class Tokens(TypedDict):
    """How long each part is; `total` never exceeds the budget."""

    stable: int
    dynamic: int
    messages: int
    total: int


class ContextMessage(TypedDict):
    """A recent message of the session."""

    id: str
    role: Role
    name: str
    content: str
    created_at: str


class Hint(TypedDict):
    """Something that the agent should be told now."""

    name: str
    content: str


class Context(TypedDict):
    """What goes into a prompt: `stable` first (it rarely changes, so providers cache it), then `dynamic`."""

    stable: str
    dynamic: str
    messages: list[ContextMessage]
    steering: list[Hint]
    cards: list[Card]
    team: NotRequired[list[TeamMemory]]
    tokens: Tokens
    continuity: dict[str, Any]
    pending: Pending
    degraded: str | None
    text: NotRequired[str]
    openai: NotRequired[list[dict[str, str]]]
    anthropic: NotRequired[dict[str, Any]]


class Appended(TypedDict):
    """A message's place in its session."""

    id: str
    seq: int
    external_id: str | None


class Paused(TypedDict):
    """Why nothing is collected, and until when; None until somebody resumes."""

    scope: Literal["person", "session", "key"]
    until: str | None


class Pause(TypedDict):
    """Whether collection is off there. `collected`: whether what this key sends is kept, all pauses considered."""

    scope: Literal["person", "session", "key"]
    paused: bool
    since: str | None
    until: str | None
    reason: str
    by_hand: bool
    collected: bool


class Turn(TypedDict):
    """What became of a turn: `signals` are memories that it changed at once. Not `collected`, it left nothing."""

    messages: list[Appended]
    collected: NotRequired[bool]
    paused: NotRequired[Paused | None]
    signals: list[Memory]
    persona: dict[str, Any]
    extraction: dict[str, str] | None
    forget_requests: list[dict[str, Any]]


class SessionState(TypedDict):
    """One conversation."""

    id: str
    key: str
    user: str
    persona: str | None
    identity: dict[str, str] | None
    auto_extract: bool
    message_count: int
    turn_count: int
    summary: str
    active_task: str
    started_at: str
    last_activity_at: str
    ended_at: str | None


class Job(TypedDict):
    """Work in the background."""

    id: str
    kind: str
    state: Literal["queued", "running", "succeeded", "failed", "dead"]
    attempts: int
    error: str
    result: dict[str, Any]


class JobAnswer(TypedDict):
    """A job that was asked for."""

    job: Job


class Todo(TypedDict):
    """Something to be done."""

    id: str
    user: str
    text: str
    kind: str
    status: Literal["open", "done", "dropped", "expired"]
    due_at: str | None
    overdue: bool
    closed_at: str | None
    created_at: str
    updated_at: str
    version: int


class Profile(TypedDict):
    """The columns that a prompt begins with."""

    user: str
    display_name: str
    location: str
    timezone: str
    occupation: str
    goals: str
    context: str
    communication_style: str
    interests: list[str]
    memory_version: int
    created_at: str
    updated_at: str


class Version(TypedDict):
    """One step of a memory's history."""

    version: int
    action: str
    actor: str
    reason: str
    before: dict[str, Any] | None
    after: dict[str, Any]
    created_at: str


class Observation(TypedDict):
    """The evidence of a memory: who read it, from which words of which message."""

    id: str
    extractor: str
    model: str
    value: str
    quote: str
    confidence: float
    trust: str
    actor: str
    observed_at: str
    message: dict[str, Any] | None


class EntityCard(TypedDict):
    """What is known of a person, project or thing."""

    ref: str
    type: str
    label: str
    text: str
    facts: list[dict[str, Any]]


class Erased(TypedDict):
    """Counts of all that is gone."""

    receipt: dict[str, Any]

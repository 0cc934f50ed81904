"""What one reading of a conversation proposes, each proposal with the words it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from types import MappingProxyType
from uuid import UUID

from memories.confidence import INFERRED
from memories.extraction.mapping import MemoryDraft, to_draft, verify_quote
from memories.extraction.material import READ_ROLES
from memories.extraction.parsing import ExtractedFact, ExtractedTodo, Extraction
from memories.extraction.wishes import as_style
from memories.new_memory import NewMemory, NewObservation
from nebo.llm.types import ChatMessage

ASSISTANT, USER = "assistant", "user"
ARTIFACT, STYLE = "artifact", "style"
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Evidence:
    """The message a proposal cites, and where its quote stands there; without a span nothing is proven."""

    message: ChatMessage | None = None
    start: int | None = None
    end: int | None = None

    @property
    def is_verified(self) -> bool:
        return self.start is not None

    @property
    def quote(self) -> str:
        """The words as the message has them."""
        return self.message.content[self.start : self.end] if self.message and self.is_verified else ""

    @property
    def message_id(self) -> UUID | None:
        return UUID(self.message.id) if self.message and self.message.id else None

    @property
    def trust(self) -> str:
        """The person's own word, if the message cited is theirs; else the assistant's."""
        return USER if self.message is not None and self.message.role == USER else ASSISTANT


@dataclass(frozen=True, slots=True)
class FoundTodo:
    """Something open, and where it was said."""

    kind: str
    text: str
    due_at: datetime | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class ExtractionAnswer:
    """Facts and styles as memories to be, todos, those that are settled, and which model with which prompt said so."""

    facts: tuple[NewMemory, ...] = ()
    todos: tuple[FoundTodo, ...] = ()
    settled: tuple[FoundTodo, ...] = ()
    styles: tuple[NewMemory, ...] = ()
    provider: str = ""
    model: str = ""
    prompt_hash: str = ""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who read the conversation: goes into every observation."""

    extractor: str
    model: str
    prompt_hash: str


def build_answer(
    extraction: Extraction,
    material: Sequence[ChatMessage],
    *,
    before: Sequence[ChatMessage] = (),
    provider: str,
    model: str,
    prompt_hash: str,
) -> ExtractionAnswer:
    """Proposals in the order in which they were said, so that the latest word on a subject comes last.

    What can be quoted from the messages read `before` alone was learned then, and is left out.
    """
    extraction = _without_old(extraction, material, before)
    reader = Reader("rules" if provider == "rules" else "model", f"{provider}/{model}", prompt_hash)
    found = [(*as_style(fact), find_evidence(fact, material)) for fact in extraction.facts]
    found.sort(key=lambda each: _place(each[2], material))
    made = [(fact.category, to_new_memory(fact, seen, reader, slot=slot)) for fact, slot, seen in found]
    return ExtractionAnswer(
        facts=tuple(new for category, new in made if category != STYLE),
        styles=tuple(new for category, new in made if category == STYLE),
        todos=tuple(_todo(todo, material) for todo in extraction.todos if not todo.done),
        settled=tuple(_todo(todo, material) for todo in extraction.todos if todo.done),
        provider=provider,
        model=model,
        prompt_hash=prompt_hash,
    )


def find_evidence(cited: ExtractedFact | ExtractedTodo, material: Sequence[ChatMessage]) -> Evidence:
    """The message cited, if the quote stands in it, or the only other one where it stands."""
    message = _readable(material, cited.message)
    if message is not None and (span := verify_quote(cited.quote, message.content)):
        return Evidence(message, *span)
    found = [
        Evidence(other, *span)
        for other in material
        if cited.quote and other.role in READ_ROLES and (span := verify_quote(cited.quote, other.content))
    ]
    return found[0] if len(found) == 1 else Evidence(message)


def to_new_memory(fact: ExtractedFact, evidence: Evidence, reader: Reader, *, slot: str = "") -> NewMemory:
    """The proposal; what nobody can be quoted for is at most inferred, and so is what only the assistant said.

    `slot` is a style's, where it has one.
    """
    said_at = evidence.message.created_at if evidence.message else None
    draft = to_draft(fact, on=said_at.date() if said_at else datetime.now(UTC).date())
    proven = evidence.is_verified and (evidence.trust == USER or fact.category == ARTIFACT)
    confidence = draft.confidence if proven else min(draft.confidence, INFERRED)
    seen = NewObservation(
        extractor=reader.extractor,
        value=draft.value,
        confidence=confidence,
        trust=evidence.trust,
        message_id=evidence.message_id,
        quote=evidence.quote,
        quote_start=evidence.start,
        quote_end=evidence.end,
        model=reader.model,
        prompt_hash=reader.prompt_hash,
        observed_at=said_at,
    )
    return memory_of_draft(draft, seen, source="extraction", metadata={"slot": slot} if slot else {})


def memory_of_draft(
    draft: MemoryDraft, seen: NewObservation, *, source: str, metadata: Mapping[str, str] = NOTHING
) -> NewMemory:
    """A mapped fact as a memory to be, with its one sighting."""
    return NewMemory(
        value=draft.value,
        key=draft.key,
        layer=draft.layer,
        namespace=draft.namespace,
        tags=draft.tags,
        type=draft.type,
        entity_refs=draft.entity_refs,
        entity_label=draft.entity_label,
        entity_type=draft.entity_type,
        fact_type=draft.fact_type,
        memory_key=draft.memory_key,
        importance=draft.importance,
        source=source,
        trust=seen.trust,
        confidence=seen.confidence,
        metadata=metadata,
        observations=(seen,),
    )


def end_of_day(due: date | None) -> datetime | None:
    """A day as a moment: its last second, UTC."""
    return datetime.combine(due, time(23, 59, 59), tzinfo=UTC) if due else None


def _todo(todo: ExtractedTodo, material: Sequence[ChatMessage]) -> FoundTodo:
    return FoundTodo(todo.kind, todo.text, end_of_day(todo.due), find_evidence(todo, material))


def _without_old(
    extraction: Extraction, material: Sequence[ChatMessage], before: Sequence[ChatMessage]
) -> Extraction:
    def is_new(cited: ExtractedFact | ExtractedTodo) -> bool:
        if not before or find_evidence(cited, material).is_verified:
            return True
        return not any(cited.quote and verify_quote(cited.quote, message.content) for message in before)

    return Extraction(
        facts=tuple(filter(is_new, extraction.facts)), todos=tuple(filter(is_new, extraction.todos))
    )


def _readable(material: Sequence[ChatMessage], number: int | None) -> ChatMessage | None:
    """A message by its number; tools and systems are never cited."""
    if number is None or not 0 <= number < len(material):
        return None
    message = material[number]
    return message if message.role in READ_ROLES else None


def _place(evidence: Evidence, material: Sequence[ChatMessage]) -> int:
    return next((n for n, message in enumerate(material) if message is evidence.message), len(material))

"""What one reading of a conversation proposes, each proposal with the words it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from types import MappingProxyType
from uuid import UUID

from memories.confidence import INFERRED
from memories.extraction.evidence import USER, Evidence, find_evidence
from memories.extraction.known import CHANGES
from memories.extraction.mapping import new_memory_of, verify_quote
from memories.extraction.parsing import ExtractedFact, ExtractedTodo, Extraction
from memories.extraction.support_check import SupportCheck
from memories.extraction.wishes import to_style
from memories.new_memory import NewMemory, NewObservation
from nebo.llm.types import ChatMessage
from nebo.reading.support.tasks import supported_due
from nebo.reading.support.verdicts import Support

ARTIFACT, STYLE = "artifact", "style"
MAX_ENTRIES = 40  # facts and todos that a run may propose
MAX_FACT_CHARS = 500  # characters of one fact; what is longer is a story, or an artifact
ASKABLE = "unclear"  # in the metadata of what code alone couldn't tell, until somebody has decided
NO_STYLE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FoundTodo:
    """Something open, and where it was said; `known` is the id of the open todo that it is, if it is one."""

    kind: str
    text: str
    due_at: datetime | None
    evidence: Evidence
    known: UUID | None = None


@dataclass(frozen=True, slots=True)
class UnprovenTodo:
    """Something to do, or done, that the words it cites don't say, and why not. `is_askable`: code alone can't tell."""

    text: str
    reason: str
    done: bool
    evidence: Evidence
    kind: str
    due_at: datetime | None = None
    is_askable: bool = False


@dataclass(frozen=True, slots=True)
class ExtractionAnswer:
    """Facts and styles as memories to be, todos, those that are settled, and which model with which prompt said so.

    `doubted` are facts and styles that no words support, each with its doubt; `unproven` are todos like that. `cut` is
    how many entries were one too many.
    """

    facts: tuple[NewMemory, ...] = ()
    todos: tuple[FoundTodo, ...] = ()
    settled: tuple[FoundTodo, ...] = ()
    styles: tuple[NewMemory, ...] = ()
    doubted: tuple[NewMemory, ...] = ()
    unproven: tuple[UnprovenTodo, ...] = ()
    cut: int = 0
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
    support_check: SupportCheck,
    *,
    provider: str,
    model: str,
    prompt_hash: str,
) -> ExtractionAnswer:
    """Proposals in the order in which they were said, so that the latest word on a subject comes last.

    What can be quoted from the messages read `before` alone was learned then, and is left out.
    """
    material = support_check.material
    extraction, cut = _within_limits(_without_old(extraction, material, support_check.before))
    reader = Reader("rules" if provider == "rules" else "model", f"{provider}/{model}", prompt_hash)
    found = [(*to_style(fact), find_evidence(fact, material)) for fact in extraction.facts]
    found.sort(key=lambda each: _place(each[2], material))
    made = [
        (
            fact.category,
            _with_known(
                to_new_memory(fact, seen, reader, style=style, support=support_check.weigh_fact(fact, seen)),
                fact,
                seen,
                support_check,
            ),
        )
        for fact, style, seen in found
    ]
    todos = [_weighed(todo, find_evidence(todo, material), support_check) for todo in extraction.todos]
    open_or_done = [
        (todo.done, found)
        for todo, found in zip(extraction.todos, todos, strict=True)
        if isinstance(found, FoundTodo)
    ]
    return ExtractionAnswer(
        facts=tuple(new for category, new in made if category != STYLE and not new.doubt),
        styles=tuple(new for category, new in made if category == STYLE and not new.doubt),
        doubted=tuple(new for _, new in made if new.doubt),
        todos=tuple(todo for done, todo in open_or_done if not done),
        settled=tuple(todo for done, todo in open_or_done if done),
        unproven=tuple(todo for todo in todos if isinstance(todo, UnprovenTodo)),
        cut=cut,
        provider=provider,
        model=model,
        prompt_hash=prompt_hash,
    )


def to_new_memory(
    fact: ExtractedFact,
    evidence: Evidence,
    reader: Reader,
    *,
    support: Support,
    style: Mapping[str, str] = NO_STYLE,
) -> NewMemory:
    """The proposal; what nobody can be quoted for is at most inferred, and so is what only the assistant said.

    `style` is what is known of a style (`wishes.py`). What has no support carries the doubt, and waits in review.
    """
    stated_at = evidence.message.created_at if evidence.message else None
    on = stated_at.date() if stated_at else datetime.now(UTC).date()
    proven = support.holds and (evidence.trust == USER or fact.category == ARTIFACT)
    confidence = fact.confidence if proven else min(fact.confidence, INFERRED)
    seen = NewObservation(
        extractor=reader.extractor,
        value=fact.value,
        confidence=confidence,
        trust=evidence.trust,
        message_id=evidence.message_id,
        quote=evidence.quote,
        quote_start=evidence.start,
        quote_end=evidence.end,
        model=reader.model,
        prompt_hash=reader.prompt_hash,
        observed_at=stated_at,
    )
    metadata = dict(style)
    if support.grade == "unclear":
        metadata[ASKABLE] = "yes"
    new = new_memory_of(fact, seen, on=on, source="extraction", metadata=metadata)
    return replace(new, doubt=support.reason)


def end_of_day(due: date | None) -> datetime | None:
    """A day as a moment: its last second, UTC."""
    return datetime.combine(due, time(23, 59, 59), tzinfo=UTC) if due else None


def _with_known(
    new: NewMemory, fact: ExtractedFact, evidence: Evidence, support_check: SupportCheck
) -> NewMemory:
    """With what it is to something known, where that can be."""
    found = support_check.known.find(fact.known) if fact.relation in CHANGES and not new.doubt else None
    if found is None or not support_check.is_about(found[1], fact, evidence):
        return new
    return replace(new, known=(found[0], fact.relation))


def _weighed(
    todo: ExtractedTodo, evidence: Evidence, support_check: SupportCheck
) -> FoundTodo | UnprovenTodo:
    support = support_check.weigh_todo(todo, evidence)
    due = (
        supported_due(todo.due, support_check.source(evidence)) if todo.due and evidence.is_verified else None
    )
    if not support.holds:
        askable = support.grade == "unclear" and not todo.done and evidence.trust == USER
        return UnprovenTodo(
            todo.text, support.reason, todo.done, evidence, todo.kind, end_of_day(due), askable
        )
    found = support_check.known.find(todo.known)
    return FoundTodo(todo.kind, todo.text, end_of_day(due), evidence, known=found[0] if found else None)


def _within_limits(extraction: Extraction) -> tuple[Extraction, int]:
    """At most `MAX_ENTRIES` facts and todos, none longer than its kind may be; how many were left out."""
    facts = tuple(f for f in extraction.facts if f.category == ARTIFACT or len(f.value) <= MAX_FACT_CHARS)
    kept, todos = facts[:MAX_ENTRIES], extraction.todos[: max(MAX_ENTRIES - len(facts), 0)]
    cut = len(extraction.facts) - len(kept) + len(extraction.todos) - len(todos)
    return Extraction(facts=kept, todos=todos), cut


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


def _place(evidence: Evidence, material: Sequence[ChatMessage]) -> int:
    return next((n for n, message in enumerate(material) if message is evidence.message), len(material))

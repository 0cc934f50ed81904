"""The memory tool of an agent, answered in the text a model reads: six actions for memories and three for todos."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from memories.agent_tool.request import ToolAnswer, ToolCall, ToolContext, clip, needed
from memories.agent_tool.todos import add_todo, finish_todo, report_todos
from memories.models import Memory
from memories.new_memory import NewMemory
from memories.normalize import normalize_key
from memories.screening.sanitize import without_orders
from memories.selectors import within_namespace
from memories.storing.edit import delete_memory
from memories.storing.store import Stored, store_memory
from memories.storing.usage import count_access
from nebo.errors import CollectionPaused, InvalidInput, KeptOut
from nebo.reading.relations.coverage import Coverage
from nebo.reading.relations.same_fact import is_same_text
from nebo.tenants.pauses import check_collecting
from search.answer_versions import get_versions
from search.answers.cache import search_cached
from search.answers.search import Hit, SearchQuery
from search.answers.turn_rendering import find_before, render_turn
from search.embeddings.serving import serving_model_of
from search.relevance.floor import Floor, judge_relevance

SEARCH_MAX = 10  # results of a search; docs/design.md#memory-numbers
JUDGED = 40  # results of which those about the question are shown
SEARCH_CHARS = 200  # characters of a result
LIST_MAX = 50  # lines of a list
BRINGING = ("store", "todo")  # actions that bring words
READ_OFF = ("slot", "detail")  # metadata that Nebo read out of the words
LIST_CHARS = 80  # characters of a line's value


def run_tool(*, context: ToolContext, call: ToolCall) -> ToolAnswer:
    """Answer a call of one of `ACTIONS`; what the model got wrong is said in the text, so that it can try again."""
    try:
        if call.action in BRINGING:
            check_collecting(
                tenant=context.tenant,
                person=context.person,
                actor=context.actor,
                session_id=context.session_id,
            )
        return ACTIONS[call.action](context, call)
    except KeptOut as error:
        return ToolAnswer(False, f"Not kept. {error.detail}", {"field": error.field, **error.extensions})
    except InvalidInput as error:
        return ToolAnswer(False, f"Error: {error.detail}", {"field": error.field})
    except CollectionPaused as error:
        return ToolAnswer(False, f"Not kept. {error.detail}", dict(error.extensions))


def question_of(call: ToolCall) -> str:
    """What a call would search for; empty for one that searches nothing."""
    return {"search": call.query or call.key, "recall": call.key or call.query}.get(call.action, "")


def _store(context: ToolContext, call: ToolCall) -> ToolAnswer:
    new = NewMemory(
        value=needed(call.value, "value"),
        key=call.key,
        layer=call.layer,
        namespace=call.namespace,
        tags=tuple(call.tags),
        metadata=dict(call.metadata),
        persona_id=context.audience_id,
        scope=call.scope or Memory.Scope.USER,
        session_id=context.session_id,
        trust=call.trust,
    )
    stored = store_memory(
        tenant=context.tenant,
        person=context.person,
        new=new,
        actor=context.actor,
        vector=context.vector,
        compared=context.compared,
    )
    memory = stored.memory
    data = {**_as_data(memory), "action": stored.action, "deduplicated": stored.deduplicated}
    if stored.action == "quarantined":
        return ToolAnswer(False, f"Not remembered, it waits for review. {memory.quarantine_reason}", data)
    return ToolAnswer(True, f"{_what_was_done(stored)}: {memory.key} (namespace: {memory.namespace})", data)


def _what_was_done(stored: Stored) -> str:
    """Saved, or that it was known and what it said before."""
    if stored.action != "reinforced":
        return "Updated" if stored.action == "updated" else "Stored"
    if is_same_text(stored.before, stored.memory.value):
        return "Already known, reinforced"
    return f"Updated, it said “{clip(stored.before, LIST_CHARS)}”"


def _recall(context: ToolContext, call: ToolCall) -> ToolAnswer:
    key = normalize_key(needed(call.key or call.query, "key"))
    rows = context.visible(call.scope).filter(key=key)
    if call.effective:
        rows = rows.filter(namespace=call.effective)
    memory = rows.order_by("-pinned", "-last_reinforced").first()
    if memory is None:
        return _found(context, call, call.key or call.query)
    count_access(tenant=context.tenant, memory_ids=[memory.pk])
    context.note_read("memory.recalled", [memory.pk])
    memory.access_count += 1
    return ToolAnswer(True, _described(memory), _as_data(memory))


def _search(context: ToolContext, call: ToolCall) -> ToolAnswer:
    return _found(context, call, needed(call.query or call.key, "query"))


def _found(context: ToolContext, call: ToolCall, text: str) -> ToolAnswer:
    """What is about the question; what was merely near it is neither shown nor counted as used."""
    found = search_cached(
        tenant=context.tenant,
        query=_search_at(context, call),
        versions=get_versions(tenant=context.tenant, person_id=context.person.pk),
        vector=context.vector,
    )
    shown = _tell(context, text, found.answer.results)
    ids = [one.hit.memory_id for one in shown if one.hit.memory_id]
    if ids:
        count_access(tenant=context.tenant, memory_ids=ids)
    context.note_read("memory.searched", ids)
    if not shown:
        return ToolAnswer(True, f"No memories found for “{clip(text, LIST_CHARS)}”.", {"results": []})
    how = "hybrid search" if context.vector is not None or found.kept else "text search"
    lines = [f"Found {len(shown)} {_noun(len(shown))} ({how}):", *(one.line for one in shown)]
    return ToolAnswer(True, "\n".join(lines), {"results": [one.as_data() for one in shown]})


@dataclass(frozen=True, slots=True)
class Found:
    """A result about the question: its name and its words as the model reads them."""

    hit: Hit
    name: str
    text: str
    relevance: float

    @property
    def line(self) -> str:
        """`- name: words (score: 0.53)`."""
        return f"- {self.name}: {clip(self.text, SEARCH_CHARS)} (score: {self.hit.score:.2f})"

    def as_data(self) -> dict[str, Any]:
        """The same for whoever reads JSON."""
        hit = self.hit
        where = {
            "memory_id": hit.memory_id and str(hit.memory_id),
            "session_id": hit.session_id and str(hit.session_id),
        }
        found = {
            "source": hit.source,
            "key": hit.key,
            "namespace": hit.namespace,
            "score": round(hit.score, 4),
        }
        return {**found, **where, "text": clip(self.text, SEARCH_CHARS), "relevance": self.relevance}


def _tell(context: ToolContext, question: str, hits: Sequence[Hit]) -> list[Found]:
    """The results about the question, the best ten, each thing once; a turn with its speaker and what it answers."""
    model = serving_model_of(context.vector)
    rated = judge_relevance(question, hits, model=model, floor=Floor.at(context.floor)).passing
    before = find_before(tenant=context.tenant, hits=[one.hit for one in rated])
    coverage, found = Coverage(), []
    for one in rated:
        turn = None if one.hit.memory_id else render_turn(_tamed(one.hit), before)
        if (one.hit.memory_id or turn) and coverage.take(one.hit.text):
            text = turn.text if turn else one.hit.text
            found.append(Found(one.hit, one.hit.key or "conversation", text, one.relevance))
    return found[:SEARCH_MAX]


def _tamed(hit: Hit) -> Hit:
    return replace(hit, text=without_orders(hit.text))


def _search_at(context: ToolContext, call: ToolCall) -> SearchQuery:
    return SearchQuery(
        text=question_of(call),
        person_id=context.person.pk,
        limit=JUDGED,
        namespace=call.effective,
        persona_id=context.persona_id,
        session_id=context.session_id,
    )


def _list(context: ToolContext, call: ToolCall) -> ToolAnswer:
    rows = context.visible(call.scope).filter(within_namespace(call.effective))
    shown = list(rows.order_by("-access_count", "-updated_at")[:LIST_MAX])
    context.note_read("memory.listed", [memory.pk for memory in shown])
    where = f" in {call.effective}" if call.effective else ""
    if not shown:
        return ToolAnswer(True, f"No memories{where}.", {"memories": []})
    lines = [f"- [{m.namespace}] {m.key}: {clip(m.value, LIST_CHARS)}" for m in shown]
    head = f"{len(shown)} {_noun(len(shown))}{where}:"
    return ToolAnswer(True, "\n".join([head, *lines]), {"memories": [_as_data(m) for m in shown]})


def _delete(context: ToolContext, call: ToolCall) -> ToolAnswer:
    """With a namespace, there; without one, the key wherever it stands."""
    key = normalize_key(needed(call.key, "key"))
    rows = context.own(call.scope).filter(key=key)
    if call.effective:
        rows = rows.filter(namespace=call.effective)
    count = _delete_all(context, rows)
    if not count:
        return ToolAnswer(False, f"No memory has the key {key}.", {"deleted": 0})
    return ToolAnswer(True, f"Deleted {count} {_noun(count)} with the key {key}.", {"deleted": count})


def _clear(context: ToolContext, call: ToolCall) -> ToolAnswer:
    namespace = needed(call.effective, "namespace")
    count = _delete_all(context, context.own(call.scope).filter(within_namespace(namespace)))
    return ToolAnswer(True, f"Cleared {count} {_noun(count)} from {namespace}.", {"deleted": count})


def _delete_all(context: ToolContext, rows: QuerySet[Memory]) -> int:
    """Into the trash, each through the door."""
    memories = list(rows)
    for memory in memories:
        delete_memory(tenant=context.tenant, memory=memory, actor=context.actor)
    return len(memories)


def _noun(count: int) -> str:
    return "memory" if count == 1 else "memories"


def _described(memory: Memory) -> str:
    lines = [f"Key: {memory.key}", f"Namespace: {memory.namespace}", f"Value: {memory.value}"]
    if memory.tags:
        lines.append(f"Tags: {', '.join(memory.tags)}")
    if own := _own_metadata(memory):
        lines.append("Metadata: " + ", ".join(f"{name}={value}" for name, value in own.items()))
    lines.append(f"Created: {memory.created_at:%Y-%m-%d}")
    lines.append(f"Access count: {memory.access_count}")
    return "\n".join(lines)


def _own_metadata(memory: Memory) -> dict[str, Any]:
    """What its writer said about it."""
    return {name: value for name, value in memory.metadata.items() if name not in READ_OFF}


def _as_data(memory: Memory) -> dict[str, Any]:
    return {
        "memory_id": str(memory.pk),
        "namespace": memory.namespace,
        "key": memory.key,
        "value": memory.value,
        "tags": memory.tags,
        "metadata": _own_metadata(memory),
        "status": memory.status,
        "trust": memory.trust,
        "created_at": memory.created_at.isoformat(),
        "access_count": memory.access_count,
    }


ACTIONS: dict[str, Callable[[ToolContext, ToolCall], ToolAnswer]] = {
    "store": _store,
    "recall": _recall,
    "search": _search,
    "list": _list,
    "delete": _delete,
    "clear": _clear,
    "todo": add_todo,
    "done": finish_todo,
    "todos": report_todos,
}

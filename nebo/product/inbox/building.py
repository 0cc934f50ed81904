"""Everything that waits, put together from the rows that were read, each with the digest of what is shown of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from memories.extraction.proposals import KIND, TODO, digest_of
from memories.forgetting.passages import CandidatePassage, list_standing
from memories.learning.run_words import is_shown
from memories.models import Memory, Todo
from memories.pages.memory_reads import CONTRADICTS
from memories.storing.edit import ADDRESS
from nebo.product.inbox.actions import UNDONE
from nebo.product.inbox.items import (
    FORGET,
    MEMORY,
    PAIR,
    RUN,
    WISH,
    Item,
    Option,
    Proposal,
    Quote,
    Rival,
    Side,
    Waiting,
    digest,
    sort_of,
)
from nebo.product.inbox.reads import read_beside, read_waiting
from nebo.tenants.models import Tenant
from nebo.tenants.reads import Rows

QUOTES_SHOWN = 3  # of one memory or wish, the first
FACTS_SHOWN = 3  # of one name
LATELY_SHOWN = 5  # runs, and decisions that can be undone


@dataclass(frozen=True, slots=True)
class _Found:
    """The rows that were read, with messages, entities and personas by their ids."""

    waiting: Rows
    beside: Rows
    messages: Mapping[UUID, Any] = field(default_factory=dict)
    entities: Mapping[UUID, Any] = field(default_factory=dict)
    personas: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def list_items(*, tenant: Tenant, person_id: UUID, manages: bool, only: UUID | None = None) -> Waiting:
    """What waits for this person, the newest first; what is everyone's for those who manage. Two statements."""
    waiting = read_waiting(tenant=tenant, person_id=person_id, only=only)
    memories = [one for one in waiting["memories"] if manages or one.person_id == person_id]
    beside = read_beside(tenant=tenant, person_id=person_id, found=waiting, memories=memories)
    found = _Found(
        waiting,
        beside,
        {one.pk: one for one in beside["messages"]},
        {one.pk: one for one in beside["entities"]},
        {str(one["id"]): one for one in waiting["personas"]},
    )
    items = [
        *(_memory(found, one) for one in memories),
        *(_pair(found, one) for one in waiting["pairs"]),
        *(_forget(found, one) for one in waiting["requests"]),
        *(_wish(found, one) for one in waiting["wishes"]),
        *(_run(found, one) for one in waiting["runs"]),
    ]
    ordered = sorted(items, key=lambda item: item.at, reverse=True)
    runs = [run for run in waiting["applied"] if any(run.counts.values())]
    return Waiting(ordered, runs[:LATELY_SHOWN], list(_open_decisions(waiting["decisions"]))[:LATELY_SHOWN])


def _open_decisions(entries: Iterable[Any]) -> Iterator[Any]:
    """Those that nobody has taken back, the newest first."""
    undone = set()
    for entry in entries:
        if entry.action == UNDONE:
            undone.add(entry.detail.get("decision"))
        elif str(entry.pk) not in undone:
            yield entry


def _memory(found: _Found, memory: Memory) -> Item:
    seen = [one for one in found.beside["observations"] if one.memory_id == memory.pk]
    quotes = [
        Quote(one.quote, found.messages.get(one.message_id), one.quote_start)
        for one in seen
        if one.message_id in found.messages or (one.quote and one.message_id is None)
    ]
    rivals = [rival for one in found.beside["rivals"] if (rival := _find_rival(memory, one))]
    return Item(
        MEMORY,
        memory.pk,
        sort_of(memory.quarantine_reason),
        memory.updated_at,
        memory,
        digest(memory.pk, memory.version, sorted((str(one.memory.pk), one.memory.version) for one in rivals)),
        reason=memory.quarantine_reason,
        quotes=quotes[:QUOTES_SHOWN],
        rivals=rivals,
        persona=found.personas.get(str(memory.persona_id)),
    )


def _find_rival(memory: Memory, other: Memory) -> Rival | None:
    """Approving replaces what has the same address; what answers the same question only goes against it."""
    if memory.person_id != other.person_id:
        return None
    if all(getattr(memory, name) == getattr(other, name) for name in ADDRESS):
        return Rival(other, is_replaced=True)
    slot, contradicts = memory.metadata.get("slot"), memory.quarantine_reason.startswith(CONTRADICTS)
    same = bool(slot) and other.metadata.get("slot") == slot and other.entity_refs == memory.entity_refs
    address = (memory.namespace, memory.key) == (other.namespace, other.key)
    return Rival(other, is_replaced=False) if contradicts and (same or address) else None


def _pair(found: _Found, pair: Any) -> Item:
    first, second = found.entities[pair.first_id], found.entities[pair.second_id]
    pair.first, pair.second = first, second
    facts = found.beside["facts"]
    sides = [
        Side(one, [fact["value"] for fact in facts if str(fact["entity_id"]) == str(one.pk)][:FACTS_SHOWN])
        for one in (first, second)
    ]
    seen = digest(pair.pk, first.pk, first.label, second.pk, second.label)
    return Item(PAIR, pair.pk, PAIR, pair.created_at, pair, seen, sides=sides)


def _forget(found: _Found, request: Any) -> Item:
    named = {one.pk: one for one in found.beside["named"]}
    todos = {one.pk: one for one in found.beside["todos"]}
    live = [
        named[id] for id in request.memory_ids if id in named and named[id].status == Memory.Status.ACTIVE
    ]
    opened = [todos[id] for id in request.todo_ids if id in todos and todos[id].status == Todo.Status.OPEN]
    forgotten = {str(one.pk) for one in named.values() if one.status in Memory.FORGOTTEN}
    messages = {str(id): message for id, message in found.messages.items()}
    passages = list_standing(request, messages, forgotten)
    said = found.messages.get(request.message_id)
    return Item(
        FORGET,
        request.pk,
        FORGET,
        request.created_at,
        request,
        digest(
            request.pk,
            [(str(one.pk), one.version) for one in (*live, *opened)],
            [str(one.pk) for one in passages],
        ),
        quotes=[Quote(request.what, said)] if said else [],
        options=list(_options(live, opened, passages)),
    )


def _options(
    memories: Iterable[Memory], todos: Iterable[Todo], passages: Iterable[CandidatePassage]
) -> Iterator[Option]:
    """What somebody pinned or confirmed isn't ticked."""
    for memory in memories:
        badge = _("Pinned") if memory.pinned else _("Confirmed") if memory.confirmed_at else ""
        yield Option("memory", str(memory.pk), memory.value, ticked=not badge, badge=badge)
    for todo in todos:
        yield Option("todo", str(todo.pk), todo.text, ticked=True, badge=_("Open"))
    for passage in passages:
        yield Option("passage", str(passage.pk), passage.text, ticked=True, badge=_("Said"))


def _wish(found: _Found, wish: Any) -> Item:
    heard = [one for one in found.beside["evidence"] if one.candidate_id == wish.pk]
    return Item(
        WISH,
        wish.pk,
        WISH,
        wish.updated_at,
        wish,
        digest(wish.pk, wish.field, wish.value, wish.decision, str(wish.persona_id)),
        quotes=[Quote(one.quote, found.messages.get(one.message_id)) for one in heard][:QUOTES_SHOWN],
        persona=found.personas.get(str(wish.persona_id)),
    )


def _run(found: _Found, run: Any) -> Item:
    """Without what was withheld since, which approving leaves out too."""
    words = {str(id): message.words for id, message in found.messages.items()}
    shown = [one for one in run.proposals if is_shown(one, words)]
    return Item(
        RUN,
        run.pk,
        RUN,
        run.created_at,
        run,
        digest(run.pk, digest_of(run), len(shown)),
        proposals=[_proposal(found, one) for one in shown],
    )


def _proposal(found: _Found, row: Mapping[str, Any]) -> Proposal:
    is_todo = row[KIND] == TODO
    seen = row if is_todo else next(iter(row.get("observations", ())), {})
    message = found.messages.get(UUID(seen["message_id"])) if seen.get("message_id") else None
    quote = Quote(seen["quote"], message, seen.get("quote_start")) if seen.get("quote") else None
    return Proposal(row["text"] if is_todo else row["value"], is_todo, quote)

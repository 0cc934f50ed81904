"""Todos that a message makes, closes, moves or drops.

Which todo a sentence is about, and how, was read outside the transaction (`relations.py`). Both must also share words.
If two todos could be meant, or none is clear, nothing is closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date
from typing import cast
from uuid import UUID

from memories.extraction.answer import end_of_day
from memories.learning.kept_out import keep_learned_todo
from memories.learning.todo_closing import close_todo, list_closable
from memories.learning.todo_relations import SAME_WORDS, UNCLEAR, WORKED
from memories.learning.utterance import Utterance
from memories.models import Todo
from memories.todos.store import NewTodo, expiry_of, update_todo
from nebo.reading.meaning.antecedents import tells_of_their_own
from nebo.reading.meaning.kinds import Kind, Relation
from nebo.reading.meaning.reader import Sentence
from nebo.reading.requests.appointments import find_appointment
from nebo.reading.requests.reminders import find_reminder
from nebo.reading.requests.todos import FoundTodo, TodoKind, find_todos, is_meant
from nebo.reading.times.dates import find_due, find_later
from nebo.reading.words.naming import named_words, share_named

CLEAR = 0.7  # chance from which a sentence settles a todo
SURE_BY_ITSELF = (
    0.5  # the same, where the sentence by itself surely says that something is done, put off or dropped
)
BY_THE_PAIR = 0.9  # the same, where the sentence by itself says nothing clear
RIVAL = 0.35  # chance from which another might be meant as well
PUT_RIGHT = (
    0.3  # chance of a correction, or of putting off, from which the day of an appointment is put right
)
AHEAD = 0.2  # of its words that the sentence names, by which it must stand before another that may be meant
NAMED_AGAIN = 2  # words of what is still to be done, at least, by which it is one that is open
_STILL = re.compile(r"\b(?:still|noch|todavía|aún|encore|toujours|ancora)\b", re.IGNORECASE)
SETTLING: tuple[Relation, ...] = ("done", "put_off", "dropped")
SAYING: Mapping[Relation, Kind] = {"done": "done", "put_off": "put_off", "dropped": "dropped"}
# What each may be said of: a habit is not over because it was done once, nor is it ever late.
SETTLED_KINDS: Mapping[Relation, frozenset[str]] = {
    "done": frozenset({Todo.Kind.COMMITMENT, Todo.Kind.THREAD, Todo.Kind.FRICTION}),
    "put_off": frozenset({Todo.Kind.COMMITMENT, Todo.Kind.THREAD}),
    "dropped": frozenset(Todo.Kind.values),
}


@dataclass(frozen=True, slots=True)
class _TodoMatch:
    """A todo, what a sentence is to it and how likely, and how much of what it names is named (0 to 1)."""

    todo: Todo
    relation: Relation
    chance: float
    share: float


def update_todos(turn: Utterance, sentences: Iterable[Sentence]) -> None:
    """Close, move or drop what these sentences of the message say is so, and keep what they say is still to be done."""
    for sentence in _with_reminders(sentences):
        meant = _settle_meant(turn, sentence)
        if meant is not None:
            booked = meant.relation == "done" and sentence.meaning.is_sure("done")
            found = [find_appointment(sentence, _day_of(turn))] if booked else []
        else:
            found = [*find_todos(sentence, _day_of(turn))]
            found = found or [_find_repeated(turn, sentence) or _find_kept(turn, sentence)]
        for todo in filter(None, found):
            _keep(turn, sentence, _as_open(turn, sentence, todo))


def _with_reminders(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences, each with the day for which one behind it asks to be reminded: "I must book it. Remind me on
    Monday".
    """
    before: Sentence | None = None
    for sentence in sentences:
        when = find_reminder(sentence.text) if before else ""
        if before and when:
            sentence = replace(before, text=f"{before.text.rstrip(' .!')}{when}", end=sentence.end)
        elif before:
            yield before
        before = sentence
    if before:
        yield before


def settle_todos(turn: Utterance, sentences: Iterable[Sentence]) -> None:
    """Only close, move or drop: of sentences that say what they mean only with the message before them."""
    for sentence in sentences:
        _settle_meant(turn, sentence)


def _settle_meant(turn: Utterance, sentence: Sentence) -> _TodoMatch | None:
    """The todo that a sentence settles, once it has."""
    if not _states(sentence):
        return None
    surely = {
        one.object_id: one.relation
        for one in turn.understood.related_to(sentence, ("done", "dropped"))
        if one.chance >= WORKED
    }
    for todo in _list_open(turn, surely):
        _settle(turn, sentence, _TodoMatch(todo, surely[todo.pk], WORKED, 1.0))
    meant = _find_matches(turn, sentence)
    if meant is not None:
        _settle(turn, sentence, meant)
    return meant


def _states(sentence: Sentence) -> bool:
    return is_meant(sentence.meaning) and not sentence.meaning.is_sure("question")


def _find_matches(turn: Utterance, sentence: Sentence) -> _TodoMatch | None:
    """The one open todo that a sentence is clearly about; None where another could be meant as well."""
    found_in = turn.understood.related_to(sentence, SETTLING)
    related = {one.object_id: one for one in found_in if one.chance < WORKED}
    if not related:
        return None
    found = [
        _TodoMatch(todo, one.relation, one.chance, share_named(named_words(todo.text), sentence.text))
        for todo in _list_open(turn, related)
        if (one := related[todo.pk]).chance >= RIVAL and todo.kind in SETTLED_KINDS[one.relation]
        if not (one.relation == "put_off" and tells_of_their_own(sentence.text))
    ]
    clear = [meant for meant in found if meant.chance >= _least(sentence, meant.relation)]
    best = max(clear, key=lambda meant: meant.share, default=None)
    if best is None:
        return None
    rivals = [meant for meant in found if meant is not best and meant.share > best.share - AHEAD]
    return None if rivals else best


def _least(sentence: Sentence, relation: Relation) -> float:
    kind, chances = SAYING.get(relation), sentence.meaning.chances
    if kind and sentence.meaning.is_sure(kind):
        return SURE_BY_ITSELF
    return CLEAR if max(chances.values()) >= UNCLEAR else BY_THE_PAIR


def _list_open(turn: Utterance, related: Mapping[UUID, object]) -> list[Todo]:
    rows = list_closable(turn.tenant, turn.person, turn.todo_persona_id, turn.message_id)
    return [todo for todo in rows if todo.pk in related]


def _settle(turn: Utterance, sentence: Sentence, meant: _TodoMatch) -> None:
    if meant.relation == "put_off":
        _put_off(turn, sentence, meant.todo)
        return
    status = Todo.Status.DONE if meant.relation == "done" else Todo.Status.DROPPED
    close_todo(turn.tenant, meant.todo, status, turn.message_id, sentence.text, turn.actor)


def _put_off(turn: Utterance, sentence: Sentence, todo: Todo) -> None:
    """To the day that is told; where none is, its old day is over and it stays as long as one told today."""
    due_at = end_of_day(_new_day(todo, sentence.text, _day_of(turn)))
    changes = {"due_at": due_at, "expires_at": expiry_of(todo.kind, stated_at=turn.at, due_at=due_at)}
    update_todo(tenant=turn.tenant, todo=todo, changes=changes, actor=turn.actor)


def _new_day(todo: Todo, text: str, on: date) -> date | None:
    if todo.due_at and (later := find_later(text, on, than=todo.due_at.astimezone(UTC).date())):
        return later
    when = find_due(text, on)
    return when.due if when else None


def _keep(turn: Utterance, sentence: Sentence, found: FoundTodo) -> None:
    due_at = end_of_day(found.due)
    new = NewTodo(
        text=found.text,
        kind=found.kind,
        quote=sentence.text,
        message_id=turn.message_id,
        session_id=turn.session_id,
        persona_id=turn.audience(sentence, others=turn.todo_persona_id),
        due_at=due_at,
        expires_at=expiry_of(found.kind, stated_at=turn.at, due_at=due_at),
    )
    keep_learned_todo(tenant=turn.tenant, person=turn.person, new=new, actor=turn.actor)


def _as_open(turn: Utterance, sentence: Sentence, found: FoundTodo) -> FoundTodo:
    """What is still to be done as it is open already, where that says all of it and more: "still need to book the eye
    test" of "Book Ida's eye test".
    """
    named = named_words(found.text)
    if len(named) < NAMED_AGAIN or not _STILL.search(sentence.text):
        return found
    rows = list_closable(turn.tenant, turn.person, turn.todo_persona_id, turn.message_id)
    same = [one for one in rows if share_named(named, one.text) == 1]
    return replace(found, text=same[0].text) if len(same) == 1 else found


def _find_repeated(turn: Utterance, sentence: Sentence) -> FoundTodo | None:
    """What is open already and is told again by its words, with the day that is told now."""
    same = turn.understood.related_to(sentence, ("same",))
    known = {one.object_id: one for one in same if one.chance >= SAME_WORDS}
    todo = next(iter(_list_open(turn, known)), None) if known else None
    when = find_due(sentence.text, _day_of(turn)) if todo else None
    return FoundTodo(todo.text, cast(TodoKind, todo.kind), when.due) if todo and when else None


def _find_kept(turn: Utterance, sentence: Sentence) -> FoundTodo | None:
    """An appointment; the one that is open already, where its day is put right: "no wait, dentist is the 14th"."""
    found = find_appointment(sentence, _day_of(turn))
    chances = sentence.meaning.chances
    if found is None or max(chances["correction"], chances["put_off"]) < PUT_RIGHT:
        return found
    named = named_words(found.text)
    rows = list_closable(turn.tenant, turn.person, turn.todo_persona_id, turn.message_id)
    same = [one for one in rows if one.due_at and share_named(named, one.text) == 1]
    return replace(found, text=same[0].text) if len(same) == 1 else found


def _day_of(turn: Utterance) -> date:
    return turn.at.astimezone(UTC).date()

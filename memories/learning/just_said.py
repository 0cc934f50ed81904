"""What a bare correction is about: the nearest thing that its person said just before, which it puts right.

"No wait, it's Tuesdays and Thursdays" names nothing that a memory or a todo could be found by. What was said some
messages ago, and has the same kind of figure, is what it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, timedelta

from memories.extraction.answer import end_of_day
from memories.forgetting.targets import seen_by
from memories.learning.utterance import Utterance
from memories.models import Memory, Todo
from memories.selectors import list_open_todos
from memories.todos.store import expiry_of, update_todo
from memories.understanding import Related, Understanding
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.meaning.repairs import may_correct, set_right
from nebo.reading.relations.judging import CLEAR
from nebo.reading.times.dates import find_due

JUST_NOW = timedelta(minutes=15)
NEAREST = 6  # memories and todos that are looked through, the newest


def with_just_said(turn: Utterance) -> Utterance:
    """The message with what its bare corrections put right, where nothing else is meant; the day of a todo is put right
    at once. Two queries, if there is such a correction.
    """
    bare = [one for one in turn.understood.reading.sentences if _may_put_right(turn.understood, one)]
    known = _list_just_said(turn) if bare else []
    found = []
    for sentence in bare:
        meant = find_meant(sentence, known)
        if isinstance(meant, Todo):
            _put_right_day(turn, meant, sentence)
        elif meant is not None:
            found.append(Related(sentence.start, meant.pk, "changes", 1.0))
    if not found:
        return turn
    return replace(turn, understood=replace(turn.understood, related=(*turn.understood.related, *found)))


def find_meant(sentence: Sentence, known: Sequence[Memory | Todo]) -> Memory | Todo | None:
    """The first of these that a correction puts right."""
    return next((one for one in known if set_right(_words_of(one), sentence.text, read_sentence)), None)


def _words_of(known: Memory | Todo) -> str:
    return known.value if isinstance(known, Memory) else known.quote


def _may_put_right(understood: Understanding, sentence: Sentence) -> bool:
    """Whether it may be a bare correction, and is about nothing that was found by its words."""
    settling = understood.related_to(sentence, ("changes", "ends", "same", "put_off", "done", "dropped"))
    clear = any(one.chance >= CLEAR for one in settling)
    return not clear and may_correct(sentence.text, read_sentence)


def _put_right_day(turn: Utterance, todo: Todo, sentence: Sentence) -> None:
    """By the words that told it, with what is corrected in them; what is no day stays as it was told."""
    when = find_due(set_right(todo.quote, sentence.text, read_sentence), turn.at.astimezone(UTC).date())
    if todo.due_at is None or when is None:
        return
    due_at = end_of_day(when.due)
    changes = {"due_at": due_at, "expires_at": expiry_of(todo.kind, stated_at=turn.at, due_at=due_at)}
    update_todo(tenant=turn.tenant, todo=todo, changes=changes, actor=turn.actor)


def _list_just_said(turn: Utterance) -> list[Memory | Todo]:
    """What was learned from the messages before, the newest first."""
    rows = Memory.objects.for_tenant(turn.tenant).filter(
        seen_by(turn.listener),
        person=turn.person,
        scope=Memory.Scope.USER,
        status=Memory.Status.ACTIVE,
        source=Memory.Source.SIGNAL,
        pinned=False,
        confirmed_at=None,
        valid_from__range=(turn.at - JUST_NOW, turn.at),
    )
    todos = list_open_todos(tenant=turn.tenant, person_id=turn.person.pk, persona_id=turn.todo_persona_id)
    todos_here = todos.filter(session_id=turn.session_id).exclude(message_id=turn.message_id)
    found: list[Memory | Todo] = [
        *rows.order_by("-created_at")[:NEAREST],
        *todos_here.order_by("-created_at")[:NEAREST],
    ]
    return sorted(found, key=lambda one: one.created_at, reverse=True)[:NEAREST]

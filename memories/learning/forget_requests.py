"""Requests to forget in what a person says: carried out where one thing is clearly meant, else asked about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from memories.forgetting.requests import ForgetIntent, forget
from memories.forgetting.targets import may_ask_to_forget, seen_by
from memories.learning.unlearned_words import find_unlearned, forget_unlearned
from memories.learning.utterance import MessageOutcome, Utterance
from memories.models import ForgetRequest, Memory, Observation, Todo
from memories.selectors import find_previous_message, list_open_todos
from memories.todos.store import update_todo
from nebo.reading.forgetting.clause import without_reasons
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.reader import Sentence
from nebo.reading.meaning.sentences import Span
from nebo.reading.words.forget_words import begins_to_forget
from nebo.reading.words.naming import SWEEPING, find_named, named_words

MEANT = 0.4  # chance from which something is asked about; measured in docs/reading.md
MEANT_BY_ALL = 0.3  # the same, where "everything about" something is to be forgotten
CLEAR = 0.6  # chance from which it is forgotten at once
RIVAL = (
    0.6  # of the likeliest's chance; what has less is not asked about beside it, unless "everything" is meant
)
# A sentence that surely says one of these only seems to ask to forget.
INSTEAD: tuple[Kind, ...] = (
    "remember",
    "todo",
    "done",
    "put_off",
    "dropped",
    "wish",
    "wish_back",
    "asks_back",
)


@dataclass(frozen=True, slots=True)
class _Targets:
    """What a request may mean; `is_clear` where it can be nothing else; `starts` are the places of its sentences."""

    memory_ids: Collection[UUID] = ()
    todos: Sequence[Todo] = ()
    is_clear: bool = False
    starts: frozenset[int] = field(default_factory=frozenset)


def handle_forget_requests(turn: Utterance, outcome: MessageOutcome) -> frozenset[int]:
    """Forget what the message clearly asks to have forgotten, and ask about the rest.

    Called when its facts are stored, since "forget that" may mean one of them. Returns where the sentences of the
    message begin that were taken back.
    """
    taken_back: frozenset[int] = frozenset()
    for sentence in turn.understood.reading.sentences:
        if not may_ask_to_forget(sentence):
            continue
        sentence = without_reasons(sentence)
        sure = sentence.meaning.is_sure("forget") or begins_to_forget(sentence.text)
        if not sure and not _may_be_meant(sentence):
            continue
        targets = _find_targets(turn, sentence)
        starts = (
            find_unlearned(turn, sentence) if sure and not _is_all_named(turn, sentence, targets) else None
        )
        if starts is not None:
            _forget_sentence(turn, sentence, starts, outcome)
            if not _asks_for_all(sentence):
                continue
        _carry_out(turn, sentence, targets, outcome, is_clear=sure and targets.is_clear)
        taken_back |= targets.starts if sure and targets.is_clear else frozenset()
    return taken_back


def _may_be_meant(sentence: Sentence) -> bool:
    """Whether what isn't surely such a request names something, and says nothing else surely."""
    otherwise = any(sentence.meaning.is_sure(kind) for kind in INSTEAD)
    return not otherwise and bool(named_words(sentence.text))


def _forget_sentence(
    turn: Utterance, sentence: Sentence, unlearned: tuple[Any, Span], outcome: MessageOutcome
) -> None:
    """What rests on the sentence that is meant; where nothing was learned from it, its words alone."""
    message, span = unlearned
    seen = _observations(turn, message.pk).filter(quote_start__lt=span.end, quote_end__gt=span.start)
    resting = set(seen.values_list("memory_id", flat=True))
    if resting:
        _forget(turn, sentence, _Targets(resting), outcome, is_clear=len(resting) == 1)
    else:
        outcome.memories.extend(forget_unlearned(turn, sentence, message, span))


def _is_all_named(turn: Utterance, sentence: Sentence, targets: _Targets) -> bool:
    """Whether one of these has all that the request names, or is a todo alone; else a sentence that has it is rather
    meant.
    """
    if targets.is_clear and not targets.memory_ids:
        return True
    named = named_words(sentence.text) - SWEEPING
    rows = Observation.objects.for_tenant(turn.tenant).filter(memory_id__in=targets.memory_ids)
    words = rows.values_list("memory__key", "memory__value", "quote") if targets.memory_ids else []
    texts = [*map(" ".join, words), *(todo.text for todo in targets.todos)]
    return any(find_named(named, text) == named for text in texts)


def _asks_for_all(sentence: Sentence) -> bool:
    return bool(SWEEPING & named_words(sentence.text))


def _find_targets(turn: Utterance, sentence: Sentence) -> _Targets:
    named = named_words(sentence.text)
    earlier = _observations(turn, turn.message_id).filter(quote_end__lte=sentence.start)
    own = [seen for seen in earlier if find_named(named, f"{seen.value} {seen.quote}") == named]
    if own:
        return _just_stated(turn, own, turn.message_id, is_one=_is_one_sentence(own))
    if named:
        return _find_related(turn, sentence)
    before = (
        None
        if _has_before(turn, sentence)
        else find_previous_message(tenant=turn.tenant, message_id=turn.message_id)
    )
    seen = list(_observations(turn, before)) if before else []
    return _just_stated(turn, seen, before, is_one=_is_one_sentence(seen)) if before else _Targets()


def _find_related(turn: Utterance, sentence: Sentence) -> _Targets:
    """What the request was read beside, outside the transaction."""
    found = turn.understood.related_to(sentence, ["forget"])
    all_of_it = _asks_for_all(sentence)
    likely = [one for one in found if one.chance >= _least(found[0].chance, all_of_it=all_of_it)]
    is_clear = len(likely) == 1 and likely[0].chance >= CLEAR
    ids = [one.object_id for one in likely]
    rows = list_open_todos(tenant=turn.tenant, person_id=turn.person.pk, persona_id=turn.todo_persona_id)
    todos = list(rows.filter(pk__in=ids)) if ids else []
    return _Targets([pk for pk in ids if pk not in {todo.pk for todo in todos}], todos, is_clear)


def _least(best: float, *, all_of_it: bool) -> float:
    """The chance from which something is meant beside the likeliest."""
    return MEANT_BY_ALL if all_of_it else max(MEANT, best * RIVAL)


def _just_stated(turn: Utterance, seen: Sequence[Observation], message_id: UUID, *, is_one: bool) -> _Targets:
    """Memories and todos of a message, clear where one sentence made them and nothing else did."""
    ids = {one.memory_id for one in seen}
    again = (
        Observation.objects.for_tenant(turn.tenant).filter(memory_id__in=ids).exclude(message_id=message_id)
    )
    rows = list_open_todos(tenant=turn.tenant, person_id=turn.person.pk, persona_id=turn.todo_persona_id)
    todos = [] if ids else list(rows.filter(message_id=message_id))
    is_clear = (is_one and not again.exists()) if ids else len(todos) == 1
    places = {
        one.quote_start for one in seen if one.message_id == turn.message_id and one.quote_start is not None
    }
    return _Targets(ids, todos, is_clear, frozenset(_starts(turn, places)))


def _carry_out(
    turn: Utterance, sentence: Sentence, targets: _Targets, outcome: MessageOutcome, *, is_clear: bool
) -> None:
    if is_clear and not targets.memory_ids:
        for todo in targets.todos:
            _drop(turn, sentence, todo)
    elif targets.memory_ids or targets.todos:
        _forget(turn, sentence, targets, outcome, is_clear=is_clear)


def _forget(
    turn: Utterance, sentence: Sentence, targets: _Targets, outcome: MessageOutcome, *, is_clear: bool
) -> None:
    asked = ForgetIntent(
        what=sentence.text,
        memory_ids=targets.memory_ids,
        todos=() if is_clear else targets.todos,
        is_clear=is_clear,
        quote=turn.text[sentence.start : sentence.end],
        message_id=turn.message_id,
        session_id=turn.session_id,
        persona_id=turn.todo_persona_id,
        stated_at=turn.at,
    )
    done = forget(tenant=turn.tenant, person=turn.person, asked=asked, actor=turn.actor)
    if isinstance(done, ForgetRequest):
        outcome.forget_requests.append(done)
    else:
        outcome.memories.extend(done)


def _drop(turn: Utterance, sentence: Sentence, todo: Todo) -> None:
    changes = {
        "status": Todo.Status.DROPPED,
        "closed_message_id": turn.message_id,
        "closed_quote": sentence.text,
    }
    update_todo(tenant=turn.tenant, todo=todo, changes=changes, actor=turn.actor)


def _observations(turn: Utterance, message_id: UUID) -> QuerySet[Observation]:
    """Where a message made or strengthened live memories that the listening persona may see."""
    visible = Memory.objects.for_tenant(turn.tenant).filter(
        seen_by(turn.listener),
        person=turn.person,
        scope=Memory.Scope.USER,
        status=Memory.Status.ACTIVE,
    )
    return Observation.objects.for_tenant(turn.tenant).filter(message_id=message_id, memory__in=visible)


def _is_one_sentence(seen: Sequence[Observation]) -> bool:
    return len({(one.quote_start, one.quote_end) for one in seen}) == 1


def _has_before(turn: Utterance, sentence: Sentence) -> bool:
    """Whether the message says something before the sentence."""
    return bool(turn.text[: sentence.start].strip())


def _starts(turn: Utterance, places: Collection[int]) -> list[int]:
    """Where the sentences begin in which these places are."""
    sentences = turn.understood.reading.sentences
    return [one.start for one in sentences if any(one.start <= place < one.end for place in places)]

"""The task of a session after what was said in it, kept without secrets and without orders to whoever reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from memories.screening.checks import find_reason
from memories.understanding import Understanding
from nebo.reading.meaning.reader import Sentence
from nebo.reading.requests.tasks import MAX_CHARS, follow_task
from sessions.models import Message


def task_after(current: str, messages: Sequence[Message], understood: Mapping[UUID, Understanding]) -> str:
    """The task after these messages of a turn, as far as they were read."""
    found = follow_task(current, _sentences(messages, understood))
    return current if found == current else fit_task(found, otherwise=current)


def fit_task(text: str, *, otherwise: str) -> str:
    """A task as it may be kept; `otherwise` where it holds a secret or reads like an order."""
    return otherwise if find_reason(text) else text[:MAX_CHARS]


def begun_at(task: str, messages: Iterable[Message]) -> int:
    """The number of the last of these messages that the task was read from in its turn; 0 for none."""
    if not task:
        return 0
    return max((one.seq for one in messages if one.read_in_turn and _says_task(one, task)), default=0)


def _says_task(message: Message, task: str) -> bool:
    """A task is what a message says from some word on, cut where it was too long."""
    return task.rstrip("…").casefold() in " ".join(message.words.split()).casefold()


def _sentences(messages: Sequence[Message], understood: Mapping[UUID, Understanding]) -> Iterable[Sentence]:
    for message in messages:
        if message.pk in understood:
            yield from understood[message.pk].reading.sentences

"""What somebody other than the person said in a conversation, looked through for what other ones may not be told.

An assistant repeats what it has read: a tool's answer or a page that orders its reader about. Without a model only
sentences can be named that might be such an order; a job asks the model about these (`sessions/learning/said.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from memories.screening.disguises import list_readings
from nebo.encoders.files import has_e5
from nebo.reading.orders.notation import list_places, list_sentences
from nebo.reading.orders.orders import Order
from nebo.reading.orders.said import LEAST_WORDS, find_said_order, may_be_order

MOST_JUDGED = 200  # sentences of one message; what else of it might be an order isn't told elsewhere
MOST_APART = (
    5  # stretches of one message that wait by themselves; of more, all between the first and the last is one
)
CACHED = 100  # messages: read before the transaction that stores them
FENCE = "```"
_WORD = re.compile(r"[^\W\d_]{2,}")
_CODE = re.compile(r"[(){}\[\]=;<>|\\]|::|->")
CODE_MARKS = 2  # in a line of a fenced block that is read as code, not as words
_GAP = re.compile(r"[\s\W]*")


@dataclass(frozen=True, slots=True)
class HeldStretch:
    """`text[start:end]`, and what it is of the things that nobody but the person may say."""

    start: int
    end: int
    kind: Order


@lru_cache(CACHED)
def list_suspects(text: str) -> Sequence[tuple[int, int]]:
    """Where the sentences stand that might be an order; no model is asked. 2 ms a thousand characters."""
    if not has_e5():
        return ()
    return [
        place for place in _places_of_words(text) if any(may_be_order(one) for one in _readings(text, place))
    ]


def find_held(text: str) -> list[HeldStretch]:
    """The stretches that are to wait. 10 ms a sentence that might be one: for jobs, with no transaction open."""
    held: list[HeldStretch] = []
    among = len(list(_places_of_words(text)))
    for at, place in enumerate(list_suspects(text)):
        kind = "order" if at >= MOST_JUDGED else _judge(text, place, among)
        if kind is not None:
            held.append(HeldStretch(*place, kind))
    return _joined(text, held)


def _judge(text: str, place: tuple[int, int], among: int) -> Order | None:
    found = (find_said_order(one, among) for one in _readings(text, place) if may_be_order(one))
    return next(filter(None, found), None)


def _places_of_words(text: str) -> Iterator[tuple[int, int]]:
    """Each line or sentence, without blanks and without lines of code."""
    fenced = False
    for start, end in list_places(text):
        line = text[start:end]
        if line.lstrip().startswith(FENCE):
            fenced = not fenced
            line = line.lstrip().removeprefix(FENCE)
        if len(_WORD.findall(line)) and not (fenced and len(_CODE.findall(line)) >= CODE_MARKS):
            yield (
                start + len(text[start:end]) - len(text[start:end].lstrip()),
                start + len(text[start:end].rstrip()),
            )


def _readings(text: str, place: tuple[int, int]) -> Iterator[str]:
    """The sentences of a line, and those that can be read out of it."""
    for reading in list_readings(text[slice(*place)]):
        for sentence in list_sentences(reading):
            if not sentence.isascii() or len(_WORD.findall(sentence)) >= LEAST_WORDS:
                yield sentence


def _joined(text: str, held: Sequence[HeldStretch]) -> list[HeldStretch]:
    """Those with nothing between them as one."""
    joined: list[HeldStretch] = []
    for one in held:
        if joined and (_GAP.fullmatch(text, joined[-1].end, one.start)):
            joined[-1] = replace(joined[-1], end=one.end)
        else:
            joined.append(one)
    if len(joined) > MOST_APART:
        return [replace(joined[0], end=joined[-1].end)]
    return joined

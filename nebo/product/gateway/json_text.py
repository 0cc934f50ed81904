"""Where the parts of a JSON text stand, so that something can be put between them and the rest stays as it was sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Part:
    """A value, and the characters of the text that it takes: from `start` up to `end`."""

    value: Any
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """What stands from `start` up to `end` is to be `text`; with both the same, it is put there."""

    start: int
    end: int
    text: str


def list_members(text: str) -> dict[str, Part]:
    """The members of the object that the text is; of a name that stands twice, the last. Raises ValueError for what is
    no object, and RecursionError.
    """
    place = _expect(text, 0, "{")
    members: dict[str, Part] = {}
    for name in _until(text, place, "}"):
        if not isinstance(name.value, str):
            raise ValueError("a name is a text")
        members[name.value] = value = _value_at(text, _expect(text, _skip(text, name.end), ":"))
        name.go_on(value.end)
    return members


def list_items(text: str, start: int) -> list[Part]:
    """The items of the array that begins there. Raises ValueError for what is no array."""
    items = []
    for item in _until(text, _expect(text, start, "["), "]"):
        items.append(Part(item.value, item.start, item.end))
        item.go_on(item.end)
    return items


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits, whose places don't overlap."""
    pieces, place = [], 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        pieces += [text[place : edit.start], edit.text]
        place = edit.end
    return "".join([*pieces, text[place:]])


@dataclass(slots=True)
class _Step:
    """A value on the way through an object or an array; `next` is where the way goes on."""

    value: Any
    start: int
    end: int
    next: int

    def go_on(self, place: int) -> None:
        self.next = place


def _until(text: str, place: int, close: str) -> Iterator[_Step]:
    """Values up to the closing bracket, with commas between them. Raises ValueError."""
    place = _skip(text, place)
    if text[place : place + 1] == close:
        return _nothing_after(text, place, close)
    while True:
        part = _value_at(text, place)
        step = _Step(part.value, part.start, part.end, part.end)
        yield step
        place = _skip(text, step.next)
        if text[place : place + 1] == close:
            return _nothing_after(text, place, close)
        place = _expect(text, place, ",")


def _nothing_after(text: str, place: int, close: str) -> None:
    if close == "}" and _skip(text, place + 1) != len(text):
        raise ValueError("something stands behind the object")


def _value_at(text: str, place: int) -> Part:
    place = _skip(text, place)
    value, end = _DECODER.raw_decode(text, place)
    return Part(value, place, end)


def _expect(text: str, place: int, sign: str) -> int:
    place = _skip(text, place)
    if text[place : place + 1] != sign:
        raise ValueError(f"{sign} expected")
    return place + 1


def _skip(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place

"""Bring a JSON text to another value with as few changes as can be: comments, order and spacing stay as they were.

Comments and commas at the end are understood, too, as editors allow them in their settings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SPACE = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
OUTSIDE = "the end of the value was expected"
decoder = json.JSONDecoder()


@dataclass(slots=True)
class Node:
    """A value, where it stands, and its parts if it has any."""

    start: int
    end: int
    value: Any
    parts: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """A member of an object, or an item of a list, which has no name; it stands from `start` to its node's end."""

    name: str | None
    start: int
    node: Node
    comma: int = -1  # behind it


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of the text, and what is to stand there."""

    start: int
    end: int
    text: str


def parse(text: str) -> Any:
    """The value. Raises ValueError."""
    return _read_whole(text).value


def rewrite(text: str, value: Any) -> str:
    """The text with this value. Raises ValueError."""
    edits = sorted(Writer(text).change(_read_whole(text), value), key=lambda edit: (edit.start, edit.end))
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes as the text is written: the same ends of lines, the same indent."""

    text: str

    def change(self, node: Node, value: Any) -> Iterator[Edit]:
        """What has to change for that value to stand there."""
        if _is_same(node.value, value):
            return
        if isinstance(node.value, dict) and isinstance(value, dict):
            yield from self._change_members(node, value)
        elif isinstance(node.value, list) and isinstance(value, list):
            yield from self._change_items(node, value)
        else:
            yield Edit(node.start, node.end, self._dump(value, self._depth(node.start)))

    def _change_members(self, node: Node, value: Mapping[str, Any]) -> Iterator[Edit]:
        stays = [part for part in node.parts if part.name in value]
        for part in stays:
            yield from self.change(part.node, value[str(part.name)])
        gone = [part for part in node.parts if part.name not in value]
        new = [(name, one) for name, one in value.items() if name not in node.value]
        yield from self._exchange(node, gone, new)

    def _change_items(self, node: Node, value: Sequence[Any]) -> Iterator[Edit]:
        gone = [part for part in node.parts if part.node.value not in value]
        left = [part.node.value for part in node.parts if part not in gone]
        new: list[tuple[str | None, Any]] = [(None, one) for one in value if one not in node.value]
        if _is_same([*left, *(one for _, one in new)], value):
            yield from self._exchange(node, gone, new)
        else:  # in another order
            yield Edit(node.start, node.end, self._dump(value, self._depth(node.start)))

    def _exchange(
        self, node: Node, gone: Sequence[Part], new: Sequence[tuple[str | None, Any]]
    ) -> Iterator[Edit]:
        left = [part for part in node.parts if part not in gone]
        if gone and not left:
            made = dict(new) if isinstance(node.value, dict) else [one for _, one in new]
            yield Edit(node.start, node.end, self._dump(made, self._depth(node.start)))
            return
        for before, part in zip([None, *node.parts], node.parts, strict=False):
            if part in gone:
                yield self._removal(node, part, is_behind_another=before in gone)
        if gone and gone[-1].comma < 0 and not new:  # its own comma is that before it
            yield Edit(left[-1].comma, left[-1].comma + 1, "")
        if new:
            yield from self._add(node, left, new)

    def _removal(self, node: Node, part: Part, *, is_behind_another: bool) -> Edit:
        end = part.comma + 1 if part.comma >= 0 else part.node.end
        rest = self.text[end : node.end - 1]
        if rest.partition("\n")[0].strip():  # more stands in the line, and before it there may be a comment
            return Edit(part.start, end + len(rest) - len(rest.lstrip(" \t")), "")
        start = len(self.text[: part.start].rstrip())
        is_in_line = "\n" not in self.text[start : part.start]
        return Edit(part.start if is_behind_another and is_in_line else start, end, "")

    def _add(self, node: Node, left: Sequence[Part], new: Sequence[tuple[str | None, Any]]) -> Iterator[Edit]:
        inside = self.text[node.start + 1 : node.end - 1]
        in_a_line = bool(node.parts) and "\n" not in inside
        depth = self._depth(node.start) + 1
        before = " " if in_a_line else self._line(depth)
        dumped = [
            ("" if name is None else f"{json.dumps(name, ensure_ascii=False)}: ")
            + (json.dumps(one, ensure_ascii=False) if in_a_line else self._dump(one, depth))
            for name, one in new
        ]
        added = f",{before}".join(dumped)
        if left and left[-1].comma < 0:
            yield Edit(left[-1].node.end, left[-1].node.end, ",")
        place = node.start + 1 + len(inside.rstrip())
        comma = "," if left and left[-1].comma >= 0 and left[-1] is node.parts[-1] else ""
        after = "" if "\n" in inside or in_a_line else self._line(depth - 1)
        yield Edit(place, node.end - 1 if after else place, f"{before}{added}{comma}{after}")

    def _dump(self, value: Any, depth: int) -> str:
        lines = json.dumps(value, indent=self._indent(), ensure_ascii=False).split("\n")
        return self._line(depth).join(lines)

    def _line(self, depth: int) -> str:
        return ("\r\n" if "\r\n" in self.text else "\n") + self._indent() * depth

    def _indent(self) -> str:
        found = re.search(r"^[\ufeff\s]*\{\s*?\n([ \t]+)\S", self.text)
        found = found or re.search(r"^([ \t]+)[\"{\[]", self.text, re.MULTILINE)
        return found[1] if found else "  "

    def _depth(self, place: int) -> int:
        """How far the line is indented in which something begins."""
        line = self.text[self.text.rfind("\n", 0, place) + 1 : place]
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        return len(indent) // len(self._indent())


def _is_same(one: Any, other: Any) -> bool:
    """Python takes true for 1."""
    return json.dumps(one) == json.dumps(other) or (
        isinstance(one, dict)
        and isinstance(other, dict)
        and one.keys() == other.keys()
        and all(_is_same(one[name], other[name]) for name in one)
    )


def _read_whole(text: str) -> Node:
    node = _read(text, _skip(text, 0))
    if _skip(text, node.end) != len(text):
        raise json.JSONDecodeError(OUTSIDE, text, node.end)
    return node


def _read(text: str, place: int) -> Node:
    if text[place : place + 1] not in ("{", "["):
        value, end = decoder.raw_decode(text, place)
        return Node(place, end, value)
    is_object = text[place] == "{"
    node, closing = Node(place, place, None), "}" if is_object else "]"
    at = _skip(text, place + 1)
    while text[at : at + 1] != closing:
        part, at = _read_part(text, at, is_object=is_object)
        node.parts.append(part)
        if text[at : at + 1] == ",":
            part.comma, at = at, _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise json.JSONDecodeError("a comma was expected", text, at)
    if is_object and len({part.name for part in node.parts}) < len(node.parts):
        raise json.JSONDecodeError("a name stands twice", text, node.start)
    node.end = at + 1
    node.value = (
        {part.name: part.node.value for part in node.parts}
        if is_object
        else [part.node.value for part in node.parts]
    )
    return node


def _read_part(text: str, place: int, *, is_object: bool) -> tuple[Part, int]:
    start, name = place, None
    if is_object:
        name, place = decoder.raw_decode(text, place)
        place = _skip(text, place)
        if not isinstance(name, str) or text[place : place + 1] != ":":
            raise json.JSONDecodeError("a name and a colon were expected", text, place)
        place = _skip(text, place + 1)
    node = _read(text, place)
    return Part(name, start, node), _skip(text, node.end)


def _skip(text: str, place: int) -> int:
    found = SPACE.match(text, place)
    return found.end() if found else place

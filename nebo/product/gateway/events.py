"""Server-sent events, read as they pass by (WHATWG HTML §9.2.6)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

MAX_EVENT = 8 * 1024 * 1024  # bytes; whatever is longer is passed on and not read


class EventReader:
    """Takes a stream in pieces of any size; gives the data of each whole event."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, piece: bytes) -> Iterator[str]:
        """The data of the events that end in this piece. A reader that meets an endless line begins anew."""
        lines = (self._rest + piece).replace(b"\r\n", b"\n").split(b"\n")
        self._rest = lines.pop()
        if len(self._rest) + sum(map(len, self._data)) > MAX_EVENT:
            self._rest, self._data = b"", []
        for line in lines:
            yield from self._take(line.rstrip(b"\r"))

    def _take(self, line: bytes) -> Iterator[str]:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
        elif not line and self._data:
            yield b"\n".join(self._data).decode("utf-8", "replace")
            self._data = []


def read_object(text: str) -> dict[str, Any]:
    """The object that a text is; empty for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}

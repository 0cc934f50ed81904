"""Where in a model's answer the extraction stands: alone or in prose, fenced, quoted, nested, cut off or misspelt."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memories.extraction.json_repair import merge, read_loosely
from memories.extraction.nothing import says_nothing

MAX_ANSWER_CHARS = 4_000_000  # characters; what a strict reader may see
MAX_LOOSE_CHARS = 200_000  # characters; what the forgiving reader may see
MAX_ATTEMPTS = 64  # places in an answer where an object is looked for
MAX_INSIDE = 2_000  # values looked at within one value, breadth first
ARRAY_NAMES = ("preferences", "entities", "decisions", "styles", "artifacts", "todos")
SINGULARS = {
    "preference": "preferences", "entity": "entities", "decision": "decisions", "style": "styles",
    "artifact": "artifacts", "todo": "todos",
}  # fmt: skip

EMPTY = ("{}", "[]", "null")
MAX_SILENT_CHARS = 120  # characters of a sentence that says so; a longer one says something else, too
_NOTHING = re.compile(
    r"\b(?:nothing|none|nichts|keine|nada|ningun[oa]|rien|aucune?|niente|nessun[oa]?"
    r"|no (?:\w+ ){0,3}(?:facts?|information|preferences?))\b",
    re.IGNORECASE,
)

_START = re.compile(r"[{\[]")
_KNOWN_START = re.compile(rf"\{{(?=[\s\"']{{0,20}}(?:{'|'.join(ARRAY_NAMES)})\b)", re.IGNORECASE)
_CURLY_QUOTES = str.maketrans({"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"'})


@dataclass(frozen=True, slots=True)
class Entries:
    """Rows by the name of their array, and rows that stood outside of the six arrays."""

    arrays: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    loose: Sequence[Mapping[str, Any]] = ()

    @property
    def count(self) -> int:
        """How many rows there are; an empty extraction counts more than none."""
        return bool(self.arrays) + sum(map(len, self.arrays.values())) + len(self.loose)


def find_entries(answer: str) -> Entries:
    """The first extraction in an answer, wherever it stands, else the fullest value that holds facts at all.

    Where nothing decodes, what is complete of one that was cut off or misspelt is salvaged.
    """
    text = _unquoted(answer[:MAX_ANSWER_CHARS])
    found = _find_strict(text)
    if found.arrays:
        return found
    found = max(found, _find_loose(text[:MAX_LOOSE_CHARS]), key=_count)
    if found.count:
        return found
    return _find_loose(text[:MAX_LOOSE_CHARS].translate(_CURLY_QUOTES))


def is_answer(answer: str) -> bool:
    """Whether an answer without a row means that there is nothing to note, and not that it was cut off or refused."""
    text = _unquoted(answer[:MAX_ANSWER_CHARS]).strip()
    bare = re.sub(r"^```\w*\s*|\s*```$", "", text).strip()
    return bare in EMPTY or says_nothing(bare) or _is_silent(bare) or bool(_find_strict(text).arrays)


def _is_silent(text: str) -> bool:
    """Whether a short sentence says that there is nothing: "I found nothing.", „Hier gibt es nichts zu merken.“"""
    return len(text) <= MAX_SILENT_CHARS and bool(_NOTHING.search(text))


def find_json_object(answer: str) -> dict[str, Any] | None:
    """The first JSON object in an answer, read forgivingly, whatever stands around it."""
    start = answer.find("{")
    value = read_loosely(answer[start : start + MAX_LOOSE_CHARS]) if start >= 0 else None
    return value if isinstance(value, dict) else None


def entries_of(value: Any) -> Entries:
    """The rows of a decoded value: of the first extraction within it, else those that read as facts."""
    loose: Entries = Entries()
    for inner in _values_within(value):
        arrays = _arrays(inner)
        if arrays:
            return Entries(arrays)
        loose = max(loose, Entries(loose=_loose_rows(inner)), key=_count)
    return loose


def _unquoted(answer: str) -> str:
    """An answer that is one JSON string with the real answer inside."""
    text = answer.strip()
    if not (text.startswith('"') and text.endswith('"') and "{" in text):
        return answer
    try:
        inner = json.loads(text)
    except (ValueError, RecursionError):
        return answer
    return inner if isinstance(inner, str) else answer


def _find_strict(answer: str) -> Entries:
    best: Entries = Entries()
    lines: list[Mapping[str, Any]] = []
    for value in _decoded(answer):
        entries = entries_of(value)
        if entries.arrays:
            return entries
        best = max(best, entries, key=_count)
        lines += entries.loose if isinstance(value, dict) and "value" in value else ()
    return max(best, Entries(loose=lines), key=_count)  # one fact a line is an answer too


def _decoded(answer: str) -> Iterator[Any]:
    """Everything in an answer that is JSON, in order."""
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=_object)
    at = 0
    for _ in range(MAX_ATTEMPTS):
        start = _START.search(answer, at)
        if not start:
            return
        try:
            value, at = decoder.raw_decode(answer, start.start())
        except (ValueError, RecursionError):
            at = start.end()
            continue
        yield value


def _find_loose(answer: str) -> Entries:
    """The forgiving reader's turn, from the first brace that a known word follows, else from the first of all."""
    starts = [match.start() for match in _KNOWN_START.finditer(answer)][:4]
    first = _START.search(answer)
    for start in [*starts, *([first.start()] if first else [])]:
        entries = entries_of(read_loosely(answer[start:]))
        if entries.count:
            return entries
    return Entries()


def _values_within(value: Any) -> Iterator[Any]:
    """A value and what is nested in it, the outermost first; JSON within a string is nested too."""
    waiting = deque([value])
    for _ in range(MAX_INSIDE):
        if not waiting:
            return
        inner = waiting.popleft()
        yield inner
        if isinstance(inner, dict) and "value" not in inner:
            waiting.extend(filter(None, map(_container, list(inner.values())[:50])))
        elif isinstance(inner, list):
            waiting.extend(filter(None, map(_container, inner[:50])))


def _container(value: Any) -> Any:
    """An object or array, also one that was written into a string; None for anything else."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        return read_loosely(value.strip()[:MAX_LOOSE_CHARS])
    return value if isinstance(value, dict | list) else None


def _arrays(value: Any) -> dict[str, list[Any]]:
    """The known arrays of an object under their own names; empty for what is no extraction."""
    if not isinstance(value, dict) or "value" in value:
        return {}
    found: dict[str, list[Any]] = {}
    for key, rows in value.items():
        word = str(key).strip().lower()
        name = SINGULARS.get(word, word)
        if name in ARRAY_NAMES:
            merge(found, name, _rows(rows))
    return found


def _rows(rows: Any) -> list[Any]:
    """The entries under a name; one entry alone, or entries by key, are read as a list."""
    if isinstance(rows, dict):
        alone = "value" in rows or "text" in rows
        return [rows] if alone else [_keyed(key, row) for key, row in rows.items()]
    if isinstance(rows, str):
        return [rows]
    return rows if isinstance(rows, list) else []


def _keyed(key: str, row: Any) -> dict[str, Any]:
    if isinstance(row, dict) and "value" in row:
        return {"key": key, **row}
    return {"key": key, "value": row}


def _loose_rows(value: Any) -> list[dict[str, Any]]:
    """One fact alone, or an array of them."""
    rows = value if isinstance(value, list) else [value]
    return [row for row in rows if isinstance(row, dict) and "value" in row]


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for key, item in pairs:
        merge(merged, key, item)
    return merged


def _count(entries: Entries) -> int:
    return entries.count

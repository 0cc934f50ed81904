"""A model's extraction answer read as a person would read it: what is clear is taken, what isn't is left.

Nothing here raises on bad answers; the worst answer gives an empty Extraction.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any, Literal

from memories.confidence import from_explicit
from memories.extraction.json_repair import merge, read_loosely
from memories.normalize import normalize_key
from memories.sanitize import cut_value

MAX_ANSWER_CHARS = 4_000_000  # characters; what a strict reader may see
MAX_LOOSE_CHARS = 200_000  # characters; what the forgiving reader may see
MAX_ATTEMPTS = 64  # places in an answer where an object is looked for
MAX_FACTS = 200  # of one answer
MAX_TAGS = 8
MAX_TAG_CHARS = 48
MAX_QUOTE_CHARS = 500

Category = Literal["preference", "entity", "decision", "style", "artifact"]
ARRAYS: dict[str, Category] = {
    "preferences": "preference", "entities": "entity", "decisions": "decision",
    "styles": "style", "artifacts": "artifact",
}  # fmt: skip
_CATEGORIES: dict[str, Category] = {**ARRAYS, **{category: category for category in ARRAYS.values()}}
TYPES = ("profile", "people", "project")
FACT_TYPES = ("fact", "preference", "relationship", "friction", "habit")
TODO_KINDS = ("commitment", "habit", "thread", "friction")
_START = re.compile(r"[{\[]")
_NUMBER = re.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """One fact as a model gave it; `confidence` comes from `explicit`, `message` is the number it cites."""

    category: Category
    key: str
    value: str
    tags: tuple[str, ...] = ()
    explicit: bool | None = None
    type: str = "profile"
    entity_label: str = ""
    entity_type: str = ""
    fact_type: str = "fact"
    importance: int = 1
    message: int | None = None
    quote: str = ""

    @property
    def confidence(self) -> float:
        """0.9 stated, 0.6 inferred, 0.75 unsaid."""
        return from_explicit(self.explicit)


@dataclass(frozen=True, slots=True)
class ExtractedTodo:
    """One open loop as a model gave it."""

    kind: str
    text: str
    due: date | None = None
    done: bool = False
    message: int | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one answer held, in its order."""

    facts: tuple[ExtractedFact, ...] = ()
    todos: tuple[ExtractedTodo, ...] = ()


def parse_extraction(answer: str) -> Extraction:
    """The facts and todos of an answer; empty when there is nothing to read.

    Looks for the first object or array that reads as an extraction, wherever it stands in the answer; failing
    that, salvages what is complete of one that was cut off or misspelt.
    """
    found = _find_strict(answer[:MAX_ANSWER_CHARS])
    if not _is_extraction(found):
        found = max(found, _find_loose(answer[:MAX_LOOSE_CHARS]), key=_count)
    facts = tuple(islice(_unique(_facts(found)), MAX_FACTS))
    todos = tuple(todo for row in _rows(found, "todos")[:MAX_FACTS] if (todo := _todo(row)))
    return Extraction(facts, todos)


def find_json_object(answer: str) -> dict[str, Any] | None:
    """The first JSON object in an answer, read forgivingly, whatever stands around it."""
    start = answer.find("{")
    value = read_loosely(answer[start : start + MAX_LOOSE_CHARS]) if start >= 0 else None
    return value if isinstance(value, dict) else None


def _find_strict(answer: str) -> Any:
    """The first value that decodes as an extraction, else the fullest that holds facts at all."""
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=_object)
    at, fallback = 0, None
    for _ in range(MAX_ATTEMPTS):
        start = _START.search(answer, at)
        if not start:
            break
        try:
            value, at = decoder.raw_decode(answer, start.start())
        except (ValueError, RecursionError):
            at = start.end()
            continue
        if _is_extraction(value):
            return value
        fallback = max(fallback, value, key=_count)
    return fallback


def _find_loose(answer: str) -> Any:
    """The forgiving reader's turn, from the first brace that a known word follows, else from the first of all."""
    starts = [
        m.start()
        for m in re.finditer(
            r"\{(?=[\s\"']{0,20}(?:preferences|entities|decisions|styles|artifacts|todos)\b)", answer
        )
    ]
    first = _START.search(answer)
    for start in [*starts[:4], *([first.start()] if first else [])]:
        value = read_loosely(answer[start:])
        if _is_extraction(value) or _holds_facts(value):
            return value
    return None


def _count(found: Any) -> int:
    """How many entries a value holds, as far as that is worth knowing."""
    if not _is_extraction(found) and not _holds_facts(found):
        return 0
    arrays = sum(len(_rows(found, name)) for name in (*ARRAYS, "todos"))
    return 1 + arrays + len(_loose_rows(found))


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for key, item in pairs:
        merge(merged, key, item)
    return merged


def _is_extraction(value: Any) -> bool:
    return isinstance(value, dict) and any(name in value for name in (*ARRAYS, "todos"))


def _holds_facts(value: Any) -> bool:
    if isinstance(value, dict):
        return "value" in value or any(
            _holds_facts(inner) for inner in list(value.values())[:20] if isinstance(inner, list)
        )
    return isinstance(value, list) and any(isinstance(item, dict) and "value" in item for item in value[:50])


def _facts(found: Any) -> Iterator[ExtractedFact]:
    for array, category in ARRAYS.items():
        yield from (fact for row in _rows(found, array) if (fact := _fact(row, category)))
    for row in _loose_rows(found):
        category = _CATEGORIES.get(str(row.get("category", "")).strip().lower(), "preference")
        if fact := _fact(row, category):
            yield fact


def _rows(found: Any, name: str) -> list[Any]:
    """The entries under a name; one entry alone, or entries by key, are read as a list."""
    rows = found.get(name) if isinstance(found, dict) else None
    if isinstance(rows, dict):
        return (
            [rows] if "value" in rows or "text" in rows else [{"key": k, "value": v} for k, v in rows.items()]
        )
    if isinstance(rows, str):
        return [rows]
    return rows if isinstance(rows, list) else []


def _loose_rows(found: Any) -> list[dict[str, Any]]:
    """Facts that stand outside the five arrays: an array at the top, one fact alone, or an array of another name."""
    if isinstance(found, dict) and not _is_extraction(found):
        inner = [row for rows in found.values() if isinstance(rows, list) for row in rows]
        found = [found] if "value" in found else inner
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _fact(row: Any, category: Category) -> ExtractedFact | None:
    row = {"value": row} if isinstance(row, str) else row
    value = cut_value(_text(row.get("value"))) if isinstance(row, dict) else ""
    if not value:
        return None
    entity = row.get("entity")
    label, kind = (
        (entity.get("label"), entity.get("type"))
        if isinstance(entity, dict)
        else (entity, row.get("entity_type"))
    )
    return ExtractedFact(
        category=category,
        key=normalize_key(_text(row.get("key"))) or _key_of(category, value),
        value=value,
        tags=_tags(row.get("tags")),
        explicit=_truth(row.get("explicit")),
        type=_one_of(row.get("type"), TYPES),
        entity_label=cut_value(_text(label), 128),
        entity_type=_text(kind).lower()[:32],
        fact_type=_one_of(row.get("fact_type"), FACT_TYPES),
        importance=_importance(row.get("importance")),
        message=_message(row.get("message")),
        quote=_text(row.get("quote"))[:MAX_QUOTE_CHARS],
    )


def _todo(row: Any) -> ExtractedTodo | None:
    row = {"text": row} if isinstance(row, str) else row
    text = cut_value(_text(row.get("text") or row.get("value")), 500) if isinstance(row, dict) else ""
    if not text:
        return None
    return ExtractedTodo(
        kind=_one_of(row.get("kind"), TODO_KINDS),
        text=text,
        due=_day(row.get("due")),
        done=_truth(row.get("done")) is True,
        message=_message(row.get("message")),
        quote=_text(row.get("quote"))[:MAX_QUOTE_CHARS],
    )


def _unique(facts: Iterator[ExtractedFact]) -> Iterator[ExtractedFact]:
    seen: set[tuple[str, str, str]] = set()
    for fact in facts:
        mark = (fact.category, fact.key, fact.value)
        if mark not in seen:
            seen.add(mark)
            yield fact


def _text(value: Any) -> str:
    """A string for whatever a model puts where a string belongs; nothing for null and for numbers that are none."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(filter(None, (_flat(item) for item in value[:50])))
    if isinstance(value, dict):
        return "; ".join(f"{k}: {_flat(v)}" for k, v in list(value.items())[:50] if _flat(v))
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()


def _flat(value: Any) -> str:
    """The same one level down; deeper ones as JSON."""
    return (
        json.dumps(value, ensure_ascii=False, default=str)[:500]
        if isinstance(value, list | dict)
        else _text(value)
    )


def _tags(value: Any) -> tuple[str, ...]:
    items = re.split(r"[,;]", value) if isinstance(value, str) else value if isinstance(value, list) else []
    cleaned = (
        cut_value(_text(item), MAX_TAG_CHARS).lower()
        for item in items[:50]
        if not isinstance(item, list | dict)
    )
    return tuple(dict.fromkeys(tag for tag in cleaned if tag))[:MAX_TAGS]


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in ("true", "yes", "1", "1.0", "explicit"):
        return True
    return False if word in ("false", "no", "0", "0.0", "inferred", "implicit") else None


def _importance(value: Any) -> int:
    words = {
        "trivial": 0,
        "low": 0,
        "ordinary": 1,
        "standard": 1,
        "medium": 1,
        "significant": 2,
        "high": 2,
        "critical": 3,
        "essential": 3,
    }
    if isinstance(value, str) and value.strip().lower() in words:
        return words[value.strip().lower()]
    try:
        return min(3, max(0, round(float(value))))
    except (TypeError, ValueError, OverflowError):
        return 1


def _message(value: Any) -> int | None:
    match = (
        _NUMBER.search(str(value))
        if isinstance(value, int | float | str) and not isinstance(value, bool)
        else None
    )
    return int(match.group()) if match else None


def _day(value: Any) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def _one_of(value: Any, known: Sequence[str]) -> str:
    word = str(value).strip().lower()
    return word if word in known else known[0]


def _key_of(category: Category, value: str) -> str:
    """A key for a fact that came without one: its first words."""
    words = re.findall(r"[^\W_]+", value.lower())[:6]
    return normalize_key(f"{category}/{'-'.join(words)}")

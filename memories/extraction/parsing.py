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
from memories.extraction.locating import Entries, find_entries, is_answer
from memories.extraction.nothing import is_nothing, says_nothing
from memories.normalize import normalize_key
from memories.screening.sanitize import cut_value
from nebo.llm.errors import LlmError

MAX_FACTS = 200  # of one answer
MAX_TAGS = 8
MAX_TAG_CHARS = 48
MAX_QUOTE_CHARS = 500
MAX_ID_CHARS = 16  # of what is known, as it was shown; of a word for what an entry is to it

Category = Literal["preference", "entity", "decision", "style", "artifact"]
ARRAYS: dict[str, Category] = {
    "preferences": "preference", "entities": "entity", "decisions": "decision",
    "styles": "style", "artifacts": "artifact",
}  # fmt: skip
_CATEGORIES: dict[str, Category] = {**ARRAYS, **{category: category for category in ARRAYS.values()}}
TYPES = ("profile", "people", "project")
FACT_TYPES = ("fact", "preference", "relationship", "friction", "habit")
TODO_KINDS = ("commitment", "habit", "thread", "friction")
VALUE_NAMES = ("value", "fact", "text", "content", "statement", "description")
_NUMBER = re.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """One fact as a model gave it; `confidence` comes from `explicit`, `message` is the number it cites.

    `known` is the short id of something that was shown as known, and `relation` what this is to it.
    """

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
    known: str = ""
    relation: str = ""

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
    known: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one answer held, in its order."""

    facts: tuple[ExtractedFact, ...] = ()
    todos: tuple[ExtractedTodo, ...] = ()


class AnswerUnreadable(LlmError):
    """An answer with no extraction in it: prose, a page of HTML, a refusal, or one that was cut off at once."""

    def __str__(self) -> str:
        return "The model's answer was unreadable: there is no extraction in it."


def read_extraction(answer: str) -> Extraction:
    """The facts and todos of an answer; raises AnswerUnreadable for one that neither has any nor says that there are
    none, so that nobody takes a failure for silence.
    """
    found = parse_extraction(answer)
    if not (found.facts or found.todos) and not is_answer(answer):
        raise AnswerUnreadable
    return found


def parse_extraction(answer: str) -> Extraction:
    """The facts and todos of an answer; empty when there is nothing to read.

    Looks for the first object or array that reads as an extraction, wherever it stands in the answer; failing
    that, salvages what is complete of one that was cut off or misspelt.
    """
    found = find_entries(answer)
    facts = tuple(islice(_unique(_facts(found)), MAX_FACTS))
    todos = tuple(todo for row in found.arrays.get("todos", ())[:MAX_FACTS] if (todo := _todo(row)))
    return Extraction(facts, todos)


def _facts(found: Entries) -> Iterator[ExtractedFact]:
    for array, category in ARRAYS.items():
        yield from (fact for row in found.arrays.get(array, ()) if (fact := _fact(row, category)))
    for row in found.loose:
        category = _CATEGORIES.get(str(row.get("category", "")).strip().lower(), "preference")
        if fact := _fact(row, category):
            yield fact


def _fact(row: Any, category: Category) -> ExtractedFact | None:
    row = {"value": row} if isinstance(row, str) and not says_nothing(row) else row
    value = cut_value(_value_of(row)) if isinstance(row, dict) else ""
    if is_nothing(value) or is_nothing(_text(row.get("key")), known=False):
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
        known=_text(row.get("known"))[:MAX_ID_CHARS],
        relation=_text(row.get("relation")).lower()[:MAX_ID_CHARS],
    )


def _value_of(row: dict[str, Any]) -> str:
    """What a fact says, under whichever of the usual names."""
    return next((text for name in VALUE_NAMES if (text := _text(row.get(name)))), "")


def _todo(row: Any) -> ExtractedTodo | None:
    row = {"text": row} if isinstance(row, str) and not says_nothing(row) else row
    text = cut_value(_text(row.get("text") or row.get("value")), 500) if isinstance(row, dict) else ""
    if is_nothing(text):
        return None
    return ExtractedTodo(
        kind=_one_of(row.get("kind"), TODO_KINDS),
        text=text,
        due=_day(row.get("due")),
        done=_truth(row.get("done")) is True,
        message=_message(row.get("message")),
        quote=_text(row.get("quote"))[:MAX_QUOTE_CHARS],
        known=_text(row.get("known"))[:MAX_ID_CHARS],
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

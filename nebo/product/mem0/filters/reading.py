"""Filters as they are sent: names with values or operators, joined by AND, OR and NOT."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from nebo.errors import InvalidInput

PERSONS = ("user_id",)
TEXTS = ("agent_id", "app_id", "run_id")
ENTITIES = (*PERSONS, *TEXTS)
MOMENTS = ("created_at", "updated_at", "timestamp", "expiration_date")
OTHERS = ("categories", "memory_ids", "id", "keywords", "memory")
METADATA = "metadata"
EQUALS, ANY_OF, ANYTHING = "eq", "in", "*"
OPERATORS = (EQUALS, "ne", ANY_OF, "nin", "gt", "gte", "lt", "lte", "contains", "icontains")
JOINS = {"AND": "and", "OR": "or", "NOT": "not", "$and": "and", "$or": "or", "$not": "not"}
MOST_PARTS = 50  # conditions in one filter
DEEPEST = 6  # levels of AND, OR and NOT
MOST_VALUES = 100  # of one `in`
LONGEST = 1_000  # characters of a value

Join = Literal["and", "or", "not"]


@dataclass(frozen=True, slots=True)
class Is:
    """One condition. `key` is a name within the metadata."""

    name: str
    operator: str
    value: Any
    key: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """Several: `not` holds where none of them does."""

    join: Join
    parts: tuple[Part, ...]


Part: TypeAlias = Is | Joined


def read_filters(given: Mapping[str, Any], *, any_name: bool = False) -> Joined:
    """Raises InvalidInput. With `any_name`, a name that isn't mem0's own is one of the metadata, as in its server."""
    filters = Joined("and", tuple(_parts(given, any_name, 1)))
    if sum(1 for _ in list_conditions(filters)) > MOST_PARTS:
        raise InvalidInput(f"At most {MOST_PARTS} conditions.", field="filters")
    return filters


def list_conditions(part: Part) -> Iterator[Is]:
    """All of them, however they are joined."""
    if isinstance(part, Is):
        yield part
        return
    for inner in part.parts:
        yield from list_conditions(inner)


def both(*parts: Joined) -> Joined:
    """What holds where all of these do."""
    return Joined("and", parts)


def _parts(given: Any, any_name: bool, depth: int) -> Iterator[Part]:
    if not isinstance(given, Mapping):
        raise InvalidInput(
            "Filters are an object, or a list of objects below AND, OR and NOT.", field="filters"
        )
    if depth > DEEPEST or len(given) > MOST_PARTS:
        raise InvalidInput(f"At most {DEEPEST} levels, and {MOST_PARTS} conditions.", field="filters")
    for name, value in given.items():
        if name in JOINS:
            yield _joined(name, value, any_name, depth)
        elif name == METADATA:
            yield from _of_metadata(value)
        elif name in (*ENTITIES, *MOMENTS, *OTHERS):
            yield from _conditions(name, value)
        elif any_name:
            yield from _of_metadata({name: value})
        else:
            raise InvalidInput(f"There is no filter {name[:80]!r}.", field="filters")


def _joined(name: str, value: Any, any_name: bool, depth: int) -> Joined:
    items = value if isinstance(value, list) else [value]
    if not items or len(items) > MOST_PARTS:
        raise InvalidInput(f"{name} has 1 to {MOST_PARTS} filters.", field="filters")
    parts = tuple(Joined("and", tuple(_parts(item, any_name, depth + 1))) for item in items)
    join: Any = JOINS[name]
    return Joined(join, parts)


def _of_metadata(value: Any) -> Iterator[Is]:
    if not isinstance(value, Mapping) or not value:
        raise InvalidInput("metadata names what it should have.", field="filters")
    for key, wanted in value.items():
        yield from _conditions(METADATA, wanted, key)


def _conditions(name: str, value: Any, key: str = "") -> Iterator[Is]:
    """`"ana"`, `["ana", "bob"]`, `"*"`, or operators with a value each."""
    if isinstance(value, Mapping) and value.keys() <= set(OPERATORS) and value:
        for operator, wanted in value.items():
            yield Is(name, operator, _checked(name, operator, wanted), key)
    elif isinstance(value, Mapping) and name != METADATA:
        raise InvalidInput(f"Operators are {', '.join(OPERATORS)}.", field="filters")
    elif isinstance(value, list) and name != METADATA:
        yield Is(name, ANY_OF, _checked(name, ANY_OF, value), key)
    else:
        yield Is(name, EQUALS, _checked(name, EQUALS, value), key)


def _checked(name: str, operator: str, value: Any) -> Any:
    values = value if isinstance(value, list) else [value]
    if len(values) > MOST_VALUES or any(isinstance(one, str) and len(one) > LONGEST for one in values):
        raise InvalidInput(f"At most {MOST_VALUES} values of {LONGEST} characters.", field="filters")
    if operator in (ANY_OF, "nin") and not isinstance(value, list):
        raise InvalidInput(f"{operator} takes a list.", field="filters")
    if name in ENTITIES and not all(isinstance(one, str) and one for one in values):
        raise InvalidInput(f"{name} is a text.", field="filters")
    return value

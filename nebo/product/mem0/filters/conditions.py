"""What a filter means for the database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import CharField, F, Func, JSONField, Q, QuerySet, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.lookups import (
    Contains,
    Exact,
    GreaterThan,
    GreaterThanOrEqual,
    IContains,
    LessThan,
    LessThanOrEqual,
)
from django.utils.dateparse import parse_date, parse_datetime

from memories.models import Memory
from nebo.errors import InvalidInput
from nebo.product.mem0.filters.reading import (
    ANY_OF,
    ANYTHING,
    EQUALS,
    METADATA,
    MOMENTS,
    PERSONS,
    TEXTS,
    Is,
    Joined,
    Part,
    list_conditions,
)
from nebo.product.mem0.said import with_said
from nebo.tenants.models import Tenant

ALL, NONE = Q(pk__isnull=False), Q(pk__in=[])
COLUMNS = {
    "created_at": "first_observed",
    "timestamp": "first_observed",
    "updated_at": "updated_at",
    "expiration_date": "expires_at",
}
COMPARING: Mapping[str, type[Any]] = {
    "gt": GreaterThan, "gte": GreaterThanOrEqual, "lt": LessThan, "lte": LessThanOrEqual
}  # fmt: skip
DAY = timedelta(days=1)


def matching(
    rows: QuerySet[Memory], *, tenant: Tenant | UUID, filters: Joined, user_id: str
) -> QuerySet[Memory]:
    """Those of a person's memories that a filter lets through; `user_id` is the person's. Raises InvalidInput."""
    named = {one.name for one in list_conditions(filters)} & {*TEXTS, METADATA}
    return with_said(rows, tenant=tenant, names=named).filter(_condition(filters, user_id))


def names_more_than_people(filters: Joined) -> bool:
    """Whether it can tell one memory of a person from another."""
    return any(one.name not in PERSONS for one in list_conditions(filters))


def _condition(part: Part, user_id: str) -> Q:
    if isinstance(part, Is):
        return CONDITIONS[part.name](part, user_id)
    inner = [_condition(one, user_id) for one in part.parts]
    found = ALL if part.join == "and" else NONE
    for one in inner:
        found = found & one if part.join == "and" else found | one
    return ~found if part.join == "not" else found


def _of_person(part: Is, user_id: str) -> Q:
    """A person's own memories are all of one user: it holds for all of them, or for none."""
    if part.operator in ("gt", "gte", "lt", "lte"):
        raise _unfit(part)
    values: list[str] = part.value if isinstance(part.value, list) else [part.value]
    match part.operator:
        case "contains":
            return ALL if values[0] in user_id else NONE
        case "icontains":
            return ALL if values[0].lower() in user_id.lower() else NONE
        case "ne" | "nin":
            return NONE if user_id in values else ALL
    return ALL if {user_id, ANYTHING} & set(values) else NONE


def _of_text(part: Is, user_id: str) -> Q:
    column = f"said_{part.name}"
    values = part.value if isinstance(part.value, list) else [part.value]
    match part.operator:
        case "eq" | "in":
            return ~Q(**{column: ""}) if ANYTHING in values else Q(**{f"{column}__in": values})
        case "ne" | "nin":
            return ~Q(**{f"{column}__in": values})
        case "contains" | "icontains" if isinstance(part.value, str):
            return Q(**{f"{column}__{part.operator}": part.value})
    raise _unfit(part)


def _of_moment(part: Is, user_id: str) -> Q:
    """A date without a time is the whole day."""
    column = COLUMNS[part.name]
    if part.value == ANYTHING:
        return Q(**{f"{column}__isnull": False})
    begin, end = _moments(part)
    match part.operator:
        case "gte" | "lt":
            return Q(**{f"{column}__{part.operator}": begin})
        case "gt":
            return Q(**{f"{column}__gte" if end > begin else f"{column}__gt": end})
        case "lte":
            return Q(**{f"{column}__lt" if end > begin else f"{column}__lte": end})
        case "eq" | "ne":
            within = Q(**{f"{column}__gte": begin}) & (
                Q(**{f"{column}__lt": end}) if end > begin else Q(**{f"{column}__lte": end})
            )
            return ~within if part.operator == "ne" else within
    raise _unfit(part)


def _moments(part: Is) -> tuple[datetime, datetime]:
    """When what is named begins and ends: the same moment twice, or a day."""
    value = part.value
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value, UTC)
            return moment, moment
        day = parse_date(value) if isinstance(value, str) and len(value) == len("2026-03-02") else None
        if day is not None:
            begin = datetime.combine(day, time(), UTC)
            return begin, begin + DAY
        parsed = parse_datetime(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError) as error:
        raise _unfit(part) from error
    if parsed is None:
        raise _unfit(part)
    moment = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    return moment, moment


def _of_categories(part: Is, user_id: str) -> Q:
    values = part.value if isinstance(part.value, list) else [part.value]
    if not all(isinstance(value, str) for value in values):
        raise _unfit(part)
    if ANYTHING in values:
        return ~Q(tags=[])
    match part.operator:
        case "eq" | "in" | "contains" | "icontains":
            return Q(tags__overlap=values)
        case "ne" | "nin":
            return ~Q(tags__overlap=values)
    raise _unfit(part)


def _of_ids(part: Is, user_id: str) -> Q:
    values = part.value if isinstance(part.value, list) else [part.value]
    found = [one for one in map(find_id, values) if one is not None]
    if part.operator not in (EQUALS, ANY_OF, "ne", "nin"):
        raise _unfit(part)
    return ~Q(pk__in=found) if part.operator in ("ne", "nin") else Q(pk__in=found)


def find_id(text: Any) -> UUID | None:
    """None for what is no id."""
    try:
        return UUID(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _of_words(part: Is, user_id: str) -> Q:
    if not isinstance(part.value, str) or part.operator not in (EQUALS, "contains", "icontains"):
        raise _unfit(part)
    return Q(value__icontains=part.value)


def _of_metadata(part: Is, user_id: str) -> Q:
    column = F(f"said_{METADATA}")
    text = KeyTextTransform(part.key, column)
    match part.operator:
        case "eq" if part.value == ANYTHING:
            return Q(said_metadata__has_key=part.key)
        case "eq":
            return Q(said_metadata__contains={part.key: part.value})
        case "ne":
            return ~Q(said_metadata__contains={part.key: part.value})
        case "in" | "nin":
            found = NONE
            for value in part.value:
                found |= Q(said_metadata__contains={part.key: value})
            return ~found if part.operator == "nin" else found
        case "contains" | "icontains" if isinstance(part.value, str):
            lookup: type[Any] = Contains if part.operator == "contains" else IContains
            return Q(lookup(text, part.value))
        case "gt" | "gte" | "lt" | "lte":
            return _compared(part, KeyTransform(part.key, column))
    raise _unfit(part)


def _compared(part: Is, held: KeyTransform) -> Q:
    """Numbers with numbers, texts with texts."""
    is_number = isinstance(part.value, (int, float)) and not isinstance(part.value, bool)
    if not is_number and not isinstance(part.value, str):
        raise _unfit(part)
    kind = Func(held, function="jsonb_typeof", output_field=CharField())
    wanted = Value("number" if is_number else "string")
    value = Value(part.value, JSONField())
    return Q(Exact(kind, wanted)) & Q(COMPARING[part.operator](held, value))


def _unfit(part: Is) -> InvalidInput:
    name = f"{part.name}.{part.key}" if part.key else part.name
    return InvalidInput(f"{part.operator} doesn't go with {name} and this value.", field="filters")


CONDITIONS: Mapping[str, Callable[[Is, str], Q]] = {
    **dict.fromkeys(PERSONS, _of_person),
    **dict.fromkeys(TEXTS, _of_text),
    **dict.fromkeys(MOMENTS, _of_moment),
    "categories": _of_categories,
    "memory_ids": _of_ids,
    "id": _of_ids,
    "keywords": _of_words,
    "memory": _of_words,
    METADATA: _of_metadata,
}

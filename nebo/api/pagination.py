"""Lists by keyset: the cursor holds the last row's own values, so a page costs the same however far in.

A cursor is opaque and unsigned: it can only ever move inside the query the caller may make anyway.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import DateTimeField, Field, Model, Q, QuerySet
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from nebo.errors import InvalidInput

DEFAULT_LIMIT = 50
MAX_LIMIT = 100
CURSOR_LENGTH = 2_000  # characters; ours stay far below


@dataclass(frozen=True, slots=True)
class Column:
    """One column of an ordering."""

    name: str
    descending: bool
    field: Field[Any, Any]

    def after(self, value: Any) -> Q:
        return Q(**{f"{self.name}__{'lt' if self.descending else 'gt'}": value})

    def from_(self, value: Any) -> Q:
        return Q(**{f"{self.name}__{'lte' if self.descending else 'gte'}": value})


def paginate(
    queryset: QuerySet[Any],
    request: Request,
    *,
    ordering: Sequence[str],
    serialize: Callable[[Any], Any],
) -> Response:
    """`{"results", "next"}` by `?limit=` and `?cursor=`; `id` settles ties. Raises InvalidInput.

    `ordering` names columns (or annotations) that are never null, a `-` before those that fall.
    """
    limit = read_limit(request)
    columns = _columns(queryset, ordering)
    rows = queryset.order_by(*((f"-{c.name}" if c.descending else c.name) for c in columns))
    if cursor := request.query_params.get("cursor"):
        rows = rows.filter(_past(columns, read_cursor(cursor, columns)))
    page = list(rows[: limit + 1])
    more = len(page) > limit
    results = [serialize(row) for row in page[:limit]]
    return Response({"results": results, "next": write_cursor(page[limit - 1], columns) if more else None})


def read_limit(request: Request) -> int:
    """`?limit=`, from 1 to 100; 50 when absent. Raises InvalidInput."""
    text = request.query_params.get("limit")
    if text is None:
        return DEFAULT_LIMIT
    limit = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(MAX_LIMIT)) else 0
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInput(f"A limit is a whole number from 1 to {MAX_LIMIT}.", field="?limit")
    return limit


def _columns(queryset: QuerySet[Any], ordering: Sequence[str]) -> tuple[Column, ...]:
    columns = [Column(n.lstrip("-"), n.startswith("-"), _field(queryset, n.lstrip("-"))) for n in ordering]
    if all(column.name not in ("id", "pk") for column in columns):
        columns.append(Column("id", columns[-1].descending, _field(queryset, "id")))
    return tuple(columns)


def _field(queryset: QuerySet[Any], name: str) -> Field[Any, Any]:
    try:
        field: Field[Any, Any] = queryset.model._meta.get_field(name)
    except FieldDoesNotExist:
        return queryset.query.annotations[name].output_field
    if field.null:
        raise ValueError(f"{name} may be null: it cannot order pages")
    return field


def _past(columns: Sequence[Column], values: Sequence[Any]) -> Q:
    """(a, b) past (x, y) in each column's own direction; the first bound alone serves the index."""
    past = Q(pk__in=[])
    same = Q()
    for column, value in zip(columns, values, strict=True):
        past |= same & column.after(value)
        same &= Q(**{column.name: value})
    return columns[0].from_(values[0]) & past


def write_cursor(row: Model, columns: Sequence[Column]) -> str:
    """The row's values in the order of the columns."""
    values = [getattr(row, column.name) for column in columns]
    text = json.dumps([_shape(columns), values], cls=JSONEncoder, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(cursor: str, columns: Sequence[Column]) -> list[Any]:
    """The values in a cursor; raises InvalidInput for one that this list did not give."""
    try:
        shape, values = json.loads(_decode(cursor))
        if shape != _shape(columns) or len(values) != len(columns):
            raise ValueError("another list's cursor")
        return [_value(column, value) for column, value in zip(columns, values, strict=True)]
    except (ValueError, TypeError, OverflowError, RecursionError, ValidationError) as error:
        raise InvalidInput("This cursor is not one of this list's.", field="?cursor") from error


def _decode(cursor: str) -> str:
    if len(cursor) > CURSOR_LENGTH:
        raise binascii.Error("too long")
    return base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()


def _shape(columns: Sequence[Column]) -> str:
    return ",".join(("-" if column.descending else "") + column.name for column in columns)


def _value(column: Column, value: Any) -> Any:
    """As the column's type has it; a text that Postgres could not take is refused."""
    if value is None or isinstance(value, (dict, list)) or "\0" in str(value):
        raise ValueError("not a column's value")
    str(value).encode()  # raises UnicodeEncodeError, a ValueError, for half a surrogate pair
    python = column.field.to_python(value)
    if isinstance(column.field, DateTimeField) and timezone.is_naive(python):
        raise ValueError("a time without a zone")
    return python

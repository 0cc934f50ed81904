"""What a request asks for, from its body and its query string: fields, filters, and whom it is about."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from rest_framework.request import Request

from nebo.api.serializers import parse
from nebo.errors import InvalidInput
from nebo.product.mem0.api.base import body_of
from nebo.product.mem0.api.inputs import Mem0Input
from nebo.product.mem0.filters.reading import ENTITIES, Is, Joined, both, read_filters
from nebo.product.mem0.whom import list_named

NUMBERS = ("page", "page_size", "limit", "top_k")
OBJECTS = ("filters", "metadata", "categories", "fields")
TRUTHS = {"true": True, "false": False, "True": True, "False": False}
LONGEST_OBJECT = 8_000  # characters of an object in a query string


@dataclass(frozen=True, slots=True)
class Asked:
    """Which memories are asked for: `fields` as they were sent, checked, all conditions in one filter, and the
    entities that it names.
    """

    fields: Mapping[str, Any]
    filters: Joined
    ids: Mapping[str, set[str]]


def read_asked(
    takes: type[Mem0Input], request: Request, *, any_name: bool = False, in_query: bool = False
) -> Asked:
    """Raises InvalidInput."""
    query = read_query(request._request.GET)
    fields = parse(takes, {**query, **({} if in_query else body_of(request))})
    filters = both(*_conditions(fields, any_name))
    return Asked(fields, filters, list_named(filters))


def _conditions(fields: Mapping[str, Any], any_name: bool) -> list[Joined]:
    """What stands in the filters, and beside them."""
    plain = [Is(name, "eq", fields[name]) for name in ENTITIES if fields.get(name)]
    plain += [Is("metadata", "eq", value, key) for key, value in (fields.get("metadata") or {}).items()]
    if fields.get("categories"):
        plain.append(Is("categories", "in", fields["categories"]))
    if fields.get("keywords"):
        plain.append(Is("keywords", "icontains", fields["keywords"]))
    for name, operator in (("start_date", "gte"), ("end_date", "lte")):
        if fields.get(name):
            plain.append(Is("created_at", operator, fields[name]))
    return [Joined("and", tuple(plain)), read_filters(fields.get("filters") or {}, any_name=any_name)]


def read_query(query: QueryDict) -> dict[str, Any]:
    """A query string's values as a body would have them."""
    return {name: _value(name, str(text)) for name, text in query.items()}


def _value(name: str, text: str) -> Any:
    if name in NUMBERS and text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    if name in OBJECTS:
        return _object(name, text)
    return TRUTHS.get(text, text)


def _object(name: str, text: str) -> Any:
    """JSON; or as Python writes it, since mem0's client puts an object into a query string that way."""
    if len(text) > LONGEST_OBJECT:
        raise InvalidInput(f"At most {LONGEST_OBJECT:,} characters.", field=f"?{name}")
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise InvalidInput("This is no JSON.", field=f"?{name}") from error

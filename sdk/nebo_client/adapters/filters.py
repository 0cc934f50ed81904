"""LangGraph's filters: fields and what they must be, plainly or by `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def matches(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Whether an item's value is what a filter wants."""
    return all(_is(value.get(name), one) for name, one in (wanted or {}).items())


def _is(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping) and any(str(name).startswith("$") for name in wanted):
        return all(_compare(value, name, one) for name, one in wanted.items())
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(_is(value.get(name), one) for name, one in wanted.items())
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        return isinstance(value, Sequence) and not isinstance(value, str) and list(value) == list(wanted)
    return bool(value == wanted)


def _compare(value: Any, name: str, wanted: Any) -> bool:
    if name in ("$eq", "$ne"):
        return bool(value == wanted) is (name == "$eq")
    if name not in COMPARISONS:
        raise ValueError(f"Unsupported operator: {name}")
    try:
        return COMPARISONS[name](float(value), float(wanted))
    except (TypeError, ValueError):
        return False  # what is no number is neither more nor less

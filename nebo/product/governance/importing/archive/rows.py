"""One line of an archive: every column of the table, each with a value that it can have."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from django.utils.dateparse import parse_datetime

from nebo.api.parsers import list_refused, parse_json, pointer
from nebo.errors import InvalidInput
from nebo.product.governance.belongings import PersonalModel
from nebo.product.governance.services.export_file import columns_of

Field = Any  # a field of a model; the class takes no parameters when the code runs
NOT_THERE = object()


def parse_line(line: bytes, model: PersonalModel, where: str) -> dict[str, Any]:
    """The row by column. Raises InvalidInput with file, line and column."""
    return parse_columns(line, model, tuple(columns_of(model)), where)


def parse_columns(line: bytes, model: PersonalModel, columns: tuple[str, ...], where: str) -> dict[str, Any]:
    """The same for those columns alone."""
    fields = _fields_of(model, columns)
    try:
        row = parse_json(line)
        if not isinstance(row, dict):
            raise InvalidInput("Expected an object here.")
        for path, problem in list_refused(row):
            raise InvalidInput(f"{problem} ({pointer(path)})")
    except InvalidInput as error:
        raise InvalidInput(error.detail, field=where) from error
    unknown = sorted(row.keys() - fields.keys())
    if unknown:
        raise InvalidInput("There is no such column.", field=f"{where}:{unknown[0]}")
    return {name: _read(field, row, f"{where}:{name}") for name, field in fields.items()}


@cache
def _fields_of(model: PersonalModel, columns: tuple[str, ...]) -> Mapping[str, Field]:
    return {field.attname: field for field in model._meta.local_fields if field.attname in columns}


def _read(field: Field, row: Mapping[str, Any], where: str) -> Any:
    value = row.get(field.attname, NOT_THERE)
    if value is NOT_THERE:
        if not field.has_default() and not field.null:
            raise InvalidInput("This column is missing.", field=where)
        value = field.get_default()
    if value is None:
        if not field.null:
            raise InvalidInput("This column needs a value.", field=where)
        return None
    problem = _problem_of(_target(field), value)
    if problem:
        raise InvalidInput(problem, field=where)
    return value


def _target(field: Field) -> Field:
    return field.target_field if isinstance(field, models.ForeignKey) else field


def _problem_of(field: Field, value: Any) -> str:
    """What is wrong with a value, or empty."""
    if isinstance(field, ArrayField):
        if not isinstance(value, list):
            return "Expected a list."
        return next((found for one in value if (found := _problem_of(field.base_field, one))), "")
    check = next((check for kind, check in CHECKS.items() if isinstance(field, kind)), None)
    if check is None:
        return "This column can't be read."
    return check(field, value)


def _check_text(field: Field, value: Any) -> str:
    if not isinstance(value, str):
        return "Expected a text."
    if field.max_length is not None and len(value) > field.max_length:
        return f"At most {field.max_length} characters."
    return _check_choice(field, value)


def _check_choice(field: Field, value: Any) -> str:
    known = {one for one, _ in field.flatchoices}
    return "There is no such value." if known and value not in known and value != "" else ""


def _check_id(field: Field, value: Any) -> str:
    try:
        return "" if isinstance(value, str) and str(UUID(value)) == value else "Expected an id."
    except ValueError:
        return "Expected an id."


def _check_moment(field: Field, value: Any) -> str:
    try:
        found = parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        found = None
    return "" if found is not None and found.tzinfo is not None else "Expected a time with its offset."


def _check_truth(field: Field, value: Any) -> str:
    return "" if isinstance(value, bool) else "Expected true or false."


def _check_whole(field: Field, value: Any) -> str:
    if not isinstance(value, int) or isinstance(value, bool):
        return "Expected a whole number."
    low, high = connection.ops.integer_field_range(field.get_internal_type())
    too_low, too_high = low is not None and value < low, high is not None and value > high
    return "This number is out of range." if too_low or too_high else _check_choice(field, value)


def _check_number(field: Field, value: Any) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "" if is_number and math.isfinite(value) else "Expected a number."


CHECKS: Mapping[type[Field], Callable[[Field, Any], str]] = {
    models.UUIDField: _check_id,
    models.CharField: _check_text,
    models.TextField: _check_text,
    models.DateTimeField: _check_moment,
    models.BooleanField: _check_truth,
    models.FloatField: _check_number,
    models.IntegerField: _check_whole,
    models.JSONField: lambda field, value: "",
}

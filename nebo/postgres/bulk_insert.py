"""Many new rows of one table in one statement.

Django's `bulk_create` prepares each value of each row by itself, which takes longer than Postgres needs to store them
all. Here all rows are sent as one JSON document, and Postgres turns it into rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import DEFAULT_DB_ALIAS, connections, models, router
from django.utils import timezone

_KNOWN = {
    models.BigAutoField,
    models.BigIntegerField,
    models.BooleanField,
    models.CharField,
    models.DateTimeField,
    models.FloatField,
    models.IntegerField,
    models.JSONField,
    models.PositiveBigIntegerField,
    models.PositiveIntegerField,
    models.PositiveSmallIntegerField,
    models.SlugField,
    models.SmallIntegerField,
    models.TextField,
    models.UUIDField,
}
M = TypeVar("M", bound=models.Model)


def insert_all(rows: Sequence[M]) -> list[M]:
    """Store new rows of one model, in their order, and give them the keys that the database counts.

    In the open scope; raises IntegrityError as `bulk_create` does.
    """
    if not rows:
        return []
    model = type(rows[0])
    alias = router.db_for_write(model)
    _stamp(rows, _sent_fields(model))
    with connections[alias].cursor() as cursor:
        cursor.execute(_insert_sql(model), [document_of(rows)])
        keys = [key for (key,) in cursor.fetchall()]
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, alias
    return list(rows)


def insert_new(model: type[models.Model], documents: Sequence[Mapping[str, Any]]) -> set[UUID]:
    """Store those of the rows, given by column, that conflict with none that is there; the keys of those stored.

    In the open scope; nothing is filled in. Raises IntegrityError and DataError for what breaks another rule.
    """
    with connections[router.db_for_write(model)].cursor() as cursor:
        cursor.execute(_insert_new_sql(model), [json.dumps(documents, default=_json, ensure_ascii=False)])
        return {key for (key,) in cursor.fetchall()}


def _stamp(rows: Sequence[M], fields: Sequence[models.Field[Any, Any]]) -> None:
    """What Django fills in at the first save."""
    now = timezone.now()
    for field in fields:
        if getattr(field, "auto_now_add", False) or getattr(field, "auto_now", False):
            for row in rows:
                setattr(row, field.attname, now)


def _json(value: Any) -> str:
    if isinstance(value, UUID | datetime):
        return str(value)
    raise TypeError(f"A {type(value).__name__} can't be sent as JSON.")


@cache
def _sent_fields(model: type[models.Model]) -> tuple[models.Field[Any, Any], ...]:
    """All but a key that the database counts. Raises TypeError for a model with a field that isn't known here."""
    fields = tuple(
        f for f in model._meta.concrete_fields if not isinstance(f, models.AutoField | models.BigAutoField)
    )
    for field in fields:
        if not _is_known(field):
            raise TypeError(f"{field} is written by hand, and a {type(field).__name__} isn't known there.")
    return fields


def _is_known(field: models.Field[Any, Any]) -> bool:
    """What is left to the database isn't: the instance has no value to send."""
    if isinstance(field, models.ForeignKey):
        return _is_known(field.target_field)
    if isinstance(field, ArrayField):
        return _is_known(field.base_field)
    has_value = field.db_default is models.NOT_PROVIDED or field.default is not models.NOT_PROVIDED
    return type(field) in _KNOWN and has_value


@cache
def _insert_sql(model: type[models.Model]) -> str:
    columns = ", ".join(f'"{field.column}"' for field in _sent_fields(model))
    return (
        f'INSERT INTO "{model._meta.db_table}" ({columns}) '
        f'{read_sql(model)} RETURNING "{model._meta.pk.column}"'
    )


@cache
def _insert_new_sql(model: type[models.Model]) -> str:
    return _insert_sql(model).replace(" RETURNING ", " ON CONFLICT DO NOTHING RETURNING ")


def read_sql(model: type[models.Model]) -> str:
    """The rows that Postgres reads from the document."""
    connection = connections[DEFAULT_DB_ALIAS]
    fields = _sent_fields(model)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    typed = ", ".join(f'"{field.column}" {field.db_type(connection)}' for field in fields)
    return f"SELECT {columns} FROM json_to_recordset(%s) AS row({typed})"  # noqa: S608 - names of our own models


def document_of(rows: Sequence[models.Model]) -> str:
    """Rows of one model as JSON, a list of objects by column."""
    fields = _sent_fields(type(rows[0]))
    columns = [field.column for field in fields]
    values_of = attrgetter(*(field.attname for field in fields))
    documents = [dict(zip(columns, values_of(row), strict=True)) for row in rows]
    return json.dumps(documents, default=_json, ensure_ascii=False)

"""Many new rows of one table in one statement.

Django's `bulk_create` prepares each value of each row by itself, which takes longer than Postgres needs to store them
all. Here all rows are sent as one JSON document, and Postgres turns it into rows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models, router
from django.utils import timezone

M = TypeVar("M", bound=models.Model)


def insert_all(rows: Sequence[M]) -> list[M]:
    """Store new rows of one model, in their order, and give them the keys that the database counts.

    In the open scope; raises IntegrityError as `bulk_create` does.
    """
    if not rows:
        return []
    model = type(rows[0])
    alias = router.db_for_write(model)
    fields = _sent_fields(model)
    _stamp(rows, fields)
    columns = [field.column for field in fields]
    values_of = attrgetter(*(field.attname for field in fields))
    told = [dict(zip(columns, values_of(row), strict=True)) for row in rows]
    with connections[alias].cursor() as cursor:
        cursor.execute(_insert_sql(model), [json.dumps(told, default=str, ensure_ascii=False)])
        keys = [key for (key,) in cursor.fetchall()]
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, alias
    return list(rows)


def _stamp(rows: Sequence[M], fields: Sequence[models.Field[Any, Any]]) -> None:
    """What Django fills in at the first save."""
    now = timezone.now()
    for field in fields:
        if getattr(field, "auto_now_add", False) or getattr(field, "auto_now", False):
            for row in rows:
                setattr(row, field.attname, now)


@cache
def _sent_fields(model: type[models.Model]) -> tuple[models.Field[Any, Any], ...]:
    """All but a key that the database counts."""
    return tuple(
        f for f in model._meta.concrete_fields if not isinstance(f, models.AutoField | models.BigAutoField)
    )


@cache
def _insert_sql(model: type[models.Model]) -> str:
    connection = connections[DEFAULT_DB_ALIAS]
    fields = _sent_fields(model)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    typed = ", ".join(f'"{field.column}" {field.db_type(connection)}' for field in fields)
    return (
        f'INSERT INTO "{model._meta.db_table}" ({columns}) '  # noqa: S608 - names of our own models
        f'SELECT {columns} FROM json_to_recordset(%s) AS row({typed}) RETURNING "{model._meta.pk.column}"'
    )

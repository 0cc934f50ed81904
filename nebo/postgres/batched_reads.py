"""Many small reads in one statement: querysets are compiled once a process, their rows come back as JSON.

Compiling a queryset to SQL takes Django longer than Postgres needs to answer it, and a context has twenty of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.contrib.postgres.fields import ArrayField
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState
from psycopg.sql import Literal

from nebo.postgres.prepared import PIN_IN_ORDER, Statement, fetch_rows, number_parameters

# Ids come again and again, and to look one up takes a tenth of the time.
read_uuid = lru_cache(4_000)(UUID)  # 200 bytes each

Queries: TypeAlias = Mapping[str, QuerySet[Any, Any] | str]
Rows: TypeAlias = dict[str, list[Any]]

_PART = "(SELECT coalesce(json_agg(row_to_json(part)), '[]'::json) FROM \"{name}\" AS part)"
_FOUND = '(SELECT * FROM "{name}")'
# What turns a column's text into its value; None where JSON has the value itself. Other kinds of fields are refused.
_READERS: dict[type[models.Field[Any, Any]], Callable[[str], Any] | None] = {
    models.UUIDField: read_uuid,
    models.DateTimeField: datetime.fromisoformat,
    models.CharField: None,
    models.SlugField: None,
    models.TextField: None,
    models.BooleanField: None,
    models.FloatField: None,
    models.JSONField: None,
    models.BigAutoField: None,
    models.IntegerField: None,
    models.BigIntegerField: None,
    models.SmallIntegerField: None,
    models.PositiveIntegerField: None,
    models.PositiveBigIntegerField: None,
    models.PositiveSmallIntegerField: None,
}


BATCHES: list[BatchedReads] = []  # of all modules: in a distributed database each has a function


@dataclass(frozen=True, slots=True)
class Compiled:
    """The statement, and of each part the model its rows are of, if they are of one."""

    statement: Statement
    models: dict[str, type[Model] | None]


class BatchedReads:
    """`build(tenant_id, **stand_ins)` is called once, with a stand-in for each parameter, and names the parts.

    A parameter has a type of Postgres: `uuid`, or `uuid[]` or `text[]` for a list. Those `given` come with each
    reading; those `found` are values that the part of the same name reads first, in the same statement. A part is a
    queryset: of whole rows of its model, of some of their columns (`only`), or of values, which come as dicts. Or it
    is SQL that names parameters as `%(name)s` and may read from the parts before it.

    Nothing in a queryset may depend on whose it is or on the time, except through the parameters and `Now()`.
    """

    def __init__(
        self,
        build: Callable[..., Queries],
        *,
        given: Mapping[str, str],
        found: Mapping[str, str] | None = None,
    ) -> None:
        self._build = build
        self._given = given
        self._found = found or {}
        self._known: Compiled | None = None
        BATCHES.append(self)

    def fetch(self, own: Mapping[str, UUID], values: Mapping[str, Any]) -> Rows:
        """The rows of every part, by its name. `own` are the tenant's ids (`tenant_id` among them): they stand in the
        querysets themselves, and are parameters all the same.
        """
        compiled = self.compile(own)
        parts = fetch_rows(compiled.statement, {**own, **values})[0]
        return {
            name: rows if model is None else _instances(model, rows)
            for (name, model), rows in zip(compiled.models.items(), parts, strict=True)
        }

    def compile(self, own: Mapping[str, UUID]) -> Compiled:
        """Whose ids it is compiled with makes no difference. Raises TypeError for a model that can't be read so."""
        self._known = self._known or self._compile(own)
        return self._known

    def _compile(self, own: Mapping[str, UUID]) -> Compiled:
        stand_ins = {name: _stand_in(kind) for name, kind in {**self._given, **self._found}.items()}
        names = {_marker(value): name for name, value in stand_ins.items()}
        names |= {value: name for name, value in own.items()}
        queries = self._build(own["tenant_id"], **stand_ins)
        parts = [_part(name, query, names) for name, query in queries.items()]
        shown = {name: _model(query) for name, query in queries.items() if name not in self._found}
        for model in filter(None, shown.values()):
            _readers(model)
        answer = ", ".join(_PART.format(name=name) for name in shown)
        text = self._name_lists(f"WITH {', '.join(parts)} SELECT {answer}")
        return Compiled(replace(number_parameters(self._put_found(text)), pin=PIN_IN_ORDER), shown)

    def _name_lists(self, text: str) -> str:
        """`IN (…)`, which Django writes with a place for each value, becomes `= ANY(…)` of a list."""
        for name, kind in {**self._given, **self._found}.items():
            if kind.endswith("[]"):
                text = text.replace(f"IN (%({name})s)", f"= ANY(%({name})s::{kind})")
        return text

    def _put_found(self, text: str) -> str:
        for name in self._found:
            text = text.replace(f"%({name})s", _FOUND.format(name=name))
        return text


def _stand_in(kind: str) -> Any:
    """A value no query has of its own, by which a parameter is known again."""
    value = uuid4()
    if not kind.endswith("[]"):
        return value
    return [value if kind == "uuid[]" else value.hex]


def _marker(stand_in: Any) -> UUID | str:
    marker: UUID | str = stand_in[0] if isinstance(stand_in, list) else stand_in
    return marker


def _part(name: str, query: QuerySet[Any, Any] | str, names: Mapping[Any, str]) -> str:
    if isinstance(query, str):
        return f'"{name}" AS ({query})'
    columns = "" if _model(query) else f"({', '.join(query.query.selected or ())})"
    return f'"{name}"{columns} AS ({_words_of(query, names)})'


def _words_of(query: QuerySet[Any, Any], names: Mapping[Any, str]) -> str:
    """The queryset's SQL with a name in place of each parameter. Other values are the same for everyone and are written
    out, so the planner knows which partial indexes apply.
    """
    sql, params = query.query.sql_with_params()
    return str(sql % tuple(_place(value, names) for value in params))


def _place(value: Any, names: Mapping[Any, str]) -> str:
    name = names.get(value) if isinstance(value, UUID | str) else None
    return f"%({name})s" if name else Literal(value).as_string()


def _model(query: QuerySet[Any, Any] | str) -> type[Model] | None:
    return None if isinstance(query, str) or query._fields is not None else query.model  # type: ignore[attr-defined]


def _instances(model: type[Model], rows: Sequence[dict[str, Any]]) -> list[Model]:
    """Rows as the ORM would have read them; columns that were not asked for are deferred."""
    readers = [(column, read) for column, read in _readers(model).items() if rows and column in rows[0]]
    for row in rows:
        for column, read in readers:
            if row[column] is not None:
                row[column] = read(row[column])
    return [_instance(model, row) for row in rows]


@cache
def _readers(model: type[Model]) -> dict[str, Callable[[str], Any]]:
    """By column, what turns its text into its value. Raises TypeError where a field is of a kind not known here."""
    readers = {str(field.column): _reader(field) for field in model._meta.concrete_fields}
    return {column: read for column, read in readers.items() if read}


def _reader(field: models.Field[Any, Any]) -> Callable[[str], Any] | None:
    if isinstance(field, models.ForeignKey):
        return _reader(field.target_field)
    if isinstance(field, ArrayField):
        return _array_reader(_reader(field.base_field))
    if type(field) not in _READERS:
        raise TypeError(f"{field} is read by hand, and a {type(field).__name__} isn't known there.")
    return _READERS[type(field)]


def _array_reader(read: Callable[[str], Any] | None) -> Callable[[Any], Any] | None:
    return read and (lambda values: [None if value is None else read(value) for value in values])


def _instance(model: type[Model], values: dict[str, Any]) -> Model:
    """As `from_db` makes them, in a tenth of its time; a column is named as its attribute in every model of ours."""
    instance = model.__new__(model)
    instance.__dict__ = values
    instance._state = ModelState()
    instance._state.db, instance._state.adding = DEFAULT_DB_ALIAS, False
    return instance

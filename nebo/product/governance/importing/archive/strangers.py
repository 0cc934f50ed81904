"""Ids in lists and in JSON are no foreign keys, and yet they are followed: to what a run cites, or somebody may forget.

Those that lead to somebody else's rows are exchanged for one that leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from functools import cache
from typing import Any
from uuid import UUID

from memories.models import Entity, ExtractionRun, Memory, Todo
from nebo.product.governance.belongings import PersonalModel
from nebo.product.governance.importing.archive.mapping import HOLDS_AN_ID, HOLDS_IDS
from nebo.product.governance.importing.archive.tables import owner_of
from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import Tenant, UserProfile
from sessions.models import Message, Session

Row = dict[str, Any]
NOBODYS = str(UUID(int=0))
FOLLOWED: Sequence[PersonalModel] = (Message, Memory, Session, Todo, Entity, ExtractionRun)
ID_CHARS = range(32, 48)  # bare hex digits, with dashes, in braces, as a URN


def without_strangers(
    tenant: Tenant, person: UserProfile, model: PersonalModel, rows: Sequence[Row]
) -> list[Row]:
    """The rows, leading to this person's alone."""
    columns = _columns_of(model)
    ids = {found for row in rows for column in columns for found in _list_ids(row[column])}
    others = _list_others(tenant, person, ids) if ids else set()
    if not others:
        return list(rows)
    return [{**row, **{column: _without(row[column], others) for column in columns}} for row in rows]


@cache
def _columns_of(model: PersonalModel) -> tuple[str, ...]:
    return tuple(
        field.attname
        for field in model._meta.local_fields
        if not field.primary_key
        and not isinstance(field, TenantForeignKey)
        and (isinstance(field, HOLDS_IDS) or field.attname in HOLDS_AN_ID)
    )


def _list_ids(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if found := _id_in(value):
            yield found
    elif isinstance(value, list):
        for one in value:
            yield from _list_ids(one)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _list_ids(name)
            yield from _list_ids(inner)


def _id_in(text: str) -> str:
    """The id that a text is, in any of the spellings that are read as one; empty for other texts."""
    if len(text) in ID_CHARS:
        with suppress(ValueError):
            return str(UUID(text))
    return ""


def _list_others(tenant: Tenant, person: UserProfile, ids: Set[str]) -> set[str]:
    others: set[str] = set()
    for model in FOLLOWED:
        rows = (
            model.objects.for_tenant(tenant).filter(pk__in=list(ids)).exclude(**{owner_of(model): person.pk})
        )
        others.update(str(pk) for pk in rows.values_list("pk", flat=True))
    return others


def _without(value: Any, others: Set[str]) -> Any:
    if isinstance(value, str):
        return NOBODYS if _id_in(value) in others else value
    if isinstance(value, list):
        return [_without(one, others) for one in value]
    if isinstance(value, dict):
        return {_without(name, others): _without(inner, others) for name, inner in value.items()}
    return value

"""A row of an archive as the row that it becomes: ids exchanged, in columns and wherever else they stand."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models

from nebo.product.governance.belongings import PersonalModel
from nebo.product.governance.importing.archive.ids import Names
from nebo.product.governance.importing.archive.tables import restored_models
from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import UserProfile
from personality.models import Persona

HOLDS_AN_ID = frozenset({"turn_key"})  # a text that is one
HOLDS_IDS = (models.JSONField, ArrayField, models.UUIDField)


def map_row(model: PersonalModel, row: Mapping[str, Any], names: Names, known: Set[str]) -> dict[str, Any]:
    """The row by column, as it is to be stored."""
    fields = {field.attname: field for field in model._meta.local_fields}
    return {name: _map(fields[name], value, names, known) for name, value in row.items()}


def _map(field: models.Field[Any, Any], value: Any, names: Names, known: Set[str]) -> Any:
    if value is None:
        return None
    if field.primary_key:
        return names.new_id(value)
    if isinstance(field, TenantForeignKey):
        return _map_key(field, value, names)
    if isinstance(field, HOLDS_IDS) or field.attname in HOLDS_AN_ID:
        return names.within(value, known)
    return value


def _map_key(field: TenantForeignKey, value: str, names: Names) -> str | None:
    """What leads to a job or a key, which don't come back, leads nowhere."""
    related = field.related_model
    comes_back = related in (UserProfile, Persona, *restored_models().values())
    return names.new_id(value) if comes_back else None

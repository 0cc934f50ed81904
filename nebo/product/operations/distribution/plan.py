"""Where each table stands in a distributed database, and which of its rules have to be said otherwise there.

Rows of a tenant stand on one server, those of all its tables together (*distributed*). What every request needs before
a tenant is known, or beside it, stands on every server (*reference*). The rest stays on the coordinator: *known* to
Citus where a key leads from it to a reference table, else *local*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from django.apps import apps
from django.db import models

from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import Membership, Tenant, TenantModel, User
from search.models import EmbeddingModel

Place: TypeAlias = Literal["distributed", "reference", "known", "local"]

REFERENCE: tuple[type[models.Model], ...] = (User, Tenant, Membership, EmbeddingModel)
DIRECTORY = "nebo_directory"  # which tenant a key, an invitation or a code belongs to
WITHOUT_MODEL = ("django_migrations", "tenants_position")


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One table and its place."""

    table: str
    place: Place


def list_plan() -> list[TablePlan]:
    """Every table of every model, by name."""
    found = apps.get_models(include_auto_created=True)
    managed = {
        model._meta.db_table: model for model in found if model._meta.managed and not model._meta.proxy
    }
    known = _list_known()
    plan = [TablePlan(name, _place_of(model, known)) for name, model in managed.items()]
    plan += [TablePlan(name, "local") for name in WITHOUT_MODEL]
    return sorted([*plan, TablePlan(DIRECTORY, "reference")], key=lambda one: one.table)


def tables_of(place: Place) -> list[str]:
    """The tables that have that place; the distributed ones begin with the one that others are colocated with."""
    return [one.table for one in list_plan() if one.place == place]


def _place_of(model: type[models.Model], known: set[str]) -> Place:
    if model in REFERENCE:
        return "reference"
    if issubclass(model, TenantModel):
        return "distributed"
    return "known" if model._meta.db_table in known else "local"


def _list_known() -> set[str]:
    """Tables that no tenant owns and that keys join to a reference table, over however many others."""
    links = [
        (model._meta.db_table, field.related_model._meta.db_table)
        for model in apps.get_models(include_auto_created=True)
        if not issubclass(model, TenantModel)
        for field in model._meta.local_fields
        if isinstance(field, models.ForeignKey) and not isinstance(field, TenantForeignKey)
    ]
    known = {model._meta.db_table for model in REFERENCE}
    while more := {end for link in links for end in link if known & set(link)} - known:
        known |= more
    return known - {model._meta.db_table for model in REFERENCE}

"""All sealed columns of all tenants: counted, and brought under the newest key. For operators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState

from nebo.tenants.isolation import TableOperation
from nebo.tenants.models import TenantModel
from nebo.tenants.scoping import OPERATOR_ALIAS, operator_scope
from nebo.tenants.sealing import SealedField, Unreadable, is_newest, seal, unseal


@dataclass(slots=True)
class SealedCounts:
    """How many secrets are sealed under the newest key, under an older one, and under none that there is."""

    newest: int = 0
    older: int = 0
    unreadable: dict[str, int] = field(default_factory=dict)  # by table


def list_sealed_columns() -> Iterator[tuple[type[TenantModel], str]]:
    """Each model with the name of one of its sealed columns."""
    for model in apps.get_models():
        if issubclass(model, TenantModel):
            yield from ((model, one.name) for one in model._meta.get_fields() if isinstance(one, SealedField))


def count_sealed() -> SealedCounts:
    """How it stands; nothing is changed."""
    return _visit(reencrypts=False)


def reencrypt() -> SealedCounts:
    """Seal what is under an older key under the newest one, row by row; `older` is how many that were."""
    return _visit(reencrypts=True)


def _visit(*, reencrypts: bool) -> SealedCounts:
    counts = SealedCounts()
    with operator_scope():
        for model, column in list_sealed_columns():
            rows = model.unscoped.using(OPERATOR_ALIAS).exclude(**{column: ""})
            for pk, sealed in rows.values_list("pk", column).iterator():
                secret = _count(counts, model, sealed)
                if reencrypts and secret:  # unless somebody has put another in its place meanwhile
                    rows.filter(pk=pk, **{column: sealed}).update(**{column: seal(secret)})
    return counts


def _count(counts: SealedCounts, model: type[TenantModel], sealed: str) -> str:
    """The secret, where it is under an older key."""
    if is_newest(sealed):
        counts.newest += 1
        return ""
    try:
        secret = unseal(sealed)
    except Unreadable:
        table = model._meta.db_table
        counts.unreadable[table] = counts.unreadable.get(table, 0) + 1
        return ""
    counts.older += 1
    return secret


class SealAnew(TableOperation):
    """In a migration: what these columns hold is sealed under the newest key, where it can be read."""

    def __init__(self, model: str, columns: tuple[str, ...]) -> None:
        super().__init__(model)
        self.columns = columns

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return self.__class__.__qualname__, [self.model, self.columns], {}

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model)
        rows = model._base_manager.using(schema_editor.connection.alias)
        for column in self.columns:
            _seal_anew(rows.exclude(**{column: ""}), column)

    def backwards(self, model: type[models.Model]) -> Iterator[str]:
        """Nothing: what was read before is read still."""
        return iter(())


def _seal_anew(rows: models.QuerySet[Any], column: str) -> None:
    for pk, sealed in rows.values_list("pk", column):
        with suppress(Unreadable):
            rows.filter(pk=pk).update(**{column: seal(unseal(sealed))})

"""The second and third wall as migration operations: row-level security and keys that carry the tenant.

`IsolateTenant("message")` gives one table the primary key `(tenant_id, id)`, ENABLE and FORCE ROW LEVEL
SECURITY, and one policy for the app role. `EnforceTenantKeys("message")`, once every table has its key, makes
each `TenantForeignKey` a foreign key `(tenant_id, x_id) → (tenant_id, id)` in the database.
`AppendOnly("message")` takes UPDATE and DELETE from the app's role and the operators'; `Withhold` takes any rights.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.expressions import Col
from django.db.models.lookups import Exact

from nebo.postgres import layout

POLICY = "tenant_isolation"
_SET_NULL = re.compile(r" ON DELETE SET NULL \(.*\)")
_ON_DELETE = {"CASCADE": "CASCADE", "SET_NULL": "SET NULL ({column})", "PROTECT": "RESTRICT"}


class TenantForeignKey(models.ForeignKey[Any, Any]):
    """A foreign key between tenant tables: the database alone enforces it and carries out `on_delete`."""

    def __init__(self, to: Any, on_delete: Callable[..., Any], **kwargs: Any) -> None:
        self.database_rule = on_delete
        kwargs["db_constraint"] = False
        super().__init__(to, models.DO_NOTHING, **kwargs)

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        kwargs.pop("db_constraint", None)
        return name, path, args, {**kwargs, "on_delete": self.database_rule}

    def get_extra_restriction(self, alias: str | None, related_alias: str | None) -> Any:
        """In a distributed database a join names the tenant, too, or every server would be asked."""
        if not layout.IS_DISTRIBUTED or not (alias and related_alias):
            return None
        target: Any = self.related_model._meta.get_field("tenant")
        own: Any = self.model._meta.get_field("tenant")
        return Exact(Col(alias, target), Col(related_alias, own))

    def get_extra_descriptor_filter(self, instance: Any) -> dict[str, Any]:
        """As joins do, so does what follows a key from a row."""
        return {"tenant_id": instance.tenant_id} if layout.IS_DISTRIBUTED else {}


def sparse_index(field: str, *, name: str) -> models.Index:
    """For a key that most rows lack: it leads with the tenant, and holds only the rows that have it.

    An index of that column alone would hold every tenant's rows without it, and be the way into them for
    `persona IS NULL OR …`.
    """
    return models.Index(
        fields=["tenant", field], condition=models.Q(**{f"{field}__isnull": False}), name=name
    )


class TableOperation(Operation):
    """An operation that is a list of statements about one table, and changes nothing in Django's picture.

    They run when the migration's tables have their indexes: of two that look alike to the planner it takes the one
    that was made last, and that is to be the primary key.
    """

    reduces_to_sql = True
    reversible = True

    def __init__(self, model: str) -> None:
        self.model = model

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return self.__class__.__qualname__, [self.model], {}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Nothing of Django's own picture changes."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            is_in_parts = layout.is_in_parts(schema_editor.connection)
            schema_editor.deferred_sql.extend(self.in_parts(model) if is_in_parts else self.forwards(model))

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        model = from_state.apps.get_model(app_label, self.model)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            for statement in self.backwards(model):
                schema_editor.execute(statement, params=None)

    def forwards(self, model: type[models.Model]) -> Iterator[str]:
        raise NotImplementedError

    def in_parts(self, model: type[models.Model]) -> Iterator[str]:
        """The same where the tenants are distributed already."""
        return self.forwards(model)

    def backwards(self, model: type[models.Model]) -> Iterator[str]:
        raise NotImplementedError

    def describe(self) -> str:
        return f"{self.__class__.__name__} {self.model}"


class IsolateTenant(TableOperation):
    """Put one tenant table behind the walls. Search's have keys of their own, or none: `key=()`."""

    def __init__(self, model: str, key: tuple[str, ...] = ("id",)) -> None:
        super().__init__(model)
        self.key = key

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return self.__class__.__qualname__, [self.model], {"key": self.key}

    def forwards(self, model: type[models.Model]) -> Iterator[str]:
        yield from _primary_key(model._meta.db_table, self.key)
        yield from row_level_security_sql(model._meta.db_table)
        yield planner_sql(model._meta.db_table)

    def in_parts(self, model: type[models.Model]) -> Iterator[str]:
        table = model._meta.db_table
        yield from _primary_key(table, self.key)
        yield from row_level_security_sql(table)
        yield layout.place_beside(table)
        yield from layout.on_coordinator(planner_sql(table))

    def backwards(self, model: type[models.Model]) -> Iterator[str]:
        table = model._meta.db_table
        yield f'DROP POLICY {POLICY} ON "{table}"'
        yield f'ALTER TABLE "{table}" NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY'


class EnforceTenantKeys(TableOperation):
    """Make each `TenantForeignKey` of one table (or those named) a foreign key with the tenant in the database."""

    def __init__(self, model: str, fields: tuple[str, ...] = ()) -> None:
        super().__init__(model)
        self.fields = fields

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return self.__class__.__qualname__, [self.model], {"fields": self.fields} if self.fields else {}

    def forwards(self, model: type[models.Model]) -> Iterator[str]:
        for field in self._chosen(model):
            yield foreign_key_sql(field)

    def in_parts(self, model: type[models.Model]) -> Iterator[str]:
        for field in self._chosen(model):
            yield _SET_NULL.sub("", foreign_key_sql(field))
            if field.database_rule is models.SET_NULL:
                table, target = model._meta.db_table, field.related_model._meta.db_table
                yield layout.unlink_trigger(table, field.column, target)

    def backwards(self, model: type[models.Model]) -> Iterator[str]:
        for field in self._chosen(model):
            yield f'ALTER TABLE "{model._meta.db_table}" DROP CONSTRAINT "{_constraint(field)}"'

    def _chosen(self, model: type[models.Model]) -> list[TenantForeignKey]:
        return [field for field in _tenant_keys(model) if not self.fields or field.name in self.fields]


APPEND_ONLY = frozenset({"UPDATE", "DELETE"})  # what the app's role may not do with rows that never change
OWNER_ALONE = APPEND_ONLY | {"INSERT"}  # and with those that only functions of the owner write


class Withhold(TableOperation):
    """Take rights to one table from roles, by purpose; columns that are `updatable` stay so for the app."""

    def __init__(
        self,
        model: str,
        rights: tuple[str, ...],
        roles: tuple[str, ...] = ("app", "operator"),
        updatable: tuple[str, ...] = (),
    ) -> None:
        super().__init__(model)
        self.rights = rights
        self.roles = roles
        self.updatable = updatable

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return self.__class__.__qualname__, [self.model, self.rights, self.roles, self.updatable], {}

    def forwards(self, model: type[models.Model]) -> Iterator[str]:
        table, app = model._meta.db_table, settings.DATABASE_ROLES["app"]
        yield f'REVOKE {", ".join(self.rights)} ON "{table}" FROM {self._names()}'
        if self.updatable:
            yield f'GRANT UPDATE ({", ".join(self.updatable)}) ON "{table}" TO "{app}"'

    def backwards(self, model: type[models.Model]) -> Iterator[str]:
        yield f'GRANT {", ".join(self.rights)} ON "{model._meta.db_table}" TO {self._names()}'

    def _names(self) -> str:
        return ", ".join(f'"{settings.DATABASE_ROLES[role]}"' for role in self.roles)


class AppendOnly(Withhold):
    """Rows never change and never go by hand, but for the columns that the app may still update."""

    def __init__(
        self, model: str, updatable: tuple[str, ...] = (), roles: tuple[str, ...] = ("app", "operator")
    ) -> None:
        super().__init__(model, ("UPDATE", "DELETE"), roles, updatable)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return self.__class__.__qualname__, [self.model, self.updatable, self.roles], {}


class ExpectOneValue(TableOperation):
    """The planner takes all rows to have the same in that column, as it does with tenants (`planner_sql`)."""

    def __init__(self, model: str, column: str) -> None:
        super().__init__(model)
        self.column = column

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return self.__class__.__qualname__, [self.model, self.column], {}

    def forwards(self, model: type[models.Model]) -> Iterator[str]:
        yield planner_sql(model._meta.db_table, self.column)

    def in_parts(self, model: type[models.Model]) -> Iterator[str]:
        yield from layout.on_coordinator(*self.forwards(model))

    def backwards(self, model: type[models.Model]) -> Iterator[str]:
        yield f'ALTER TABLE "{model._meta.db_table}" ALTER COLUMN "{self.column}" RESET (n_distinct)'


def _primary_key(table: str, key: tuple[str, ...]) -> Iterator[str]:
    """`(tenant_id, id)`, or the key named; Django's own `pk` stays `id`."""
    yield f'ALTER TABLE "{table}" DROP CONSTRAINT "{table}_pkey"'
    if key:
        columns = ", ".join(f'"{column}"' for column in ("tenant_id", *key))
        yield f'ALTER TABLE "{table}" ADD CONSTRAINT "{table}_pkey" PRIMARY KEY ({columns})'


def _tenant_keys(model: type[models.Model]) -> list[TenantForeignKey]:
    return [field for field in model._meta.local_fields if isinstance(field, TenantForeignKey)]


def _constraint(field: TenantForeignKey) -> str:
    return f"{field.model._meta.db_table}_{field.column}_tenant_fk"


def foreign_key_sql(field: TenantForeignKey) -> str:
    """`ALTER TABLE … ADD FOREIGN KEY (tenant_id, x_id)`, with Django's on_delete said to the database."""
    rule = _ON_DELETE[field.database_rule.__name__].format(column=f'"{field.column}"')
    return (
        f'ALTER TABLE "{field.model._meta.db_table}" ADD CONSTRAINT "{_constraint(field)}" '
        f'FOREIGN KEY (tenant_id, "{field.column}") '
        f'REFERENCES "{field.related_model._meta.db_table}" (tenant_id, "{field.target_field.column}") '
        f"ON DELETE {rule}"
    )


def row_level_security_sql(table: str) -> Iterator[str]:
    """Loud without a tenant: an unset or empty setting is no uuid, so the cast raises."""
    app = settings.DATABASE_ROLES["app"]
    mine = "tenant_id = current_setting('nebo.tenant_id')::uuid"
    yield f'ALTER TABLE "{table}" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY'
    yield f'CREATE POLICY {POLICY} ON "{table}" TO "{app}" USING ({mine}) WITH CHECK ({mine})'


def planner_sql(table: str, column: str = "tenant_id") -> str:
    """Tell the planner that one tenant has all rows, so that one plan is good for the smallest and the largest.

    With many small tenants, or before the first ANALYZE, it would expect a single row of any tenant. Then every index
    looks equally good to it, and one on the tenant alone reads all rows of a large tenant. All other conditions stay
    within the tenant anyway, so their estimates improve too.

    The same works for a `column` that all rows of a partial index share.

    The setting takes effect with the next ANALYZE. Until the first, Postgres 18 can be told the same.
    """
    return f"""
DO $$ BEGIN
    ALTER TABLE "{table}" ALTER COLUMN "{column}" SET (n_distinct = 1);
    IF current_setting('server_version_num')::int >= 180000 AND NOT EXISTS (
        SELECT FROM pg_stats
        WHERE schemaname = current_schema() AND tablename = '{table}' AND attname = '{column}') THEN
        PERFORM pg_restore_attribute_stats(
            'schemaname', current_schema()::text, 'relname', '{table}', 'attname', '{column}', 'inherited', false,
            'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real);
    END IF;
END $$"""

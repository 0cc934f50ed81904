"""The check before serving: the walls stand in the database, and the app's role cannot get past them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import structlog
from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from nebo.postgres.lost_connections import is_lost_connection
from nebo.tenants.isolation import POLICY, TenantForeignKey
from nebo.tenants.models import Tenant, TenantModel

# As PostgreSQL writes the policy's condition back (nebo.tenants.isolation has it as we write it).
CONDITION = "(tenant_id = (current_setting('nebo.tenant_id'::text))::uuid)"
AWAITED_S = 60.0  # seconds: crash recovery may take tens of them
ASKED_AGAIN_S = 1.0

log = structlog.get_logger(__name__)
TENANT_TABLE = Tenant._meta.db_table


class UnsafeDatabase(RuntimeError):
    """The database would let one tenant see another; `faults` says where, a sentence each."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(
            "The database is not safe to serve from:\n" + "\n".join(f"- {one}" for one in faults)
        )


@dataclass(frozen=True, slots=True)
class Table:
    """What the catalog says of one table, and what the connected role may do with it."""

    name: str
    is_owned: bool
    is_enabled: bool
    is_forced: bool
    key: tuple[str, ...]
    policies: tuple[str, ...]
    foreign_keys: tuple[str, ...]
    rights: frozenset[str]


def check_database(*, using: str = DEFAULT_DB_ALIAS) -> None:
    """Raise UnsafeDatabase unless every wall stands; asks the app's own connection, changes nothing."""
    faults = list_faults(using=using)
    if faults:
        raise UnsafeDatabase(faults)


def await_safe_database() -> None:
    """The same once the database answers: one that is starting, or recovers from a kill, is waited for. Raises
    UnsafeDatabase, and DatabaseError where it stays away.
    """
    until = time.monotonic() + AWAITED_S
    while True:
        try:
            return check_database()
        except DatabaseError as error:
            if not is_lost_connection(error) or time.monotonic() > until:
                raise
            log.warning("database.awaited", error=type(error).__name__)
        connections[DEFAULT_DB_ALIAS].close()
        time.sleep(ASKED_AGAIN_S)


def list_faults(*, using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """What is wrong, a sentence each; empty when all is well."""
    tables = {table.name: table for table in _read_tables(using)}
    faults = [*_role_faults(using), *_ownership_faults(tables.values())]
    models = {model._meta.db_table: model for model in list_tenant_models()}
    for name in sorted((models.keys() | tables) - {TENANT_TABLE}):
        model = models.get(name, TenantModel)
        faults.extend(
            _table_faults(tables[name], model) if name in tables else [f"{name}: missing; run migrate."]
        )
    for name, table in tables.items():
        faults.extend(
            _rights_faults(table, Tenant if name == TENANT_TABLE else models.get(name, TenantModel))
        )
    for field in _tenant_keys():
        faults.extend(_foreign_key_faults(field, tables))
    return faults


# --- The role --------------------------------------------------------------------------------------------

# Roles the app could become count as the app: SET ROLE would put their rights on.
PRIVILEGED_ROLES = """
SELECT rolname, rolsuper, rolbypassrls FROM pg_roles
WHERE (rolsuper OR rolbypassrls) AND pg_has_role(session_user, oid, 'MEMBER')
"""


def _role_faults(using: str) -> Iterator[str]:
    for role, is_super, _ in _rows(using, PRIVILEGED_ROLES):
        power = "a superuser" if is_super else "BYPASSRLS"
        yield f"The app connects as, or may become, {role}, which is {power}: row-level security would not hold."


def _ownership_faults(tables: Any) -> Iterator[str]:
    owned = [table.name for table in tables if table.is_owned]
    if owned:
        yield f"The app's role owns {', '.join(owned)}: an owner can switch row-level security off."


# --- The tables ------------------------------------------------------------------------------------------

# Every table with a tenant_id column, whether a model knows it or not, and the table of tenants.
TABLES = """
SELECT c.relname, pg_has_role(session_user, c.relowner, 'MEMBER'), c.relrowsecurity, c.relforcerowsecurity,
       coalesce((SELECT array_agg(a.attname::text ORDER BY k.position)
                 FROM pg_index i, unnest(i.indkey[0:i.indnkeyatts - 1]) WITH ORDINALITY k(number, position)
                 JOIN pg_attribute a ON a.attnum = k.number AND a.attrelid = c.oid
                 WHERE i.indrelid = c.oid AND i.indisprimary), '{}'),
       coalesce((SELECT array_agg(concat_ws('|', p.polname, p.polcmd,
                                            CASE WHEN p.polpermissive THEN 'permissive' ELSE 'restrictive' END,
                                            (SELECT string_agg(r.rolname, ',') FROM pg_roles r
                                             WHERE r.oid = ANY (p.polroles)),
                                            pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)))
                 FROM pg_policy p WHERE p.polrelid = c.oid), '{}'),
       coalesce((SELECT array_agg(f.conname || '|' || pg_get_constraintdef(f.oid))
                 FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.convalidated), '{}'),
       (SELECT array_agg(wanted) FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) wanted
        WHERE has_table_privilege(session_user, c.oid, wanted))
FROM pg_class c
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
  AND (c.relname = %s OR EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid
                                 AND a.attname = 'tenant_id' AND NOT a.attisdropped))
"""


def _read_tables(using: str) -> Iterator[Table]:
    for name, owned, enabled, forced, key, policies, foreign_keys, rights in _rows(
        using, TABLES, [TENANT_TABLE]
    ):
        yield Table(
            name,
            owned,
            enabled,
            forced,
            tuple(key),
            tuple(policies),
            tuple(foreign_keys),
            frozenset(rights or ()),
        )


def _rows(using: str, sql: str, params: list[Any] | None = None) -> list[tuple[Any, ...]]:
    with connections[using].cursor() as cursor:
        cursor.execute(sql, params)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def list_tenant_models() -> list[type[TenantModel]]:
    """Every model whose rows belong to a tenant."""
    return [model for model in apps.get_models() if issubclass(model, TenantModel)]


def _table_faults(table: Table, model: type[TenantModel]) -> Iterator[str]:
    if not table.is_enabled:
        yield f"{table.name}: row-level security is not enabled."
    if not table.is_forced:
        yield f"{table.name}: row-level security is not forced on the owner."
    yield from _policy_faults(table)
    if table.key[:1] != ("tenant_id",) and (table.key or model.has_key):
        yield f"{table.name}: the primary key does not lead with tenant_id."


def _rights_faults(table: Table, model: type[Tenant | TenantModel]) -> Iterator[str]:
    if "TRUNCATE" in table.rights:
        yield f"{table.name}: the app may TRUNCATE, which no policy sees."
    if excess := sorted(table.rights & model.kept_from_app):
        yield f"{table.name}: the app may {', '.join(excess)}, which only the owner's functions should."


def _policy_faults(table: Table) -> Iterator[str]:
    """Exactly our policy: a second permissive one would open what the first closes."""
    app = settings.DATABASE_ROLES["app"]
    ours = "|".join((POLICY, "*", "permissive", app, CONDITION, CONDITION))
    if ours not in table.policies:
        yield f"{table.name}: the policy {POLICY} for {app} is missing or says something else."
    for policy in table.policies:
        if policy != ours and "|permissive|" in policy:
            yield f"{table.name}: the policy {policy.split('|')[0]} opens the table further."


def _tenant_keys() -> Iterator[TenantForeignKey]:
    for model in list_tenant_models():
        yield from (field for field in model._meta.local_fields if isinstance(field, TenantForeignKey))


def _foreign_key_faults(field: TenantForeignKey, tables: dict[str, Table]) -> Iterator[str]:
    table = tables.get(field.model._meta.db_table)
    wanted = (
        f"FOREIGN KEY (tenant_id, {field.column}) REFERENCES {field.related_model._meta.db_table}(tenant_id,"
    )
    if table and not any(one.split("|")[1].startswith(wanted) for one in table.foreign_keys):
        yield f"{table.name}: {field.column} is not held by a foreign key with the tenant."

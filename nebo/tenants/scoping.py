"""The first wall: no query without a tenant, and the one door that opens the database for one.

`tenant_scope` opens a transaction and puts `nebo.tenant_id` into it; row-level security reads it there.
`operator_scope` sends queries to the operator's connection (admin site, sweeps, erasure).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.db import connection, models, transaction

from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.tenants.positions import note_writing

SET = "SELECT set_config('nebo.tenant_id', %s, true)"
SET_EVERYWHERE = "SET LOCAL nebo.tenant_id = %s"  # on the server that has the rows, too
OPERATOR_ALIAS = "operator"

_tenant: ContextVar[UUID | None] = ContextVar("nebo_tenant", default=None)
_operator: ContextVar[bool] = ContextVar("nebo_operator", default=False)

M = TypeVar("M", bound=models.Model, covariant=True)


class TenantRow(Protocol):
    """A `Tenant`, of which this module knows no more: its table is made with what is here."""

    @property
    def pk(self) -> Any: ...

    @property
    def compaction_tokens(self) -> int: ...


class ScopeError(RuntimeError):
    """A query or a scope that would leave the tenant it stands in."""


class UnscopedQuery(ScopeError):
    """`objects` was used without `for_tenant`."""


class WrongTenant(ScopeError):
    """A second tenant inside the scope of a first, or a query for a tenant whose scope is not open."""


def tenant_id_of(tenant: TenantRow | UUID) -> UUID:
    """A tenant's id, given the tenant or its id; raises ScopeError for None."""
    found = tenant if isinstance(tenant, UUID) else getattr(tenant, "pk", None)
    if not isinstance(found, UUID):
        raise ScopeError("a tenant is required")
    return found


def current_tenant_id() -> UUID:
    """The tenant of the open scope; raises ScopeError when none is open."""
    tenant_id = _tenant.get()
    if tenant_id is None:
        raise ScopeError("no tenant scope is open")
    return tenant_id


def check_scope(tenant_id: UUID, what: str) -> None:
    """Raises WrongTenant unless this tenant's scope is open, or the operator's."""
    if not _operator.get() and current_tenant_id() != tenant_id:
        raise WrongTenant(f"{what}: the open scope is another tenant's")


@contextmanager
def tenant_scope(tenant: TenantRow | UUID, *, shows: bool = True) -> Iterator[None]:
    """One transaction that sees the rows of `tenant` alone; the same tenant may nest, another raises.

    Where there is a replica, what is written here is read from it only once it stands there; unless it `shows` nowhere
    but in counts, caches and lines about reading.
    """
    tenant_id = tenant_id_of(tenant)
    outer = _tenant.get()
    if outer is not None and outer != tenant_id:
        raise WrongTenant("a scope of another tenant is open")
    with transaction.atomic():
        if outer == tenant_id:
            yield
            return
        _set(str(tenant_id))
        token = _tenant.set(tenant_id)
        try:
            yield
        finally:
            _tenant.reset(token)
        if shows:
            note_writing(tenant_id)
    if connection.in_atomic_block and not connection.needs_rollback:
        _set("")


def _set(value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(SET_EVERYWHERE if IS_DISTRIBUTED else SET, [value])


@contextmanager
def operator_scope() -> Iterator[None]:
    """Queries inside go to the operator's connection, which sees every tenant. Never on an agent's path."""
    token = _operator.set(True)
    try:
        yield
    finally:
        _operator.reset(token)


class OperatorRouter:
    """Sends queries to the operator's connection inside `operator_scope`; migrations run as the owner."""

    def db_for_read(self, model: type[models.Model], **hints: Any) -> str | None:
        return OPERATOR_ALIAS if _operator.get() else None

    db_for_write = db_for_read

    def allow_relation(self, first: models.Model, second: models.Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == "owner"


class TenantQuerySet(models.QuerySet[M]):
    """A query set that remembers its tenant, so that what it creates belongs there too."""

    def create(self, **fields: Any) -> Any:
        return super().create(**self._with_tenant(fields))

    def get_or_create(self, defaults: Any = None, **fields: Any) -> Any:
        return super().get_or_create(defaults, **self._with_tenant(fields))

    def update_or_create(self, defaults: Any = None, create_defaults: Any = None, **fields: Any) -> Any:
        return super().update_or_create(defaults, create_defaults, **self._with_tenant(fields))

    def _with_tenant(self, fields: dict[str, Any]) -> dict[str, Any]:
        hints: dict[str, Any] = self._hints  # type: ignore[attr-defined]
        return {"tenant_id": hints["tenant_id"], **fields}


class TenantManager(models.Manager[M]):
    """`objects` of every tenant model: `for_tenant` is its only door."""

    def get_queryset(self) -> models.QuerySet[M]:
        raise UnscopedQuery(f"{self.model.__name__}.objects needs for_tenant(tenant)")

    def for_tenant(self, tenant: TenantRow | UUID) -> TenantQuerySet[M]:
        """Rows of one tenant; raises WrongTenant unless its scope is open (or the operator's)."""
        tenant_id = tenant_id_of(tenant)
        check_scope(tenant_id, self.model.__name__)
        rows: TenantQuerySet[M] = TenantQuerySet(self.model, using=self._db, hints={"tenant_id": tenant_id})  # type: ignore[dict-item]
        return rows.filter(tenant_id=tenant_id)

"""Tenants in the operators' admin, with how many belong to each, and what is done to them in the sealed log."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.http import HttpRequest

from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.product.workspace.suspending import note_suspension, open_or_suspend
from nebo.tenants.actor import Actor
from nebo.tenants.admin import TenantAdmin
from nebo.tenants.models import ApiKey, Membership, Tenant, UserProfile

admin.site.unregister(Tenant)


def _operator(request: HttpRequest) -> Actor:
    return Actor("operator", str(request.user.pk))


def _count(rows: QuerySet[Any]) -> Subquery:
    """How many of these each tenant has; null for none."""
    of_tenant = rows.filter(tenant=OuterRef("pk")).order_by().values("tenant")
    return Subquery(of_tenant.annotate(count=Count("pk")).values("count"), output_field=IntegerField())


def _list_counted() -> dict[str, QuerySet[Any]]:
    return {
        "member_count": Membership.unscoped.all(),
        "person_count": UserProfile.unscoped.all(),
        "key_count": ApiKey.unscoped.filter(revoked_at=None),
    }


def _count_of(tenant: Tenant, name: str) -> int:
    """As the row says; in a distributed database, which can't look from there into tables that are divided, the server
    of the tenant is asked.
    """
    if IS_DISTRIBUTED:
        return _list_counted()[name].filter(tenant=tenant).count()
    return getattr(tenant, name) or 0


@admin.register(Tenant)
class TeamAdmin(TenantAdmin):
    list_display = ("slug", "name", "is_active", "members", "people", "keys", "created_at", "first_call_at")
    actions = ("suspend", "resume")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tenant]:
        rows: QuerySet[Tenant] = super().get_queryset(request)
        if IS_DISTRIBUTED:
            return rows
        return rows.annotate(**{name: _count(counted) for name, counted in _list_counted().items()})

    def get_sortable_by(self, request: HttpRequest) -> Any:
        """Where each row is counted by itself, nothing sorts by counts."""
        names = super().get_sortable_by(request)
        return [name for name in names if not (IS_DISTRIBUTED and name in ("members", "people", "keys"))]

    @admin.display(ordering="member_count")
    def members(self, tenant: Tenant) -> int:
        return _count_of(tenant, "member_count")

    @admin.display(ordering="person_count")
    def people(self, tenant: Tenant) -> int:
        return _count_of(tenant, "person_count")

    @admin.display(description="keys not revoked", ordering="key_count")
    def keys(self, tenant: Tenant) -> int:
        return _count_of(tenant, "key_count")

    def save_model(self, request: HttpRequest, obj: Tenant, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and "is_active" in form.changed_data:
            note_suspension(tenant=obj, is_active=obj.is_active, actor=_operator(request))

    @admin.action(description="Suspend: its keys and pages close, nothing is deleted", permissions=["change"])
    def suspend(self, request: HttpRequest, queryset: QuerySet[Tenant]) -> None:
        self._set_active(request, queryset, is_active=False)

    @admin.action(description="Open again", permissions=["change"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Tenant]) -> None:
        self._set_active(request, queryset, is_active=True)

    def _set_active(self, request: HttpRequest, tenants: QuerySet[Tenant], *, is_active: bool) -> None:
        actor = _operator(request)
        changed = [open_or_suspend(tenant=tenant, is_active=is_active, actor=actor) for tenant in tenants]
        self.message_user(
            request, f"{sum(changed)} {'open again' if is_active else 'suspended'}.", messages.SUCCESS
        )

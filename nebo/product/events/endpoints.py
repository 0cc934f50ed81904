"""A team's endpoints: made, changed and removed by its owners and admins, each time with a line in the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from nebo.errors import Conflict, NotFound
from nebo.outbound.addresses import check_url
from nebo.postgres.clock import database_now
from nebo.product.events.kinds import TEST
from nebo.product.events.models import Delivery, Endpoint, Event
from nebo.product.events.scheduling import schedule
from nebo.product.events.signing import make_secret
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from nebo.tenants.sealing import Unreadable, seal, unseal

MOST_ENDPOINTS = 20  # of a team
CHANGED_BY_HAND = ("url", "description", "events", "state")
FRESH = {"disabled_reason": "", "failing_since": None, "failures": 0, "hold_until": None, "is_slow": False}


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    """What is asked for; no `events` are all of them."""

    url: str
    events: Sequence[str] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class IssuedSecret:
    """An endpoint and, this once, its secret."""

    endpoint: Endpoint
    secret: str = field(repr=False)


def list_endpoints(*, tenant: Tenant | UUID) -> QuerySet[Endpoint]:
    """All of a team's, the newest first."""
    return Endpoint.objects.for_tenant(tenant).order_by("-created_at", "-id")


def get_endpoint(*, tenant: Tenant | UUID, endpoint_id: UUID) -> Endpoint:
    """One of them; raises NotFound."""
    found = list_endpoints(tenant=tenant).filter(pk=endpoint_id).first()
    if found is None:
        raise NotFound
    return found


def create_endpoint(*, tenant: Tenant | UUID, new: NewEndpoint, actor: Actor) -> IssuedSecret:
    """A new one, with its secret; raises InvalidInput for an address that isn't called, Conflict for too many."""
    url = check_url(new.url)
    if list_endpoints(tenant=tenant).count() >= MOST_ENDPOINTS:
        raise Conflict(_("A team has at most %(most)s webhooks.") % {"most": MOST_ENDPOINTS})
    secret = make_secret()
    made: Endpoint = Endpoint.objects.for_tenant(tenant).create(
        url=url, events=sorted(set(new.events)), description=new.description, sealed_secret=seal(secret)
    )
    _note(tenant, made, actor, "webhook.created", {"events": made.events})
    return IssuedSecret(made, secret)


def change_endpoint(
    *, tenant: Tenant | UUID, endpoint_id: UUID, changes: Mapping[str, Any], actor: Actor
) -> Endpoint:
    """Another address, description, choice of events, or state; made active it begins afresh.

    Raises NotFound, and InvalidInput for an address that isn't called.
    """
    held = _hold(tenant, endpoint_id)
    wanted = {name: changes[name] for name in CHANGED_BY_HAND if name in changes}
    if "url" in wanted:
        wanted["url"] = check_url(wanted["url"])
    if "events" in wanted:
        wanted["events"] = sorted(set(wanted["events"]))
    changed = {name: value for name, value in wanted.items() if getattr(held, name) != value}
    if {"url", "state"} & set(changed):
        changed |= FRESH
    if not changed:
        return held
    for name, value in changed.items():
        setattr(held, name, value)
    held.save(update_fields=list(changed))
    _note(tenant, held, actor, "webhook.updated", {"fields": sorted(set(changed) & set(CHANGED_BY_HAND))})
    return held


def rotate_secret(*, tenant: Tenant | UUID, endpoint_id: UUID, hours: int, actor: Actor) -> IssuedSecret:
    """A new secret; for so many hours both sign. Raises NotFound."""
    held = _hold(tenant, endpoint_id)
    secret = make_secret()
    held.sealed_old_secret = held.sealed_secret if hours else ""
    held.old_secret_until = timezone.now() + timedelta(hours=hours) if hours else None
    held.sealed_secret = seal(secret)
    held.save(update_fields=["sealed_old_secret", "old_secret_until", "sealed_secret"])
    _note(tenant, held, actor, "webhook.rotated", {"hours": hours})
    return IssuedSecret(held, secret)


def delete_endpoint(*, tenant: Tenant | UUID, endpoint_id: UUID, actor: Actor) -> None:
    """Remove it with the log of its deliveries; raises NotFound."""
    held = _hold(tenant, endpoint_id)
    _note(tenant, held, actor, "webhook.deleted", {})
    Endpoint.objects.for_tenant(tenant).filter(pk=held.pk).delete()


def send_test(*, tenant: Tenant | UUID, endpoint_id: UUID) -> Delivery:
    """An event that says nothing but that it is one, to this endpoint alone; raises NotFound, or Conflict unless it is
    active.
    """
    endpoint = get_endpoint(tenant=tenant, endpoint_id=endpoint_id)
    if endpoint.state != Endpoint.State.ACTIVE:
        raise Conflict(_("Nothing is sent to this webhook now. Switch it on first."))
    now = database_now(Event)
    event = Event.objects.for_tenant(tenant).create(type=TEST, created_at=now)
    made: Delivery = Delivery.objects.for_tenant(tenant).create(
        event=event, endpoint=endpoint, due_at=now, created_at=now
    )
    schedule(tenant_id=tenant_id_of(tenant), endpoint_id=endpoint.pk, is_slow=endpoint.is_slow)
    return made


def read_secrets(endpoint: Endpoint) -> list[str]:
    """Those that sign now, the newer first; raises Unreadable when SECRET_KEY has changed."""
    secrets = [unseal(endpoint.sealed_secret)]
    until = endpoint.old_secret_until
    if endpoint.sealed_old_secret and until is not None and until > timezone.now():
        secrets.append(unseal(endpoint.sealed_old_secret))
    return secrets


def find_secrets(endpoint: Endpoint) -> list[str]:
    """The same, or none where they can't be read."""
    try:
        return read_secrets(endpoint)
    except Unreadable:
        return []


def _hold(tenant: Tenant | UUID, endpoint_id: UUID) -> Endpoint:
    """The endpoint, locked; what is noted for it meanwhile may go on pointing at it."""
    rows = Endpoint.objects.for_tenant(tenant).select_for_update(no_key=True)
    found: Endpoint | None = rows.filter(pk=endpoint_id).first()
    if found is None:
        raise NotFound
    return found


def _note(
    tenant: Tenant | UUID, endpoint: Endpoint, actor: Actor, action: str, detail: dict[str, Any]
) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="webhook",
        object_id=endpoint.pk,
        detail=detail,
    )

"""Events on their way: what is sent next, what came of it, and the log that people read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, TypedDict
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from nebo.api.shapes import Moment, like
from nebo.api.times import as_utc
from nebo.errors import Conflict, NotFound
from nebo.jobs.services import FORGOTTEN_AT_ONCE
from nebo.postgres.clock import ClockTimestamp, database_now
from nebo.product.events import backoff
from nebo.product.events.endpoints import find_secrets, get_endpoint
from nebo.product.events.models import Delivery, Endpoint, Event
from nebo.product.events.scheduling import schedule
from nebo.product.events.transport import Answer
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_id_of, tenant_scope
from nebo.tenants.windows import find_cutoff

SLOW_MS = 2_000
LOGGED = 30  # attempts that a log holds, redeliveries included
UNREADABLE = _("Its secret can’t be read any more, since the key it was encrypted with is gone. Rotate it.")


class PayloadFields(TypedDict):
    """What a receiver gets, in the form that Standard Webhooks proposes; `data` has ids and counts alone."""

    type: Annotated[str, like("memory.created")]
    timestamp: Moment
    data: Annotated[
        dict[str, str | int | None],
        like({"user": "ana", "memory": "0199c5a2-7d4e-7b61-9f0a-3c1e5d2b8a47", "version": 1}),
    ]


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent next, read in one transaction; `secrets` sign it."""

    delivery_id: UUID
    event_id: UUID
    url: str
    body: bytes
    secrets: tuple[str, ...]


def list_deliveries(*, tenant: Tenant | UUID, endpoint_id: UUID) -> QuerySet[Delivery]:
    """Of one endpoint, the newest first, with their events and people."""
    rows = Delivery.objects.for_tenant(tenant).filter(endpoint_id=endpoint_id)
    return rows.select_related("event", "event__person").order_by("-created_at", "-id")


def get_delivery(*, tenant: Tenant | UUID, endpoint_id: UUID, delivery_id: UUID) -> Delivery:
    """One of them; raises NotFound."""
    found = list_deliveries(tenant=tenant, endpoint_id=endpoint_id).filter(pk=delivery_id).first()
    if found is None:
        raise NotFound
    return found


def redeliver(*, tenant: Tenant | UUID, endpoint_id: UUID, delivery_id: UUID) -> Delivery:
    """Send it once more, under the same id; raises NotFound, or Conflict where it waits already or nothing is sent."""
    endpoint = get_endpoint(tenant=tenant, endpoint_id=endpoint_id)
    rows = Delivery.objects.for_tenant(tenant).select_for_update(no_key=True)
    if rows.filter(endpoint_id=endpoint_id, pk=delivery_id).first() is None:
        raise NotFound
    held = get_delivery(tenant=tenant, endpoint_id=endpoint_id, delivery_id=delivery_id)
    if endpoint.state != Endpoint.State.ACTIVE:
        raise Conflict(gettext("Nothing is sent to this webhook now. Switch it on first."))
    if held.state == Delivery.State.PENDING and not held.attempts:
        raise Conflict(gettext("This delivery is on its way."))
    held.state, held.attempts, held.finished_at = Delivery.State.PENDING, 0, None
    held.due_at = database_now(Delivery)
    held.save(update_fields=["state", "attempts", "finished_at", "due_at"])
    Endpoint.objects.for_tenant(tenant).filter(pk=endpoint_id).update(hold_until=None)
    schedule(tenant_id=tenant_id_of(tenant), endpoint_id=endpoint_id, is_slow=endpoint.is_slow)
    return held


# --- Sending -----------------------------------------------------------------------------------------


def find_next(*, tenant_id: UUID, endpoint_id: UUID) -> Message | None:
    """The oldest that is due at an endpoint to which something may be sent now. Opens its own scope."""
    with tenant_scope(tenant_id):
        endpoint = _list_open(tenant_id).filter(pk=endpoint_id).first()
        if endpoint is None:
            return None
        secrets = tuple(find_secrets(endpoint))
        if not secrets:
            _disable(endpoint, UNREADABLE)
            return None
        due = list_deliveries(tenant=tenant_id, endpoint_id=endpoint_id).filter(
            state=Delivery.State.PENDING, due_at__lte=ClockTimestamp()
        )
        delivery = due.order_by("due_at", "id").first()
        if delivery is None:
            return None
        body = json.dumps(payload_of(delivery.event), ensure_ascii=False, separators=(",", ":")).encode()
        return Message(delivery.pk, delivery.event_id, endpoint.url, body, secrets)


def _list_open(tenant_id: UUID) -> QuerySet[Endpoint]:
    """Active, and not held back."""
    rows = Endpoint.objects.for_tenant(tenant_id).filter(state=Endpoint.State.ACTIVE)
    return rows.exclude(hold_until__gt=ClockTimestamp())


def payload_of(event: Event) -> PayloadFields:
    """What a receiver gets."""
    person = event.person
    user = person.external_id if person and person.kind == UserProfile.Kind.PERSON else None
    about = {"user": user} if event.person_id else {}
    return {"type": event.type, "timestamp": as_utc(event.created_at), "data": {**about, **event.data}}


def note_answer(*, tenant_id: UUID, endpoint_id: UUID, delivery_id: UUID, answer: Answer) -> None:
    """Write down what came of an attempt, for the delivery and for its endpoint. Opens its own scope."""
    with tenant_scope(tenant_id):
        endpoints = Endpoint.objects.for_tenant(tenant_id).select_for_update(no_key=True)
        endpoint = endpoints.filter(pk=endpoint_id).first()
        deliveries = Delivery.objects.for_tenant(tenant_id).select_for_update(no_key=True)
        delivery = deliveries.filter(pk=delivery_id).first()
        if endpoint is None or delivery is None:  # removed meanwhile
            return
        _log(delivery, answer)
        endpoint.is_slow = answer.milliseconds > SLOW_MS
        if answer.is_success:
            _succeed(endpoint, delivery)
        else:
            _fail(endpoint, delivery, answer)
        delivery.save()
        endpoint.save(
            update_fields=[
                "state",
                "disabled_reason",
                "failing_since",
                "failures",
                "hold_until",
                "is_slow",
                "delivered_at",
            ]
        )


def _log(delivery: Delivery, answer: Answer) -> None:
    delivery.attempts += 1
    delivery.status = answer.status
    attempt = {
        "at": as_utc(timezone.now()),
        "status": answer.status,
        "milliseconds": answer.milliseconds,
        "error": answer.error,
        "answer": answer.text,
    }
    delivery.log = [*delivery.log, attempt][-LOGGED:]


def _succeed(endpoint: Endpoint, delivery: Delivery) -> None:
    now = timezone.now()
    delivery.state, delivery.finished_at = Delivery.State.DELIVERED, now
    endpoint.failing_since = endpoint.hold_until = None
    endpoint.failures = 0
    endpoint.delivered_at = now


def _fail(endpoint: Endpoint, delivery: Delivery, answer: Answer) -> None:
    now = timezone.now()
    pause = backoff.pause_after(delivery.attempts, delivery_id=delivery.pk, wish=answer.retry_after, now=now)
    if pause is None:
        delivery.state, delivery.finished_at = Delivery.State.FAILED, now
    else:
        delivery.due_at = now + pause
    endpoint.failing_since = endpoint.failing_since or now
    endpoint.failures += 1
    if answer.status is None or answer.status in backoff.BUSY:
        endpoint.hold_until = now + backoff.hold_after(endpoint.failures, wish=answer.retry_after, now=now)
    if answer.status == backoff.GONE:
        delivery.state, delivery.finished_at = Delivery.State.FAILED, now
        _switch_off(endpoint, gettext("The receiver answered 410: it wants no more of this."))
    elif now - endpoint.failing_since >= backoff.FAILING_FOR:
        _switch_off(endpoint, f"Nothing could be delivered for {backoff.FAILING_FOR.days} days.")


def _switch_off(endpoint: Endpoint, reason: str) -> None:
    endpoint.state, endpoint.disabled_reason = Endpoint.State.DISABLED, reason


def _disable(endpoint: Endpoint, reason: str) -> None:
    _switch_off(endpoint, reason)
    endpoint.save(update_fields=["state", "disabled_reason"])


# --- Growing old -------------------------------------------------------------------------------------


def list_outlived_events(*, tenant: Tenant) -> QuerySet[Event]:
    """Events older than jobs are kept, unless one of their deliveries is still tried."""
    before = find_cutoff(tenant.job_days)
    rows = Event.objects.for_tenant(tenant)
    if before is None:
        return rows.none()
    tried = Delivery.objects.for_tenant(tenant).filter(
        state=Delivery.State.PENDING, endpoint__state=Endpoint.State.ACTIVE
    )
    return rows.filter(created_at__lt=before).exclude(pk__in=tried.values("event_id"))


def forget_events(*, tenant: Tenant) -> int:
    """Delete a batch of them with their deliveries; how many."""
    ids = list(list_outlived_events(tenant=tenant).values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    return Event.objects.for_tenant(tenant).filter(pk__in=ids).delete()[0]

"""What is sent, what the receiver's answer makes of it, and when it is tried again; to a real receiver on loopback."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.test import override_settings
from django.utils import timezone

from nebo.errors import Conflict
from nebo.jobs.models import Job
from nebo.product.events import backoff
from nebo.product.events.deliveries import forget_events, redeliver
from nebo.product.events.endpoints import change_endpoint, rotate_secret, send_test
from nebo.product.events.models import Delivery, Endpoint
from nebo.product.events.scheduling import KIND, schedule
from nebo.product.events.signing import sign
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.events.conftest import OWNER, PATH, change, deliveries_of, listen, load, types_of
from tests.jobs.inline import run_jobs
from tests.memories.conftest import Call, remember
from tests.scripted_server import RecordedRequest, ScriptedServer, hang_up, raw, silent, status

pytestmark = pytest.mark.django_db


def happen(team: Team, *values: str) -> None:
    """A memory for each value, and so an event."""
    with tenant_scope(team.tenant):
        for number, value in enumerate(values or ("Owns a green bicycle",)):
            remember(team, value, key=f"known-{number}-{value[:8]}")


def deliver(team: Team, endpoint: Endpoint) -> Job:
    """The job that its endpoint gets once something is due."""
    with tenant_scope(team.tenant):
        schedule(tenant_id=team.tenant.pk, endpoint_id=endpoint.pk)
    (job,) = run_jobs(team.tenant, kind=KIND)
    assert job.state == Job.State.SUCCEEDED, job.error
    return job


def come_due(team: Team, endpoint: Endpoint) -> None:
    """Let every pause be over."""
    change(team, endpoint, hold_until=None)
    with tenant_scope(team.tenant):
        rows = Delivery.objects.for_tenant(team.tenant).filter(state="pending")
        rows.update(due_at=timezone.now() - timedelta(seconds=1))


def is_signed(request: RecordedRequest, secret: str) -> bool:
    """As a receiver checks it."""
    at = int(request.headers["webhook-timestamp"])
    expected = sign(secret=secret, message_id=request.headers["webhook-id"], timestamp=at, body=request.body)
    assert abs(datetime.now(UTC).timestamp() - at) < 60
    return expected in request.headers["webhook-signature"].split(" ")


def test_an_event_arrives_signed_with_ids_alone(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, secret = listen(acme, receiver.url + PATH)
    happen(acme)

    deliver(acme, endpoint)

    (request,) = receiver.requests
    (delivery,) = deliveries_of(acme)
    assert is_signed(request, secret)
    assert request.headers["webhook-id"] == str(delivery.event_id)
    assert request.headers["content-type"] == "application/json"
    assert request.json["type"] == "memory.created"
    assert set(request.json) == {"type", "timestamp", "data"}
    assert request.json["data"] == {"user": "alice", **delivery.event.data}
    assert b"bicycle" not in request.body
    assert (delivery.state, delivery.status, delivery.attempts) == ("delivered", 200, 1)
    assert (delivery.log[0]["status"], delivery.log[0]["answer"]) == (200, "ok")
    assert load(acme, endpoint.pk).delivered_at is not None


def test_events_arrive_in_order_over_one_connection(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    happen(acme, *(f"Fact number {number} of many" for number in range(8)))

    job = deliver(acme, endpoint)

    ids = [request.headers["webhook-id"] for request in receiver.requests]
    assert ids == [str(one.event_id) for one in deliveries_of(acme)]
    assert len(ids) == 8
    assert job.result == {"delivered": 8, "failed": 0}


def test_what_fails_is_tried_again_under_the_same_id(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    receiver.on(PATH, raw(b"oops", 500), hang_up(), raw(b"", 200))
    happen(acme)

    for _ in range(3):
        deliver(acme, endpoint)
        come_due(acme, endpoint)

    (delivery,) = deliveries_of(acme)
    assert [request.headers["webhook-id"] for request in receiver.requests] == [str(delivery.event_id)] * 3
    assert [one["status"] for one in delivery.log] == [500, None, 200]
    assert [bool(one["error"]) for one in delivery.log] == [False, True, False]
    assert delivery.state == "delivered"
    assert load(acme, endpoint.pk).failing_since is None


def test_the_pauses_grow_from_seconds_to_hours() -> None:
    now, some = timezone.now(), UUID(int=0)

    pauses = [backoff.pause_after(n, delivery_id=some, wish="", now=now) for n in range(1, 13)]

    assert pauses[0] == timedelta(seconds=5)
    assert pauses[-2] == timedelta(days=1)
    assert pauses[-1] is None
    assert pauses[:-1] == sorted(pauses[:-1])


@pytest.mark.parametrize(
    "text, seconds",
    [
        ("120", 120), ("0", 0), ("999999999999", 86_400), ("-5", 0), ("soon", 0), ("", 0), ("1.5", 0),
        ("Fri, 13 Nov 2026 12:10:00 GMT", 600), ("Fri, 13 Nov 2026 11:00:00 GMT", 0),
        ("Fri, 13 Nov 2099 12:00:00 GMT", 86_400), ("٣", 0),
    ],
)  # fmt: skip
def test_retry_after_is_read_as_seconds_or_a_date(text: str, seconds: float) -> None:
    assert backoff.read_wish(text, now=datetime(2026, 11, 13, 12, 0, tzinfo=UTC)) == seconds


def test_a_busy_receiver_is_left_alone_as_long_as_it_asks(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    receiver.on(PATH, status(429, retry_after="600"))
    happen(acme, "Owns a green bicycle", "Plays the harp")

    deliver(acme, endpoint)

    first, second = deliveries_of(acme)
    held = load(acme, endpoint.pk).hold_until
    assert len(receiver.requests) == 1
    assert (first.attempts, second.attempts) == (1, 0)
    assert held is not None and timedelta(seconds=590) < held - timezone.now() <= timedelta(seconds=600)
    assert first.due_at - timezone.now() > timedelta(seconds=590)


def test_one_event_that_is_refused_holds_no_other_up(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    receiver.on(PATH, raw(b"not this one", 422))
    happen(acme, "Owns a green bicycle", "Plays the harp")

    deliver(acme, endpoint)

    assert [one.state for one in deliveries_of(acme)] == ["pending", "delivered"]


def test_a_delivery_is_given_up_after_its_last_attempt(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    receiver.always(PATH, raw(b"", 500))
    happen(acme)

    for _ in range(backoff.MOST_ATTEMPTS + 2):
        deliver(acme, endpoint)
        come_due(acme, endpoint)

    (delivery,) = deliveries_of(acme)
    assert (delivery.state, len(receiver.requests)) == ("failed", backoff.MOST_ATTEMPTS)
    assert delivery.finished_at is not None


def test_gone_switches_the_endpoint_off(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    receiver.on(PATH, status(410))
    happen(acme, "Owns a green bicycle", "Plays the harp")

    deliver(acme, endpoint)

    off = load(acme, endpoint.pk)
    assert (off.state, "410" in off.disabled_reason) == ("disabled", True)
    assert len(receiver.requests) == 1
    happen(acme, "Has two daughters")
    assert len(deliveries_of(acme)) == 2


def test_five_days_without_a_success_switch_the_endpoint_off(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    receiver.always(PATH, raw(b"", 500))
    happen(acme)
    change(acme, endpoint, failing_since=timezone.now() - timedelta(days=4, hours=23))
    deliver(acme, endpoint)
    assert load(acme, endpoint.pk).state == "active"

    change(acme, endpoint, failing_since=timezone.now() - timedelta(days=5))
    come_due(acme, endpoint)
    deliver(acme, endpoint)

    assert load(acme, endpoint.pk).state == "disabled"


def test_one_that_is_switched_on_again_begins_afresh(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    happen(acme)
    change(acme, endpoint, state="disabled", disabled_reason="x", failures=9, failing_since=timezone.now())

    with tenant_scope(acme.tenant):
        change_endpoint(tenant=acme.tenant, endpoint_id=endpoint.pk, changes={"state": "active"}, actor=OWNER)
    deliver(acme, endpoint)

    on = load(acme, endpoint.pk)
    assert (on.state, on.disabled_reason, on.failures, on.failing_since) == ("active", "", 0, None)
    assert len(receiver.requests) == 1


def test_what_happens_while_paused_is_sent_later(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    change(acme, endpoint, state="paused")
    happen(acme)
    deliver(acme, endpoint)
    assert receiver.requests == []

    change(acme, endpoint, state="active")
    deliver(acme, endpoint)

    assert len(receiver.requests) == 1


def test_a_redirect_is_a_failure(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    receiver.on(PATH, raw(b"", 307, {"location": f"{receiver.url}/elsewhere"}))
    happen(acme)

    deliver(acme, endpoint)

    (delivery,) = deliveries_of(acme)
    assert (delivery.state, delivery.status) == ("pending", 307)
    assert [request.path for request in receiver.requests] == [PATH]


def test_two_secrets_sign_while_one_takes_the_place_of_the_other(
    acme: Team, receiver: ScriptedServer
) -> None:
    endpoint, old = listen(acme, receiver.url + PATH)
    with tenant_scope(acme.tenant):
        new = rotate_secret(tenant=acme.tenant, endpoint_id=endpoint.pk, hours=24, actor=OWNER).secret
    happen(acme, "Owns a green bicycle")
    deliver(acme, endpoint)

    change(acme, endpoint, old_secret_until=timezone.now() - timedelta(seconds=1))
    happen(acme, "Plays the harp")
    deliver(acme, endpoint)

    both, after = receiver.requests
    assert is_signed(both, old) and is_signed(both, new)
    assert is_signed(after, new) and not is_signed(after, old)


def test_a_secret_that_cannot_be_read_any_more_says_so(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    happen(acme)

    with override_settings(SECRET_KEY="another key of the installation"):
        deliver(acme, endpoint)

    off = load(acme, endpoint.pk)
    assert (off.state, "Rotate it" in off.disabled_reason) == ("disabled", True)
    assert receiver.requests == []


def test_a_test_goes_to_its_endpoint_alone(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH, "memory.deleted")
    other, _ = listen(acme, receiver.url + "/other")
    with tenant_scope(acme.tenant):
        send_test(tenant=acme.tenant, endpoint_id=endpoint.pk)
        change_endpoint(tenant=acme.tenant, endpoint_id=other.pk, changes={"state": "paused"}, actor=OWNER)
        with pytest.raises(Conflict):
            send_test(tenant=acme.tenant, endpoint_id=other.pk)

    run_jobs(acme.tenant, kind=KIND)

    assert [(one.path, one.json["type"], one.json["data"]) for one in receiver.requests] == [
        (PATH, "webhook.test", {})
    ]


def test_a_delivery_is_sent_again_under_its_old_id(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    happen(acme)
    deliver(acme, endpoint)
    (delivery,) = deliveries_of(acme)

    with tenant_scope(acme.tenant):
        redeliver(tenant=acme.tenant, endpoint_id=endpoint.pk, delivery_id=delivery.pk)
        with pytest.raises(Conflict):
            redeliver(tenant=acme.tenant, endpoint_id=endpoint.pk, delivery_id=delivery.pk)
    run_jobs(acme.tenant, kind=KIND)

    first, second = receiver.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body
    assert len(deliveries_of(acme)[0].log) == 2


def test_a_receiver_that_is_slow_is_moved_behind_what_somebody_waits_for(
    acme: Team, receiver: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nebo.product.events.deliveries.SLOW_MS", 100)
    monkeypatch.setattr("nebo.product.events.sending.SLOW_MS", 100)
    endpoint, _ = listen(acme, receiver.url + PATH)
    receiver.on(PATH, silent(0.3))
    happen(acme, "Owns a green bicycle", "Plays the harp")

    deliver(acme, endpoint)
    assert load(acme, endpoint.pk).is_slow
    assert len(receiver.requests) == 1

    come_due(acme, endpoint)
    deliver(acme, endpoint)
    assert not load(acme, endpoint.pk).is_slow


def test_an_endpoint_that_is_removed_takes_its_log_along(
    acme: Team, receiver: ScriptedServer, call: Call
) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    happen(acme)
    with tenant_scope(acme.tenant):
        schedule(tenant_id=acme.tenant.pk, endpoint_id=endpoint.pk)

    assert call("DELETE", f"webhooks/{endpoint.pk}/").status_code == 204
    (job,) = run_jobs(acme.tenant, kind=KIND)

    assert job.state == Job.State.SUCCEEDED
    assert deliveries_of(acme) == []
    assert receiver.requests == []


def test_events_go_when_they_are_old_but_not_while_they_are_tried(
    acme: Team, receiver: ScriptedServer
) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    happen(acme, "Owns a green bicycle")
    deliver(acme, endpoint)
    happen(acme, "Plays the harp")
    old = timezone.now() - timedelta(days=15)
    with tenant_scope(acme.tenant):
        for one in Delivery.objects.for_tenant(acme.tenant).select_related("event"):
            one.event.created_at = old
            one.event.save()

        assert forget_events(tenant=acme.tenant) == 1
        assert forget_events(tenant=acme.tenant) == 0

    assert [one.state for one in deliveries_of(acme)] == ["pending"]
    assert len(types_of(acme)) == 1


def test_the_body_says_when_it_happened_not_when_it_was_sent(acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    happen(acme)
    (delivery,) = deliveries_of(acme)

    deliver(acme, endpoint)

    told = json.loads(receiver.requests[0].body)["timestamp"]
    assert datetime.fromisoformat(told) == delivery.event.created_at

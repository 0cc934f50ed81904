"""`webhooks/`: made, read, changed, and the log of their deliveries."""

from __future__ import annotations

from typing import Any

import pytest

from memories.models import AuditEntry
from nebo.product.events.endpoints import MOST_ENDPOINTS
from nebo.product.events.scheduling import KIND
from nebo.tenants.ids import uuid7
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.events.conftest import PATH, listen
from tests.jobs.inline import run_jobs
from tests.memories.conftest import Call, caller
from tests.scripted_server import ScriptedServer

pytestmark = pytest.mark.django_db
URL = "https://hooks.example/nebo"


def make(call: Call, **fields: Any) -> dict[str, Any]:
    made = call("POST", "webhooks/", {"url": URL, **fields})
    assert made.status_code == 201, made.content
    return dict(made.json())


def test_the_secret_is_shown_once(call: Call, acme: Team) -> None:
    made = make(call, events=["memory.deleted", "memory.created"], description="Index")

    assert made["secret"].startswith("whsec_")
    assert (made["events"], made["state"]) == (["memory.created", "memory.deleted"], "active")
    read = call("GET", f"webhooks/{made['id']}/")
    listed = call("GET", "webhooks/")
    assert read.json() == {name: value for name, value in made.items() if name != "secret"}
    assert made["secret"] not in read.content.decode() + listed.content.decode()
    assert [one["id"] for one in listed.json()["results"]] == [made["id"]]


def test_a_webhook_is_changed_paused_and_removed(call: Call, acme: Team) -> None:
    made = make(call)

    changed = call("PATCH", f"webhooks/{made['id']}/", {"state": "paused", "events": ["job.parked"]})
    removed = call("DELETE", f"webhooks/{made['id']}/")

    assert (changed.json()["state"], changed.json()["events"]) == ("paused", ["job.parked"])
    assert removed.status_code == 204
    assert call("GET", f"webhooks/{made['id']}/").status_code == 404
    with tenant_scope(acme.tenant):
        entries = AuditEntry.objects.for_tenant(acme.tenant).filter(object_type="webhook").order_by("at")
        assert [(one.action, one.detail) for one in entries] == [
            ("webhook.created", {"events": []}),
            ("webhook.updated", {"fields": ["events", "state"]}),
            ("webhook.deleted", {}),
        ]


@pytest.mark.parametrize(
    "body, pointer",
    [
        ({}, "#/url"),
        ({"url": "http://1.1.1.1/"}, ""),
        ({"url": "https://10.0.0.1/"}, "#/url"),
        ({"url": 5}, "#/url"),
        ({"url": URL, "events": ["memory.exploded"]}, "#/events/0"),
        ({"url": URL, "events": "memory.created"}, "#/events"),
        ({"url": URL, "secret": "whsec_mine"}, "#/secret"),
        ({"url": URL, "description": "x" * 201}, "#/description"),
    ],
)
def test_what_is_wrong_names_its_field(call: Call, settings: Any, body: dict[str, Any], pointer: str) -> None:
    settings.WEBHOOK_NETWORKS = ()

    refused = call("POST", "webhooks/", body)

    assert refused.status_code == 400
    assert pointer in {one["pointer"] for one in refused.json()["errors"]} | {""}
    assert call("GET", "webhooks/").json()["results"] == []


def test_nobody_switches_off_but_nebo(call: Call) -> None:
    made = make(call)

    refused = call("PATCH", f"webhooks/{made['id']}/", {"state": "disabled"})

    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "#/state")


def test_a_team_has_so_many_and_no_more(call: Call) -> None:
    for _ in range(MOST_ENDPOINTS):
        make(call)

    assert call("POST", "webhooks/", {"url": URL}).status_code == 409


def test_a_new_secret_is_shown_once_too(call: Call) -> None:
    made = make(call)

    rotated = call("POST", f"webhooks/{made['id']}/rotate-secret/", {"hours": 1})
    wrong = call("POST", f"webhooks/{made['id']}/rotate-secret/", {"hours": 169})

    assert rotated.status_code == 200
    assert rotated.json()["secret"] not in ("", made["secret"])
    assert wrong.status_code == 400


def test_the_log_is_read_and_a_delivery_sent_again(call: Call, acme: Team, receiver: ScriptedServer) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    tested = call("POST", f"webhooks/{endpoint.pk}/test/")
    run_jobs(acme.tenant, kind=KIND)

    (logged,) = call("GET", f"webhooks/{endpoint.pk}/deliveries/").json()["results"]
    again = call("POST", f"webhooks/{endpoint.pk}/deliveries/{logged['id']}/redeliver/")
    twice = call("POST", f"webhooks/{endpoint.pk}/deliveries/{logged['id']}/redeliver/")

    assert tested.status_code == 202
    assert (logged["state"], logged["status"], logged["payload"]["type"]) == (
        "delivered",
        200,
        "webhook.test",
    )
    assert logged["log"][0]["milliseconds"] >= 0
    assert (again.status_code, again.json()["state"]) == (202, "pending")
    assert twice.status_code == 409
    assert (
        call("GET", f"webhooks/{endpoint.pk}/deliveries/{logged['id']}/").json()["event"] == logged["event"]
    )


def test_a_delivery_of_another_endpoint_is_none_of_this_one(
    call: Call, acme: Team, receiver: ScriptedServer
) -> None:
    first, _ = listen(acme, receiver.url + PATH)
    second, _ = listen(acme, receiver.url + PATH)
    sent = call("POST", f"webhooks/{first.pk}/test/").json()

    assert call("GET", f"webhooks/{second.pk}/deliveries/{sent['id']}/").status_code == 404
    assert call("POST", f"webhooks/{second.pk}/deliveries/{sent['id']}/redeliver/").status_code == 404
    assert call("GET", f"webhooks/{uuid7()}/deliveries/").status_code == 404


def test_a_key_that_is_not_the_teams_finds_no_webhooks(call: Call, acme: Team) -> None:
    made = make(call)
    with tenant_scope(acme.tenant):
        bound = caller(acme, scopes=("admin",), person=acme.person)
    writer = caller(acme, scopes=("read", "write"))

    assert bound("GET", "webhooks/").status_code == 404
    assert bound("POST", "webhooks/", {"url": URL}).status_code == 404
    assert bound("GET", f"webhooks/{made['id']}/").status_code == 404
    assert writer("GET", "webhooks/").status_code == 403


def test_a_repeated_post_makes_one_webhook(call: Call) -> None:
    headers = {"Idempotency-Key": "once"}

    first = call("POST", "webhooks/", {"url": URL}, **headers)
    second = call("POST", "webhooks/", {"url": URL}, **headers)

    assert (first.status_code, second.status_code) == (201, 201)
    assert len(call("GET", "webhooks/").json()["results"]) == 1

"""A receiver on loopback, an endpoint that leads to it, and what was sent there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest

from nebo.product.events.endpoints import NewEndpoint, create_endpoint
from nebo.product.events.models import Delivery, Endpoint, Event
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.conftest import start_worker  # noqa: F401 - a fixture
from tests.memories.conftest import Call, caller
from tests.scripted_server import ScriptedServer, raw, scripted_server  # noqa: F401 - a fixture

LOOPBACK = ("127.0.0.0/8",)
OWNER = Actor("user", "1")
PATH = "/hook"

Listen = Callable[..., tuple[Endpoint, str]]


@pytest.fixture(autouse=True)
def _loopback_may_be_called(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = LOOPBACK


@pytest.fixture
def receiver() -> Iterator[ScriptedServer]:
    """Takes whatever comes with a 200, unless a test says otherwise."""
    with ScriptedServer() as server:
        server.always(PATH, raw(b"ok"))
        yield server


@pytest.fixture
def call(db: None, acme: Team) -> Call:
    """An agent of acme that may do everything."""
    return caller(acme, scopes=("admin",))


def listen(team: Team, url: str, *events: str) -> tuple[Endpoint, str]:
    """An endpoint of a team, and its secret."""
    with tenant_scope(team.tenant):
        issued = create_endpoint(tenant=team.tenant, new=NewEndpoint(url=url, events=events), actor=OWNER)
    return issued.endpoint, issued.secret


def events_of(team: Team) -> list[tuple[str, dict[str, Any]]]:
    """What was noted so far, in order."""
    with tenant_scope(team.tenant):
        rows = Event.objects.for_tenant(team.tenant).order_by("created_at")
        return list(rows.values_list("type", "data"))


def types_of(team: Team) -> list[str]:
    return [kind for kind, _ in events_of(team)]


def deliveries_of(team: Team) -> list[Delivery]:
    with tenant_scope(team.tenant):
        rows = Delivery.objects.for_tenant(team.tenant).select_related("event", "endpoint")
        return list(rows.order_by("created_at", "id"))


def load(team: Team, endpoint_id: UUID) -> Endpoint:
    with tenant_scope(team.tenant):
        return Endpoint.objects.for_tenant(team.tenant).get(pk=endpoint_id)


def change(team: Team, row: Endpoint | Delivery, **fields: Any) -> None:
    """Set columns past every rule: that time has gone by, say."""
    with tenant_scope(team.tenant):
        type(row).objects.for_tenant(team.tenant).filter(pk=row.pk).update(**fields)

"""`/metrics`: who may read it, and what it tells."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from nebo.env import env
from nebo.jobs.models import Heartbeat, Job
from nebo.product.operations.database_figures import DatabaseFigures
from nebo.product.operations.health import list_waiting_migrations
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.facts import state_fact
from tests.memories.conftest import caller

ROOT = Path(__file__).parents[2]
NAME = re.compile(r"\bnebo_[a-z_]+")

pytestmark = pytest.mark.usefixtures("committed_db")

Samples = dict[str, list[tuple[dict[str, str], float]]]


@pytest.fixture(autouse=True)
def _counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are counted every five minutes, and each test has its own."""
    monkeypatch.setattr("nebo.product.operations.metrics.DATABASE", DatabaseFigures())


def read(client: Client | None = None, **headers: str) -> Samples:
    """Every sample by its name."""
    answer = (client or Client()).get("/metrics", headers=headers)
    assert answer.status_code == 200, answer.content
    samples: Samples = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for sample in family.samples:
            samples.setdefault(sample.name, []).append((sample.labels, sample.value))
    return samples


def test_requests_are_counted_by_the_pattern_of_their_route(acme: Team) -> None:
    caller(acme)("GET", f"users/{acme.person.external_id}/memories/")
    Client().get("/nowhere/alice/")

    counted = read()["nebo_request_seconds_count"]

    routes = {labels["route"] for labels, _ in counted}
    assert "api/v1/users/<str:user>/memories/" in routes
    assert not [route for route in routes if acme.person.external_id in route.split("/")]


def test_jobs_tenants_and_the_heartbeat_are_told_without_names(acme: Team, rival: Team) -> None:
    state_fact(acme, 1)
    parked = state_fact(rival, 2)
    with tenant_scope(rival.tenant):
        Job.unscoped.filter(pk=parked.pk).update(state=Job.State.DEAD)
        Heartbeat.objects.create(name="worker:here/a", beat_at=parked.due_at - timedelta(seconds=7))

    answer = Client().get("/metrics").content.decode()
    samples = read()

    assert samples["nebo_database_up"] == [({}, 1.0)]
    assert ({"lane": "session", "state": "queued"}, 1.0) in samples["nebo_jobs"]
    assert samples["nebo_jobs_parked"] == [({}, 1.0)]
    assert 7 <= samples["nebo_worker_heartbeat_seconds"][0][1] < 60
    assert {labels["tenant"] for labels, _ in samples["nebo_tenant_people"]} >= {str(acme.tenant.pk)}
    for name in (acme.tenant.name, acme.tenant.slug, acme.person.external_id, acme.owner.email):
        assert f'"{name}"' not in answer


def test_only_this_machine_may_read_them_unless_there_is_a_token() -> None:
    assert Client().get("/metrics").status_code == 200
    assert Client().get("/metrics", REMOTE_ADDR="203.0.113.9").status_code == 403
    assert Client().get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 403


def test_a_token_opens_them_from_anywhere_and_nothing_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nebo.product.operations.metrics.env", replace(env, metrics_token="a secret"))
    far = {"REMOTE_ADDR": "203.0.113.9"}

    answers = [
        Client().get("/metrics", headers={"Authorization": given}, **far).status_code
        for given in ("Bearer a secret", "Bearer another", "Bearer ", "Bearer a sécret")
    ]

    assert answers == [200, 403, 403, 403]
    assert Client().get("/metrics").status_code == 403


def test_dashboard_and_alerts_ask_for_figures_that_exist(acme: Team) -> None:
    caller(acme)("POST", f"users/{acme.person.external_id}/search/", {"query": "bees"})
    state_fact(acme, 1)
    Heartbeat.objects.create(name="worker:here/a", beat_at=state_fact(acme, 2).due_at)
    told = Client().get("/metrics").content.decode()
    known = set(re.findall(r"^# TYPE (nebo_\S+)", told, re.MULTILINE))

    asked = set(NAME.findall((ROOT / "deploy/alerts.yml").read_text()))
    asked |= set(NAME.findall(json.dumps(json.loads((ROOT / "deploy/grafana.json").read_text()))))

    assert asked
    assert {re.sub(r"_(count|bucket|sum)$", "", name) for name in asked} <= known


def test_readiness_names_the_part_that_is_missing(acme: Team) -> None:
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["parts"]["worker"]["status"]) == (503, "failing")

    Heartbeat.objects.create(name="worker:here/a", beat_at=state_fact(acme, 1).due_at)
    answer = Client().get("/readyz")

    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert answer.json()["parts"]["migrations"] == {"status": "ok"}


def test_a_migration_that_the_database_lacks_is_named() -> None:
    assert list_waiting_migrations() == []

    recorder = MigrationRecorder(connections["owner"])
    recorder.record_unapplied("jobs", "0001_initial")
    try:
        assert list_waiting_migrations() == ["jobs.0001_initial"]
    finally:
        recorder.record_applied("jobs", "0001_initial")

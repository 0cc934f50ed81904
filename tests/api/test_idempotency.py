"""A POST with a key happens once, whatever happens to its answers."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from nebo.api.idempotency import forget_answers
from nebo.api.models import IdempotencyRecord
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.api.conftest import Agent, agent_of, assert_problem
from tests.api.urls import SlowView
from tests.conftest import Team


def count(team: Team, external_id: str) -> int:
    with tenant_scope(team.tenant):
        return UserProfile.objects.for_tenant(team.tenant).filter(external_id=external_id).count()


def records(team: Team) -> list[IdempotencyRecord]:
    with tenant_scope(team.tenant):
        return list(IdempotencyRecord.objects.for_tenant(team.tenant))


def test_the_same_request_gets_the_first_answer_again(agent: Agent, acme: Team) -> None:
    first = agent.post("people/", {"name": "bob"}, Idempotency_Key="k")
    again = agent.post("people/", {"name": "bob"}, Idempotency_Key="k")

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == {key: value for key, value in first.json().items() if key != "followed"}
    assert list(again.json()) == ["z", "a"]
    assert again["Idempotent-Replayed"] == "true"
    assert again["ETag"] == first["ETag"] == '"1"'
    assert again["Content-Type"] == "application/json"
    assert "Idempotent-Replayed" not in first
    assert count(acme, "bob") == 1


def test_the_order_of_names_and_spaces_is_not_another_body(agent: Agent) -> None:
    agent.post("people/", b'{"name": "bob", "x": 1}', Idempotency_Key="k")

    again = agent.post("people/", b'{"x":1,"name":"bob"}', Idempotency_Key="k")

    assert again["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize(
    ("path", "body"),
    [("people/", {"name": "carol"}), ("people/?x=1", {"name": "bob"}), ("things/", {"name": "bob"})],
)
def test_another_request_with_the_key_is_a_422(
    agent: Agent, acme: Team, path: str, body: dict[str, Any]
) -> None:
    agent.post("people/", {"name": "bob"}, Idempotency_Key="k")

    response = agent.post(path, body, Idempotency_Key="k")

    assert_problem(response, 422, "idempotency-key-reused")
    assert count(acme, "carol") == 0


def test_a_key_belongs_to_the_caller(db: None, acme: Team, rival: Team) -> None:
    answers = [
        agent.post("people/", {"name": name}, Idempotency_Key="k")
        for name, agent in (("a", agent_of(acme)), ("b", agent_of(acme)), ("c", agent_of(rival)))
    ]

    assert [answer.status_code for answer in answers] == [201, 201, 201]


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there", "nul\0"])
def test_a_malformed_key_is_a_400(agent: Agent, acme: Team, key: str) -> None:
    assert_problem(agent.post("people/", {"name": "bob"}, Idempotency_Key=key), 400, "invalid-input")
    assert count(acme, "bob") == 0


def test_the_longest_key_is_taken(agent: Agent) -> None:
    assert agent.post("people/", {"name": "bob"}, Idempotency_Key="x" * 255).status_code == 201


def test_a_refusal_is_an_answer_and_its_effects_are_gone(agent: Agent, acme: Team) -> None:
    first = agent.post("faults/conflict/", {}, Idempotency_Key="k")
    again = agent.post("faults/conflict/", {}, Idempotency_Key="k")

    assert_problem(first, 409, "conflict")
    assert again.content == first.content.replace(b"", b"")
    assert again["Content-Type"] == "application/problem+json"
    assert again["Idempotent-Replayed"] == "true"
    assert count(acme, "half-conflict") == 0


def test_a_server_error_is_not_stored(agent: Agent, acme: Team) -> None:
    for _ in range(2):
        response = agent.post("faults/defect/", {}, Idempotency_Key="k")

        assert_problem(response, 500, "server-error")
        assert "Idempotent-Replayed" not in response
    assert records(acme) == []


def test_a_request_refused_before_it_began_is_not_stored(agent: Agent, acme: Team) -> None:
    assert agent.post("things/", {"name": ""}, Idempotency_Key="k").status_code == 400

    assert agent.post("things/", {"name": "x"}, Idempotency_Key="k").status_code == 201


def test_a_put_or_patch_takes_no_notice_of_the_key(agent: Agent, acme: Team) -> None:
    assert agent.call("PATCH", "people/bob/", {}, Idempotency_Key="k").status_code == 200
    assert records(acme) == []


def test_an_answer_is_kept_for_a_day(agent: Agent, acme: Team) -> None:
    agent.post("people/", {"name": "bob"}, Idempotency_Key="k")
    with tenant_scope(acme.tenant):
        yesterday = timezone.now() - timedelta(hours=25)
        IdempotencyRecord.objects.for_tenant(acme.tenant).update(created_at=yesterday)

    assert agent.post("people/", {"name": "carol"}, Idempotency_Key="k").status_code == 201

    with tenant_scope(acme.tenant):
        assert forget_answers(tenant=acme.tenant) == 0
        IdempotencyRecord.objects.for_tenant(acme.tenant).update(created_at=yesterday)
        assert forget_answers(tenant=acme.tenant) == 1


def test_while_the_first_runs_the_second_is_a_409(committed_db: None, acme: Team) -> None:
    agent = agent_of(acme)
    SlowView.entered.clear()
    SlowView.release.clear()

    def post() -> Any:
        try:
            return Agent(agent.secret).post("slow/", {}, Idempotency_Key="k")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(post)
        assert SlowView.entered.wait(30)
        second = agent.post("slow/", {}, Idempotency_Key="k")
        SlowView.release.set()

        assert_problem(second, 409, "idempotency-key-in-use")
        assert second["Retry-After"] == "1"
        assert first.result().status_code == 201

    third = agent.post("slow/", {}, Idempotency_Key="k")
    assert third["Idempotent-Replayed"] == "true"
    assert third.json() == {"done": True}


def test_many_at_once_have_one_effect(committed_db: None, acme: Team) -> None:
    agent = agent_of(acme)
    start = threading.Barrier(6)

    def post(_: int) -> int:
        try:
            start.wait(30)
            return Agent(agent.secret).post("people/", {"name": "bob"}, Idempotency_Key="k").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        statuses = list(pool.map(post, range(6)))

    assert set(statuses) <= {201, 409}
    assert 201 in statuses
    assert count(acme, "bob") == 1
    assert len(records(acme)) == 1

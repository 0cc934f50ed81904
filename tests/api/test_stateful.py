"""Any sequence of calls, by keys of three teams, leaves what a plain dictionary says: nobody else's, nothing lost.

`NEBO_STATEFUL_RUNS=200 .venv/bin/pytest tests/api/test_stateful.py` runs more of them than CI does.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from memories.models import AuditEntry
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import create_tenant, get_or_create_person, issue_key
from tests.conftest import Team

RUNS = int(os.environ.get("NEBO_STATEFUL_RUNS", "8"))
STEPS = 20
TEAMS, PEOPLE = range(3), range(2)
HIDDEN = 404
NUMBERS = itertools.count(1)

teams, people, picks, bound = (
    st.sampled_from(TEAMS),
    st.sampled_from(PEOPLE),
    st.integers(0, 99),
    st.booleans(),
)


@dataclass
class Kept:
    """A memory as the model has it: whose it is, what it says, how it stands, and what was done to it."""

    team: int
    person: int
    value: str
    status: str = "active"
    pinned: bool = False
    done: Counter[str] = field(default_factory=Counter)


@pytest.fixture(autouse=True)
def _whole_api(settings: Any) -> None:
    settings.ROOT_URLCONF = "nebo.urls"


def client_of(tenant: Tenant, person: str = "") -> Client:
    with tenant_scope(tenant):
        whose = get_or_create_person(tenant=tenant, external_id=person) if person else None
        secret = issue_key(tenant=tenant, person=whose).secret
    return Client(headers={"Authorization": f"Bearer {secret}"})


def machine_for(tenants: list[Tenant]) -> type[RuleBasedStateMachine]:
    """A machine whose every run has people of its own in these teams."""

    class Calls(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.run = next(NUMBERS)
            self.kept: dict[str, Kept] = {}
            self.turns = itertools.cycle(itertools.product(TEAMS, PEOPLE))
            self.searching = next(self.turns)  # whose search is looked at: one after each step
            self.open = [client_of(tenant) for tenant in tenants]
            self.own = {
                (team, person): client_of(tenants[team], self.name(person))
                for team in TEAMS
                for person in PEOPLE
            }

        def name(self, person: int) -> str:
            """The same in each team: ids tell nobody apart."""
            return f"person-{self.run}-{person}"

        def client(self, team: int, person: int, bound: bool) -> Client:
            return self.own[team, person] if bound else self.open[team]

        def call(self, client: Client, method: str, path: str, body: Any = None, **headers: str) -> Any:
            sent = {} if body is None else {"data": body, "content_type": "application/json"}
            return getattr(client, method)(f"/api/v1/{path}", headers=headers or None, **sent)

        def pick(self, at: int) -> tuple[str, Kept] | None:
            return list(self.kept.items())[at % len(self.kept)] if self.kept else None

        @rule(team=teams, person=people, bound=bound)
        def store(self, team: int, person: int, bound: bool) -> None:
            number = next(NUMBERS)
            body = {"value": f"Owns {number} red kites.", "key": f"kites-{number}", "deduplicate": False}
            client, path = self.client(team, person, bound), f"users/{self.name(person)}/memories/"
            once = {"Idempotency-Key": f"kites-{number}"}
            first, again = (self.call(client, "post", path, body, **once) for _ in range(2))
            assert (first.status_code, again.content) == (201, first.content)
            assert again.headers["Idempotent-Replayed"] == "true"
            self.kept[first.json()["id"]] = Kept(team, person, body["value"], done=Counter(created=1))

        @rule(at=picks, bound=bound)
        def change(self, at: int, bound: bool) -> None:
            if (chosen := self.pick(at)) is None or chosen[1].status == "deleted":
                return
            memory_id, one = chosen
            value = f"Owns {next(NUMBERS)} red kites."
            client = self.client(one.team, one.person, bound)
            assert self.call(client, "patch", f"memories/{memory_id}/", {"value": value}).status_code == 200
            one.value = value
            one.done["updated"] += 1

        @rule(at=picks, verb=st.sampled_from(("pin", "archive", "restore", "delete")), bound=bound)
        def act(self, at: int, verb: str, bound: bool) -> None:
            if (chosen := self.pick(at)) is None:
                return
            memory_id, one = chosen
            client = self.client(one.team, one.person, bound)
            if verb == "delete":
                answer = self.call(client, "delete", f"memories/{memory_id}/")
            else:
                answer = self.call(client, "post", f"memories/{memory_id}/{verb}/", {})
            self.expect(one, verb, answer.status_code)

        def expect(self, one: Kept, verb: str, status: int) -> None:
            """What the verb must have answered, and does to the model."""
            live = one.status == "active"
            if verb in ("pin", "archive") and not live:
                assert status == 409
                return
            assert status == (204 if verb == "delete" else 200)
            after = {"pin": "active", "archive": "archived", "restore": "active", "delete": "deleted"}[verb]
            told = {"pin": "pinned", "archive": "archived", "restore": "restored", "delete": "deleted"}[verb]
            if after != one.status or (verb == "pin" and not one.pinned):
                one.done[told] += 1
            one.status, one.pinned = after, one.pinned or verb == "pin"

        @rule(at=picks, verb=st.sampled_from(("get", "patch", "delete")))
        def trespass(self, at: int, verb: str) -> None:
            """By every key that it isn't for."""
            if (chosen := self.pick(at)) is None:
                return
            memory_id, one = chosen
            body = {"value": "Mine now."} if verb == "patch" else None
            bound = [client for whose, client in self.own.items() if whose != (one.team, one.person)]
            free = [client for team, client in enumerate(self.open) if team != one.team]
            for client in (*bound, *free):
                assert self.call(client, verb, f"memories/{memory_id}/", body).status_code == HIDDEN

        @invariant()
        def everybody_has_what_is_theirs(self) -> None:
            for team, person in itertools.product(TEAMS, PEOPLE):
                live = {
                    memory_id: one.value
                    for memory_id, one in self.kept.items()
                    if (one.team, one.person, one.status) == (team, person, "active")
                }
                path = f"users/{self.name(person)}/memories/?status=active&limit=100"
                rows = self.call(self.own[team, person], "get", path).json()["results"]
                assert {row["id"]: row["value"] for row in rows} == live
                if (team, person) == self.searching:
                    asked = {"query": "red kites", "limit": 100}
                    found = self.call(
                        self.own[team, person], "post", f"users/{self.name(person)}/search/", asked
                    )
                    assert {hit["text"] for hit in found.json()["results"]} <= set(live.values())
            self.searching = next(self.turns)

        @invariant()
        def each_change_left_one_entry(self) -> None:
            for team, tenant in enumerate(tenants):
                ours = {memory_id: one for memory_id, one in self.kept.items() if one.team == team}
                with tenant_scope(tenant):
                    rows = AuditEntry.objects.for_tenant(tenant).filter(object_id__in=list(ours))
                    written = Counter(rows.values_list("object_id", "action"))
                for memory_id, one in ours.items():
                    told = {name: written[memory_id, f"memory.{name}"] for name in one.done}
                    assert told == dict(one.done)

    return Calls


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_any_sequence_of_calls_leaves_what_the_model_says(
    committed_db: None, acme: Team, rival: Team
) -> None:
    third = create_tenant(slug="third", name="Third")

    run_state_machine_as_test(
        machine_for([acme.tenant, rival.tenant, third]),
        settings=settings(
            max_examples=RUNS,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize=RUNS < 100,
            suppress_health_check=list(HealthCheck),
        ),
    )

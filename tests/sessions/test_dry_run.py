"""What a turn would leave behind, and that nothing of it stays."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps

from nebo.tenants.models import TenantModel
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import Call, caller

TURN = [
    {"role": "user", "content": "I live in Lisbon and I love pottery."},
    {"role": "assistant", "content": "How nice!"},
    {"role": "user", "content": "My password is hunter2-blue-7."},
]


@pytest.fixture
def call(db: None, acme: Team) -> Call:
    return caller(acme)


@pytest.fixture
def session(call: Call) -> str:
    return str(call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"])


def rows_of(team: Team) -> dict[str, list[Any]]:
    """Every row of the team, of every table, without when a key was used."""
    with tenant_scope(team.tenant):
        return {
            model._meta.label: sorted(map(str, model.objects.for_tenant(team.tenant).values_list()))
            for model in apps.get_models()
            if issubclass(model, TenantModel) and model._meta.managed and model._meta.object_name != "ApiKey"
        }


def test_a_dry_run_tells_what_would_be_learned_with_the_words(call: Call, session: str) -> None:
    answer = call("POST", f"sessions/{session}/turns/dry-run/", {"messages": TURN})

    assert answer.status_code == 200
    changes = answer.json()["changes"]
    home = next(one for one in changes if "Lisbon" in one["value"])
    assert (home["action"], home["memory_id"], home["status"]) == ("created", None, "active")
    assert home["words"][0]["message"] == 0
    assert "Lisbon" in home["words"][0]["quote"]
    assert "hunter2" not in answer.content.decode()


def test_nothing_of_a_dry_run_stays(call: Call, session: str, acme: Team) -> None:
    before = rows_of(acme)

    call("POST", f"sessions/{session}/turns/dry-run/", {"messages": TURN})

    assert rows_of(acme) == before
    assert sum(map(len, before.values())) > 3


def test_a_dry_run_foretells_what_the_turn_then_does(call: Call, session: str) -> None:
    call(
        "POST", f"sessions/{session}/turns/", {"messages": [{"role": "user", "content": "I live in Porto."}]}
    )

    foretold = call("POST", f"sessions/{session}/turns/dry-run/", {"messages": TURN}).json()
    done = call("POST", f"sessions/{session}/turns/", {"messages": TURN}).json()

    told = {(one["value"], one["status"]) for one in foretold["changes"] if one["memory_id"] is None}
    assert {(memory["value"], memory["status"]) for memory in done["signals"]} == told != set()


def test_a_dry_run_names_the_known_memory_that_it_would_end(call: Call, session: str) -> None:
    told = {"messages": [{"role": "user", "content": "My daughter Lila turns six on 12 May."}]}
    known = call("POST", f"sessions/{session}/turns/", told).json()["signals"][0]["id"]

    asked = {"messages": [{"role": "user", "content": "Please forget what I said about my daughter."}]}
    answer = call("POST", f"sessions/{session}/turns/dry-run/", asked).json()

    assert [(one["memory_id"], one["status"]) for one in answer["changes"]] == [(known, "deleted")]
    assert call("GET", f"memories/{known}/").json()["status"] == "active"


def test_a_dry_run_checks_the_body_as_a_turn_does(call: Call, session: str) -> None:
    answer = call(
        "POST", f"sessions/{session}/turns/dry-run/", {"messages": [{"role": "ghost", "content": "x"}]}
    )

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "#/messages/0/role"

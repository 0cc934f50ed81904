"""The Python client against a running Nebo."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import uuid
from pathlib import Path

import nebo_client
import pytest
from nebo_client import (
    AsyncNebo,
    ContinuityMissing,
    Invalid,
    Nebo,
    NotFound,
    Stale,
    Unauthorized,
    Unreachable,
    Unreadable,
)

from nebo.product.governance.services.tenant_settings import change_settings
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.scripted_server import ScriptedServer, garbage, raw
from tests.sdk.conftest import Place, at_scripted, told, user_says


def test_what_a_person_says_is_in_the_next_context(nebo: Nebo, acme: Team) -> None:
    annie = nebo.user("annie")
    chat = annie.session("chat-1")

    turn = chat.add(user_says("I'm vegetarian.", "I live in Ghent."))
    run_jobs(Tenant.objects.get(slug="acme"))

    assert turn is not None
    assert [message["seq"] for message in turn["messages"]] == [1, 2]
    context = annie.session("chat-2").context("What could I cook?", format="text")
    assert "vegetarian" in context["text"]
    assert told(chat) == ["I'm vegetarian.", "I live in Ghent."]
    assert [session["key"] for session in annie.sessions()] == ["chat-2", "chat-1"]
    assert annie.profile()["location"] == "Ghent"


def test_a_memory_is_stored_found_changed_and_forgotten(nebo: Nebo) -> None:
    annie = nebo.user("annie@example.com")
    memory = annie.add_memory("Her cat is called Miso.", key="cat", tags=["pets"])

    assert annie.search("cat")["results"][0].get("memory_id") == memory["id"]
    assert nebo.pin_memory(memory["id"])["pinned"]
    changed = nebo.update_memory(memory["id"], value="Her cat is called Mochi.")
    with pytest.raises(Stale):
        nebo.update_memory(memory["id"], version=memory["version"], value="Her cat is called Momo.")
    assert next(version["version"] for version in nebo.history(memory["id"])) == changed["version"]
    assert [seen["actor"] for seen in nebo.provenance(memory["id"])] != []

    nebo.delete_memory(memory["id"])
    assert list(annie.memories()) == []
    assert nebo.restore_memory(memory["id"])["status"] == "active"


def test_a_decision_is_shared_with_the_team_and_taken_back(nebo: Nebo, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        change_settings(tenant=acme.tenant, changes={"team_memory": True}, actor=Actor("operator", "test"))
    annie, bert = nebo.user("annie"), nebo.user("bert")
    bert.add_memory("Likes tea.")
    memory = annie.add_memory("Billing runs on Postgres 16.", visibility="team")
    question = "Which Postgres does billing run on?"

    assert memory["visibility"] == "team"
    assert [one["by"] for one in bert.recall(question).get("team", [])] == ["annie"]
    assert [one["text"] for one in bert.search(question).get("team", [])] == [memory["value"]]
    assert "## Decided in the Team" in bert.session("chat").context(question)["dynamic"]

    assert nebo.take_back_memory(memory["id"])["visibility"] == "own"

    assert "Postgres" not in bert.recall(question)["block"]


def test_lists_are_read_page_by_page(nebo: Nebo) -> None:
    annie = nebo.user("annie")
    for number in range(5):
        annie.add_memory(f"Number {number}", key=f"number-{number}")

    assert len({memory["id"] for memory in annie.memories(limit=2)}) == 5
    assert [memory["key"] for memory in annie.memories(q="Number 3")] == ["number-3"]
    assert list(annie.memories(pinned=True)) == []


def test_todos_and_the_memory_tool(nebo: Nebo) -> None:
    annie = nebo.user("annie")
    todo = annie.add_todo("Water the plants", due_at="2030-01-01T00:00:00Z")

    assert [one["text"] for one in annie.todos(status="open")] == ["Water the plants"]
    assert annie.update_todo(todo["id"], version=todo["version"], status="done")["status"] == "done"
    assert annie.tool("store", key="tea", value="Rooibos")["ok"]
    assert "Rooibos" in annie.tool("recall", key="tea")["text"]


def test_an_error_says_what_to_do_about_it(nebo: Nebo, place: Place) -> None:
    annie = nebo.user("annie")

    with pytest.raises(NotFound):
        nebo.get_memory(str(uuid.uuid4()))
    with pytest.raises(Invalid, match="/messages/0/role") as refused:
        annie.session("chat").add([{"role": "robot", "content": "Hello"}])  # type: ignore[typeddict-item]
    assert refused.value.errors[0]["pointer"] == "#/messages/0/role"
    assert refused.value.request_id
    with pytest.raises(ContinuityMissing) as missing:
        annie.session("other").context("What did you suggest last time about the knee?")
    assert missing.value.recovery
    with Nebo("nebo_wrong", place.url) as stranger, pytest.raises(Unauthorized):
        stranger.user("annie").profile()
    with pytest.raises(ValueError, match="NEBO_KEY"):
        Nebo(url=place.url)


def test_another_server_at_the_address_is_recognised(scripted_server: ScriptedServer) -> None:
    scripted_server.on("/api/v1/users/annie/", garbage(), raw(b"<html>Not found</html>", status=404))

    with at_scripted(scripted_server, retries=0) as nebo:
        for _ in range(2):
            with pytest.raises(Unreadable):
                nebo.user("annie").profile()


def test_nobody_at_the_address(place: Place) -> None:
    with Nebo(place.key, "http://127.0.0.1:9", retries=1) as nebo, pytest.raises(Unreachable):
        nebo.user("annie").profile()


def test_the_same_with_an_event_loop(place: Place) -> None:
    async def talk() -> tuple[list[str], list[str]]:
        async with AsyncNebo(place.key, place.url) as nebo:
            annie = nebo.user("annie")
            chat = annie.session("chat-1")
            await asyncio.gather(*(chat.add(user_says(f"Number {number}")) for number in range(4)))
            await annie.add_memory("Drinks rooibos.")
            said = [message["content"] async for message in chat.messages()]
            return said, [memory["value"] async for memory in annie.memories()]

    said, known = asyncio.run(talk())

    assert sorted(said) == [f"Number {number}" for number in range(4)]
    assert known == ["Drinks rooibos."]


def test_the_synchronous_client_is_made_from_the_other() -> None:
    mirror = Path(nebo_client.__file__).parent.parent / "mirror.py"

    assert subprocess.run([sys.executable, str(mirror), "--check"], check=False).returncode == 0

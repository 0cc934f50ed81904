"""Words of one team are nowhere in what goes out for another: to providers, webhooks and upstreams, by events, by MCP,
mem0's routes and Anthropic's memory tool, in exports.
"""

from __future__ import annotations

import io
import json
import re
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from django.urls import reverse

from nebo.outbound.guarded import guarded_transport
from nebo.product.events.models import Delivery, Endpoint
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import is_id
from search.embeddings.openai import build_openai_embedder
from search.embeddings.own import forget_own
from search.embeddings.registry import get_embedder
from tests.api.test_isolation_table import MEM0
from tests.conftest import Team, committed, team
from tests.documented import take_faults
from tests.events.test_delivering import deliver
from tests.gateway.conftest import CHAT, MESSAGES, RESPONSES, Agent, claude, completion, key_of
from tests.jobs.inline import run_jobs
from tests.live_server import live_server
from tests.mcp.conftest import Wire
from tests.mcp.test_tools import ABOUT_ONE
from tests.memories.conftest import caller
from tests.routes import list_mem0_routes
from tests.scripted_server import Reply, ScriptedServer, json_answer, raw
from tests.tenants.test_canaries import CANARY, OWN, live

NOTE = "/memories/notes.md"
MODEL, SIZE = "text-embedding-3-small", 384


@dataclass(frozen=True)
class World:
    """Both teams, each with providers and a webhook of its own on one server, and a key for each."""

    server: ScriptedServer
    acme: Team
    rival: Team
    call: Callable[..., Any]  # acme's
    theirs: Callable[..., Any]
    streams: Mapping[str, str]  # what each team was told by events

    def sent_to(self, path: str) -> str:
        """Everything that came to addresses that begin so, with no letter escaped."""
        bodies = [one.body.decode() for one in self.server.requests if one.path.startswith(path)]
        return "\n".join(json.dumps(json.loads(body), ensure_ascii=False) for body in bodies)


def embed(reply: Reply) -> None:
    """Vectors by hashing, for as many texts as were asked for."""
    vectors = get_embedder(f"hashing/{SIZE}").embed(reply.request.json["input"])
    rows = [{"index": number, "embedding": list(vector)} for number, vector in enumerate(vectors)]
    json_answer({"data": rows})(reply)


@contextmanager
def scripted() -> Iterator[ScriptedServer]:
    chat = json_answer({"choices": [{"message": {"content": "They spoke of a place."}}]})
    with ScriptedServer() as one:
        one.always("/common/v1/embeddings", embed)
        for team in ("acme", "rival"):
            one.always(f"/{team}/v1/chat/completions", chat)
            one.always(f"/{team}/v1/embeddings", embed)
            one.always(f"/{team}/hook", raw(b"ok"))
        one.always(CHAT, json_answer(completion("I see.")))
        one.always(RESPONSES, json_answer({"id": "r1", "object": "response", "output": []}))
        one.always(MESSAGES, json_answer(claude("I see.")))
        yield one


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """One for all of these tests: two days of two teams take seconds."""
    with (
        scripted() as server,
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
        override_settings(
            ROOT_URLCONF="nebo.urls",
            WEBHOOK_NETWORKS=("127.0.0.0/8",),
            GATEWAY_UPSTREAMS={"openai": server.url, "anthropic": server.url},
        ),
        committed(),
    ):
        common = build_openai_embedder(
            api_key="sk-common", base_url=f"{server.url}/common/v1", model=MODEL, dimensions=SIZE
        )
        patch.setattr("search.embeddings.serving.get_embedder", lambda: common)
        forget_own()
        rival, acme = team("rival"), team("acme")
        keys = {one.tenant.slug: caller(one, scopes=["admin"]) for one in (rival, acme)}
        take_faults()
        streams = {
            one.tenant.slug: spend_a_day(keys[one.tenant.slug], one, server, word)
            for one, word in ((rival, CANARY), (acme, OWN))
        }
        assert take_faults() == []
        yield World(server, acme, rival, keys["acme"], keys["rival"], streams)
        forget_own()
        guarded_transport("http://127.0.0.1/").close()


def spend_a_day(call: Callable[..., Any], team: Team, server: ScriptedServer, word: str) -> str:
    """All that a team does, with its own providers and its own webhook; what its stream of events told."""
    base = f"{server.url}/{team.tenant.slug}"
    for use, model in (("chat", "gpt-x"), ("embedding", MODEL)):
        given = {"kind": "openai", "model": model, "base_url": f"{base}/v1", "key": f"sk-{word}"}
        assert call("PUT", f"providers/{use}/", given).status_code == 200
    hook = {"url": f"{base}/hook", "events": ["memory.created", "turn.recorded"]}
    assert call("POST", "webhooks/", hook).status_code == 201
    begun = call("GET", "events/").getvalue().decode()  # from now on they are noted
    session = live(call, word)
    note = {"command": "create", "path": NOTE, "file_text": f"Met in {word}."}
    call("POST", "users/alice/memory-tool/", note)
    with tenant_scope(team.tenant):  # its address leads nowhere
        Endpoint.objects.for_tenant(team.tenant).filter(url__startswith="https://").update(state="paused")
        listening = Endpoint.objects.for_tenant(team.tenant).get(state="active")
    run_jobs(team.tenant)
    for action in ("extract", "compact", "close"):
        call("POST", f"sessions/{session}/{action}/")
    run_jobs(team.tenant)
    deliver(team, listening)
    return read_stream(call, re.findall(r"^id: (.+)$", begun, re.MULTILINE)[-1])


def read_stream(call: Callable[..., Any], place: str) -> str:
    """What was told since a place. An older transaction, also in another database, holds younger events back."""
    deadline, told = time.monotonic() + 60, ""
    while "memory.created" not in told and time.monotonic() < deadline:
        told = call("GET", "events/", **{"Last-Event-ID": place}).getvalue().decode()
    return told


def has(text: str, word: str) -> bool:
    return word.lower() in text.lower()


def test_a_chat_provider_is_sent_its_own_teams_words_alone(world: World) -> None:
    own, theirs = (world.sent_to(f"/{team}/v1/chat/") for team in ("acme", "rival"))

    assert has(own, OWN)
    assert has(theirs, CANARY)
    assert not has(own, CANARY)
    assert not has(theirs, OWN)


def test_a_provider_of_vectors_is_sent_its_own_teams_words_alone(world: World) -> None:
    own, theirs = (world.sent_to(f"/{team}/v1/embeddings") for team in ("acme", "rival"))

    assert has(own, OWN)
    assert has(theirs, CANARY)
    assert not has(own, CANARY)
    assert not has(theirs, OWN)


def test_no_request_to_a_common_provider_mixes_two_teams(world: World) -> None:
    for call in (world.theirs, world.call):
        assert call("DELETE", "providers/embedding/").status_code == 204
    forget_own()
    for call, word in ((world.theirs, CANARY), (world.call, OWN)):
        call("POST", "users/alice/memories/", {"value": f"Another day in {word}."})
        call("POST", "users/alice/search/", {"query": f"What of {word}?"})
    run_jobs(world.acme.tenant)
    run_jobs(world.rival.tenant)

    bodies = [one.body.decode() for one in world.server.requests if one.path.startswith("/common/")]

    assert any(has(body, OWN) for body in bodies)
    assert any(has(body, CANARY) for body in bodies)
    assert [body for body in bodies if has(body, OWN) and has(body, CANARY)] == []


def test_webhooks_are_sent_nobodys_words_and_their_own_teams_ids(world: World) -> None:
    own, theirs = (world.sent_to(f"/{team}/hook") for team in ("acme", "rival"))
    with tenant_scope(world.rival.tenant):
        ids = Delivery.objects.for_tenant(world.rival.tenant).values_list("event__data", flat=True)
        named = {str(value) for data in ids for value in data.values() if is_id(value)}

    assert "memory.created" in own
    assert "memory.created" in theirs
    assert not any(has(text, word) for text in (own, theirs) for word in (OWN, CANARY))
    assert named
    assert [one for one in named if one in own] == []


def test_the_stream_of_events_tells_nobodys_words_and_nothing_of_the_other_team(world: World) -> None:
    own, theirs = world.streams["acme"], world.streams["rival"]
    lines = {line for line in theirs.splitlines() if line.startswith("data:")}

    assert "memory.created" in own
    assert lines
    assert not has(own, CANARY)
    assert [line for line in own.splitlines() if line in lines] == []


def test_mcp_tells_nothing_of_the_other_team(world: World) -> None:
    ours = read_mcp(Wire(key_of(world.acme, "alice", scopes=("read", "write"))))
    shown = read_mcp(Wire(key_of(world.rival, "alice", scopes=("read", "write"))))

    assert has(shown["search_memories"], CANARY)
    assert has(ours["search_memories"], OWN)
    assert [name for name, text in ours.items() if has(text.replace(f"of {CANARY}?", ""), CANARY)] == []


def read_mcp(wire: Wire) -> dict[str, str]:
    """What every tool, resource and prompt answers."""
    memories = wire.call("list_memories", limit=50)["structuredContent"]["memories"]
    ids = [one["id"] for one in memories]
    told = {"list_memories": json.dumps(memories, ensure_ascii=False)}
    for name, arguments in ABOUT_ONE.items():
        given = {field: value or ids[0] for field, value in arguments.items()}
        given |= {"query": f"What of {CANARY}? And of {OWN}?"} if "query" in given else {}
        told[name] = json.dumps(wire.call(name, **given), ensure_ascii=False)
    for method, params in (
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("prompts/list", {}),
        ("tools/list", {}),
    ):
        told[method] = json.dumps(wire.ask(method, params), ensure_ascii=False)
    for resource in wire.ask("resources/list", {})["result"]["resources"]:
        told[resource["uri"]] = json.dumps(
            wire.ask("resources/read", {"uri": resource["uri"]}), ensure_ascii=False
        )
    return told


@pytest.mark.parametrize("path", [CHAT, RESPONSES, MESSAGES])
def test_the_gateway_sends_upstream_nothing_of_the_other_team(world: World, path: str) -> None:
    question = [{"role": "user", "content": "Where do I live, and who is my sister?"}]
    body = {"model": "m", "max_tokens": 100, "input" if path == RESPONSES else "messages": question}

    with live_server() as address:
        answers = [
            Agent(address, key_of(team, "alice")).post(path, body) for team in (world.rival, world.acme)
        ]

    theirs, own = (one.body.decode() for one in world.server.requests if one.path == path)
    assert [answer.status_code for answer in answers] == [200, 200]
    assert has(theirs, CANARY)
    assert has(own, OWN)
    assert not has(own + answers[1].text, CANARY)
    assert not has(own, "rival")


def test_mem0s_routes_tell_nothing_of_the_other_team(world: World) -> None:
    ours, shown = (read_mem0(team) for team in (world.acme, world.rival))

    assert set(ours) == {f"{row}" for row in MEM0 if row.method in ("GET", "POST")}
    assert has(" ".join(shown.values()), CANARY)
    assert has(" ".join(ours.values()), OWN)
    assert [name for name, text in ours.items() if has(text, CANARY)] == []


def read_mem0(team: Team) -> dict[str, str]:
    """What every route of mem0's answers about Alice, by its row in the table."""
    client = Client(headers={"Authorization": f"Token {key_of(team, scopes=('read', 'write', 'admin'))}"})
    listed = client.post("/v3/memories/", {"filters": {"user_id": "alice"}}, "application/json").json()
    known = {
        "memory_id": listed["results"][0]["id"],
        "entity_type": "user",
        "entity_id": "alice",
        "org_id": team.tenant.slug,
        "project_id": team.tenant.slug,
    }
    added = client.post("/v3/memories/add/", {"user_id": "alice", "messages": "Hello."}, "application/json")
    known["event_id"] = str(added.json().get("event_id") or "0190a000-0000-7000-8000-000000000000")
    told = {}
    names = {**list_mem0_routes("get"), **list_mem0_routes("post")}
    for row in MEM0:
        path = reverse(row.name, kwargs={name: known[name] for name in names.get(row.name, ())})
        if row.method == "GET":
            answer = client.get(path + row.query.replace("bob", "alice"))
        elif row.method == "POST":
            body = {**row.body, "user_id": "alice"} | ({"query": "Where?"} if "query" in row.body else {})
            answer = client.post(path, body, "application/json")
        else:
            continue
        told[str(row)] = json.dumps(json.loads(answer.content), ensure_ascii=False)
    return told


def test_the_memory_tool_shows_nothing_of_the_other_team(world: World) -> None:
    commands = [
        {"command": "view", "path": "/memories"},
        {"command": "view", "path": NOTE},
        {"command": "str_replace", "path": NOTE, "old_str": f"Met in {CANARY}.", "new_str": "x"},
        {"command": "insert", "path": NOTE, "insert_line": 0, "insert_text": "First."},
        {"command": "create", "path": NOTE, "file_text": "anew"},
        {"command": "view", "path": NOTE},
        {"command": "rename", "old_path": NOTE, "new_path": "/memories/other.md"},
        {"command": "delete", "path": "/memories/other.md"},
    ]
    before = world.theirs("POST", "users/alice/memory-tool/", commands[1]).json()

    told = [world.call("POST", "users/alice/memory-tool/", command).json()["content"] for command in commands]

    assert has(told[1], OWN)
    assert [text for text in told if has(text.replace(f"Met in {CANARY}.", ""), CANARY)] == []
    assert has(before["content"], CANARY)
    assert world.theirs("POST", "users/alice/memory-tool/", commands[1]).json() == before


def test_exports_hold_nothing_of_the_other_team(world: World, tmp_path: Path) -> None:
    asked = world.call("POST", "users/alice/export/")
    run_jobs(world.acme.tenant, kind="export-person")
    file = world.call("GET", asked.json()["export"]["download"].partition("/api/v1/")[2])
    call_command("export_tenant", str(tmp_path / "acme.zip"), tenant="acme")

    person = read_zip(b"".join(file.streaming_content))
    tenant = read_zip((tmp_path / "acme.zip").read_bytes())

    for text in (person, tenant):
        assert has(text, OWN)
        assert not has(text, CANARY)
        assert not has(text, str(world.rival.tenant.pk))


def read_zip(data: bytes) -> str:
    """Every file in it, and in the archives in it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return "\n".join(
        read_zip(part) if name.endswith(".zip") else f"{name} {part.decode(errors='replace')}"
        for name, part in parts.items()
    )

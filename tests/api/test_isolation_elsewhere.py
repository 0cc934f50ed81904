"""Names of others' things in the arguments of MCP's tools, in the gateway's headers and bodies, and in mem0's bodies,
queries and filters: answered with the same bytes as names of nothing, and nothing is changed.

What takes a name is listed here; an argument, a header or a field that is new and not in a list fails the suite.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

import nebo.product.gateway
from memories.models import Memory
from nebo.env import env
from nebo.product.mcp.tools.calling import TOOLS
from nebo.product.mem0.api.account import EVENT_FILTERS
from nebo.product.mem0.api.inputs import BatchItemInput, Mem0Input
from nebo.product.mem0.filters.reading import ENTITIES, OTHERS
from nebo.tenants.scoping import tenant_scope
from search.embeddings.serving import forget_models, get_serving_model
from sessions.models import Message
from tests.api.test_isolation_table import MEM0, Row, _whole_api, client_of, make, things
from tests.conftest import Team
from tests.gateway.conftest import CHAT, MESSAGES, PROVIDERS_KEY, RESPONSES, claude, completion
from tests.mcp.conftest import Wire, key_of
from tests.mcp.test_tools import ABOUT_ONE
from tests.scripted_server import ScriptedServer, json_answer, scripted_server

__all__ = ["_whole_api", "scripted_server", "things"]  # fixtures

NOTHING = "0190a000-0000-7000-8000-00000000dead"
WORD = "curtain"  # in whatever is Bob's
SHOWN = ("safe stands", "folds")  # in what Bob has, and in no question
# Differs from call to call: ids, moments, and how many milliseconds something took.
VOLATILE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d)?"
)


@pytest.fixture(autouse=True, scope="module")
def _a_model_serves(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[None]:
    """The gateway keeps what is said in a thread of its own. It would wait for a test that has just written which model
    serves, so that is committed before.
    """
    with django_db_blocker.unblock():
        forget_models()
        get_serving_model()
    yield
    with psycopg.connect(settings.DATABASE_URLS.admin, dbname=env.test_database, autocommit=True) as admin:
        admin.execute("SET lock_timeout = '10s'")
        admin.execute("DELETE FROM search_embeddingmodel")
    forget_models()


@pytest.fixture
def bobs(things: dict[str, str], acme: Team) -> dict[str, str]:
    """What Bob of acme has, by what a name can be of."""
    ours = client_of(acme)
    for number in range(2):
        body = {"value": f"The {WORD} has {number + 2} folds.", "key": f"folds-{number}"}
        ours.post(reverse("memory-list", kwargs={"user": "bob"}), body, "application/json")
    talk = make(ours, "session-list", {"user": "bob", "key": "before-the-stage"})["id"]
    said = {"messages": [{"role": "user", "content": "Remember that the safe stands on two folds of felt."}]}
    make(ours, "session-turns", said, session_id=talk)
    cursor = Wire(key_of(acme, "bob")).call("list_memories", limit=1)["structuredContent"]["next_cursor"]
    assert cursor
    return {
        "memory": things["memory_id"],
        "session": things["session_id"],
        "conversation": "before-the-stage",
        "person": "bob",
        "event": things["event_id"],
        "team": things["org_id"],
        "cursor": cursor,
    }


# Nobody's names, by kind.
NOBODYS = {
    "memory": NOTHING,
    "session": NOTHING,
    "conversation": "behind-the-stage",
    "person": "qvx",
    "event": NOTHING,
    "team": "emca",
}


@pytest.fixture(params=["another team", "another person"])
def stranger(request: pytest.FixtureRequest, acme: Team, rival: Team) -> Team:
    """A team, for the keys of somebody called Carol in it."""
    return rival if request.param == "another team" else acme


def rows_of_bob(team: Team) -> list[tuple[Any, ...]]:
    """What strangers must not have changed."""
    with tenant_scope(team.tenant):
        memories = Memory.objects.for_tenant(team.tenant).filter(person__external_id="bob")
        messages = Message.objects.for_tenant(team.tenant).filter(person__external_id="bob")
        return [
            *memories.order_by("pk").values_list("pk", "value", "status", "version"),
            *messages.order_by("pk").values_list("pk", "content", "shown"),
        ]


@dataclass
class Faults:
    """What is wrong with answers to foreign names, beside those to names of nothing."""

    team: Team
    bobs: dict[str, str]
    found: dict[str, str] = field(default_factory=dict)
    before: list[tuple[Any, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.before = rows_of_bob(self.team)

    def look(self, where: str, ask: Callable[[str], str], kind: str) -> None:
        """Each is asked from the same state, and taken back."""
        told = []
        for name in (self.bobs[kind], NOBODYS[kind]):
            with transaction.atomic():
                told.append(plain(ask(name), name))
                if rows_of_bob(self.team) != self.before:
                    self.found[where] = f"{name} changes what is Bob's"
                transaction.set_rollback(True)
            cache.clear()
        if told[0] != told[1]:
            self.found[where] = f"{told[0]} is not {told[1]}"
        if any(words in told[0] for words in SHOWN):
            self.found[where] = f"{told[0]} shows what is Bob's"


def plain(text: str, name: str) -> str:
    """An answer without the name that was asked about, and without what differs each time."""
    return VOLATILE.sub("…", text.replace(name, "…"))


# --- MCP ---------------------------------------------------------------------------------------------

NAMING = {
    ("get_context", "conversation"): "conversation",
    ("add_messages", "conversation"): "conversation",
    ("update_memory", "memory_id"): "memory",
    ("forget_memory", "memory_id"): "memory",
    ("fetch", "id"): "memory",
    ("list_memories", "cursor"): "cursor",
}
# Words of the caller's own, numbers and switches: they name nothing that somebody else may have.
NOT_NAMING = {
    "query", "value", "messages", "limit", "memories_only", "token_budget", "key", "namespace", "tags", "importance",
    "pinned", "expires_at", "visibility", "q",
}  # fmt: skip


def test_every_argument_of_every_tool_stands_in_a_list() -> None:
    taken = {
        (name, one) for name, tool in TOOLS.items() for one in tool.as_json()["inputSchema"]["properties"]
    }

    assert {pair for pair in taken if pair[1] not in NOT_NAMING} == set(NAMING)
    assert {argument for _, argument in taken} >= NOT_NAMING


def test_a_tools_argument_that_names_anothers_thing_names_nothing(
    bobs: dict[str, str], acme: Team, stranger: Team
) -> None:
    wire, faults = Wire(key_of(stranger, "carol")), Faults(acme, bobs)

    for (tool, argument), kind in NAMING.items():

        def ask(name: str, tool: str = tool, argument: str = argument) -> str:
            return json.dumps(wire.call(tool, **{**ABOUT_ONE[tool], argument: name}))

        if argument != "cursor":
            faults.look(f"{tool} {argument}", ask, kind)

    assert faults.found == {}


def test_anothers_cursor_leads_to_nothing_of_theirs(bobs: dict[str, str], acme: Team, stranger: Team) -> None:
    wire = Wire(key_of(stranger, "carol"))
    wire.call("add_memory", value="Owns a kite.")

    told = json.dumps(wire.call("list_memories", cursor=bobs["cursor"]))

    assert WORD not in told


@pytest.mark.parametrize("uri", ["nebo://memories/{}", "nebo://profile/{}"])
def test_a_resource_of_anothers_is_none(bobs: dict[str, str], stranger: Team, uri: str) -> None:
    wire = Wire(key_of(stranger, "carol"))

    foreign, nothing = (
        json.dumps(wire.ask("resources/read", {"uri": uri.format(name)}))
        for name in (bobs["memory"], NOTHING)
    )

    assert plain(foreign, bobs["memory"]) == plain(nothing, NOTHING)


# --- The gateway -------------------------------------------------------------------------------------

HEADERS = {"User": "person", "Session": "conversation"}
SETTING = {"Key", "Memory", "Token-Budget"}  # who asks, and what of the memory is wanted
METADATA: dict[str, Callable[[str], dict[str, Any]]] = {  # of the providers' own; Nebo heeds none of it
    "anything": lambda name: {
        **dict.fromkeys(("user", "safety_identifier", "prompt_cache_key"), name),
        "metadata": {"user_id": name, "session_id": name, "memory_id": name},
        "nebo": {"user": name, "session": name},
    },
    "conversation": lambda name: {"conversation": name},
    "previous_response_id": lambda name: {"previous_response_id": name},
}
ANSWERS = {
    CHAT: completion("I see."),
    MESSAGES: claude("I see."),
    RESPONSES: {"id": "r1", "object": "response", "output": []},
}


def test_every_header_of_nebos_stands_in_a_list() -> None:
    folder = Path(nebo.product.gateway.__file__).parent
    read = {
        call.args[1].value
        for file in folder.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "own_header"
    }

    assert read == set(HEADERS) | SETTING


@dataclass
class Upstream:
    """The gateway with a provider behind it: what a client is told, and what the provider was."""

    server: ScriptedServer
    key: str

    def ask(self, path: str, more: dict[str, Any], **headers: str) -> str:
        """Both, as one text."""
        spoken = [{"role": "user", "content": f"Where does the {WORD} hang, and what stands behind it?"}]
        body = {"model": "m", "max_tokens": 9, "input" if path == RESPONSES else "messages": spoken, **more}
        given = {"Authorization": f"Bearer {PROVIDERS_KEY}", "X-Nebo-Key": self.key, **headers}
        client = Client(raise_request_exception=False, headers=given)
        seen = len(self.server.requests)
        answer = client.post(path, json.dumps(body), "application/json")
        text = b"".join(answer.streaming_content) if answer.streaming else answer.content
        told = {name: value for name, value in answer.headers.items() if name.lower().startswith("x-nebo")}
        sent = [one.body.decode() for one in self.server.requests[seen:]]
        return json.dumps([answer.status_code, text.decode(), told, sent], ensure_ascii=False)


@pytest.fixture
def upstream(scripted_server: ScriptedServer, settings: Any) -> Callable[[str], Upstream]:
    settings.GATEWAY_UPSTREAMS = {"openai": scripted_server.url, "anthropic": scripted_server.url}
    for path, answer in ANSWERS.items():
        scripted_server.always(path, json_answer(answer))
    return lambda key: Upstream(scripted_server, key)


@pytest.mark.parametrize("path", ANSWERS)
def test_a_header_that_names_anothers_thing_names_nothing(
    bobs: dict[str, str], acme: Team, stranger: Team, upstream: Callable[[str], Upstream], path: str
) -> None:
    faults = Faults(acme, bobs)

    for header, kind in HEADERS.items():
        bound = "" if header == "User" and stranger != acme else "carol"
        one = upstream(key_of(stranger, bound))

        def ask(name: str, header: str = header, one: Upstream = one) -> str:
            return one.ask(path, {}, **{f"X-Nebo-{header}": name})

        faults.look(header, ask, kind)

    assert faults.found == {}


@pytest.mark.parametrize("path", ANSWERS)
def test_what_a_body_says_to_the_provider_makes_no_difference(
    bobs: dict[str, str], acme: Team, stranger: Team, upstream: Callable[[str], Upstream], path: str
) -> None:
    one, faults = upstream(key_of(stranger, "carol")), Faults(acme, bobs)

    for name in METADATA:

        def ask(value: str, name: str = name) -> str:
            return one.ask(path, METADATA[name](value))

        for kind in ("person", "session", "memory"):
            faults.look(f"{name} {kind}", ask, kind)

    assert faults.found == {}


# --- mem0 --------------------------------------------------------------------------------------------

KINDS = {
    "user_id": "person",
    "agent_id": "person",
    "app_id": "person",
    "run_id": "conversation",
    "memory_id": "memory",
    "memory_ids": "memory",
    "id": "memory",
    "org_id": "team",
    "project_id": "team",
    "event_id": "event",
}
FILTERS: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "equals": lambda field, name: {field: name},
    "in": lambda field, name: {field: {"in": [name]}},
    "ne": lambda field, name: {field: {"ne": name}},
    "AND": lambda field, name: {"AND": [{field: name}]},
    "OR": lambda field, name: {"OR": [{field: name}, {"user_id": "carol"}]},
    "NOT": lambda field, name: {"AND": [{"user_id": "carol"}, {"NOT": [{field: name}]}]},
}
FILTERED = [field for field in (*ENTITIES, *OTHERS) if field in KINDS]
FILTERED_LISTS = {
    *("mem0-memories-v2", "mem0-memories-v3"),
    *("mem0-search-v1", "mem0-search-v2", "mem0-search-v3", "mem0-server-search"),
}


def inputs_of(kind: type) -> Iterator[type]:
    for one in kind.__subclasses__():
        yield one
        yield from inputs_of(one)


def test_every_field_that_takes_an_id_stands_in_a_list() -> None:
    fields = {name for kind in (Mem0Input, *inputs_of(Mem0Input), BatchItemInput) for name in kind().fields}
    names = {name for name in (*fields, *ENTITIES, *OTHERS, *EVENT_FILTERS) if name.endswith(("id", "ids"))}
    addresses = {name for row in MEM0 for name in row.names if name.endswith("id")} - {"entity_id"}

    assert names | addresses == set(KINDS)


def told_by_mem0(client: Client, row: Row, body: dict[str, Any], query: str) -> str:
    """What a row of mem0's answers to a body and a query, with nothing of Bob's in its address."""
    named = {**dict.fromkeys(row.names, NOTHING), "entity_type": "user", "entity_id": "carol"}
    path = reverse(row.name, kwargs={one: named[one] for one in row.names}) + query
    answer = client.generic(row.method, path, json.dumps(body), "application/json")
    return f"{answer.status_code} {answer.content.decode()}"


@pytest.fixture
def carol(stranger: Team) -> Client:
    """With something of her own to find."""
    key = key_of(stranger, "carol", scopes=("read", "write", "admin"))
    client = Client(raise_request_exception=False, headers={"Authorization": f"Token {key}"})
    note = {"user_id": "carol", "messages": "Owns a kite.", "infer": False}
    assert client.post("/v3/memories/add/", json.dumps(note), "application/json").status_code == 200
    return client


def ways(row: Row, field: str, name: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Where a name can stand: in the body, in the query, in a filter; in every form of one where lists are filtered."""
    yield "body", {field: name}, ""
    yield "query", {}, f"?{field}={name}"
    if field in FILTERED:
        for how in FILTERS if row.name in FILTERED_LISTS else ("equals",):
            yield f"filter {how}", {"filters": FILTERS[how](field, name)}, ""


@pytest.mark.slow
@pytest.mark.parametrize("field", [one for one in KINDS if one not in ("memory_id", "event_id")])
def test_mem0s_fields_that_name_anothers_things_name_nothing(
    bobs: dict[str, str], acme: Team, stranger: Team, carol: Client, field: str
) -> None:
    kind, faults = KINDS[field], Faults(acme, bobs)
    if kind == "team" and stranger == acme:
        return  # it is their own

    for row in MEM0:
        given = {one: value for one, value in row.body.items() if one != "user_id"}
        for how in dict.fromkeys(way for way, _, _ in ways(row, field, "")):
            if how == "query" and row.method != "GET" and row.query == "":
                continue

            def ask(name: str, row: Row = row, how: str = how, given: dict[str, Any] = given) -> str:
                _, body, query = next(one for one in ways(row, field, name) if one[0] == how)
                return told_by_mem0(carol, row, {**given, **body}, query)

            faults.look(f"{row} {how}", ask, kind)

    assert faults.found == {}


@pytest.mark.parametrize("row", [row for row in MEM0 if row.name == "mem0-batch"], ids=str)
def test_mem0s_batches_do_nothing_to_anothers_memories(
    bobs: dict[str, str], acme: Team, carol: Client, row: Row
) -> None:
    body = json.dumps(row.body)

    faults = Faults(acme, bobs)

    def ask(name: str) -> str:
        sent = body.replace(row.body["memories"][0]["memory_id"], name)
        answer = carol.generic(row.method, reverse(row.name), sent, "application/json")
        assert answer.status_code == 404
        return answer.content.decode()

    faults.look("batch", ask, "memory")

    assert faults.found == {}

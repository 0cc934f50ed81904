"""Collection off: what may come in through which door while it is, how it begins and ends, and who may say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from memories.models import AuditEntry, Memory, Todo
from nebo.api.models import IdempotencyRecord
from nebo.product.governance.pauses import list_acting_keys
from nebo.product.governance.retention import apply_retention
from nebo.product.memory_files.models import MemoryFile
from nebo.product.workspace.keys import rotate_key
from nebo.tenants.actor import Actor
from nebo.tenants.models import ApiKey, Pause
from nebo.tenants.pauses import Thing, set_pause
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import get_person
from nebo.tenants.services import get_or_create_person, issue_key
from search.models import CachedEmbedding
from sessions.models import Message, Session
from tests.conftest import Team
from tests.jobs.inline import run_jobs

WORDS = "I moved to Lisbon in March."
TURN = {"messages": [{"role": "user", "content": WORDS}]}
NOBODYS = "0190a000-0000-7000-8000-000000000000"
SCOPES = ("person", "session", "key", "key for everybody")
BY_HAND = Actor("user", NOBODYS)
Call = Callable[..., Any]


class Agent:
    """A key of a team, and what it asks."""

    def __init__(self, team: Team, person: str = "", **terms: Any) -> None:
        with tenant_scope(team.tenant):
            bound = get_or_create_person(tenant=team.tenant, external_id=person) if person else None
            issued = issue_key(tenant=team.tenant, person=bound, **terms)
        self.key, self.team = issued.key, team
        self.client = Client(
            raise_request_exception=False, headers={"Authorization": f"Bearer {issued.secret}"}
        )

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        sent = {} if method == "GET" else {"data": body or {}, "content_type": "application/json"}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return getattr(self.client, method.lower())(path, headers=named or None, **sent)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        return self.send(method, f"/api/v1/{path}", body, **headers)

    def open(self, key: str = "chat") -> str:
        return str(self.ask("POST", "sessions/", {"user": "bob", "key": key}).json()["id"])


@pytest.fixture(autouse=True)
def _whole(settings: Any) -> None:
    settings.ROOT_URLCONF = "nebo.urls"


@pytest.fixture
def agent(db: None, acme: Team) -> Agent:
    return Agent(acme, scopes=("write",))


@pytest.fixture
def admin(db: None, acme: Team) -> Agent:
    return Agent(acme, scopes=("admin",))


def place_of(scope: str, agent: Agent, session: str) -> str:
    return {
        "person": "users/bob/pause/",
        "session": f"sessions/{session}/pause/",
        "key": f"users/bob/keys/{agent.key.pk}/pause/",
        "key for everybody": f"keys/{agent.key.pk}/pause/",
    }[scope]


def pause(scope: str, agent: Agent, admin: Agent, session: str, body: Mapping[str, Any] | None = None) -> Any:
    answer = admin.ask("PUT", place_of(scope, agent, session), dict(body or {}))
    assert answer.status_code == 200, answer.content
    assert answer.json()["paused"]
    return answer.json()


def kept(team: Team) -> dict[str, int]:
    """How much there is of all that words become."""
    with tenant_scope(team.tenant):
        models = (Message, Memory, Todo, MemoryFile, CachedEmbedding)
        return {model.__name__: model.objects.for_tenant(team.tenant).count() for model in models}


# --- Doors ---------------------------------------------------------------------------------------------


def tell(agent: Agent, session: str, memory: str) -> Any:
    answer = agent.ask("POST", f"sessions/{session}/turns/", TURN)
    assert answer.status_code == 200
    assert (answer.json()["collected"], answer.json()["messages"]) == (False, [])
    return answer.json()["paused"]


def store(agent: Agent, session: str, memory: str) -> Any:
    return refused(agent.ask("POST", "users/bob/memories/", {"value": "Lives in Lisbon", "session": session}))


def correct(agent: Agent, session: str, memory: str) -> Any:
    return refused(agent.ask("PATCH", f"memories/{memory}/", {"value": "Likes coffee"}))


def note_todo(agent: Agent, session: str, memory: str) -> Any:
    return refused(agent.ask("POST", "users/bob/todos/", {"text": "Call the dentist"}))


def set_profile(agent: Agent, session: str, memory: str) -> Any:
    return refused(agent.ask("PATCH", "users/bob/", {"location": "Lisbon"}))


def set_task(agent: Agent, session: str, memory: str) -> Any:
    return refused(agent.ask("PUT", f"sessions/{session}/active-task/", {"text": "Move to Lisbon"}))


def use_tool(agent: Agent, session: str, memory: str) -> Any:
    for call in ({"action": "store", "key": "city"}, {"action": "todo"}):
        answer = agent.ask(
            "POST", "users/bob/tool/", {**call, "value": "Lisbon in March", "session": session}
        )
        assert answer.status_code == 200
        assert not answer.json()["ok"]
        assert answer.json()["text"].startswith("Not kept. Nothing is collected")
    return answer.json()["data"]["paused"]


def write_file(agent: Agent, session: str, memory: str) -> Any:
    note = {"command": "create", "path": "/memories/notes.md", "file_text": "Lives in Lisbon."}
    answer = agent.ask("POST", "users/bob/memory-tool/", note).json()
    assert answer["is_error"]
    assert "Nothing is collected" in answer["content"]


def tell_mem0(agent: Agent, session: str, memory: str) -> Any:
    body = {"user_id": "bob", "messages": TURN["messages"], "run_id": "chat"}
    for more in ({}, {"infer": False}):
        answer = agent.send("POST", "/v3/memories/add/", {**body, **more})
        assert answer.status_code == 200, answer.content
        assert answer.json()["results"] == []
        assert "Nothing is collected" in answer.json()["message"]
    assert agent.send("POST", "/v1/memories/", {**body, "output_format": "v1.0"}).json() == []
    return answer.json()["paused"]


def change_mem0(agent: Agent, session: str, memory: str) -> Any:
    answer = agent.send("PUT", f"/v1/memories/{memory}/", {"text": "Likes coffee"})
    assert (answer.status_code, answer.json()["code"]) == (409, "collection-paused")


def bring_file(agent: Agent, session: str, memory: str) -> Any:
    bound = Agent(agent.team, person="bob", scopes=("write",))
    path = "/api/v1/users/me/import/?source=markdown"
    return refused(bound.client.post(path, b"- Lives in Lisbon", content_type="text/markdown"))


def talk_mcp(agent: Agent, session: str, memory: str) -> Any:
    called = call_mcp(agent, "add_messages", {**TURN, "conversation": "chat"})
    assert (called["structuredContent"]["collected"], called["structuredContent"]["messages"]) == (False, 0)
    assert "Not kept" in called["content"][0]["text"]
    for name, arguments in (
        ("add_memory", {"value": "Lives in Lisbon"}),
        ("update_memory", {"memory_id": memory, "value": "Likes coffee"}),
    ):
        called = call_mcp(agent, name, arguments)
        assert called["isError"]
        assert "Nothing is collected" in called["content"][0]["text"]


def call_mcp(agent: Agent, name: str, arguments: Any) -> Any:
    sent = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    return agent.send("POST", "/mcp/u/bob/", sent, Accept="application/json").json()["result"]


def refused(answer: Any) -> Any:
    assert answer.status_code == 409, answer.content
    assert answer.json()["code"] == "collection-paused"
    return answer.json()["paused"]


DOORS = (
    tell, store, correct, note_todo, set_profile, set_task, use_tool, write_file, tell_mem0, change_mem0, bring_file,
    talk_mcp,
)  # fmt: skip
OF_SESSION = {tell, store, set_task, use_tool, tell_mem0}  # doors that say in which conversation
OF_OTHER_KEYS = {bring_file}  # needs a key of its own


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_nothing_comes_in_by_any_door(agent: Agent, admin: Agent, acme: Team, door: Any, scope: str) -> None:
    if (scope == "session" and door not in OF_SESSION) or (scope.startswith("key") and door in OF_OTHER_KEYS):
        pytest.skip("such a call isn't of that conversation, or of that key")
    session = agent.open()
    memory = agent.ask("POST", "users/bob/memories/", {"value": "Likes tea"}).json()["id"]
    pause(scope, agent, admin, session)
    before = kept(acme)

    told = door(agent, session, memory)
    run_jobs(acme.tenant)

    assert kept(acme) == before
    assert told in (None, {"scope": scope.split()[0], "until": None})


def test_a_pause_of_one_conversation_leaves_others_alone(agent: Agent, admin: Agent) -> None:
    session, other = agent.open(), agent.open("another")
    pause("session", agent, admin, session)

    answer = agent.ask("POST", f"sessions/{other}/turns/", TURN)

    assert answer.status_code == 201
    assert answer.json()["collected"]
    assert answer.json()["paused"] is None
    assert agent.ask("POST", "users/bob/memories/", {"value": "Likes tea"}).status_code == 201


def test_a_pause_of_one_key_leaves_other_keys_and_people_alone(agent: Agent, admin: Agent) -> None:
    session = agent.open()
    pause("key", agent, admin, session)

    assert admin.ask("POST", f"sessions/{session}/turns/", TURN).status_code == 201
    assert agent.ask("POST", "users/carol/memories/", {"value": "Likes tea"}).status_code == 201


def test_a_key_paused_for_everybody_makes_nobody_known(agent: Agent, admin: Agent) -> None:
    pause("key for everybody", agent, admin, agent.open())

    answer = agent.ask("POST", "users/dora/memories/", {"value": "Likes tea"})

    assert refused(answer) == {"scope": "key", "until": None}
    assert admin.ask("GET", "users/dora/").status_code == 404


def test_reading_and_forgetting_go_on(agent: Agent, admin: Agent) -> None:
    session = agent.open()
    agent.ask("POST", f"sessions/{session}/turns/", TURN)
    memory = agent.ask("POST", "users/bob/memories/", {"value": "Likes tea", "key": "drink"}).json()["id"]
    note = {"command": "create", "path": "/memories/notes.md", "file_text": "Lives in Lisbon.\nLikes tea."}
    agent.ask("POST", "users/bob/memory-tool/", note)
    pause("person", agent, admin, session)

    context = agent.ask("POST", f"sessions/{session}/context/", {"query": "Where do I live?"}).json()
    found = agent.ask("POST", "users/bob/search/", {"query": "tea"}).json()["results"]
    cut = {"command": "str_replace", "path": "/memories/notes.md", "old_str": "Likes tea.", "new_str": ""}
    cut_out = agent.ask("POST", "users/bob/memory-tool/", cut).json()
    gone = agent.ask("DELETE", f"memories/{memory}/")
    message = agent.ask("GET", f"sessions/{session}/messages/").json()["results"][0]["id"]

    assert context["paused"] == {"scope": "person", "until": None}
    assert "collectionPaused" in [hint["name"] for hint in context["steering"]]
    assert "tea" in found[0]["text"]
    assert not cut_out["is_error"]
    assert gone.status_code == 204
    assert agent.ask("PATCH", f"memories/{memory}/", {"pinned": True}).json()["code"] != "collection-paused"
    assert agent.ask("POST", f"memories/{memory}/restore/").status_code == 200
    assert agent.ask("PATCH", f"memories/{memory}/", {"importance": 1}).status_code == 200
    assert agent.ask("POST", f"sessions/{session}/messages/{message}/redact/").status_code == 200


def test_nothing_that_was_told_before_is_lost(agent: Agent, admin: Agent, acme: Team) -> None:
    session = agent.open()
    said = {"messages": [{"role": "user", "content": WORDS, "external_id": "m1"}]}
    first = agent.ask("POST", f"sessions/{session}/turns/", said, Idempotency_Key="one")
    pause("person", agent, admin, session)

    run_jobs(acme.tenant)
    replayed = agent.ask("POST", f"sessions/{session}/turns/", said, Idempotency_Key="one")
    again = agent.ask("POST", f"sessions/{session}/turns/", said)
    more = {"messages": [*said["messages"], {"role": "user", "content": "And I work as a baker."}]}
    mixed = agent.ask("POST", f"sessions/{session}/turns/", more)

    assert replayed.headers["Idempotent-Replayed"] == "true"
    assert replayed.json() == first.json()
    assert (again.status_code, again.json()["collected"]) == (201, True)
    assert again.json()["messages"] == first.json()["messages"]
    assert (mixed.status_code, mixed.json()["collected"]) == (200, False)
    assert mixed.json()["messages"] == first.json()["messages"]
    with tenant_scope(acme.tenant):
        assert Session.objects.for_tenant(acme.tenant).get(pk=session).extracted_seq == 1


def test_what_is_not_collected_stands_in_no_kept_answer(agent: Agent, admin: Agent, acme: Team) -> None:
    session = agent.open()
    pause("person", agent, admin, session)

    agent.ask("POST", f"sessions/{session}/turns/", TURN, Idempotency_Key="turn")
    agent.ask("POST", "users/bob/memories/", {"value": WORDS}, Idempotency_Key="memory")
    dry = agent.ask("POST", f"sessions/{session}/turns/dry-run/", TURN, Idempotency_Key="dry")
    preview = agent.ask("POST", "extract/preview/", {"user": "bob", **TURN}, Idempotency_Key="preview")

    assert (dry.json()["changes"], dry.json()["paused"]["scope"]) == ([], "person")
    assert (preview.json()["learned"], preview.json()["paused"]["scope"]) == ([], "person")
    with tenant_scope(acme.tenant):
        bodies = IdempotencyRecord.objects.for_tenant(acme.tenant).values_list("body", flat=True)
        assert not any("Lisbon" in body for body in bodies)


def test_a_conversation_that_is_brought_by_an_operator_is_refused_too(
    agent: Agent, admin: Agent, acme: Team, tmp_path: Any
) -> None:
    pause("person", agent, admin, agent.open())
    file = tmp_path / "talk.jsonl"
    file.write_text('{"role": "user", "content": "I moved to Lisbon."}\n')
    notes = tmp_path / "notes.md"
    notes.write_text("- Lives in Lisbon\n")

    with pytest.raises(CommandError, match="Nothing is collected about this person"):
        call_command("ingest", str(file), "--tenant", "acme", "--user", "bob")
    with pytest.raises(CommandError, match="Nothing is collected about this person"):
        call_command(
            "import_memories", str(notes), "--source", "markdown", "--tenant", "acme", "--user", "bob"
        )

    assert kept(acme)["Message"] == 0


# --- How it begins and ends ---------------------------------------------------------------------------


def test_it_ends_by_itself(agent: Agent, admin: Agent, acme: Team) -> None:
    session = agent.open()
    until = (timezone.now() + timedelta(hours=2)).isoformat()
    answer = pause("person", agent, admin, session, {"until": until})
    assert answer["until"] == until.replace("+00:00", "Z")
    assert agent.ask("POST", f"sessions/{session}/turns/", TURN).json()["paused"]["until"] == answer["until"]

    with tenant_scope(acme.tenant):
        Pause.objects.for_tenant(acme.tenant).update(until=timezone.now() - timedelta(seconds=1))

    assert agent.ask("POST", f"sessions/{session}/turns/", TURN).status_code == 201
    assert agent.ask("POST", "users/bob/memories/", {"value": "Likes tea"}).status_code == 201
    assert not admin.ask("GET", "users/bob/pause/").json()["paused"]
    assert admin.ask("GET", "users/bob/pauses/").json()["results"] == []


def test_the_one_that_ends_last_is_told(agent: Agent, admin: Agent) -> None:
    session = agent.open()
    pause("person", agent, admin, session, {"until": "2999-01-01"})
    pause("session", agent, admin, session, {"until": "2998-01-01"})

    assert tell(agent, session, "")["scope"] == "person"
    pause("session", agent, admin, session)
    assert tell(agent, session, "") == {"scope": "session", "until": None}


def test_a_day_is_meant_in_the_persons_zone(agent: Agent, admin: Agent) -> None:
    session = agent.open()
    admin.ask("PATCH", "users/bob/", {"timezone": "Europe/Berlin"})

    assert pause("person", agent, admin, session, {"until": "2999-01-10"})["until"] == "2999-01-09T23:00:00Z"
    at = {"until": "2999-07-10T09:00"}
    assert pause("session", agent, admin, session, at)["until"] == "2999-07-10T07:00:00Z"
    exact = {"until": "2999-07-10T09:00:00-05:00"}
    assert pause("key for everybody", agent, admin, session, exact)["until"] == "2999-07-10T14:00:00Z"


@pytest.mark.parametrize("until", ["soon", "2001-01-01", "2999-13-01", 7, "9999-12-31T23:59:59-23:00"])
def test_an_end_that_cannot_be_meant_is_refused(agent: Agent, admin: Agent, until: Any) -> None:
    agent.open()

    answer = admin.ask("PUT", "users/bob/pause/", {"until": until})

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "#/until"
    assert not admin.ask("GET", "users/bob/pause/").json()["paused"]


@pytest.mark.parametrize("scope", SCOPES)
def test_it_is_resumed(agent: Agent, admin: Agent, acme: Team, scope: str) -> None:
    session = agent.open()
    pause(scope, agent, admin, session, {"reason": "holiday"})
    assert admin.ask("GET", place_of(scope, agent, session)).json()["reason"] == "holiday"

    answer = admin.ask("DELETE", place_of(scope, agent, session))
    once_more = admin.ask("DELETE", place_of(scope, agent, session))

    assert (answer.status_code, answer.json()["paused"], answer.json()["collected"]) == (200, False, True)
    assert once_more.status_code == 200
    assert agent.ask("POST", f"sessions/{session}/turns/", TURN).status_code == 201
    with tenant_scope(acme.tenant):
        entries = AuditEntry.objects.for_tenant(acme.tenant).filter(action__startswith="collection.")
        found = list(entries.order_by("at").values_list("action", "actor", "detail__scope"))
        details = str([entry.detail for entry in entries])
    by, named = f"key:{admin.key.pk}", scope.split()[0]
    assert found == [("collection.paused", by, named), ("collection.resumed", by, named)]
    assert "holiday" not in details


def test_a_key_that_takes_the_place_of_another_is_paused_too(agent: Agent, admin: Agent, acme: Team) -> None:
    session = agent.open()
    pause("key for everybody", agent, admin, session)
    with tenant_scope(acme.tenant):
        issued = rotate_key(
            tenant=acme.tenant, key_id=agent.key.pk, hours=0, actor=BY_HAND, created_by=acme.owner
        )
    agent.client = Client(headers={"Authorization": f"Bearer {issued.secret}"})

    assert tell(agent, session, "")["scope"] == "key"


def test_ended_pauses_are_tidied_away(agent: Agent, admin: Agent, acme: Team) -> None:
    session = agent.open()
    pause("person", agent, admin, session, {"until": "2999-01-01"})
    pause("session", agent, admin, session)
    with tenant_scope(acme.tenant):
        rows = Pause.objects.for_tenant(acme.tenant)
        rows.filter(scope="person").update(until=timezone.now() - timedelta(seconds=1))

    outcome = apply_retention(tenant=acme.tenant, actor=Actor("job", NOBODYS))

    assert outcome.counts["ended pauses removed"] == 1
    with tenant_scope(acme.tenant):
        assert [one.scope for one in rows.all()] == ["session"]


# --- Who may --------------------------------------------------------------------------------------------


def set_by_hand(team: Team, **thing: Any) -> None:
    with tenant_scope(team.tenant):
        set_pause(tenant=team.tenant, thing=Thing(**thing), actor=BY_HAND, reason="between us")


def test_what_was_set_by_hand_no_agent_ends_or_shortens(agent: Agent, admin: Agent, acme: Team) -> None:
    session = agent.open()
    bound = Agent(acme, person="bob", scopes=("write",))
    with tenant_scope(acme.tenant):
        bob = get_person(tenant=acme.tenant, external_id="bob")
    set_by_hand(acme, person_id=bob.pk)
    set_by_hand(acme, person_id=bob.pk, session_id=UUID(session))

    for path in ("users/me/pause/", f"sessions/{session}/pause/"):
        shown = bound.ask("GET", path).json()
        assert (shown["by_hand"], shown["reason"]) == (True, "")
        assert bound.ask("DELETE", path).status_code == 403
        assert bound.ask("PUT", path, {"until": "2999-01-01"}).status_code == 403
        assert bound.ask("GET", path).json()["paused"]
    assert admin.ask("GET", "users/bob/pause/").json()["reason"] == "between us"
    assert not admin.ask("DELETE", "users/bob/pause/").json()["paused"]


def test_an_agent_may_pause_and_resume_a_conversation_when_it_is_asked_to(agent: Agent) -> None:
    session = agent.open()

    assert not agent.ask("PUT", f"sessions/{session}/pause/", {}).json()["collected"]
    assert agent.ask("DELETE", f"sessions/{session}/pause/").json()["collected"]


def test_what_concerns_a_person_as_a_whole_needs_their_own_key_or_an_admins(agent: Agent, acme: Team) -> None:
    agent.open()
    reader = Agent(acme, person="bob", scopes=("read",))

    assert agent.ask("PUT", "users/bob/pause/", {}).status_code == 403
    assert agent.ask("DELETE", "users/bob/pause/").status_code == 403
    assert agent.ask("PUT", f"keys/{agent.key.pk}/pause/", {}).status_code == 403
    assert agent.ask("PUT", f"users/bob/keys/{agent.key.pk}/pause/", {}).status_code == 403
    assert reader.ask("PUT", "users/me/pause/", {}).status_code == 403
    assert Agent(acme, person="bob", scopes=("write",)).ask("PUT", "users/me/pause/", {}).status_code == 200


def test_keys_of_others_are_not_there(agent: Agent, admin: Agent, acme: Team, rival: Team) -> None:
    agent.open()
    theirs = Agent(rival, scopes=("write",))
    carols = Agent(acme, person="carol", scopes=("write",))

    for key_id in (theirs.key.pk, carols.key.pk, NOBODYS):
        assert admin.ask("PUT", f"users/bob/keys/{key_id}/pause/", {}).status_code == 404
    for key_id in (theirs.key.pk, NOBODYS):
        assert admin.ask("PUT", f"keys/{key_id}/pause/", {}).status_code == 404
    assert admin.ask("PUT", f"keys/{carols.key.pk}/pause/", {}).status_code == 200


def test_a_pause_of_one_team_is_none_of_anothers(agent: Agent, admin: Agent, acme: Team, rival: Team) -> None:
    pause("person", agent, admin, agent.open())
    pause("key for everybody", agent, admin, "")
    theirs = Agent(rival, scopes=("admin",))

    session = theirs.open()

    assert theirs.ask("POST", f"sessions/{session}/turns/", TURN).status_code == 201
    assert theirs.ask("GET", "users/bob/pauses/").json()["results"] == []


def test_the_list_has_all_that_concerns_a_person(agent: Agent, admin: Agent) -> None:
    session = agent.open()
    for scope in SCOPES:
        pause(scope, agent, admin, session)

    found = admin.ask("GET", "users/bob/pauses/").json()["results"]

    shown = {(one["scope"], one["session"], one["key"], one["everybody"]) for one in found}
    key = str(agent.key.pk)
    assert shown == {
        ("person", None, None, False), ("session", session, None, False), ("key", None, key, False),
        ("key", None, key, True),
    }  # fmt: skip


def test_keys_that_work_for_a_person_are_their_own_and_those_of_their_log(agent: Agent, acme: Team) -> None:
    agent.ask("POST", "users/bob/memories/", {"value": "Likes tea"})
    own = Agent(acme, person="bob", name="my laptop")
    Agent(acme, person="carol")
    Agent(acme, name="never used")

    with tenant_scope(acme.tenant):
        bob = get_person(tenant=acme.tenant, external_id="bob")
        found: list[ApiKey] = list_acting_keys(tenant=acme.tenant, person_id=bob.pk)

    assert {key.pk for key in found} == {agent.key.pk, own.key.pk}

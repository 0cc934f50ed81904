"""One table of every route: what another team's key, another person's key, a key without scopes and no key get."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memories.models import Entity, ExtractionRun, Fold, ForgetRequest, MergeProposal, Todo
from nebo.product.events.models import Delivery, Endpoint, Event
from nebo.product.governance.models import Export, Import
from nebo.product.mem0.models import Addition
from nebo.tenants.models import ApiKey
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import get_person
from nebo.tenants.services import get_or_create_person, issue_key
from personality.models import Persona, PersonaCandidate
from sessions.models import Compaction, RollingSummary, SessionState, SessionSummary, Snapshot, Spine
from tests.conftest import Team
from tests.routes import list_mem0_routes, list_routes

HIDDEN = 404
OWN = "own"  # answers with what is the caller's own, and shows and changes nothing of ours
PUBLIC = {("GET", "schema")}
METHODS = ("get", "post", "put", "patch", "delete")
EVERY_SCOPE = ("read", "write", "admin")
SECRET = "the safe stands behind the blue curtain"
TURN = {"messages": [{"role": "user", "content": "Hello again."}]}


@dataclass(frozen=True)
class Row:
    """A route, what it is asked with, and what strangers get: another team's key, and one of another person."""

    method: str
    name: str
    names: tuple[str, ...] = ()  # of the things in the address
    body: dict[str, Any] = field(default_factory=dict)
    rival: int | str = HIDDEN
    neighbour: int | str = HIDDEN
    query: str = ""

    def __str__(self) -> str:
        return f"{self.method} {self.name}{self.query}"


SESSION, MEMORY, USER, JOB, PERSONA = ("session_id",), ("memory_id",), ("user",), ("job_id",), ("slug",)
RUN = ("user", "run_id")
IMPORT = ("user", "import_id")
PROPOSAL = ("user", "proposal_id")
WEBHOOK, DELIVERY, PROVIDER = ("webhook_id",), ("webhook_id", "delivery_id"), ("use",)

# Another team may have a person of the same name: writing to theirs makes it, and is none of our business.
TABLE = (
    Row("POST", "session-list", body={"user": "bob", "key": "chat"}, rival=OWN),
    Row("GET", "session-list", query="?user=bob"),
    Row("GET", "session", SESSION),
    Row("PATCH", "session", SESSION, {"auto_extract": False}),
    Row("POST", "session-turns", SESSION, TURN),
    Row("POST", "session-turns-dry-run", SESSION, TURN),
    Row("POST", "extract-preview", body={"user": "bob", **TURN}, rival=OWN),
    Row("GET", "session-messages", SESSION),
    Row("GET", "session-summaries", SESSION),
    Row("POST", "message-redact", ("session_id", "message_id")),
    Row("POST", "session-redact", SESSION),
    Row("GET", "session-compactions", SESSION),
    Row("GET", "session-snapshots", SESSION),
    Row("POST", "session-context", SESSION, {"query": "curtain"}),
    Row("PUT", "session-active-task", SESSION, {"text": "mine now"}),
    Row("POST", "session-extract", SESSION),
    Row("POST", "session-flush", SESSION),
    Row("POST", "session-compact", SESSION),
    Row("POST", "session-close", SESSION),
    Row("GET", "person", USER),
    Row("PATCH", "person", USER, {"location": "elsewhere"}, rival=OWN),
    Row("DELETE", "person", USER),
    Row("POST", "export", USER),
    Row("GET", "export-list", USER),
    Row("POST", "import", USER, {"note": "hello"}, rival=OWN, query="?source=markdown"),
    Row("GET", "import-list", USER),
    Row("GET", "import-one", IMPORT),
    Row("DELETE", "import-one", IMPORT),
    Row("GET", "export-file", ("user", "export_id")),
    Row("GET", "memory-list", USER),
    Row("POST", "memory-list", USER, {"value": "likes to spy"}, rival=OWN),
    Row("POST", "search", USER, {"query": "curtain"}),
    Row("POST", "memory-explain", ("user", "memory_id"), {"query": "curtain"}),
    Row(
        "POST", "recall", USER, {"query": "curtain"}, rival=OWN
    ),  # of an unknown person it gives an empty block
    Row("POST", "tool", USER, {"action": "search", "query": "curtain"}),
    # So does the memory tool: the folder of somebody unknown is empty, as the model expects before its first note.
    Row("POST", "memory-tool", USER, {"command": "view", "path": "/memories"}, rival=OWN),
    Row("GET", "entity-list", USER),
    Row("GET", "proposal-list", USER),
    Row("POST", "proposal-dismiss", PROPOSAL),
    Row("POST", "proposal-merge", PROPOSAL),
    Row("POST", "entity-merge", USER, {"ref": "person:jon", "into": "person:john"}),
    Row("POST", "entity-split", USER, {"ref": "person:jon"}),
    Row("GET", "fold-list", USER),
    Row("POST", "fold-undo", ("user", "fold_id")),
    Row("GET", "curation", USER),
    Row("POST", "curation", USER),
    Row("GET", "todo-list", USER),
    Row("POST", "todo-list", USER, {"text": "Spy on the neighbours"}, rival=OWN),
    Row("GET", "todo", ("user", "todo_id")),
    Row("PATCH", "todo", ("user", "todo_id"), {"status": "done"}),
    Row("GET", "state-list", USER),
    Row("GET", "rolling-list", USER),
    Row("GET", "spine", USER),
    Row("GET", "spine-versions", USER),
    Row("GET", "forget-list", USER),
    Row("POST", "forget-confirm", ("user", "request_id")),
    Row("POST", "forget-keep", ("user", "request_id")),
    Row("GET", "personality", USER),
    Row("GET", "personality-revisions", USER),
    Row("POST", "personality-rollback", USER, {"to": 0}),
    Row("GET", "personality-candidates", USER),
    Row("POST", "personality-candidate-accept", ("user", "candidate_id")),
    Row("POST", "personality-candidate-reject", ("user", "candidate_id")),
    Row("POST", "personality-candidate-undo", ("user", "candidate_id")),
    Row("GET", "run-list", USER),
    Row("GET", "run", RUN),
    Row("POST", "run-approve", RUN),
    Row("POST", "run-reject", RUN),
    Row("POST", "run-revert", RUN),
    Row("GET", "memory", MEMORY),
    Row("PATCH", "memory", MEMORY, {"value": "stolen"}),
    Row("DELETE", "memory", MEMORY),
    Row("POST", "memory-pin", MEMORY),
    Row("POST", "memory-unpin", MEMORY),
    Row("POST", "memory-archive", MEMORY),
    Row("POST", "memory-wrong", MEMORY),
    Row("POST", "memory-never-mention", MEMORY),
    Row("POST", "memory-restore", MEMORY),
    Row("GET", "memory-history", MEMORY),
    Row("GET", "memory-provenance", MEMORY),
    Row("GET", "job-list", rival=OWN, neighbour=OWN),
    Row("GET", "job", JOB),
    Row("POST", "job-retry", JOB),
    # Settings and personas belong to the team, not to a person: a neighbour is at home there.
    Row("GET", "settings", rival=OWN, neighbour="team"),
    Row("PATCH", "settings", body={"review_share": 0.4}, rival=OWN, neighbour="team"),
    # So do webhooks; but a key that is bound to a person has none.
    Row("GET", "event-stream", rival=OWN, neighbour=OWN),
    Row("GET", "webhook-list", rival=OWN),
    Row("POST", "webhook-list", body={"url": "https://hooks.example/"}, rival=OWN),
    Row("GET", "webhook", WEBHOOK),
    Row("PATCH", "webhook", WEBHOOK, {"state": "paused"}),
    Row("POST", "webhook-rotate", WEBHOOK),
    Row("POST", "webhook-test", WEBHOOK),
    Row("GET", "delivery-list", WEBHOOK),
    Row("GET", "delivery", DELIVERY),
    Row("POST", "redeliver", DELIVERY),
    Row("DELETE", "webhook", WEBHOOK),
    # A provider is named by its use, which every team has.
    Row("GET", "provider-list", rival=OWN),
    Row("GET", "provider", PROVIDER, rival=OWN),
    Row("PUT", "provider", PROVIDER, {"kind": "openai", "model": "gpt-x", "key": "sk-1"}, rival=OWN),
    Row("DELETE", "provider", PROVIDER),
    Row("POST", "provider-test", PROVIDER, rival=OWN),
    Row("GET", "preset-list", rival=OWN, neighbour="team"),
    Row("GET", "persona-list", rival=OWN, neighbour="team"),
    Row("POST", "persona-list", body={"slug": "other", "name": "Other"}, rival=OWN, neighbour="team"),
    Row("GET", "persona", PERSONA, neighbour="team"),
    Row("PATCH", "persona", PERSONA, {"name": "Changed"}, neighbour="team"),
    Row("GET", "persona-revisions", PERSONA, neighbour="team"),
    Row("POST", "persona-rollback", PERSONA, {"to": 1}, neighbour="team"),
    Row("GET", "persona-candidates", PERSONA, neighbour="team"),
    Row("POST", "persona-candidate-accept", ("slug", "candidate_id")),
    Row("POST", "persona-candidate-reject", ("slug", "candidate_id")),
    Row("POST", "persona-candidate-undo", ("slug", "candidate_id")),
    Row("DELETE", "persona", PERSONA, neighbour="team"),
    Row("POST", "persona-restore", PERSONA, neighbour="team"),
    Row("GET", "persona-file", ("slug", "name"), neighbour="team"),
    Row("PUT", "persona-file", ("slug", "name"), {"content": "Be kind."}, neighbour="team"),
    Row("GET", "key", rival=OWN, neighbour=OWN),
    Row("DELETE", "key", rival=OWN, neighbour=OWN),  # the last: with it goes the key that asks
)


BATCH = {"memories": [{"memory_id": "0190a000-0000-7000-8000-000000000000", "text": "stolen"}]}
UNNAMED = {"memories": [{"memory_id": "0190a000-0000-7000-8000-000000000000"}]}
SAID, ASKED = {"user_id": "bob", "messages": "Hello again."}, {"query": "curtain", "user_id": "bob"}
ENTITY, EVENT, OF_BOB = ("entity_type", "entity_id"), ("event_id",), "?user_id=bob"
# Whom mem0's clients ask for and nobody knows, nothing is found of.
MEM0 = (
    Row("GET", "mem0-ping", rival=OWN, neighbour=OWN),
    *[
        Row("POST", f"mem0-{name}", body=SAID, rival=OWN)
        for name in ("add-v3", "memories-v1", "server-memories")
    ],
    *[Row("POST", f"mem0-memories-{name}", body={"user_id": "bob"}, rival=OWN) for name in ("v2", "v3")],
    *[
        Row("POST", f"mem0-{name}", body=ASKED, rival=OWN)
        for name in ("search-v1", "search-v2", "search-v3", "server-search")
    ],
    *[
        Row(method, f"mem0-{name}", query=OF_BOB, rival=OWN)
        for method in ("GET", "DELETE")
        for name in ("memories-v1", "server-memories")
    ],
    *[
        Row(method, f"mem0-{name}memory", MEMORY, {"text": "stolen"} if method == "PUT" else {})
        for method in ("GET", "PUT", "DELETE")
        for name in ("", "server-")
    ],
    *[Row("GET", f"mem0-{name}history", MEMORY) for name in ("", "server-")],
    Row("PUT", "mem0-batch", body=BATCH),
    Row("DELETE", "mem0-batch", body=UNNAMED),
    *[Row("GET", f"mem0-{name}entities", rival=OWN, neighbour=OWN) for name in ("", "server-")],
    *[Row(method, f"mem0-{name}entity", ENTITY) for method in ("GET", "DELETE") for name in ("", "server-")],
    Row("GET", "mem0-event", EVENT),
    Row("GET", "mem0-events", rival=OWN, neighbour=OWN),
    Row("GET", "mem0-project", ("org_id", "project_id"), neighbour=OWN),
)
KEY = ("key_id",)
PAUSES = (  # GET, begin and end: so that nothing is left paused
    *[
        Row(method, name, names)
        for name, names in (
            ("person-pause", USER),
            ("session-pause", SESSION),
            ("person-key-pause", ("user", "key_id")),
            ("key-pause", KEY),
        )
        for method in ("GET", "PUT", "DELETE")
    ],
    Row("GET", "pause-list", USER),
)
TABLE = (*TABLE[:-1], *MEM0, *PAUSES, TABLE[-1])  # with the last, the key is gone


@pytest.fixture(autouse=True)
def _whole_api(settings: Any, _furniture: None) -> None:
    settings.ROOT_URLCONF = "nebo.urls"


def client_of(team: Team, person: str = "", **key: Any) -> Client:
    with tenant_scope(team.tenant):
        person = get_or_create_person(tenant=team.tenant, external_id=person) if person else None
        issued = issue_key(tenant=team.tenant, person=person, **{"scopes": EVERY_SCOPE, **key})
    return Client(raise_request_exception=False, headers={"Authorization": f"Bearer {issued.secret}"})


def send(client: Client, row: Row, things: dict[str, str]) -> HttpResponse:
    path = reverse(row.name, kwargs={name: things[name] for name in row.names}) + row.query
    body = {} if row.method == "GET" else {"data": row.body, "content_type": "application/json"}
    return getattr(client, row.method.lower())(path, **body)


def make(client: Client, name: str, body: dict[str, Any], **kwargs: str) -> dict[str, Any]:
    response = client.post(reverse(name, kwargs=kwargs), body, content_type="application/json")
    assert response.status_code in (201, 202), response.content
    return response.json()


@pytest.fixture
def things(db: None, acme: Team) -> dict[str, str]:
    """One of everything, in acme and about Bob, by the names the addresses use."""
    client = client_of(acme)
    session = make(client, "session-list", {"user": "bob", "key": "chat"})["id"]
    said = {"messages": [{"role": "user", "content": f"Remember that {SECRET}."}]}
    message = make(client, "session-turns", said, session_id=session)["messages"][0]["id"]
    job = make(client, "session-flush", {}, session_id=session)["job"]["id"]
    memory = make(client, "memory-list", {"value": SECRET, "key": "safe"}, user="bob")["id"]
    note = {"command": "create", "path": "/memories/safe.txt", "file_text": SECRET}
    assert client.post(
        reverse("memory-tool", kwargs={"user": "bob"}), note, content_type="application/json"
    ).json() == {"content": "File created successfully at: /memories/safe.txt", "is_error": False}
    make(client, "persona-list", {"slug": "guide", "name": "Guide", "file_sync": "import_export"})
    with tenant_scope(acme.tenant):
        bob = get_person(tenant=acme.tenant, external_id="bob")
        entities = [
            Entity.objects.for_tenant(acme.tenant).create(
                person=bob, ref=ref, type="person", label=f"{ref} knows the curtain"
            )
            for ref in ("person:john", "person:jon")
        ]
        proposal = MergeProposal.objects.for_tenant(acme.tenant).create(
            person=bob, first=entities[0], second=entities[1]
        )
        fold = Fold.objects.for_tenant(acme.tenant).create(
            person=bob, memory_id=memory, kind="same", worded_by="rules", actor="job:test"
        )
        export = Export.objects.for_tenant(acme.tenant).create(
            person=bob, requested_by="user:x", ready_at=timezone.now()
        )
        incoming = Import.objects.for_tenant(acme.tenant).create(
            person=bob, source="markdown", size=1, requested_by="user:x"
        )
        todo = Todo.objects.for_tenant(acme.tenant).create(person=bob, text=SECRET)
        state = SessionState.objects.for_tenant(acme.tenant).get(person=bob)
        RollingSummary.objects.for_tenant(acme.tenant).create(state=state, text=SECRET, seq_to=1)
        SessionSummary.objects.for_tenant(acme.tenant).create(session_id=session, one_liner=SECRET)
        folded = Compaction.objects.for_tenant(acme.tenant).create(
            session_id=session, number=1, seq_from=1, seq_to=1, kept=0, tokens_before=9, tokens_after=0,
            summary_after=SECRET,
        )  # fmt: skip
        Snapshot.objects.for_tenant(acme.tenant).create(compaction=folded, facts=[SECRET])
        known = {"shared": {"PROFILE": [SECRET]}}
        Spine.objects.for_tenant(acme.tenant).create(person=bob, version=1, sections=known)
        asked = ForgetRequest.objects.for_tenant(acme.tenant).create(person=bob, what=SECRET, memory_ids=[])
        run = ExtractionRun.objects.for_tenant(acme.tenant).create(
            person=bob, trigger="idle", provider="rules", model="en", proposals=[{"value": SECRET}]
        )
        wish = PersonaCandidate.objects.for_tenant(acme.tenant).create(
            persona=Persona.objects.for_tenant(acme.tenant).get(slug="guide"),
            person=bob,
            field="name",
            value=SECRET,
            decision="deferred",
            reason="needs_confirmation",
        )
        added = Addition.objects.for_tenant(acme.tenant).create(person=bob, memory_ids=[memory])
        key = issue_key(tenant=acme.tenant).key
        listening = Endpoint.objects.for_tenant(acme.tenant).create(
            url="https://hooks.example/", sealed_secret="x"
        )
        event = Event.objects.for_tenant(acme.tenant).create(type="webhook.test", created_at=timezone.now())
        told = Delivery.objects.for_tenant(acme.tenant).create(
            event=event, endpoint=listening, due_at=timezone.now(), created_at=timezone.now()
        )
    return {
        "use": "chat",
        "key_id": str(key.pk),
        "entity_type": "user",
        "entity_id": "bob",
        "event_id": str(added.pk),
        "org_id": acme.tenant.slug,
        "project_id": acme.tenant.slug,
        "webhook_id": str(listening.pk),
        "delivery_id": str(told.pk),
        "session_id": session,
        "message_id": message,
        "job_id": job,
        "memory_id": memory,
        "export_id": str(export.pk),
        "import_id": str(incoming.pk),
        "todo_id": str(todo.pk),
        "request_id": str(asked.pk),
        "run_id": str(run.pk),
        "proposal_id": str(proposal.pk),
        "fold_id": str(fold.pk),
        "candidate_id": str(wish.pk),
        "slug": "guide",
        "name": "SOUL",
        "user": "bob",
    }


def routes() -> Iterator[tuple[str, str]]:
    """Method and name of every address under /api/v1/."""
    return (
        (method.upper(), name)
        for method in METHODS
        for name in (*list_routes(method), *list_mem0_routes(method))
    )


def body_of(response: HttpResponse) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def list_shown(response: HttpResponse, things: dict[str, str]) -> list[str]:
    """What of ours stands in the answer."""
    text = body_of(response).decode()
    named = [
        things[name]
        for name in ("session_id", "job_id", "memory_id", "todo_id", "run_id", "request_id", "webhook_id")
    ]
    return [word for word in ("curtain", "safe.txt", *named) if word in text]


def document_of(response: HttpResponse) -> dict[str, Any]:
    """A problem without what differs from request to request."""
    return {**json.loads(response.content), "request_id": "", "type_": response["Content-Type"]}


def missing(things: dict[str, str]) -> dict[str, str]:
    """Names of things that nobody has."""
    nothing = dict.fromkeys(things, "0190a000-0000-7000-8000-000000000000")
    return {**nothing, "slug": "nobody", "user": "nobody", "entity_type": "user", "entity_id": "nobody"}


def memory_of(acme: Team, things: dict[str, str]) -> tuple[Any, ...]:
    """What strangers must not have changed."""
    owner = client_of(acme)
    memory = owner.get(reverse("memory", kwargs={"memory_id": things["memory_id"]})).json()
    session = owner.get(reverse("session", kwargs={"session_id": things["session_id"]})).json()
    return memory["value"], memory["status"], memory["pinned"], memory["version"], session["message_count"]


def find_faults(client: Client, things: dict[str, str], expected: Any) -> dict[str, Any]:
    """Rows whose answer differs from `expected(row)`, shows what is ours, or tells what exists from what doesn't."""
    faults: dict[str, Any] = {}
    for row in sorted(
        TABLE, key=lambda row: expected(row) != HIDDEN
    ):  # what makes something of its own comes last
        response = send(client, row, things)
        hidden = expected(row) == HIDDEN
        if response.status_code not in ((404,) if hidden else (200, 201, 202)):
            faults[str(row)] = (response.status_code, response.content)
        elif shown := list_shown(response, things):
            faults[str(row)] = f"shows {shown}"
        elif hidden and row.names:
            twin = send(client, row, missing(things))
            if document_of(response) != document_of(twin):
                faults[str(row)] = (response.content, twin.content)
    return faults


def test_every_route_stands_in_the_table() -> None:
    assert {(row.method, row.name) for row in TABLE} == set(routes()) - PUBLIC


def test_another_team_finds_nothing(things: dict[str, str], acme: Team, rival: Team) -> None:
    before = memory_of(acme, things)

    faults = find_faults(client_of(rival), things, lambda row: row.rival)

    assert faults == {}
    assert memory_of(acme, things) == before


def test_a_key_bound_to_another_person_finds_nothing(things: dict[str, str], acme: Team) -> None:
    before = memory_of(acme, things)

    faults = find_faults(client_of(acme, person="carol"), things, lambda row: row.neighbour)

    assert faults == {}
    assert memory_of(acme, things) == before


def test_a_key_without_scopes_is_refused(things: dict[str, str], acme: Team) -> None:
    client = client_of(acme, name="bare")
    with tenant_scope(acme.tenant):
        ApiKey.objects.for_tenant(acme.tenant).filter(name="bare").update(scopes=[])

    answers = {str(row): send(client, row, things) for row in TABLE}

    assert {row: answer.status_code for row, answer in answers.items() if answer.status_code != 403} == {}
    assert {json.loads(answer.content)["code"] for answer in answers.values()} == {"forbidden"}


def test_a_key_that_may_only_read_cannot_write(things: dict[str, str], acme: Team) -> None:
    before = memory_of(acme, things)
    asking = (
        "session-context",
        "search",
        "memory-explain",
        "recall",
        "tool",
        "memory-tool",
        *(row.name for row in MEM0 if row.method == "POST" and row.body is not SAID),
    )  # questions that travel in a body
    writing = [row for row in TABLE if row.method != "GET" and row.name not in asking]
    reader = client_of(acme, scopes=("read",))

    answers = {str(row): send(reader, row, things).status_code for row in writing}

    assert {row: status for row, status in answers.items() if status != 403} == {}
    assert memory_of(acme, things) == before


def test_no_key_is_asked_for_one(things: dict[str, str]) -> None:
    answers = {str(row): send(Client(raise_request_exception=False), row, things) for row in TABLE}

    assert {row: answer.status_code for row, answer in answers.items() if answer.status_code != 401} == {}
    assert {json.loads(answer.content)["code"] for answer in answers.values()} == {"unauthenticated"}
    assert {answer["WWW-Authenticate"].split()[0] for answer in answers.values()} == {"Bearer"}


def test_no_route_takes_a_parameter_it_does_not_know(things: dict[str, str], acme: Team) -> None:
    before, client = memory_of(acme, things), client_of(acme)
    rows = [replace(row, query=f"{row.query or '?'}&nonsense=1") for row in TABLE]

    answers = {str(row): send(client, row, things) for row in rows}

    assert {row: answer.status_code for row, answer in answers.items() if answer.status_code != 400} == {}
    named = {one["pointer"] for answer in answers.values() for one in answer.json()["errors"]}
    assert named == {"?nonsense"}
    assert memory_of(acme, things) == before


def test_the_schema_is_for_everyone(db: None) -> None:
    assert Client().get(reverse("schema")).status_code == 200

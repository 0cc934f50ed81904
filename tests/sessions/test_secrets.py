"""A secret told anywhere stands in the conversation where it was said, and nowhere else that lasts."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from psycopg import sql

from nebo.jobs.claims import claim_job
from nebo.jobs.models import Job
from nebo.tenants.scoping import tenant_scope
from search.embeddings.openai import build_openai_embedder
from sessions.compaction.run import compact_session
from sessions.learning.extraction import extract_session
from sessions.lifecycle.closing import close_session
from sessions.models import Session
from sessions.scheduling import schedule
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.scripted_server import ScriptedServer, scripted_server
from tests.search.conftest import taking_all_but
from tests.sessions.conftest import Call, caller

pytestmark = pytest.mark.django_db
__all__ = ["scripted_server"]

CONVERSATION = {"agent_sessions_message"}  # the transcript as the person's own pages show it
SECRETS = {
    "card": "4111 1111 1111 1111",
    "openai": "sk-proj-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d",
    "aws": "AKIA" + "IOSFODNN7EXAMPLA",
    "github": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
    "password": "Tr0ub4dor&3",
    "iban": "DE89 3704 0044 0532 0130 00",
}
SAID = {
    "card": "My card number is 4111 1111 1111 1111.",
    "openai": f"The key is {SECRETS['openai']}.",
    "aws": f"We use {SECRETS['aws']} for the backups.",
    "github": f"Remember that the token is {SECRETS['github']}.",
    "password": "My password for the bank is Tr0ub4dor&3.",
    "iban": "Pay the rent to DE89 3704 0044 0532 0130 00.",
}


def find_tables(secret: str) -> set[str]:
    """Tables in which the text stands, in any column, as this transaction sees them."""
    shown = {secret, secret.replace(" ", "")}
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH ours AS MATERIALIZED (SELECT tablename FROM pg_tables WHERE schemaname = 'public') "
            "SELECT tablename FROM ours WHERE has_table_privilege(quote_ident(tablename), 'SELECT')"
        )
        names = [name for (name,) in cursor.fetchall()]
        return {name for name in names if any(stands_in(cursor, name, text) for text in shown)}


def stands_in(cursor: Any, table: str, text: str) -> bool:
    query = sql.SQL("SELECT EXISTS (SELECT 1 FROM {table} t WHERE position(%s in t::text) > 0)")
    cursor.execute(query.format(table=sql.Identifier(table)), [text])
    return bool(cursor.fetchone()[0])


def run(team: Team, session_id: str, kind: str, work: Any, **more: Any) -> None:
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).select_related("tenant").get(pk=session_id)
        job = schedule(tenant=team.tenant, session=session, kind=kind)
        Job.objects.for_tenant(team.tenant).filter(pk=job.pk).update(due_at="2020-01-01T00:00:00Z")
    claim = claim_job(tenant_id=team.tenant.pk, job_id=job.pk)
    assert claim is not None
    work(claim=claim, **more)


@pytest.mark.parametrize("kind", SECRETS)
def test_what_is_said_is_in_no_memory_summary_todo_or_log(
    call: Call, session_id: str, acme: Team, kind: str
) -> None:
    named = f"the password {SECRETS[kind]}" if kind == "password" else SECRETS[kind]
    said = [SAID[kind], f"Remind me to use {named} tomorrow.", f"remember globally: {SAID[kind]}"]
    filler = [f"On day {n} we talked about the harbour, the boats and the weather." for n in range(20)]
    messages = [{"role": "user", "content": text} for text in (*said, *filler, said[0])]

    answer = call("POST", f"sessions/{session_id}/turns/", {"messages": messages})
    run(acme, session_id, "extract", extract_session, trigger="idle")
    run(acme, session_id, "compact", compact_session)
    run(acme, session_id, "close", close_session)

    assert answer.status_code == 201, answer.content
    with tenant_scope(acme.tenant):
        assert find_tables(SECRETS[kind]) <= CONVERSATION


@pytest.mark.parametrize("kind", SECRETS)
def test_what_is_written_is_kept_nowhere(call: Call, session_id: str, acme: Team, kind: str) -> None:
    secret, text = SECRETS[kind], SAID[kind]
    admin = caller(acme, scopes=["read", "write", "admin"])
    memory = call("POST", "users/alice/memories/", {"value": "Likes tea"}).json()["id"]

    writes = [
        call(
            "POST", "users/alice/memories/", {"value": text, "tags": [text[:64]], "metadata": {"note": text}}
        ),
        call("POST", "users/alice/memories/", {"value": "About the bank", "key": text, "entity_label": text}),
        call("POST", "users/alice/memories/", {"value": "About a key", "memory_key": text}),
        call("PATCH", f"memories/{memory}/", {"value": text}),
        call("POST", "users/alice/tool/", {"action": "store", "key": "k", "value": text}),
        call("PATCH", "users/alice/", {"context": text, "goals": text}),
        call("PUT", f"sessions/{session_id}/active-task/", {"text": text}),
        admin("POST", "personas/", {"slug": "guide", "name": "Guide", "file_sync": "import_export"}),
        admin("PUT", "personas/guide/files/SOUL.md", {"content": text}),
        admin("PATCH", "personas/guide/", {"custom_personality": text}),
    ]

    assert not any(answer.status_code >= 500 for answer in writes)
    with tenant_scope(acme.tenant):
        assert find_tables(secret) <= CONVERSATION


@pytest.mark.parametrize("kind", SECRETS)
def test_what_agents_get_of_a_conversation_has_a_mark_in_its_place(
    call: Call, session_id: str, acme: Team, kind: str
) -> None:
    say = {
        "messages": [{"role": "user", "content": SAID[kind]}, {"role": "assistant", "content": SAID[kind]}]
    }
    call("POST", f"sessions/{session_id}/turns/", say)
    other = call("POST", "sessions/", {"user": "alice", "key": "chat-2"}).json()["id"]

    told = [
        call("POST", f"sessions/{session_id}/context/", {"query": SAID[kind]}),
        call("POST", f"sessions/{other}/context/", {"query": SAID[kind]}),
        call("POST", "users/alice/search/", {"query": SAID[kind]}),
        call("POST", "users/alice/tool/", {"action": "search", "query": SAID[kind].split()[1]}),
        call("GET", f"sessions/{session_id}/messages/"),
        call("GET", "users/alice/states/"),
    ]

    assert not any(SECRETS[kind] in answer.content.decode() for answer in told)
    assert " removed]" in told[0].content.decode()


@pytest.mark.parametrize(
    "slug", ["card-4111-1111-1111-1111", "iban_DE89370400440532013000", "pin-4821", "ssn-078-05-1120"]
)
def test_no_address_spells_out_a_secret(call: Call, acme: Team, slug: str) -> None:
    fields: tuple[dict[str, Any], ...] = (
        {"key": slug},
        {"memory_key": slug},
        {"tags": [slug]},
        {"namespace": f"bank/{slug}"},
        {"entity_label": slug},
        {"entity_refs": [f"thing:{slug}"]},
    )

    for number, named in enumerate(fields):
        body = {"value": f"About the bank {number}", **named}
        assert call("POST", "users/alice/memories/", body).status_code in (201, 400)

    with tenant_scope(acme.tenant):
        spellings = {slug, slug.lower(), slug.lower().replace("-", "_"), slug.lower().replace("_", "-")}
        assert not set().union(*map(find_tables, spellings))


@pytest.fixture
def provider(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    """A provider of vectors on loopback that takes whatever it is sent."""
    scripted_server.always("/v1/embeddings", taking_all_but(scripted_server, "unspeakable"))
    embedder = build_openai_embedder(
        api_key="k", model="nosy", base_url=f"{scripted_server.url}/v1", dimensions=4
    )
    monkeypatch.setattr("search.embeddings.serving.get_embedder", lambda *spec, **more: embedder)
    return scripted_server


@pytest.mark.parametrize("kind", SECRETS)
def test_no_provider_of_vectors_and_no_log_hears_of_it(
    call: Call,
    session_id: str,
    acme: Team,
    provider: ScriptedServer,
    caplog: pytest.LogCaptureFixture,
    kind: str,
) -> None:
    said = [SAID[kind], f"remember globally: {SAID[kind]}", "Please forget that I told you about the bank."]
    for text in said:
        call("POST", f"sessions/{session_id}/turns/", {"messages": [{"role": "user", "content": text}]})
    call("POST", "users/alice/memories/", {"value": SAID[kind], "key": "noted"})
    for _ in range(3):
        run_jobs(acme.tenant)

    for path in (f"sessions/{session_id}/context/", "users/alice/search/", "users/alice/recall/"):
        assert call("POST", path, {"query": SAID[kind]}).status_code == 200
    call("POST", "users/alice/tool/", {"action": "search", "query": SAID[kind]})

    sent = " ".join(str(request.json["input"]) for request in provider.requests)
    assert " removed]" in sent
    assert SECRETS[kind] not in sent
    assert SECRETS[kind] not in caplog.text

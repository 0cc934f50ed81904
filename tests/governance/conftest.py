"""A person of whom something stands in as many tables as there are ways to write."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.conf import settings
from psycopg import sql

from memories.audit.sealing import seal_all
from memories.models import Memory, Todo
from nebo.env import env
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import get_person
from nebo.tenants.services import issue_key
from sessions.models import Compaction, Message, Session, SessionSummary, Snapshot
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import Call, caller

SECRET = "umbrella with zebra stripes"  # stands in everything that is stored of Maya
PERSON = "maya@example.test"


@pytest.fixture
def maya(committed_db: None, acme: Team) -> UserProfile:
    return fill(acme, PERSON, SECRET)


@pytest.fixture
def admin(maya: UserProfile, acme: Team) -> Call:
    """A caller of Maya's team that may do everything."""
    return caller(acme, scopes=("admin",))


def fill(team: Team, user: str, secret: str) -> UserProfile:
    """Turns, memories, todos, summaries, readings, repeated answers, jobs, a key, a sealed log: all committed."""
    call = caller(team, scopes=("admin",))
    session = _converse(call, user, secret)
    _remember(call, user, secret)
    _ask(call, session, user, secret)
    run_jobs(team.tenant)
    with tenant_scope(team.tenant):
        person = get_person(tenant=team.tenant, external_id=user)
        issue_key(tenant=team.tenant, name=f"key of {user}", person=person)
        _write_about(team, person, secret)
    seal_all(tenant=team.tenant)
    return person


def _converse(call: Call, user: str, secret: str) -> str:
    made = call("POST", "sessions/", {"user": user, "key": f"chat-{user}"})
    assert made.status_code == 201, made.content
    said = f"Remember that I lost my {secret}. I live in Lisbon. My sister Ilse lives in Porto."
    turn = {"messages": [{"role": "user", "content": said}]}
    told = call("POST", f"sessions/{made.json()['id']}/turns/", turn, **{"Idempotency-Key": f"turn-{user}"})
    assert told.status_code == 201, told.content
    return str(made.json()["id"])


def _remember(call: Call, user: str, secret: str) -> None:
    body = {"value": f"Wants her {secret} back", "key": "umbrella", "entity_refs": ["person:tom"]}
    made = call("POST", f"users/{user}/memories/", body, **{"Idempotency-Key": f"memory-{user}"})
    assert made.status_code == 201, made.content
    changed = call("PATCH", f"memories/{made.json()['id']}/", {"value": f"Has her {secret} again"})
    assert changed.status_code == 200, changed.content


def _ask(call: Call, session: str, user: str, secret: str) -> None:
    for path, body in (
        (f"users/{user}/search/", {"query": secret}),
        (f"users/{user}/recall/", {"query": f"Where is the {secret}?"}),
        (f"sessions/{session}/context/", {"query": secret}),
        (f"users/{user}/tool/", {"action": "search", "query": secret}),
    ):
        answer = call("POST", path, body, **{"Idempotency-Key": f"{path[-7:]}-{user}"})
        assert answer.status_code == 200, answer.content


def _write_about(team: Team, person: UserProfile, secret: str) -> None:
    session = Session.objects.for_tenant(team.tenant).get(person=person)
    Todo.objects.for_tenant(team.tenant).create(person=person, text=f"Look for the {secret}")
    SessionSummary.objects.for_tenant(team.tenant).create(session=session, one_liner=f"About a {secret}")
    compaction = Compaction.objects.for_tenant(team.tenant).create(
        session=session,
        number=1,
        seq_from=1,
        seq_to=1,
        kept=1,
        tokens_before=9,
        tokens_after=1,
        summary_after=secret,
    )
    Snapshot.objects.for_tenant(team.tenant).create(compaction=compaction, facts=[secret])


def memories_of(team: Team, person: UserProfile) -> list[Memory]:
    with tenant_scope(team.tenant):
        return list(Memory.objects.for_tenant(team.tenant).filter(person_id=person.pk))


def messages_of(team: Team, person: UserProfile) -> list[Message]:
    with tenant_scope(team.tenant):
        return list(Message.objects.for_tenant(team.tenant).filter(person_id=person.pk).order_by("seq"))


def owner_rows(statement: str, **params: Any) -> list[tuple[Any, ...]]:
    """As the owner, past every wall."""
    url = settings.DATABASE_URLS.owner
    with psycopg.connect(url, dbname=env.test_database, autocommit=True) as connection:
        cursor = connection.execute(statement, params or None)
        return cursor.fetchall() if cursor.description else []


def find_traces(*needles: str) -> dict[str, int]:
    """How many rows of each table of the database, a model's or not, hold one of these texts anywhere."""
    url = settings.DATABASE_URLS.owner
    found: dict[str, int] = {}
    with psycopg.connect(url, dbname=env.test_database, autocommit=True) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (table,) in tables:
            query = sql.SQL("SELECT count(*) FROM {0} t WHERE t::text ILIKE ANY (%s)").format(
                sql.Identifier(table)
            )
            (count,) = connection.execute(query, [[f"%{needle}%" for needle in needles]]).fetchone()
            if count:
                found[table] = count
    return found

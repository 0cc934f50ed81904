"""What a context costs the database: three statements, each by the owner's indexes, and nobody else's rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from memories.models import Entity, Memory, MemoryEntity, Todo
from nebo.env import env
from nebo.tenants.models import UserProfile
from nebo.tenants.reads import TenantReads
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import Speaks
from personality.models import Persona, PersonaFile, PersonaOverlay
from search.embeddings.serving import get_serving_model
from search.models import Chunk, PendingEmbedding
from sessions.context.inputs import CONTEXT_READS
from sessions.context.recall import RESULT_READS
from sessions.models import Message, RollingSummary, Session, SessionState, SessionSummary, Spine
from tests.conftest import Team
from tests.sessions.conftest import Call, caller

QUERY = "Which flowers grow in the garden?"


def store(call: Call, count: int) -> None:
    for number in range(count):
        body = {
            "value": f"Flower {number} grows in the garden",
            "entity_refs": [f"place:bed_{number}"],
            "layer": "entity",
        }
        assert call("POST", "users/alice/memories/", {**body, "importance": 2}).status_code == 201


def talk(call: Call, session_id: str, count: int) -> None:
    messages = [{"role": "user", "content": f"Flower {number} is red."} for number in range(count)]
    assert call("POST", f"sessions/{session_id}/turns/", {"messages": messages}).status_code == 201


def read_by(call: Call, session_id: str, **body: Any) -> tuple[list[str], list[str]]:
    """The statements that read, and those that write; without the key's, and the model's, known for seconds."""
    statements: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        statements.append(sql.strip())
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        answer = call("POST", f"sessions/{session_id}/context/", body)
    assert answer.status_code == 200, answer.content
    aside = ("nebo_find_key", "SELECT set_config", "SAVEPOINT", 'FROM "search_embeddingmodel"')
    counted = [sql for sql in statements if not any(word in sql for word in aside)]
    reads = [sql for sql in counted if sql.startswith(("SELECT", "WITH"))]
    return reads, [sql for sql in counted if sql not in reads]


@pytest.mark.django_db
@pytest.mark.parametrize("messages", [1, 200])
@pytest.mark.parametrize("memories", [0, 30])
def test_a_context_is_three_statements_a_line_of_the_log_and_a_count(
    call: Call, session_id: str, memories: int, messages: int
) -> None:
    store(call, memories)
    talk(call, session_id, messages)

    reads, writes = read_by(call, session_id, query=QUERY)

    assert len(reads) == 3
    assert len(writes) == (2 if memories else 1)
    assert "INSERT INTO memories_auditentry" in writes[0]
    assert all("access_count" in count for count in writes[1:])


@pytest.mark.django_db
def test_a_lean_context_is_one_statement(call: Call, session_id: str) -> None:
    talk(call, session_id, 3)

    assert len(read_by(call, session_id, query=QUERY, lean=True)[0]) == 1


@pytest.mark.django_db
def test_without_a_query_what_was_said_last_is_one_statement_more(call: Call, session_id: str) -> None:
    talk(call, session_id, 3)

    assert len(read_by(call, session_id)[0]) == 4


def test_a_kept_answer_saves_one_statement_and_says_the_same(committed_db: None, acme: Team) -> None:
    call = caller(acme)
    session_id = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]
    store(call, 20)

    new = call("POST", f"sessions/{session_id}/context/", {"query": QUERY}).json()
    kept = call("POST", f"sessions/{session_id}/context/", {"query": QUERY}).json()
    reads, _ = read_by(call, session_id, query=QUERY)

    assert len(reads) == 2
    assert kept == new
    assert kept["dynamic"].count("[place:bed_") == 10


# --- Whose rows ------------------------------------------------------------------------------------------


def add_all(team: Team, text: str, *, person: UserProfile, persona: Persona | None = None) -> Session:
    """A row of everything a context is made of, that says `text`."""
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).create(
            person=person, persona=persona, key=text, turn_count=1, next_seq=2, active_task=text
        )
        owned = {"tenant": team.tenant, "person": person}
        Message.unscoped.create(**owned, session=session, seq=1, role="user", content=f"Garden: {text}")
        Todo.unscoped.create(**owned, persona=persona, kind="commitment", text=text)
        state, _ = SessionState.objects.for_tenant(team.tenant).get_or_create(person=person, persona=persona)
        RollingSummary.unscoped.create(
            tenant=team.tenant, state=state, text=f"{text} swings in hammocks", seq_to=1
        )
        SessionSummary.unscoped.create(tenant=team.tenant, session=session, one_liner=text)
        audience = str(persona.pk) if persona else "shared"
        if persona is None:
            Spine.unscoped.create(**owned, version=1, sections={audience: {"PROFILE": [text]}})
        add_memories(team, text, person=person, persona=persona)
        if persona is not None:
            PersonaOverlay.unscoped.create(**owned, persona=persona, fields={"vibe": text})
            PersonaFile.unscoped.create(tenant=team.tenant, persona=persona, name="SOUL.md", content=text)
    return session


def add_memories(team: Team, text: str, *, person: UserProfile, persona: Persona | None) -> None:
    entity, _ = Entity.objects.for_tenant(team.tenant).get_or_create(
        person=person, ref="place:garden", defaults={"type": "place"}
    )
    for namespace, key in (("tacit/facts", "fact"), ("tacit/personality", "directive")):
        memory = Memory.unscoped.create(
            tenant=team.tenant, person=person, persona=persona, layer="tacit", namespace=namespace, key=key,
            value=f"{text} {key}", source="user", importance=3, entity_refs=["place:garden"],
        )  # fmt: skip
        MemoryEntity.unscoped.create(tenant=team.tenant, memory=memory, entity=entity)


@pytest.mark.django_db
def test_no_row_of_another_tenant_person_or_persona_enters(call: Call, acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        bob = UserProfile.objects.for_tenant(acme.tenant).create(external_id="bob")
        coach = Persona.objects.for_tenant(acme.tenant).create(slug="coach")
        friend = Persona.objects.for_tenant(acme.tenant).create(slug="friend")
    with tenant_scope(rival.tenant):
        theirs = Persona.objects.for_tenant(rival.tenant).create(slug="coach")
    add_all(acme, "OWN earlier", person=acme.person, persona=coach)
    session = add_all(acme, "OWN", person=acme.person, persona=None)
    with tenant_scope(acme.tenant):
        Session.objects.for_tenant(acme.tenant).filter(pk=session.pk).update(persona=coach)
    add_all(rival, "FOREIGN tenant", person=rival.person)
    add_all(rival, "FOREIGN tenants persona", person=rival.person, persona=theirs)
    add_all(acme, "FOREIGN person", person=bob)
    add_all(acme, "FOREIGN persona", person=acme.person, persona=friend)
    call(
        "POST",
        "users/alice/memories/",
        {"value": "The garden with OWN roses is red, too", "entity_refs": ["place:garden"]},
    )

    context = call("POST", f"sessions/{session.pk}/context/", {"query": "garden"}).json()

    text = context["stable"] + context["dynamic"] + str(context["messages"])
    assert "FOREIGN" not in str(context)
    for own in ("OWN earlier fact", "OWN earlier directive", "OWN roses", "Your vibe: OWN earlier"):
        assert own in text
    for heading in (
        "## Long-Term Summary",
        "## So Far",
        "## Last Conversation",
        "## Open Loops",
        "[place:garden]",
    ):
        assert heading in text


@pytest.mark.django_db
def test_a_session_of_another_is_not_found(acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        bob = UserProfile.objects.for_tenant(acme.tenant).create(external_id="bob")
        coach = Persona.objects.for_tenant(acme.tenant).create(slug="coach")
        friend = Persona.objects.for_tenant(acme.tenant).create(slug="friend")
        session = Session.objects.for_tenant(acme.tenant).create(
            person=acme.person, persona=coach, key="chat"
        )
    path, bodies = f"sessions/{session.pk}/context/", ({"query": QUERY}, {})

    for stranger in (
        caller(rival),
        caller(acme, person=bob),
        caller(acme, speaks=Speaks(friend.pk)),
    ):
        assert [stranger("POST", path, body).status_code for body in bodies] == [404, 404]
    own = caller(acme, person=acme.person, speaks=Speaks(coach.pk))
    assert [own("POST", path, body).status_code for body in bodies] == [200, 200]


# --- How they are found ----------------------------------------------------------------------------------

INDEXES = {
    "memories_memory": (
        "memory_newest_first", "memory_by_key", "memory_pinned",
        "memory_most_used", "style_most_used", "memory_by_words", "one_live_memory_a_key", "memories_memory_pkey",
    ),
    "agent_sessions_message": ("one_message_a_seq",),
    "agent_sessions_session": ("agent_sessions_session_pkey", "session_newest_first", "one_session_a_key"),
    "agent_sessions_sessionsummary": ("summary_newest_first",),
    "memories_todo": ("todo_newest_first",),
    "memories_entity": ("one_entity_a_ref",),
    "memories_memoryentity": ("one_link_a_memory",),
    "search_chunk": ("search_chunk_pkey",),
    "search_pendingembedding": ("pending_by_person",),
    "tenants_userprofile": ("tenants_userprofile_pkey", "one_profile_an_external_id"),
}  # fmt: skip
# Of one person, or of a row of theirs; of a tenant's people, one kind has one row.
NARROW = re.compile(r"\b(?:person_|session_|memory_|entity_)?id = |\(kind\)::text = ")


def crowd(team: Team) -> None:
    """Forty people with twenty of everything each, others who said nothing, and statistics about them."""
    with tenant_scope(team.tenant):
        owned = {"tenant": team.tenant}
        people = UserProfile.unscoped.bulk_create(
            UserProfile(**owned, external_id=f"person-{number}") for number in range(40)
        )
        # Forty alone stand on two pages, which to read whole would be no fault of the plan.
        UserProfile.unscoped.bulk_create(
            UserProfile(**owned, external_id=f"silent-{number}") for number in range(160)
        )
        turns = [(person, number) for person in people for number in range(20)]
        sessions = Session.unscoped.bulk_create(
            Session(**owned, person=person, key=str(number), turn_count=1) for person, number in turns
        )
        Message.unscoped.bulk_create(
            Message(**owned, session=session, person=session.person, seq=seq, role="user", content="Words.")
            for session in sessions
            for seq in (1, 2, 3)
        )
        SessionSummary.unscoped.bulk_create(
            SessionSummary(**owned, session=session, one_liner="Words.") for session in sessions
        )
        memories = Memory.unscoped.bulk_create(
            Memory(
                **owned, person=person, layer="tacit", namespace="tacit/facts", key=str(number), source="user",
                value="Words " * 20,
            )
            for person, number in turns
        )  # fmt: skip
        Todo.unscoped.bulk_create(
            Todo(**owned, person=person, kind="thread", text="Words.") for person, _ in turns
        )
        entities = Entity.unscoped.bulk_create(
            Entity(**owned, person=person, ref=f"person:p{number}", type="person") for person, number in turns
        )
        MemoryEntity.unscoped.bulk_create(
            MemoryEntity(**owned, memory=memory, entity=entity)
            for memory, entity in zip(memories, entities, strict=True)
        )
        chunks = Chunk.unscoped.bulk_create(
            Chunk(**owned, person=memory.person, source="memory", memory_id=memory.pk, text="Words.")
            for memory in memories
        )
        PendingEmbedding.unscoped.bulk_create(
            PendingEmbedding(**owned, person=chunk.person, model_id=get_serving_model().id, chunk=chunk)
            for chunk in chunks
        )
    with psycopg.connect(settings.DATABASE_URLS.owner, dbname=env.test_database, autocommit=True) as owner:
        owner.execute("ANALYZE")


def explain(gathering: TenantReads, tenant_id: UUID) -> dict[str, Any]:
    """The one plan for all values, as the app role has it."""
    with tenant_scope(tenant_id), connection.cursor() as cursor:
        cursor.execute(gathering.statement(tenant_id).pin)
        cursor.execute(f"EXPLAIN (GENERIC_PLAN, FORMAT JSON) {gathering.statement(tenant_id).sql}")
        ((explained,),) = cursor.fetchall()
        return explained[0]["Plan"]


class Entry(NamedTuple):
    """How a plan comes to rows of a table: by which index, empty for none, and under which condition."""

    table: str
    index: str
    condition: str


def entries(node: dict[str, Any], table: str = "") -> Iterator[Entry]:
    """All of a plan. A bitmap's scan of an index doesn't name its table; the node above does."""
    table = node.get("Relation Name", table)
    if "Index Name" in node or node["Node Type"] == "Seq Scan":
        yield Entry(table, node.get("Index Name", ""), node.get("Index Cond", ""))
    for part in node.get("Plans", ()):
        yield from entries(part, table)


@pytest.mark.slow
def test_each_part_is_entered_by_the_owners_index(committed_db: None, acme: Team, rival: Team) -> None:
    crowd(acme)
    crowd(rival)

    plans = [explain(gathering, acme.tenant.pk) for gathering in (CONTEXT_READS, RESULT_READS)]

    assert "$1" in json.dumps(plans)  # one plan for all values
    found = [entry for plan in plans for entry in entries(plan)]
    for table, indexes in INDEXES.items():
        used = {entry.index for entry in found if entry.table == table}
        assert used, table
        assert used <= set(indexes), (table, used)
    assert not [entry for entry in found if entry.table in INDEXES and not NARROW.search(entry.condition)]

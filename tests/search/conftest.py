"""A conversation in the index."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from memories.models import VALUE_LIMIT, Memory
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit, SearchQuery, search
from search.embeddings import vectors
from search.embeddings.hashing import HashingEmbedder
from search.embeddings.serving import get_models, get_serving_model
from search.embeddings.vectors import embed_query
from search.indexing.passages import Passage, index_passages
from search.indexing.pending import embed_batch, publish_vectors, read_batch
from search.models import Chunk, EmbeddingModel
from sessions.models import Message, Session
from sessions.turns.indexing import speaker_of
from tests.conftest import Team
from tests.scripted_server import Behaviour, Reply, ScriptedServer, json_answer, status

SAID = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def tell(
    team: Team,
    *lines: str,
    key: str = "chat",
    speaker: str = "Caroline",
    role: str = "user",
    persona_id: UUID | None = None,
    said: datetime = SAID,
) -> Session:
    """A session of these lines, indexed by words; vectors wait."""
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).create(person=team.person, key=key)
        messages = [
            Message(
                tenant=team.tenant,
                session=session,
                person=team.person,
                seq=seq,
                role=role,
                name=speaker,
                content=line,
                external_id=f"{key}:{seq}",
            )
            for seq, line in enumerate(lines, start=1)
        ]
        Message.unscoped.bulk_create(messages)
        index_passages(
            tenant=team.tenant,
            person_id=team.person.pk,
            passages=[passage(session.pk, message, said, persona_id) for message in messages],
        )
    return session


def remove_chunks(team: Team, session: Session) -> None:
    """Take a session's transcript out of the index, in the open scope."""
    Chunk.objects.for_tenant(team.tenant).filter(session_id=session.pk).delete()


def passage(session_id: UUID, message: Message, said: datetime, persona_id: UUID | None) -> Passage:
    return Passage(
        source="session",
        text=message.content,
        heading=f"[8 May 2023] {speaker_of(message)}:",
        session_id=session_id,
        seq_from=message.seq,
        seq_to=message.seq,
        speaker=speaker_of(message),
        by_agent=message.role == Message.Role.ASSISTANT,
        persona_id=persona_id,
        occurred_at=said,
    )


def remember(team: Team, *, persona_id: UUID | None = None, **values: str) -> dict[str, Memory]:
    """Live memories by key, in the namespace `tacit/facts`, indexed by words; vectors wait."""
    with tenant_scope(team.tenant):
        return {
            key: store(team, key=key, value=value, persona_id=persona_id) for key, value in values.items()
        }


def store(team: Team, *, key: str, value: str, person: UserProfile | None = None, **fields: Any) -> Memory:
    """One memory with its chunks, inside an open scope. `fields` are the row's."""
    memory = Memory.objects.for_tenant(team.tenant).create(
        **{
            "person": person or team.person,
            "layer": "tacit",
            "namespace": "tacit/facts",
            "key": key,
            "value": value[:VALUE_LIMIT],
            "source": "agent",
            **fields,
        }
    )
    index_passages(
        tenant=team.tenant,
        person_id=memory.person_id,
        passages=[
            Passage(
                source="memory",
                text=value,
                heading=f"{key}:",
                memory_id=memory.pk,
                session_id=memory.session_id if memory.scope == "session" else None,
                persona_id=memory.persona_id,
            )
        ],
    )
    return memory


def embed_all(team: Team, *profiles: UserProfile) -> int:
    """Vectors for all that waits of a person, as the job would make them."""
    model = get_serving_model()
    made = 0
    for person in profiles or (team.person,):
        with tenant_scope(team.tenant):
            batch = read_batch(tenant_id=team.tenant.pk, person_id=person.pk, model_id=model.id)
            made += publish_vectors(tenant_id=team.tenant.pk, model=model, vectors=embed_batch(model, batch))
    return made


Configure = Callable[[object], None]


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Configure:
    """Another model in the settings, as after a restart."""
    vectors._recent.clear()
    get_models()  # one has served before

    def put(embedder: object) -> None:
        monkeypatch.setattr(
            "search.embeddings.serving.get_embedder", lambda *spec, **more: known(embedder, *spec)
        )

    return put


def known(configured: object, spec: str = "") -> object:
    """The embedder of a specification, or the configured one."""
    return HashingEmbedder(int(spec.partition("/")[2])) if spec else configured


def states() -> dict[str, str]:
    """The state of each embedding model, by name."""
    return {row.name: row.state for row in EmbeddingModel.objects.all()}


def ask_as_an_agent(team: Team, text: str) -> list[Hit]:
    """Embed the question with the serving model, then search."""
    vector = embed_query(tenant=team.tenant, text=text)
    with tenant_scope(team.tenant):
        query = SearchQuery(text, team.person.pk)
        return list(search(tenant=team.tenant, query=query, vector=vector).results)


def taking_all_but(server: ScriptedServer, word: str) -> Behaviour:
    """Vectors of four numbers for every request without that word; one with it is refused."""

    def behave(reply: Reply) -> None:
        texts = server.requests[-1].json["input"]
        rows = [{"index": place, "embedding": [1.0, 0, 0, len(text)]} for place, text in enumerate(texts)]
        refused = any(word in text for text in texts)
        (status(400) if refused else json_answer({"data": rows}))(reply)

    return behave

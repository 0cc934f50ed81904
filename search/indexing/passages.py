"""Keeping the index: passages in, chunks, words and vectors kept; all in the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Literal
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from pgvector import HalfVector

from nebo.jobs.lanes import Lane
from nebo.jobs.services import enqueue
from nebo.postgres.bulk_insert import insert_all
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.postgres.prepared import execute, execute_many, number_parameters
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from search.answer_versions import invalidate_answers
from search.embeddings.serving import VectorModel, get_models, model_id_of
from search.indexing.chunking import TextChunk, split_text
from search.language import DEFAULT_LANGUAGE, choose_configuration, segment_for_index
from search.models import Chunk

HEADING_CHARS = 400
LATEST_CHUNKS = 50  # chunks of a session that are looked at for who may find what a reply answers
EMBED_BATCH = 256  # chunks a run of the embed job, at most
LIVE_CHUNKS = 16  # of one call, at most, where somebody talks; more is an import

# Django would write each vector out as 4 kB of text, which takes ten times as long on both sides.
STORE_VECTOR = number_parameters("""
INSERT INTO search_embedding (tenant_id, person_id, model_id, chunk_id, vector)
VALUES (%(tenant_id)s, %(person_id)s, %(model_id)s, %(chunk_id)s, %(vector)s::halfvec) ON CONFLICT DO NOTHING
""")
NOTE_MISSING = number_parameters("""
INSERT INTO search_pendingembedding (tenant_id, person_id, model_id, chunk_id, attempts)
SELECT %(tenant_id)s, %(person_id)s, %(model_id)s, unnest(%(chunk_ids)s::bigint[]), 0
""")
# Of a distributed database: row by row, since the rows of a SELECT go by COPY, which row-level security forbids.
NOTE_ONE_MISSING = number_parameters("""
INSERT INTO search_pendingembedding (tenant_id, person_id, model_id, chunk_id, attempts)
VALUES (%(tenant_id)s, %(person_id)s, %(model_id)s, %(chunk_id)s, 0)
""")


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to be found: a memory's, or a stretch of a session's transcript. `heading` is indexed, not shown."""

    source: Literal["memory", "session"]
    text: str
    heading: str = ""
    memory_id: UUID | None = None
    session_id: UUID | None = None
    persona_id: UUID | None = None
    seq_from: int | None = None
    seq_to: int | None = None
    speaker: str = ""
    by_agent: bool = False
    occurred_at: datetime | None = None


def index_passages(
    *,
    tenant: Tenant | UUID,
    person_id: UUID,
    passages: Sequence[Passage],
    vectors: Mapping[str, list[float]] | None = None,
) -> list[int]:
    """Cut passages into chunks and store them; returns the chunks' ids.

    Words are searchable with the commit. A chunk whose embedded text stands in `vectors` has its vector at
    once; the others wait for one `embed` job of the person, and for a model that is being built all do.
    """
    chunks = [chunk for passage in passages for chunk in _chunks_of(tenant_id_of(tenant), person_id, passage)]
    insert_all(chunks)
    given = vectors or {}
    known = {chunk.pk: given[text] for chunk in chunks if (text := embedded_text(chunk)) in given}
    store_vectors(chunks, known)
    _note_missing(tenant, person_id, chunks, known)
    return [chunk.pk for chunk in chunks]


def embedded_text(chunk: Chunk) -> str:
    """What a model is given of a chunk: a turn with its date and speaker, a memory as `key: value`."""
    return f"{chunk.heading} {chunk.text}".strip()


def schedule_embedding(
    *, tenant: Tenant | UUID, person_id: UUID, model: VectorModel, live: bool = False
) -> None:
    """One waiting job a person and model; a model that is being built doesn't hold up the one that serves.

    What was just said is `live`, and goes before imports and what is left of them; those go before summaries, since
    without vectors words alone find them.
    """
    lane = Lane.LIVE if live else Lane.SESSION
    enqueue(
        tenant=tenant,
        kind="embed" if model.serves else "build-vectors",
        payload={"person_id": str(person_id), "model_id": model.id},
        dedupe_key=f"embed:{model.id}:{person_id}",
        person_id=person_id,
        lane=lane if model.serves else Lane.BACKFILL,
    )


def remove_memory_chunks(*, tenant: Tenant | UUID, memory_ids: Iterable[UUID]) -> int:
    """Take memories out of the index, words and vectors too (by trigger); how many chunks went."""
    return Chunk.objects.for_tenant(tenant).filter(memory_id__in=list(memory_ids)).delete()[0]


def rewrite_session_chunks(
    *, tenant: Tenant | UUID, person_id: UUID, texts: Mapping[UUID, Mapping[int, str]]
) -> None:
    """Index these messages (text by seq, by session) with other words, for the same audience as before.

    An empty text leaves a chunk without words. No search shows it, but it keeps the audience.
    """
    wanted = Q(pk=None)
    for session_id, changed in texts.items():
        wanted |= Q(session_id=session_id, seq_from__in=list(changed))
    rows = Chunk.objects.for_tenant(tenant).filter(wanted, source=Chunk.Source.SESSION)
    found = list(rows.order_by("-index"))
    first = {(chunk.session_id, chunk.seq_from): chunk for chunk in found}.values()
    rows.filter(pk__in=[chunk.pk for chunk in found]).delete()
    texts_of = [(chunk, texts[chunk.session_id][chunk.seq_from]) for chunk in first]  # type: ignore[index]  # of a session
    passages = [_passage_of(chunk, text) for chunk, text in texts_of if text]
    index_passages(tenant=tenant, person_id=person_id, passages=passages)
    insert_all([_emptied(chunk) for chunk, text in texts_of if not text])


def _passage_of(chunk: Chunk, text: str) -> Passage:
    """The passage a chunk of a transcript was cut from, with another text."""
    return Passage(
        source="session",
        text=text,
        heading=chunk.heading,
        session_id=chunk.session_id,
        persona_id=chunk.persona_id,
        seq_from=chunk.seq_from,
        seq_to=chunk.seq_to,
        speaker=chunk.speaker,
        by_agent=chunk.by_agent,
        occurred_at=chunk.occurred_at,
    )


def _emptied(chunk: Chunk) -> Chunk:
    return _chunk(chunk.tenant_id, chunk.person_id, _passage_of(chunk, ""), TextChunk("", 0, 0, 0))


def is_kept_for_one(*, tenant: Tenant | UUID, session_id: UUID, before_seq: int) -> bool:
    """Whether, of what one side of a session said last before a message, anything is one persona's alone."""
    rows = Chunk.objects.for_tenant(tenant).filter(
        session_id=session_id, source=Chunk.Source.SESSION, seq_from__lt=before_seq
    )
    latest = list(rows.order_by("-seq_from", "-index").values_list("by_agent", "persona_id")[:LATEST_CHUNKS])
    return any(persona_id for by_agent, persona_id in takewhile(lambda row: row[0] == latest[0][0], latest))


def open_session_chunks(
    *, tenant: Tenant | UUID, person_id: UUID, session_id: UUID, seqs: Collection[int]
) -> int:
    """Let every persona find these messages of a session; how many chunks were one persona's alone."""
    rows = Chunk.objects.for_tenant(tenant).filter(
        session_id=session_id, source=Chunk.Source.SESSION, seq_from__in=seqs, persona__isnull=False
    )
    kept = list(rows.values_list("pk", flat=True)) if seqs else []
    if not kept:
        return 0
    invalidate_answers(tenant=tenant, person_id=person_id)
    return rows.filter(pk__in=kept).update(persona=None)


def _chunks_of(tenant_id: UUID, person_id: UUID, passage: Passage) -> Iterator[Chunk]:
    for piece in split_text(passage.text):
        yield _chunk(tenant_id, person_id, passage, piece)


def _chunk(tenant_id: UUID, person_id: UUID, passage: Passage, piece: TextChunk) -> Chunk:
    segmented = segment_for_index(piece.text)
    return Chunk(
        tenant_id=tenant_id,
        person_id=person_id,
        source=passage.source,
        memory_id=passage.memory_id,
        session_id=passage.session_id,
        persona_id=passage.persona_id,
        seq_from=passage.seq_from,
        seq_to=passage.seq_to,
        speaker=passage.speaker,
        by_agent=passage.by_agent,
        index=piece.index,
        start=piece.start,
        end=piece.end,
        heading=passage.heading[:HEADING_CHARS],
        text=piece.text,
        terms="" if segmented == piece.text else segmented,
        language=choose_configuration(piece.text, default=DEFAULT_LANGUAGE),
        occurred_at=passage.occurred_at or timezone.now(),
    )


def store_vectors(chunks: Iterable[Chunk], vectors: Mapping[int, list[float]]) -> None:
    """Keep the vectors of these chunks, by their ids; a vector that is there already stays."""
    rows = [
        {
            "tenant_id": chunk.tenant_id,
            "person_id": chunk.person_id,
            "model_id": model_id_of(vectors[chunk.pk]),
            "chunk_id": chunk.pk,
            "vector": HalfVector(vectors[chunk.pk]),
        }
        for chunk in chunks
        if chunk.pk in vectors
    ]
    execute_many(STORE_VECTOR, rows)


def _note_missing(
    tenant: Tenant | UUID, person_id: UUID, chunks: Sequence[Chunk], known: Mapping[int, list[float]]
) -> None:
    made_by = {chunk_id: model_id_of(vector) for chunk_id, vector in known.items()}
    for model in get_models().live:
        waiting = [chunk.pk for chunk in chunks if made_by.get(chunk.pk) != model.id]
        if waiting:
            owner = {"tenant_id": tenant_id_of(tenant), "person_id": person_id, "model_id": model.id}
            if IS_DISTRIBUTED:
                execute_many(NOTE_ONE_MISSING, [{**owner, "chunk_id": chunk_id} for chunk_id in waiting])
            else:
                execute(NOTE_MISSING, {**owner, "chunk_ids": waiting})
            live = len(waiting) <= LIVE_CHUNKS
            schedule_embedding(tenant=tenant, person_id=person_id, model=model, live=live)

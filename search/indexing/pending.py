"""Vectors that follow: chunks waiting for a model, a batch at a time."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, QuerySet

from nebo.jobs.claims import Claim
from nebo.jobs.lanes import Lane
from nebo.llm.errors import PermanentError, ProviderError, ProviderResting
from nebo.tenants.scoping import tenant_scope
from search.answer_versions import invalidate_answers
from search.embeddings.own import asked_for
from search.embeddings.serving import READY, Vector, VectorModel, get_models
from search.indexing.passages import EMBED_BATCH, embedded_text, schedule_embedding, store_vectors
from search.models import Chunk, PendingEmbedding

ABOUT_A_TEXT = frozenset({400, 413, 422})  # statuses that may blame what was sent, not who sent it
TURN_S = (
    1.0  # seconds of embedding after which others have their turn; what was just said is done before that
)
AT_ONCE = 16  # texts between two looks at the clock

Vectors = Mapping[int, Vector | None]  # by the ids of chunks; None for a text that the model refuses


@dataclass(frozen=True, slots=True)
class Batch:
    """Chunks to embed now, and whether more wait behind them."""

    chunks: Sequence[Chunk]
    more: bool


def embed_pending(*, claim: Claim) -> None:
    """Embed one person's newest chunks for a second or two, outside any transaction; another job does what is left.

    The transcript's texts are seldom repeated, so the tenant's vector cache is left alone here. For a model that
    is neither serving nor being built any more there is nothing to do.
    """
    model = find_live_model(claim.payload)
    person_id = UUID(claim.payload["person_id"])
    batch = Batch((), more=False)
    if model is not None:
        with tenant_scope(claim.tenant_id):
            batch = read_newest(tenant_id=claim.tenant_id, person_id=person_id, model_id=model.id)
    vectors: Vectors = {}
    if model is not None:
        asked = asked_for(claim.tenant_id, model)
        vectors = _embed_or_wait(asked, batch, live=claim.lane == Lane.LIVE)
    with claim.publish() as result:
        if vectors:  # what is found changes; a turn, too, takes the person's row first of all
            invalidate_answers(tenant=claim.tenant_id, person_id=person_id)
        left = batch.more or len(vectors) < len(batch.chunks)
        if model is not None and left:  # before any chunk is locked: a turn may hold the job and want a chunk
            schedule_embedding(tenant=claim.tenant_id, person_id=person_id, model=model)
        result["embedded"] = publish_vectors(tenant_id=claim.tenant_id, model=model, vectors=vectors)
        if refused := sum(vector is None for vector in vectors.values()):
            result["refused"] = refused


def _embed_or_wait(model: VectorModel, batch: Batch, *, live: bool) -> Vectors:
    """As below; while the provider fails, it raises ProviderResting, and the job waits for it as long as it takes."""
    try:
        return _embed_for_a_turn(model, batch, live=live)
    except ProviderError as error:
        rests_s = model.rests_s
        if not rests_s:
            raise
        names = (error.provider, error.model, error.reason)
        raise ProviderResting(*names, kind=error.kind, status=error.status, retry_after_s=rests_s) from error


def _embed_for_a_turn(model: VectorModel, batch: Batch, *, live: bool) -> Vectors:
    """Vectors of the first chunks: what was just said, or as many as are made in the seconds of one turn. Raises
    LlmError.
    """
    made: dict[int, Vector | None] = {}
    ends_at = time.monotonic() + (0 if live else TURN_S)
    for first in range(0, len(batch.chunks), AT_ONCE):
        made |= embed_batch(model, Batch(batch.chunks[first : first + AT_ONCE], more=False))
        if time.monotonic() >= ends_at:
            break
    return made


def embed_batch(model: VectorModel, batch: Batch) -> Vectors:
    """Vectors of the chunks; a text that the model refuses spoils no other one's.

    Raises LlmError, at once where the model refuses whatever it is asked.
    """
    try:
        return _embed(model, batch.chunks)
    except PermanentError as error:
        if error.status not in ABOUT_A_TEXT:
            raise
        model.embed([READY])
        return _embed_the_others(model, batch.chunks)


def read_batch(
    *, tenant_id: UUID, model_id: int, person_id: UUID | None = None, after: int = 0, limit: int = 0
) -> Batch:
    """The oldest chunks past the id `after` that wait for this model, of one person or of the whole tenant.

    Those it has refused don't wait; words find them. `limit` 0 is a job's own.
    """
    limit = limit or EMBED_BATCH
    rows = _list_waiting(tenant_id, model_id, after=after).order_by("pk")
    if person_id is not None:
        rows = rows.filter(person_id=person_id)
    return _cut(list(rows[: limit + 1]), limit)


def read_newest(*, tenant_id: UUID, model_id: int, person_id: UUID) -> Batch:
    """A person's newest that wait, so that what is said now needn't wait for what was imported before."""
    rows = _list_waiting(tenant_id, model_id).filter(person_id=person_id).order_by("-pk")
    return _cut(list(rows[: EMBED_BATCH + 1]), EMBED_BATCH)


def _list_waiting(tenant_id: UUID, model_id: int, *, after: int = 0) -> QuerySet[Chunk]:
    waiting = PendingEmbedding.objects.for_tenant(tenant_id).filter(
        model_id=model_id, chunk_id__gt=after, attempts=0
    )
    return Chunk.objects.for_tenant(tenant_id).filter(pk__in=waiting.values("chunk_id"))


def _cut(chunks: list[Chunk], limit: int) -> Batch:
    return Batch(chunks[:limit], more=len(chunks) > limit)


def publish_vectors(*, tenant_id: UUID, model: VectorModel | None, vectors: Vectors) -> int:
    """Store the vectors of chunks that still wait; a chunk removed meanwhile gets none. How many were stored.

    A chunk that was refused keeps its place and waits no more, until `ask_again`. One that somebody is removing at
    this moment is passed over: waiting for it could be waiting for each other.
    """
    if not vectors or model is None:
        return 0
    pending = PendingEmbedding.objects.for_tenant(tenant_id).filter(model_id=model.id)
    # A list and no subquery: the planner, before a new table is first counted, joins all of the tenant's chunks.
    waiting = list(pending.filter(chunk_id__in=list(vectors)).values_list("chunk_id", flat=True))
    rows = Chunk.objects.for_tenant(tenant_id).filter(pk__in=waiting).order_by("pk")
    held = list(rows.select_for_update(no_key=True, skip_locked=True).only("pk", "tenant_id", "person_id"))
    made = {chunk.pk: vector for chunk in held if (vector := vectors[chunk.pk]) is not None}
    refused = [chunk.pk for chunk in held if chunk.pk not in made]
    pending.filter(chunk_id__in=refused).update(attempts=F("attempts") + 1)
    pending.filter(chunk_id__in=list(made)).delete()
    store_vectors(held, made)
    return len(made)


def ask_again(*, tenant_id: UUID, model: VectorModel) -> int:
    """Let what a model has refused wait again, after its settings were mended; how many. In the open scope."""
    refused = PendingEmbedding.objects.for_tenant(tenant_id).filter(model_id=model.id, attempts__gt=0)
    return refused.update(attempts=0)


def _embed(model: VectorModel, chunks: Sequence[Chunk]) -> Vectors:
    made = model.embed([embedded_text(chunk) for chunk in chunks]) if chunks else []
    return {chunk.pk: vector for chunk, vector in zip(chunks, made, strict=True)}


def _embed_the_others(model: VectorModel, chunks: Sequence[Chunk]) -> Vectors:
    """By halves, so that one text among many is found in a few requests."""
    if len(chunks) == 1:
        return {chunks[0].pk: None}
    half = len(chunks) // 2
    return {**_embed_half(model, chunks[:half]), **_embed_half(model, chunks[half:])}


def _embed_half(model: VectorModel, chunks: Sequence[Chunk]) -> Vectors:
    try:
        return _embed(model, chunks)
    except PermanentError as error:
        if error.status not in ABOUT_A_TEXT:
            raise
        return _embed_the_others(model, chunks)


def find_live_model(payload: Mapping[str, object]) -> VectorModel | None:
    """A job's model while it serves or is built; the serving one for a job from before jobs named theirs."""
    models = get_models()
    wanted = payload.get("model_id", models.serving.id)
    return next((model for model in models.live if model.id == wanted), None)

"""Vectors that follow: chunks waiting for a model, a batch at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from nebo.jobs.claims import Claim
from nebo.tenants.scoping import tenant_scope
from search.models import Chunk, PendingEmbedding
from search.services import EMBED_BATCH, embedded_text, schedule_embedding, store_vectors
from search.serving import Vector, VectorModel, get_models


@dataclass(frozen=True, slots=True)
class Batch:
    """Chunks to embed now, and whether more wait behind them."""

    chunks: Sequence[Chunk]
    more: bool


def embed_pending(*, claim: Claim) -> None:
    """Embed a batch of one person's chunks, outside any transaction; go on in another job if more wait.

    The transcript's texts are seldom repeated, so the tenant's vector cache is left alone here. For a model that
    is neither serving nor being built any more there is nothing to do.
    """
    model = find_live_model(claim.payload)
    profile_id = UUID(claim.payload["profile_id"])
    batch = Batch((), more=False)
    if model is not None:
        with tenant_scope(claim.tenant_id):
            batch = read_batch(tenant_id=claim.tenant_id, profile_id=profile_id, model_id=model.id)
    vectors = embed_batch(model, batch) if model is not None else {}
    with claim.publish() as result:
        result["embedded"] = publish_vectors(tenant_id=claim.tenant_id, vectors=vectors)
        if model is not None and batch.more:
            schedule_embedding(tenant=claim.tenant_id, profile_id=profile_id, model=model)


def embed_batch(model: VectorModel, batch: Batch) -> dict[int, Vector]:
    """Vectors by the ids of the chunks. Raises LlmError."""
    if not batch.chunks:
        return {}
    made = model.embed([embedded_text(chunk) for chunk in batch.chunks])
    return {chunk.pk: vector for chunk, vector in zip(batch.chunks, made, strict=True)}


def read_batch(*, tenant_id: UUID, model_id: int, profile_id: UUID | None = None, after: int = 0) -> Batch:
    """The oldest chunks past the id `after` that wait for this model, of one person or of the whole tenant."""
    waiting = PendingEmbedding.objects.for_tenant(tenant_id).filter(model_id=model_id, chunk_id__gt=after)
    rows = Chunk.objects.for_tenant(tenant_id).filter(pk__in=waiting.values("chunk_id")).order_by("pk")
    if profile_id is not None:
        rows = rows.filter(profile_id=profile_id)
    chunks = list(rows[: EMBED_BATCH + 1])
    return Batch(chunks[:EMBED_BATCH], more=len(chunks) > EMBED_BATCH)


def publish_vectors(*, tenant_id: UUID, vectors: Mapping[int, Vector]) -> int:
    """Store the vectors of chunks that still wait; a chunk removed meanwhile gets none. How many were stored."""
    if not vectors:
        return 0
    model_id = next(iter(vectors.values())).model_id
    waiting = PendingEmbedding.objects.for_tenant(tenant_id).filter(
        model_id=model_id, chunk_id__in=list(vectors)
    )
    rows = Chunk.objects.for_tenant(tenant_id).filter(pk__in=waiting.values("chunk_id")).order_by("pk")
    alive = list(rows.select_for_update(no_key=True).only("pk", "tenant_id", "profile_id"))
    waiting.delete()
    store_vectors(alive, vectors)
    return len(alive)


def find_live_model(payload: Mapping[str, object]) -> VectorModel | None:
    """A job's model while it serves or is built; the serving one for a job from before jobs named theirs."""
    models = get_models()
    wanted = payload.get("model_id", models.serving.id)
    return next((model for model in models.live if model.id == wanted), None)

"""Vectors that follow: chunks waiting for the serving model, a batch at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pgvector import HalfVector

from nebo.jobs.claims import Claim
from nebo.tenants.scoping import tenant_scope
from search.models import Chunk, Embedding, PendingEmbedding
from search.services import EMBED_BATCH, embedded_text, schedule_embedding
from search.serving import get_serving_model


@dataclass(frozen=True, slots=True)
class Batch:
    """Chunks to embed now, and whether more wait behind them."""

    chunks: Sequence[Chunk]
    more: bool


def embed_pending(*, claim: Claim) -> None:
    """Embed a batch of one person's chunks, outside any transaction; go on in another job if more wait.

    The transcript's texts are seldom repeated, so the tenant's vector cache is left alone here.
    """
    model = get_serving_model()
    profile_id = UUID(claim.payload["profile_id"])
    with tenant_scope(claim.tenant_id):
        batch = read_batch(tenant_id=claim.tenant_id, profile_id=profile_id, model_id=model.id)
    vectors = model.embedder.embed([embedded_text(chunk) for chunk in batch.chunks])
    by_id = dict(zip((chunk.pk for chunk in batch.chunks), vectors, strict=True))
    with claim.publish() as result:
        result["embedded"] = publish_vectors(
            tenant_id=claim.tenant_id, profile_id=profile_id, model_id=model.id, vectors=by_id
        )
        if batch.more:
            schedule_embedding(tenant=claim.tenant_id, profile_id=profile_id)


def read_batch(*, tenant_id: UUID, profile_id: UUID, model_id: int) -> Batch:
    """The oldest chunks of a person that wait for this model."""
    waiting = PendingEmbedding.objects.for_tenant(tenant_id).filter(model_id=model_id).values("chunk_id")
    rows = Chunk.objects.for_tenant(tenant_id).filter(profile_id=profile_id, pk__in=waiting).order_by("pk")
    chunks = list(rows[: EMBED_BATCH + 1])
    return Batch(chunks[:EMBED_BATCH], more=len(chunks) > EMBED_BATCH)


def publish_vectors(
    *, tenant_id: UUID, profile_id: UUID, model_id: int, vectors: Mapping[int, list[float]]
) -> int:
    """Store the vectors of chunks that still wait; a chunk removed meanwhile gets none. How many were stored."""
    waiting = PendingEmbedding.objects.for_tenant(tenant_id).filter(
        model_id=model_id, chunk_id__in=list(vectors)
    )
    locked = Chunk.objects.for_tenant(tenant_id).filter(pk__in=waiting.values("chunk_id")).order_by("pk")
    alive = list(locked.select_for_update(no_key=True).values_list("pk", flat=True))
    waiting.delete()
    Embedding.unscoped.bulk_create(
        [
            Embedding(
                tenant_id=tenant_id,
                profile_id=profile_id,
                model_id=model_id,
                chunk_id=chunk_id,
                vector=HalfVector(vectors[chunk_id]),
            )
            for chunk_id in alive
        ],
        ignore_conflicts=True,
    )
    return len(alive)

"""Work on the index that waits in the queue, and what comes round."""

from __future__ import annotations

from datetime import timedelta

from nebo.jobs.claims import Claim
from nebo.jobs.lanes import Lane
from nebo.jobs.periodic import for_each_tenant, periodic
from nebo.jobs.registry import handler
from nebo.jobs.services import enqueue
from search.embeddings.vectors import forget_old_vectors
from search.indexing import hnsw
from search.indexing.exchange import (
    DROP_BATCH,
    begin_if_new,
    drop_retired,
    enqueue_plan,
    have_change_noticed,
    plan,
    tend,
)
from search.indexing.pending import embed_pending, find_live_model


@handler("embed", lane=Lane.LIVE)
def embed(claim: Claim) -> None:
    """Vectors for what was written since; a new model in the settings is noticed here."""
    begin_if_new()
    embed_pending(claim=claim)


@handler("build-vectors", lane=Lane.BACKFILL)
def build_vectors(claim: Claim) -> None:
    """Vectors of the model that is to serve next."""
    embed_pending(claim=claim)


@handler("plan-vectors", lane=Lane.BACKFILL)
def plan_vectors(claim: Claim) -> None:
    """Find chunks that lack a vector, some thousand at a time."""
    model = find_live_model(claim.payload)
    with claim.publish() as result:
        result["planned"] = plan(tenant=claim.tenant_id, model=model) if model else 0
        if model and result["planned"]:
            enqueue_plan(tenant=claim.tenant_id, model=model)


@handler("tidy-vectors", lane=Lane.UPKEEP)
def tidy_vectors(claim: Claim) -> None:
    """Drop cached vectors nobody asked for in a month, and those of models long retired."""
    begin_if_new()
    with claim.publish() as result:
        result["cached"] = forget_old_vectors(tenant=claim.tenant_id)
        result["retired"] = drop_retired(tenant=claim.tenant_id)
        if result["retired"] == DROP_BATCH:
            enqueue(tenant=claim.tenant_id, kind="tidy-vectors", payload={}, dedupe_key="tidy-vectors")


@handler(hnsw.KIND, lane=Lane.UPKEEP)
def index_vectors(claim: Claim) -> None:
    """An index of their own for somebody's very many vectors."""
    hnsw.make_index(claim=claim)


for_each_tenant("tidy-vectors", every=timedelta(days=1))
periodic("notice-embedding-model", every=timedelta(seconds=30))(have_change_noticed)
periodic("exchange-embeddings", every=timedelta(seconds=30))(tend)
periodic("index-large-people", every=timedelta(minutes=5))(hnsw.tend)

"""Exchange of the embedding model without a gap: built beside the old one, cut over when complete, taken back at once.

    configured ──▶ building ──▶ serving ──▶ retired ──▶ its vectors are dropped after a week
                                   ▲           │
                                   └─ rollback ┘

Questions go to the serving model until every chunk of every tenant has a vector of the new one, but for what was
written in the last moments. What is written meanwhile gets vectors of both (`search.indexing.passages`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.db import connection, connections, router, transaction
from django.utils import timezone

from nebo.env import env
from nebo.jobs.services import enqueue
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import OPERATOR_ALIAS, tenant_id_of
from search.embeddings.serving import (
    LOOK_AGAIN_S,
    VectorModel,
    as_vector_model,
    find_or_make_row,
    forget_models,
    get_configured,
    get_models,
)
from search.indexing.passages import schedule_embedding
from search.models import EmbeddingModel, PendingEmbedding

PLAN_BATCH = 5_000  # chunks noted as waiting in one transaction; well below a second
TENANTS_A_ROUND = 200  # given a job at once, so that the supervisor is not held up
DROP_BATCH = 5_000  # vectors dropped in one statement
KEEP_RETIRED = timedelta(days=7)  # how long there is a way back
# Every process knows of the new model by then, and whoever started to write before has committed.
NOTICED_AFTER = timedelta(seconds=6 * LOOK_AGAIN_S)
# What was written since holds up no cutover: where somebody always writes, something always waits for its vector.
JUST_WRITTEN = timedelta(seconds=30)

State = EmbeddingModel.State

_asked = False  # whether this process has had a worker look whether the model is another


class NothingToDo(RuntimeError):
    """There is no exchange to start, to end or to take back; the message says why."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of a tenant's chunks have a vector of one model, and how many of them it refuses."""

    done: int
    total: int
    refused: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether the model has made all that it will."""
        return self.done + self.refused >= self.total


# The ORM has no INSERT … SELECT; five thousand rows would travel here and back.
PLAN = """
WITH missing AS (
    SELECT c.id, c.person_id FROM search_chunk c
    WHERE c.tenant_id = %(tenant_id)s AND NOT EXISTS (
        SELECT FROM search_embedding e WHERE e.tenant_id = %(tenant_id)s AND e.person_id = c.person_id
          AND e.model_id = %(model_id)s AND e.chunk_id = c.id)
      AND NOT EXISTS (
        SELECT FROM search_pendingembedding p WHERE p.tenant_id = %(tenant_id)s
          AND p.model_id = %(model_id)s AND p.chunk_id = c.id)
    ORDER BY c.id LIMIT %(limit)s
), noted AS (
    INSERT INTO search_pendingembedding (tenant_id, person_id, model_id, chunk_id, attempts)
    SELECT %(tenant_id)s, person_id, %(model_id)s, id, 0 FROM missing ON CONFLICT DO NOTHING
)
SELECT person_id FROM missing
"""
PROGRESS = """
SELECT (SELECT count(*) FROM search_embedding WHERE tenant_id = %(tenant_id)s AND model_id = %(model_id)s),
       (SELECT count(*) FROM search_chunk WHERE tenant_id = %(tenant_id)s),
       (SELECT count(*) FROM search_pendingembedding
        WHERE tenant_id = %(tenant_id)s AND model_id = %(model_id)s AND attempts > 0)
"""
# Across tenants, so with the operator's rights.
HAS_MISSING = """
SELECT t.id FROM tenants_tenant t WHERE EXISTS (
    SELECT FROM search_chunk c WHERE c.tenant_id = t.id
      AND (%(before)s::timestamptz IS NULL OR c.created_at < %(before)s) AND NOT EXISTS (
        SELECT FROM search_embedding e WHERE e.tenant_id = c.tenant_id AND e.person_id = c.person_id
          AND e.model_id = %(model_id)s AND e.chunk_id = c.id)
      AND NOT EXISTS (
        SELECT FROM search_pendingembedding p WHERE p.tenant_id = c.tenant_id
          AND p.model_id = %(model_id)s AND p.chunk_id = c.id AND p.attempts >= %(attempts)s))
ORDER BY t.id LIMIT %(limit)s
"""
HAS_MISSING_EVERYWHERE = """
SELECT DISTINCT c.tenant_id FROM search_chunk c
WHERE (%(before)s::timestamptz IS NULL OR c.created_at < %(before)s) AND NOT EXISTS (
    SELECT FROM search_embedding e WHERE e.tenant_id = c.tenant_id AND e.person_id = c.person_id
      AND e.model_id = %(model_id)s AND e.chunk_id = c.id)
  AND NOT EXISTS (
    SELECT FROM search_pendingembedding p WHERE p.tenant_id = c.tenant_id
      AND p.model_id = %(model_id)s AND p.chunk_id = c.id AND p.attempts >= %(attempts)s)
ORDER BY c.tenant_id LIMIT %(limit)s
"""
Missing = Literal["any", "not refused", "not planned"]
# A chunk that waits with at least so many refusals is left out; none is asked again after one.
REFUSALS: dict[Missing, int] = {"any": 2, "not refused": 1, "not planned": 0}
# A DELETE has no LIMIT.
DROP = """
DELETE FROM search_embedding WHERE tenant_id = %(tenant_id)s AND ctid = ANY(ARRAY(
    SELECT ctid FROM search_embedding
    WHERE tenant_id = %(tenant_id)s AND model_id = ANY(%(model_ids)s) LIMIT %(limit)s))
"""


def begin_if_new() -> bool:
    """Begin to build the configured model if no row knows it yet; whether it did.

    One that served before, or was given up, comes back only when somebody says so (`start_exchange`).
    """
    embedder = get_configured()
    known = EmbeddingModel.objects.filter(
        provider=embedder.provider, name=embedder.model, dimensions=embedder.dimensions
    )
    if known.exists() or get_models().serving.is_same_as(embedder):
        return False
    start_exchange()
    return True


def have_change_noticed() -> int:
    """Once a process: if the settings may name another model than serves, have a worker look (`begin_if_new`).

    In the operator's scope. The supervisor doesn't look itself: it would have to load the model's library. How many
    workers were asked.
    """
    global _asked
    if _asked:
        return 0
    serving = EmbeddingModel.objects.filter(state=State.SERVING).first()
    if serving is None or _seems_named(serving):
        return 0
    tenant_id = Tenant.objects.filter(is_active=True).values_list("pk", flat=True).first()
    if tenant_id is None:
        return 0
    with transaction.atomic(using=OPERATOR_ALIAS):
        enqueue(tenant=tenant_id, kind="tidy-vectors", payload={}, dedupe_key="tidy-vectors")
    _asked = True
    return 1


def _seems_named(row: EmbeddingModel) -> bool:
    """Whether the settings name this model, as far as they tell by themselves: 0 dimensions mean the model's own."""
    dimensions = env.embedding_dimensions or row.dimensions
    return (env.embedding_model, dimensions) == (f"{row.provider}/{row.name}", row.dimensions)


def start_exchange() -> VectorModel:
    """Begin to build the configured model. Raises NothingToDo if it serves already."""
    embedder = get_configured()
    if get_models().serving.is_same_as(embedder):
        raise NothingToDo(f"{embedder.provider}/{embedder.model} is what the settings name, and it serves.")
    with _changing_models():
        row = find_or_make_row(embedder, State.RETIRED)
        for other in EmbeddingModel.objects.filter(state=State.BUILDING).exclude(pk=row.pk):
            _set_state(other, State.RETIRED)
        if row.state != State.BUILDING:
            row.served_until = None
            _set_state(row, State.BUILDING)
    return as_vector_model(row)


def plan(*, tenant: Tenant | UUID, model: VectorModel) -> int:
    """Note a batch of what is missing and give its people a job; how many chunks. In the open scope."""
    people = note_missing(tenant=tenant, model=model)
    for person_id in dict.fromkeys(people):
        schedule_embedding(tenant=tenant, person_id=person_id, model=model)
    return len(people)


def note_missing(*, tenant: Tenant | UUID, model: VectorModel) -> list[UUID]:
    """Note up to 5,000 of a tenant's chunks without a vector as waiting for it; whose they are, one by one.

    In the open scope. Empty when all have theirs or wait already.
    """
    with connection.cursor() as cursor:
        cursor.execute(PLAN, {"tenant_id": tenant_id_of(tenant), "model_id": model.id, "limit": PLAN_BATCH})
        return [person_id for (person_id,) in cursor.fetchall()]


def progress(*, tenant: Tenant | UUID, model: VectorModel) -> Progress:
    """In the open scope."""
    with connection.cursor() as cursor:
        cursor.execute(PROGRESS, {"tenant_id": tenant_id_of(tenant), "model_id": model.id})
        return Progress(*cursor.fetchone())


def tend() -> int:
    """Bring an exchange forward: plan what is missing, cut over when nothing is; how many tenants it found.

    In the operator's scope. Quick: vectors are made by jobs.
    """
    row = EmbeddingModel.objects.filter(state=State.BUILDING).first()
    if row is None:
        return 0
    building = as_vector_model(row)
    unplanned = list_missing(building, which="not planned", limit=TENANTS_A_ROUND)
    give_plans(unplanned, building)
    settled = timezone.now() - JUST_WRITTEN
    if not unplanned and not list_missing(building, which="not refused", limit=1, before=settled):
        with suppress(NothingToDo):
            cut_over()
    return len(unplanned)


def give_plans(tenant_ids: Iterable[UUID], model: VectorModel) -> None:
    """A job for each of these tenants that plans what is missing. In the operator's scope."""
    for tenant_id in tenant_ids:
        with transaction.atomic(using=OPERATOR_ALIAS):
            enqueue_plan(tenant=tenant_id, model=model)


def list_missing(
    model: VectorModel, *, which: Missing = "any", limit: int | None = None, before: datetime | None = None
) -> list[UUID]:
    """Tenants with a chunk that has no vector of the model, was not refused one, or doesn't even wait for one.

    Of all chunks, or of those written before a moment.
    """
    wanted = {"model_id": model.id, "limit": limit, "attempts": REFUSALS[which], "before": before}
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        cursor.execute(HAS_MISSING_EVERYWHERE if IS_DISTRIBUTED else HAS_MISSING, wanted)
        return [tenant_id for (tenant_id,) in cursor.fetchall()]


def enqueue_plan(*, tenant: Tenant | UUID, model: VectorModel) -> None:
    """A job that plans what is missing; one waiting a tenant and model."""
    enqueue(
        tenant=tenant,
        kind="plan-vectors",
        payload={"model_id": model.id},
        dedupe_key=f"plan-vectors:{model.id}",
    )


def cut_over(*, at_once: bool = False) -> VectorModel:
    """Let the new model answer from now on; the old one's vectors stay for a week.

    The caller has seen that it is complete. Raises NothingToDo without one, or when it was begun so lately that a
    process may not know of it; `at_once` is for when no other process runs.
    """
    with _changing_models():
        building = EmbeddingModel.objects.filter(state=State.BUILDING).first()
        if building is None:
            raise NothingToDo("No model is being built.")
        if not at_once and timezone.now() - building.state_since < NOTICED_AFTER:
            raise NothingToDo("The new model was begun too lately.")
        _replace_serving(building)
    return as_vector_model(building)


def roll_back() -> VectorModel:
    """One step back: give up the model that is being built, or let the one before this one serve again.

    What was written since then lacks that one's vectors; `list_missing` and `give_plans` see to it, words find it
    meanwhile. Raises NothingToDo when there is no way back, or when its vectors may be gone.
    """
    with _changing_models():
        building = EmbeddingModel.objects.filter(state=State.BUILDING).first()
        if building is not None:
            _set_state(building, State.RETIRED)
        else:
            _replace_serving(_get_previous())
    return get_models().serving


def drop_retired(*, tenant: Tenant | UUID) -> int:
    """Drop a batch of a tenant's vectors of models that are past their week; how many went. In the open scope."""
    past = EmbeddingModel.objects.filter(state=State.RETIRED, state_since__lt=timezone.now() - KEEP_RETIRED)
    model_ids = list(past.values_list("pk", flat=True))
    if not model_ids:
        return 0
    PendingEmbedding.objects.for_tenant(tenant).filter(model_id__in=model_ids).delete()
    with connection.cursor() as cursor:
        cursor.execute(DROP, {"tenant_id": tenant_id_of(tenant), "model_ids": model_ids, "limit": DROP_BATCH})
        return int(cursor.rowcount)


@contextmanager
def _changing_models() -> Iterator[None]:
    """One transaction; two who would change the models wait for each other."""
    with transaction.atomic(using=router.db_for_write(EmbeddingModel)):
        list(EmbeddingModel.objects.select_for_update(no_key=True).order_by("pk"))
        yield
    forget_models()


def _get_previous() -> EmbeddingModel:
    rows = EmbeddingModel.objects.filter(state=State.RETIRED, served_until__gt=timezone.now() - KEEP_RETIRED)
    previous = rows.order_by("-served_until").first()
    if previous is None:
        raise NothingToDo("There is no earlier model whose vectors are still there.")
    return previous


def _replace_serving(row: EmbeddingModel) -> None:
    """The old one first: the database knows one serving model at a time."""
    for serving in EmbeddingModel.objects.filter(state=State.SERVING):
        serving.served_until = timezone.now()
        _set_state(serving, State.RETIRED)
    _set_state(row, State.SERVING)


def _set_state(row: EmbeddingModel, state: State) -> None:
    row.state, row.state_since = state, timezone.now()
    row.save(update_fields=["state", "state_since", "served_until"])

"""The vectors of a person with very many get an approximate index (HNSW); everybody else's are read one by one.

One index for all would starve the small (docs/search.md#very-many-vectors), so each covers the rows of one person and
one model.
`search_corpus` names who has one. That is about speed alone: whoever is named there without an index, or has one
and is not named, is answered by an exact scan. Indexes are made and dropped beside all other work, by the owner of
the tables, since no other role may.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import structlog
from django.db import Error as DatabaseError
from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper

from nebo.jobs.claims import Claim
from nebo.jobs.services import enqueue
from nebo.postgres.locks import TRY_SESSION_LOCK
from nebo.queue import TIME_LIMIT_S
from nebo.tenants.scoping import OPERATOR_ALIAS, tenant_scope
from search.embeddings.serving import VectorModel, get_serving_model
from search.models import Corpus

log = structlog.get_logger(__name__)

KIND = "index-vectors"
OWNER_ALIAS = "owner"
LARGE = 20_000  # chunks; to read so many takes some 13 ms, to ask their index 6 (docs/search.md)
MOST = 50  # people; whoever writes a vector looks at each of their indexes
MOST_DIMENSIONS = 4_000  # of half-precision vectors in such an index (pgvector)
TRY_AGAIN = timedelta(days=1)  # after an index could not be made
BUILD_LIMIT_S = TIME_LIMIT_S - 10  # seconds; the database stops before the job is stopped
DROP_LIMIT_S = 2  # seconds; the supervisor waits for it

# Who has an index keeps it until half of what called for it is gone.
FIND_LARGE = """
SELECT tenant_id, person_id, indexed_model_id FROM search_corpus
WHERE chunks >= CASE WHEN indexed_model_id IS NULL THEN %(large)s ELSE %(large)s / 2 END
ORDER BY indexed_model_id IS NULL, chunks DESC LIMIT %(most)s
"""
FIND_TRIED = """
SELECT person_id FROM jobs_job
WHERE tenant_id = ANY(%(tenants)s) AND person_id = ANY(%(people)s) AND kind = %(kind)s AND state <> 'succeeded'
  AND created_at > clock_timestamp() - %(within)s
"""
FORGET_OTHERS = """
UPDATE search_corpus SET indexed_model_id = NULL WHERE indexed_model_id IS NOT NULL AND person_id <> ALL(%s::uuid[])
"""
FIND_INDEXES = """
SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = 'search_embedding'::regclass AND starts_with(c.relname, 'vectors_of_')
"""
CREATE = """
CREATE INDEX CONCURRENTLY {name} ON search_embedding USING hnsw ((vector::halfvec({dimensions})) halfvec_ip_ops)
WHERE tenant_id = %s AND person_id = %s AND model_id = %s
"""
# For 100,000 vectors it takes 120 MB. One process: others find room only in shared memory, of which a container has
# little, and the other cores go on serving.
BUILD_GENTLY = "SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 0"
DROP = "DROP INDEX CONCURRENTLY IF EXISTS {name}"


class LargePerson(NamedTuple):
    """A person with very many chunks."""

    tenant_id: UUID
    person_id: UUID
    indexed_model_id: int | None

    def index_of(self, model: VectorModel) -> str:
        """The name of the index of their vectors by this model."""
        return f"vectors_of_{self.person_id.hex}_{model.id}"


def tend(*, large: int = LARGE, most: int = MOST) -> int:
    """Give those a job who lack their index, and drop what nobody needs any more; how many jobs.

    In the operator's scope. `large` counts chunks, `most` people.
    """
    model = get_serving_model()
    people = _list_large(large, most) if model.dimensions <= MOST_DIMENSIONS else []
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        valid = _find_indexes(cursor)
    lacking = [person for person in people if not _is_indexed(person, model, valid)]
    strays = set(valid) - {person.index_of(model) for person in people}
    if not (lacking or strays) or not _reaches_tables_owner(lacking):
        return 0
    given = _give_jobs(lacking)
    _drop_all(strays, kept=people)
    return given


def make_index(*, claim: Claim) -> None:
    """The index of one person's vectors by the serving model, made while everybody goes on reading and writing.

    Raises DatabaseError where it takes longer than a job may.
    """
    model = get_serving_model()
    with tenant_scope(claim.tenant_id):
        person = _find_person(claim)
    made = person is not None and _create(person, model)
    with claim.publish() as result:
        result["indexed"] = made
        if made:
            people = Corpus.objects.for_tenant(claim.tenant_id).filter(person_id=claim.person_id)
            people.update(indexed_model_id=model.id)


def _list_large(large: int, most: int) -> list[LargePerson]:
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        cursor.execute(FIND_LARGE, {"large": large, "most": most})
        return [LargePerson._make(row) for row in cursor.fetchall()]


def _find_person(claim: Claim) -> LargePerson | None:
    rows = Corpus.objects.for_tenant(claim.tenant_id).filter(person_id=claim.person_id)
    row = rows.values_list("tenant_id", "person_id", "indexed_model_id").first()
    return LargePerson._make(row) if row else None


def _find_indexes(cursor: CursorWrapper) -> dict[str, bool]:
    """Names of all that are there, and whether each is whole: one that is being made, or was given up, is not."""
    cursor.execute(FIND_INDEXES)
    return dict(cursor.fetchall())


def _is_indexed(person: LargePerson, model: VectorModel, valid: dict[str, bool]) -> bool:
    return person.indexed_model_id == model.id and valid.get(person.index_of(model), False)


def _reaches_tables_owner(lacking: Sequence[LargePerson]) -> bool:
    """A worker need not know its URL; then all is read exactly."""
    try:
        with closing(connections[OWNER_ALIAS].copy()) as session:
            session.ensure_connection()
    except DatabaseError as error:
        log.warning("large_people_not_indexed", people=len(lacking), error=type(error).__name__)
        return False
    return True


def _give_jobs(people: Sequence[LargePerson]) -> int:
    """To whoever has none waiting and was not tried in vain lately: what failed then fails again."""
    tried = _list_tried(people)
    lacking = [person for person in people if person.person_id not in tried]
    for person in lacking:
        with transaction.atomic(using=OPERATOR_ALIAS):
            enqueue(
                tenant=person.tenant_id,
                kind=KIND,
                payload={},
                dedupe_key=f"{KIND}:{person.person_id}",
                person_id=person.person_id,
            )
    return len(lacking)


def _list_tried(people: Sequence[LargePerson]) -> set[UUID]:
    wanted: dict[str, Any] = {
        "tenants": [person.tenant_id for person in people],
        "people": [person.person_id for person in people],
        "kind": KIND,
        "within": TRY_AGAIN,
    }
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        cursor.execute(FIND_TRIED, wanted)
        return {person_id for (person_id,) in cursor.fetchall()}


def _drop_all(names: Collection[str], *, kept: Sequence[LargePerson]) -> None:
    """Nobody is sent to an index before it goes."""
    if not names:
        return
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        cursor.execute(FORGET_OTHERS, [[person.person_id for person in kept]])
    for name in names:
        with _alone_with(name, limit_s=DROP_LIMIT_S) as session:
            if session:
                session.execute(DROP.format(name=name))


def _create(person: LargePerson, model: VectorModel) -> bool:
    """Whether it is there now. What an earlier try left is cleared away; what another one is at is left to them."""
    name = person.index_of(model)
    with _alone_with(name, limit_s=BUILD_LIMIT_S) as cursor:
        if cursor is None:
            return False
        if not _find_indexes(cursor).get(name):
            cursor.execute(BUILD_GENTLY)
            cursor.execute(DROP.format(name=name))
            _build(cursor, person, model)
        return True


def _build(cursor: CursorWrapper, person: LargePerson, model: VectorModel) -> None:
    """All of it or nothing: writers would go on filling what is left of one that failed."""
    name = person.index_of(model)
    wanted: list[Any] = [person.tenant_id, person.person_id, model.id]
    try:
        cursor.execute(CREATE.format(name=name, dimensions=model.dimensions), wanted)
    except DatabaseError:
        cursor.execute(DROP.format(name=name))
        raise


@contextmanager
def _alone_with(name: str, *, limit_s: int) -> Iterator[CursorWrapper | None]:
    """A session of the tables' owner that alone works on this index; None where another one does."""
    with closing(connections[OWNER_ALIAS].copy()) as session, session.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, false)", [f"{limit_s}s"])
        cursor.execute(TRY_SESSION_LOCK, [name])
        yield cursor if cursor.fetchone()[0] else None

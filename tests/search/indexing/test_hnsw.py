"""An index of their own for somebody's very many vectors: made, asked, left alone and dropped."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.db import connection, connections
from pgvector import HalfVector

from nebo.env import env
from nebo.jobs.models import Job
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.postgres.locks import TRY_SESSION_LOCK
from nebo.tenants.scoping import operator_scope, tenant_scope
from search.answers.explanation import explain_memory
from search.answers.search import Hit, SearchQuery, search
from search.embeddings.serving import get_serving_model
from search.embeddings.vectors import embed_query
from search.indexing import hnsw
from search.models import Chunk, Corpus, Embedding
from tests.conftest import Team
from tests.distributed import sum_over_workers
from tests.jobs.inline import run_jobs
from tests.operations.waiting import wait_until
from tests.search.conftest import embed_all, remember, tell

pytestmark = pytest.mark.usefixtures("committed_db", "no_index_is_left")

LARGE = 50
WORDS = [
    "apple",
    "barn",
    "candle",
    "drum",
    "engine",
    "fiddle",
    "garden",
    "hammer",
    "island",
    "jacket",
    "kettle",
    "ladder",
    "meadow",
    "needle",
    "orchard",
    "pillow",
    "quilt",
    "river",
    "saddle",
    "timber",
    "umbrella",
    "violin",
    "window",
    "yarn",
    "anchor",
    "bridge",
    "castle",
    "desert",
    "forest",
    "glacier",
    "harbour",
]


def make_lines(count: int) -> tuple[str, ...]:
    """No two of them alike, so that none is hard to tell apart by its vector."""
    chosen = random.Random(7)
    return tuple(f"Number {number}: {' '.join(chosen.sample(WORDS, 5))}." for number in range(count))


LINES = make_lines(60)


@pytest.fixture
def no_index_is_left(committed_db: None) -> Iterator[None]:
    """Emptying tables leaves their indexes where they are."""
    yield
    with as_owner() as session:
        for name in indexes():
            session.execute(f"DROP INDEX {name}".encode())


@contextmanager
def as_owner() -> Iterator[psycopg.Connection]:
    """A session of the tables' owner besides those of Django."""
    url = settings.DATABASE_URLS.owner
    with psycopg.connect(url, dbname=env.test_database, autocommit=True) as session:
        yield session


def indexes() -> dict[str, bool]:
    with as_owner() as session:
        return dict(session.execute(hnsw.FIND_INDEXES.encode()).fetchall())


def tend(**limits: int) -> int:
    with operator_scope():
        return hnsw.tend(**{"large": LARGE, **limits})


def make_index(team: Team) -> list[Job]:
    tend()
    return run_jobs(team.tenant, kind=hnsw.KIND)


def talk(team: Team) -> None:
    """More than LARGE lines, each with its vector."""
    tell(team, *LINES)
    embed_all(team)


def ask(team: Team, text: str = "a garden beside the barn", **fields: object) -> list[Hit]:
    vector = embed_query(tenant=team.tenant, text=text)
    with tenant_scope(team.tenant):
        query = SearchQuery(text, team.person.pk, ranking="dense", **fields)  # type: ignore[arg-type]
        return list(search(tenant=team.tenant, query=query, vector=vector).results)


def texts(hits: list[Hit]) -> list[str]:
    return [hit.text for hit in hits]


def asked(name: str) -> int:
    """How often an index was scanned."""
    if IS_DISTRIBUTED:
        return asked_in_parts(name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
    with as_owner() as session:
        row = session.execute(
            "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = %s", [name]
        ).fetchone()
    return row[0] if row else 0


def asked_in_parts(name: str) -> int:
    """How often its parts were, on all servers. A session counts for others once it has ended."""
    connection.close()
    app = settings.DATABASE_ROLES["app"]
    own = f"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = '{app}'"
    scans = (
        f"SELECT coalesce(sum(idx_scan), 0) FROM pg_stat_user_indexes WHERE indexrelname ~ '^{name}_[0-9]+$'"
    )
    wait_until(lambda: sum_over_workers(own) == 0)
    return sum_over_workers(scans)


def flag(team: Team, person_id: UUID | None = None) -> int | None:
    """The model whose index a person is said to have."""
    with tenant_scope(team.tenant):
        rows = Corpus.objects.for_tenant(team.tenant).filter(person_id=person_id or team.person.pk)
        return rows.values_list("indexed_model_id", flat=True).get()


def test_very_many_vectors_are_asked_through_an_index_that_answers_alike(acme: Team) -> None:
    talk(acme)
    before = ask(acme)

    (job,) = make_index(acme)

    (name,) = indexes()
    assert (job.state, job.result, indexes()) == ("succeeded", {"indexed": True}, {name: True})
    assert flag(acme) == get_serving_model().id
    found = texts(ask(acme))
    assert found[0] == texts(before)[0]
    assert len(set(found) & set(texts(before))) >= 8  # it is approximate
    assert asked(name) > 0


def test_what_comes_later_is_found_and_what_goes_is_not(acme: Team) -> None:
    talk(acme)
    make_index(acme)

    tell(acme, "The garden behind the barn is gone.", key="later")
    embed_all(acme)
    with tenant_scope(acme.tenant):
        Chunk.objects.for_tenant(acme.tenant).filter(text=LINES[7]).delete()

    found = texts(ask(acme, limit=50))
    assert "The garden behind the barn is gone." in found
    assert LINES[7] not in found
    assert len(found) == 50


def test_few_vectors_have_none(acme: Team) -> None:
    tell(acme, *LINES[:5])
    embed_all(acme)

    assert tend() == 0
    assert indexes() == {}


def test_of_too_many_people_the_largest_have_one(acme: Team, rival: Team) -> None:
    talk(acme)
    tell(rival, *LINES, *LINES[:5])
    embed_all(rival)

    assert tend(most=1) == 1

    with tenant_scope(rival.tenant):
        assert Job.objects.for_tenant(rival.tenant).filter(kind=hnsw.KIND).count() == 1


def test_people_of_two_teams_have_one_each(acme: Team, rival: Team) -> None:
    for one in (acme, rival):
        talk(one)
    for one in (acme, rival):
        make_index(one)

    assert len(indexes()) == 2
    for name in indexes():
        assert asked(name) == 0
    for one in (acme, rival):
        ask(one)
    assert all(asked(name) > 0 for name in indexes())


def test_what_is_hidden_stays_hidden(acme: Team) -> None:
    talk(acme)
    remember(acme, barn="Keeps a garden behind the barn.")
    embed_all(acme)
    make_index(acme)

    seen = ask(acme, limit=50)
    transcripts = ask(acme, limit=50, sources=("session",))

    assert "memory" in {hit.source for hit in seen}
    assert {hit.source for hit in transcripts} == {"session"}
    assert len(transcripts) == 50


def test_another_tenants_index_gives_nothing(acme: Team, rival: Team) -> None:
    talk(acme)
    make_index(acme)
    question = embed_query(tenant=rival.tenant, text="garden")
    asking = "SELECT * FROM search_nearest(%s, %s, %s::smallint, %s::halfvec, '{}', 10)"
    wanted: list[Any] = [acme.tenant.pk, acme.person.pk, get_serving_model().id, str(question)]

    with tenant_scope(rival.tenant), connection.cursor() as cursor:
        cursor.execute(asking, wanted)
        assert cursor.fetchall() == []
    with tenant_scope(acme.tenant), connection.cursor() as cursor:
        cursor.execute(asking, wanted)
        assert len(cursor.fetchall()) == 10


def test_it_is_dropped_when_little_is_left(acme: Team) -> None:
    talk(acme)
    make_index(acme)
    with tenant_scope(acme.tenant):
        Chunk.objects.for_tenant(acme.tenant).filter(text__in=LINES[:20]).delete()
    tend()
    assert len(indexes()) == 1  # forty of fifty: not worth dropping it yet

    with tenant_scope(acme.tenant):
        Chunk.objects.for_tenant(acme.tenant).filter(text__in=LINES[20:50]).delete()
    tend()

    assert (indexes(), flag(acme)) == ({}, None)
    assert len(ask(acme)) == 10


def test_whoever_is_said_to_have_one_and_has_none_is_answered_all_the_same(acme: Team) -> None:
    talk(acme)
    before = ask(acme)
    with tenant_scope(acme.tenant):
        rows = Corpus.objects.for_tenant(acme.tenant).filter(person_id=acme.person.pk)
        rows.update(indexed_model_id=get_serving_model().id)

    assert texts(ask(acme)) == texts(before)
    assert tend() == 1


def test_an_index_of_another_model_is_not_asked(acme: Team) -> None:
    talk(acme)
    make_index(acme)
    (name,) = indexes()
    with tenant_scope(acme.tenant):
        rows = Corpus.objects.for_tenant(acme.tenant).filter(person_id=acme.person.pk)
        rows.update(indexed_model_id=get_serving_model().id + 1)
    scans = asked(name)

    assert len(ask(acme)) == 10
    assert asked(name) == scans


def test_what_a_broken_build_left_behind_is_made_anew(acme: Team) -> None:
    talk(acme)
    name = f"vectors_of_{acme.person.pk.hex}_{get_serving_model().id}"
    with as_owner() as session, pytest.raises(psycopg.errors.UniqueViolation):
        session.execute(f"CREATE UNIQUE INDEX CONCURRENTLY {name} ON search_embedding (tenant_id)".encode())
    assert indexes() == {name: False}

    (job,) = make_index(acme)

    assert (job.state, indexes()) == ("succeeded", {name: True})
    ask(acme)
    assert asked(name) > 0


def test_of_a_build_that_fails_nothing_is_left(acme: Team) -> None:
    talk(acme)
    with tenant_scope(acme.tenant):
        rows = Embedding.objects.for_tenant(acme.tenant)
        rows.filter(chunk_id=rows.values("chunk_id")[:1]).update(vector=HalfVector([1.0, 0.0]))

    (job,) = make_index(acme)

    assert (job.state, indexes(), flag(acme)) == ("failed", {}, None)
    assert job.error.startswith("The database refused the work")


def test_what_another_one_is_making_is_left_to_them(acme: Team) -> None:
    talk(acme)
    with as_owner() as session:
        name = f"vectors_of_{acme.person.pk.hex}_{get_serving_model().id}"
        session.execute(TRY_SESSION_LOCK.encode(), [name])

        (job,) = make_index(acme)

    assert (job.state, job.result, indexes(), flag(acme)) == ("succeeded", {"indexed": False}, {}, None)


def test_nobody_is_tried_twice_a_day(acme: Team) -> None:
    talk(acme)

    assert tend() == 1
    assert tend() == 0
    with tenant_scope(acme.tenant):
        Job.objects.for_tenant(acme.tenant).update(created_at="2020-01-01T00:00:00Z")
    assert tend() == 1


def test_whoever_went_meanwhile_needs_none(acme: Team) -> None:
    talk(acme)
    tend()
    with operator_scope():
        Corpus.unscoped.all().delete()

    (job,) = run_jobs(acme.tenant, kind=hnsw.KIND)

    assert (job.state, job.result, indexes()) == ("succeeded", {"indexed": False}, {})


def test_why_not_still_looks_at_everything(acme: Team) -> None:
    talk(acme)
    kept = remember(acme, cat="Has a cat named Tom.")
    embed_all(acme)
    make_index(acme)
    question = " ".join(WORDS)

    with tenant_scope(acme.tenant):
        told = explain_memory(
            tenant=acme.tenant,
            query=SearchQuery(question, acme.person.pk, limit=1),
            vector=get_serving_model().embed([question])[0],
            memory_id=kept["cat"].pk,
        )

    assert told.kept_out_by == ("not_a_candidate",)
    assert told.rank is not None


def test_without_the_tables_owner_all_goes_on_exactly(acme: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    talk(acme)
    monkeypatch.setitem(connections["owner"].settings_dict, "PASSWORD", "not this one")

    assert tend() == 0

    with tenant_scope(acme.tenant):
        assert not Job.objects.for_tenant(acme.tenant).filter(kind=hnsw.KIND).exists()
    assert len(ask(acme)) == 10

"""Hybrid search on a real Postgres, as the role without privileges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from memories.models import Memory
from nebo.env import env
from nebo.postgres.prepared import PIN, Statement
from nebo.postgres.sql_files import read_statement
from nebo.tenants.scoping import tenant_scope
from search.answers.search import RANKINGS, Hit, SearchQuery, search
from search.embeddings.serving import Vector, get_serving_model
from search.models import Chunk, Corpus, Embedding, PendingEmbedding, Posting
from search.retrieval.candidates import CandidateQuery, find_candidates, find_details
from tests.conftest import Team
from tests.search.conftest import embed_all, remember, remove_chunks, tell

pytestmark = pytest.mark.django_db

LINES = (
    "I went to a support group yesterday.",
    "The kids and I painted a sunset over the lake.",
    "My dog Biscuit chased a squirrel in the park.",
    "We should book the train to Bergen.",
)


def ask(team: Team, text: str, **fields: object) -> list[Hit]:
    with tenant_scope(team.tenant):
        vector = get_serving_model().embedder.embed([text])[0]
        query = SearchQuery(text=text, person_id=team.person.pk, **fields)  # type: ignore[arg-type]
        return list(search(tenant=team.tenant, query=query, vector=vector).results)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did the dog chase?", 2),
        ("Who painted the sunset?", 1),
        ("trains to Bergen", 3),
        ("support groups", 0),
    ],
)
def test_a_turn_is_found_by_its_words_as_soon_as_it_is_written(
    acme: Team, question: str, answer: int
) -> None:
    tell(acme, *LINES)

    best = ask(acme, question)[0]

    assert best.text == LINES[answer]
    assert best.messages[0].external_id == f"chat:{answer + 1}"


def test_vectors_follow_and_join_the_score(acme: Team) -> None:
    tell(acme, *LINES)

    assert embed_all(acme) == len(LINES)

    best = ask(acme, "the dog chased a squirrel", explain=True)[0]
    assert best.text == LINES[2]
    assert best.vector_score is not None
    assert best.parts["vector"]["points"] > 0
    assert sum(part["points"] for part in best.parts.values()) == pytest.approx(best.score, abs=1e-5)
    with tenant_scope(acme.tenant):
        assert not PendingEmbedding.objects.for_tenant(acme.tenant).exists()


def test_search_is_quick_before_the_database_has_statistics(acme: Team) -> None:
    tell(acme, *(f"On day {day} the dog chased squirrel number {day} in the park." for day in range(250)))
    embed_all(acme)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '5s'")  # a plan of nested scans takes minutes

    hits = ask(acme, "Which squirrel did the dog chase on day 77?", sources=("session",))

    assert hits[0].messages[0].external_id == "chat:78"


def test_without_a_vector_search_goes_by_words(acme: Team) -> None:
    tell(acme, *LINES)

    with tenant_scope(acme.tenant):
        query = SearchQuery(text="Bergen", person_id=acme.person.pk)
        results = search(tenant=acme.tenant, query=query, vector=None).results

    assert results[0].text == LINES[3]


def test_nobody_elses_rows_are_found(acme: Team, rival: Team) -> None:
    tell(acme, *LINES)

    assert ask(rival, "What did the dog chase?") == []


def test_a_neighbour_is_drawn_in_and_ranks_below_what_it_stands_beside(acme: Team) -> None:
    tell(acme, "Did Biscuit behave?", "He chased squirrels all day.", "Lovely weather though.")

    texts = [hit.text for hit in ask(acme, "Biscuit behave")]

    assert texts[0] == "Did Biscuit behave?"
    assert "He chased squirrels all day." in texts[1:]


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("我喜欢在公园里遛狗", "喜欢遛狗"),
        ("Evde üç kedimiz var", "kedimiz"),
        ("القطة تنام على السرير", "السرير"),
        ("Wir haben die Häuser in Leipzig verkauft", "Haus in Leipzig"),
        ("Мы купили новые книги", "новая книга"),
    ],
    ids=["chinese", "turkish", "arabic", "german", "russian"],
)
def test_other_languages_match(acme: Team, line: str, question: str) -> None:
    tell(acme, *LINES, line)

    assert ask(acme, question, ranking="lexical")[0].text == line


def test_removing_chunks_takes_postings_vectors_and_counters_along(acme: Team) -> None:
    session = tell(acme, *LINES)
    embed_all(acme)

    with tenant_scope(acme.tenant):
        remove_chunks(acme, session)

        assert not any(
            model.objects.for_tenant(acme.tenant).exists() for model in (Chunk, Posting, Embedding)
        )
        corpus = Corpus.objects.for_tenant(acme.tenant).get()
    assert (corpus.chunks, corpus.length) == (0, 0)


def test_postings_counters_and_vectors_are_exact_after_every_write_and_removal(
    acme: Team, rival: Team
) -> None:
    stays = tell(acme, *LINES)
    goes = tell(acme, *LINES, "My dog Biscuit met another dog, a big dog.", key="other")
    others = tell(rival, *LINES)
    remember(acme, dog="Has a dog named Biscuit.", train="Takes the train to Bergen.")
    embed_all(acme)
    embed_all(rival)
    assert_index_is_exact(acme)

    with tenant_scope(acme.tenant):
        Chunk.objects.for_tenant(acme.tenant).filter(session_id=goes.pk, seq_from=1).delete()
    assert_index_is_exact(acme)

    with tenant_scope(acme.tenant):
        Memory.objects.for_tenant(acme.tenant).filter(key="dog").delete()
        remove_chunks(acme, goes)
    assert_index_is_exact(acme)
    assert_index_is_exact(rival)

    assert [hit.text for hit in ask(acme, "Biscuit", ranking="lexical")][:1] == [LINES[2]]
    with tenant_scope(acme.tenant):
        assert set(Chunk.objects.for_tenant(acme.tenant).values_list("session_id", flat=True)) == {
            stays.pk,
            None,
        }
    with tenant_scope(rival.tenant):
        assert set(
            Embedding.objects.for_tenant(rival.tenant).values_list("chunk__session_id", flat=True)
        ) == {others.pk}


# What the triggers should have kept, made anew from the chunks, beside what is there.
INEXACT = """
WITH words AS (
    SELECT c.tenant_id, c.person_id, l.lexeme::text, c.id AS chunk_id, cardinality(l.positions) AS tf, c.length
    FROM search_chunk c,
         unnest(to_tsvector(c.language::regconfig, concat_ws(' ', c.heading, c.text, c.terms))) AS l
), sums AS (
    SELECT tenant_id, person_id, count(DISTINCT chunk_id) AS chunks, sum(tf) AS length FROM words GROUP BY 1, 2
), kept AS (
    SELECT tenant_id, person_id, lexeme::text, chunk_id, tf::int, p.length::int
    FROM search_posting p JOIN search_corpus USING (tenant_id, person_number)
)
SELECT (SELECT count(*) FROM (SELECT * FROM words EXCEPT ALL SELECT * FROM kept) missing),
       (SELECT count(*) FROM (SELECT * FROM kept EXCEPT ALL SELECT * FROM words) too_many),
       (SELECT count(*) FROM sums FULL JOIN search_corpus c USING (tenant_id, person_id)
        WHERE (sums.chunks, sums.length) IS DISTINCT FROM (c.chunks, c.length)),
       (SELECT count(*) FROM search_embedding e
        WHERE NOT EXISTS (SELECT FROM search_chunk c WHERE c.tenant_id = e.tenant_id AND c.id = e.chunk_id)),
       (SELECT count(*) FROM search_chunk c
        WHERE NOT EXISTS (SELECT FROM search_embedding e WHERE c.tenant_id = e.tenant_id AND c.id = e.chunk_id))
"""


def assert_index_is_exact(team: Team) -> None:
    """As the app role sees it: this tenant's rows."""
    with tenant_scope(team.tenant), connection.cursor() as cursor:
        cursor.execute(INEXACT)
        assert cursor.fetchone() == (0, 0, 0, 0, 0)


def test_an_owner_keeps_the_number_their_postings_name(acme: Team, rival: Team) -> None:
    tell(acme, *LINES)
    first = number_of(acme)
    for session in ("second", "third", "fourth"):
        tell(acme, *LINES, key=session)
    tell(rival, *LINES)

    assert number_of(acme) == first
    assert number_of(rival) == first + 1  # a number goes to the new alone: there are four bytes of them
    with tenant_scope(acme.tenant):
        assert not Posting.objects.for_tenant(acme.tenant).exclude(person_number=first).exists()


def number_of(team: Team) -> int:
    with tenant_scope(team.tenant):
        return Corpus.objects.for_tenant(team.tenant).get(person=team.person).person_number


@pytest.mark.parametrize("ranking", RANKINGS)
def test_somebody_of_whom_nothing_is_known_finds_nothing(acme: Team, ranking: str) -> None:
    assert ask(acme, "What did Bisckuit chase?", ranking=ranking) == []


def test_the_shared_memories_are_found_by_a_person_of_no_words_yet(acme: Team) -> None:
    remember(replace(acme, person=acme.shared), dog="The office dog is called Biscuit.")

    best = ask(acme, "Who is Biscuitt?", ranking="lexical")[0]

    assert "called Biscuit" in best.text


def test_a_chunks_text_never_changes_behind_its_postings(acme: Team) -> None:
    tell(acme, *LINES)

    with tenant_scope(acme.tenant), pytest.raises(Exception, match="do not change"):
        Chunk.objects.for_tenant(acme.tenant).update(text="other")


@pytest.mark.parametrize("ranking", RANKINGS)
def test_every_ranking_answers(acme: Team, ranking: str) -> None:
    tell(acme, *LINES)
    embed_all(acme)

    assert ask(acme, "the dog chased a squirrel", ranking=ranking)[0].text == LINES[2]


@pytest.mark.parametrize("ranking", ["default", "adaptive", "blended"])
def test_a_search_is_a_fixed_number_of_statements(
    acme: Team, ranking: str, django_assert_num_queries: pytest.FixtureRequest
) -> None:
    tell(acme, *(f"Line {n} about dogs." for n in range(50)))
    remember(acme, **{f"dog-{n}": "Likes dogs." for n in range(20)})
    vector = Vector(get_serving_model().embedder.embed(["dogs"])[0], model_id=get_serving_model().id)

    with tenant_scope(acme.tenant):
        query = SearchQuery("dogs", acme.person.pk, limit=50, ranking=ranking, min_score=0.0)
        with django_assert_num_queries(2):
            found = search(tenant=acme.tenant, query=query, vector=vector).results

    assert len(found) >= 50


def test_what_is_taken_away_while_it_is_found_is_no_result(acme: Team) -> None:
    tell(acme, *LINES)
    query = SearchQuery("the dog chased a squirrel", acme.person.pk)

    with tenant_scope(acme.tenant):
        found = search(tenant=acme.tenant, query=query, vector=None).results
        kept = found[1]
        answer = search(
            tenant=acme.tenant,
            query=query,
            vector=None,
            read_details=lambda chunks: {
                id: details
                for id, details in find_details(acme.tenant.pk, chunks).items()
                if details.text == kept.text
            },
        )

    assert len(found) > 1
    assert [hit.text for hit in answer.results] == [kept.text]


def about_dogs(team: Team) -> CandidateQuery:
    return CandidateQuery(
        tenant_id=team.tenant.pk,
        person_id=team.person.pk,
        text="dogs",
        languages=["english"],
        model_id=get_serving_model().id,
        vector=get_serving_model().embedder.embed(["dogs"])[0],
        sources=frozenset({"memory", "session"}),
    )


@pytest.mark.parametrize(("near", "expected"), [(1, {1, 2, 3, 4, 5, 7}), (2, {1, 2, 3, 4, 5, 6, 7, 8, 9})])
def test_neighbours_are_drawn_to_the_best_alone(acme: Team, near: int, expected: set[int | None]) -> None:
    tell(
        acme, "one", "two", "dogs dogs", "four", "five", "six", "dogs and much else besides", "eight", "nine"
    )

    with tenant_scope(acme.tenant):
        found = find_candidates(replace(about_dogs(acme), vector=None, near=near))

    assert {chunk.seq_from for chunk in found} == expected


LARGE_TABLES = ("search_chunk", "search_posting", "search_embedding", "search_corpus")
BELIEVE = """
SELECT pg_restore_relation_stats(
    'schemaname', 'public', 'relname', %s::text, 'relpages', %s::int, 'reltuples', %s::real)
"""


@pytest.fixture(params=[-1, 8], ids=["never counted", "tiny when counted"])
def counted(request: pytest.FixtureRequest, django_db_setup: None) -> Iterator[None]:
    """What the planner believes of the tables: nothing, or what was true before the first conversation."""
    url = settings.DATABASE_URLS.owner
    with psycopg.connect(url, dbname=env.test_database, autocommit=True) as owner:
        for table in LARGE_TABLES:
            owner.execute(BELIEVE, [table, max(request.param, 0), request.param])
        yield
        for table in LARGE_TABLES:
            owner.execute("SELECT pg_clear_relation_stats('public', %s)", [table])


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("name", ["candidates", "candidates_by_words", "candidates_of_memories", "adaptive"])
def test_the_one_plan_enters_every_large_table_by_the_owners_index(acme: Team, name: str) -> None:
    tell(acme, *(f"Line {n} about dogs." for n in range(200)))
    remember(acme, **{f"dog-{n}": "Likes dogs." for n in range(50)})
    embed_all(acme)

    with tenant_scope(acme.tenant):
        plan = explain(read_statement("search", name))

    assert re.search(r"\$\d", plan)  # one plan for all values
    for table in LARGE_TABLES:
        assert f"Seq Scan on {table}" not in plan
    assert set(entries(plan)) <= ENTRIES
    assert ("posting_by_lexeme", ("tenant_id", "person_number", "lexeme")) in entries(plan)
    assert ("search_embedding_pkey" in plan) is (name != "candidates_by_words")


# Each index by which a plan may enter postings and vectors, and how far into its columns.
ENTRIES = {
    ("posting_by_lexeme", ("tenant_id", "person_number", "lexeme")),
    ("search_embedding_pkey", ("tenant_id", "person_id", "model_id")),
    ("search_embedding_pkey", ("tenant_id", "person_id", "model_id", "chunk_id")),
}
ENTRY = re.compile(r"Scan using (\w+) on search_(?:posting|embedding)\b.*\n\s*Index Cond: (.*)")
CONDITION = re.compile(r"\(+(\w+)\)?(?:::text)? (?:=|>=|<=) ")


def entries(plan: str) -> list[tuple[str, tuple[str, ...]]]:
    """Index and the columns it is entered by, for each scan of postings and vectors."""
    return [
        (name, tuple(dict.fromkeys(CONDITION.findall(condition)))) for name, condition in ENTRY.findall(plan)
    ]


def explain(sent: Statement) -> str:
    """The plan as the app role has it, with row-level security."""
    with connection.cursor() as cursor:
        cursor.execute(PIN)
        cursor.execute(f"EXPLAIN (GENERIC_PLAN) {sent.sql}")
        return "\n".join(row[0] for row in cursor.fetchall())


@pytest.mark.parametrize("question", ["", "   ", "?!", "\\", "'; DROP TABLE x; --", "a" * 9000, "🐶🐶"])
def test_no_question_is_an_error(acme: Team, question: str) -> None:
    tell(acme, *LINES)

    with tenant_scope(acme.tenant):
        search(tenant=acme.tenant, query=SearchQuery(question, acme.person.pk), vector=None)

"""`ranking=adaptive` keeps its formula to the letter: its table of weights, its normalisation, its fallbacks."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit, SearchQuery, search
from search.embeddings.serving import get_serving_model
from search.ranking import adaptive
from tests.conftest import Team
from tests.search.conftest import embed_all, remember, store, tell


def ask(team: Team, text: str, *, by_vector: bool = True, **fields: object) -> list[Hit]:
    with tenant_scope(team.tenant):
        vector = get_serving_model().embedder.embed([text])[0] if by_vector else None
        query = SearchQuery(text, team.person.pk, ranking="adaptive", explain=True, **fields)  # type: ignore[arg-type]
        return list(search(tenant=team.tenant, query=query, vector=vector).results)


@pytest.mark.parametrize(
    "query, vector, text",
    [
        ("Sarah", 0.35, 0.65),
        ("code style", 0.45, 0.55),
        ("preferred indentation for Go", 0.70, 0.30),
        ("what did we decide about the API architecture", 0.80, 0.20),
        ("", 0.45, 0.55),
    ],
)
def test_the_form_of_the_question_sets_the_weights(query: str, vector: float, text: float) -> None:
    assert adaptive.adaptive_weights(query) == (vector, text)


@pytest.mark.parametrize("rank, expected", [(0.0, 1.0), (1.0, 0.5), (-1.0, 0.5), (-3.0, 0.25)])
def test_a_bm25_rank_becomes_a_share_of_one(rank: float, expected: float) -> None:
    assert adaptive.normalize_rank(rank) == expected


@pytest.mark.django_db
def test_every_word_of_the_question_must_stand_in_the_text(acme: Team) -> None:
    remember(acme, golang="The golang tutorials are bookmarked.", rust="The rust tutorials are bookmarked.")

    found = ask(acme, "golang tutorials", by_vector=False)

    assert [hit.key for hit in found] == ["golang"]


@pytest.mark.django_db
def test_the_score_is_the_weighted_sum_of_both(acme: Team) -> None:
    remember(acme, editor="Uses tabs for Go code.")
    embed_all(acme)

    best = ask(acme, "tabs for Go")[0]

    assert best.vector_score is not None
    assert best.text_score is not None
    assert best.score == pytest.approx(0.35 * best.vector_score + 0.65 * best.text_score, abs=1e-5)
    assert best.score == pytest.approx(sum(part["points"] for part in best.parts.values()), abs=1e-5)


@pytest.mark.django_db
def test_a_transcripts_text_counts_six_tenths_of_a_memorys(acme: Team) -> None:
    remember(acme, trip="Bergen")
    tell(acme, "Bergen", key="chat")

    scores = {hit.source: hit.text_score for hit in ask(acme, "Bergen", by_vector=False, min_score=0.0)}

    # The lengths differ by the headings alone, so the shares are nearly equal before the dampening.
    assert scores["session"] / scores["memory"] == pytest.approx(0.6, rel=0.2)


@pytest.mark.parametrize(("memory_id", "score"), [(uuid4(), 0.5), (None, 0.3)])
def test_the_dampening_is_six_tenths_to_the_digit(memory_id: UUID | None, score: float) -> None:
    match = adaptive.Match(1, memory_id, None, 1, 1, "", None, None, bm25=1.0, has_pattern=False, vector=None)

    assert match.text_score == pytest.approx(score)


@pytest.mark.django_db
def test_eight_candidates_a_result_are_looked_at(acme: Team) -> None:
    """A text's share of one falls as BM25 rises, so the last of those looked at comes first."""
    said = {f"tea-{count}": "tea " * count + "cup " * (30 - count) for count in range(1, 11)}
    remember(acme, **said)

    (best,) = ask(acme, "tea", by_vector=False, limit=1)

    assert best.key == "tea-3"  # tea-10 … tea-3 are the best eight by BM25


@pytest.mark.django_db
@pytest.mark.parametrize(("question", "scores"), [("Lopez_7", [0.325]), ("lopez_7", [])])
def test_a_score_of_just_over_three_tenths_is_enough(acme: Team, question: str, scores: list[float]) -> None:
    remember(acme, mail="Write to ana.lopez_77@example.org")  # no vector yet, and no word of the question

    found = ask(acme, question)  # 0.65 or 0.55 of a pattern's 0.5

    assert [hit.score for hit in found] == pytest.approx(scores)


@pytest.mark.django_db
def test_a_persons_memory_and_everyones_at_one_address_are_one_result(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="office", value="The office stands in Leipzig")
        store(
            acme, key="office", value="The office stands in Leipzig, too", person=acme.shared, scope="global"
        )
        store(acme, key="bar", value="The office has a bar in Leipzig")

    found = ask(acme, "office Leipzig", by_vector=False, min_score=0.0)

    assert sorted(hit.key for hit in found) == ["bar", "office"]


@pytest.mark.django_db
def test_where_no_text_has_every_word_the_question_is_looked_for_as_written(acme: Team) -> None:
    remember(acme, mail="Write to ana.lopez_77@example.org", other="Nothing to see")

    found = ask(acme, "lopez_7", by_vector=False)

    assert [(hit.key, hit.text_score) for hit in found] == [("mail", 0.5)]


@pytest.mark.django_db
@pytest.mark.parametrize("wildcard", ["%", "_", "%x%", "\\"])
def test_a_wildcard_in_a_question_stands_for_itself(acme: Team, wildcard: str) -> None:
    remember(acme, other="Nothing to see")

    assert ask(acme, wildcard, by_vector=False) == []


@pytest.mark.django_db
def test_without_any_match_in_the_text_vectors_alone_decide(acme: Team) -> None:
    remember(acme, pet="Biscuit is a dog")
    embed_all(acme)

    found = ask(acme, "dogs named biscuits", min_score=0.0)

    assert [hit.key for hit in found] == ["pet"]
    assert found[0].text_score is None


@pytest.mark.django_db
def test_results_below_three_tenths_are_dropped_unless_asked_for(acme: Team) -> None:
    remember(acme, pet="Biscuit is a dog", car="The blue van is at the garage in town")
    embed_all(acme)
    question = "what did we decide about the API architecture"

    assert ask(acme, question) == []
    assert len(ask(acme, question, min_score=-1.0)) == 2


@pytest.mark.django_db
def test_memories_of_one_address_are_one_result_that_cites_the_nearest_chunk(acme: Team) -> None:
    sentences = [f"On day {day} it rained in Bergen and nobody went out." for day in range(60)]
    sentences[50] = "The violin teacher is called Ingrid."
    text = " ".join(sentences)
    remember(acme, diary=text)
    embed_all(acme)

    found = ask(acme, "violin teacher called Ingrid", min_score=0.0)

    assert len(found) == 1
    assert "Ingrid" in found[0].text
    assert text[found[0].start : found[0].end] == found[0].text
    assert found[0].start > 0

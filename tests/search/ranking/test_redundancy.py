"""What says the same again makes room for what says something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit, SearchQuery, search
from search.ranking.redundancy import overlap, repetitions, words_of
from tests.conftest import Team
from tests.search.conftest import remember, tell


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Likes green tea", "Likes green tea"], [0.0, 1.0]),
        (["Likes green tea", "LIKES, green tea!"], [0.0, 1.0]),
        (["a b c d e", "a b c d f", "a b c d e f"], [0.0, 0.0, 5 / 6]),
        (["Likes tea", "Likes coffee"], [0.0, 0.0]),
        (["喜欢喝绿茶", "喜欢喝绿茶"], [0.0, 1.0]),
        (["喜欢喝绿茶", "喜欢喝咖啡"], [0.0, 0.0]),
        (["!?", "!?", ""], [0.0, 0.0, 0.0]),
        ([], []),
    ],
)
def test_a_text_repeats_one_with_nearly_all_its_words(texts: list[str], expected: list[float]) -> None:
    assert repetitions(texts) == pytest.approx(expected)


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=9).map(" ".join), max_size=8))
def test_no_text_that_repeats_another_is_overlooked(texts: list[str]) -> None:
    words = [words_of(text) for text in texts]
    all_pairs = [
        max((overlap(own, other) for other in words[:number]), default=0.0)
        for number, own in enumerate(words)
    ]

    assert repetitions(texts) == all_pairs


def ask(team: Team, text: str, **fields: object) -> list[Hit]:
    with tenant_scope(team.tenant):
        query = SearchQuery(text, team.person.pk, explain=True, **fields)  # type: ignore[arg-type]
        return list(search(tenant=team.tenant, query=query, vector=None).results)


@pytest.mark.django_db
def test_repetitions_come_after_what_is_new_and_nothing_is_lost(acme: Team) -> None:
    copies = {f"copy-{number}": "Drinks green tea every morning" for number in range(4)}
    remember(acme, **copies, other="Bought a pot for tea in Kyoto")

    found = ask(acme, "Which tea?")

    assert {hit.text for hit in found[:2]} == {
        "Drinks green tea every morning",
        "Bought a pot for tea in Kyoto",
    }
    assert len(found) == 5
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


@pytest.mark.django_db
def test_what_is_new_moves_up_among_the_results_asked_for(acme: Team) -> None:
    copies = {f"copy-{number}": "Drinks green tea every morning" for number in range(4)}
    remember(acme, **copies, other="Bought a pot for tea in Kyoto")

    assert {hit.text for hit in ask(acme, "Which tea?", limit=2)} == {
        "Drinks green tea every morning",
        "Bought a pot for tea in Kyoto",
    }


@pytest.mark.django_db
def test_the_loss_is_a_part_of_the_score(acme: Team) -> None:
    remember(acme, one="Drinks green tea", two="Drinks green tea")

    best, again = ask(acme, "Who drinks tea?")

    assert "repetition" not in best.parts
    assert again.parts["repetition"]["points"] < 0
    assert sum(part["points"] for part in again.parts.values()) == pytest.approx(again.score, abs=1e-5)


@pytest.mark.django_db
def test_a_memory_does_not_repeat_the_turn_it_came_from(acme: Team) -> None:
    tell(acme, "I drink green tea every morning")
    remember(acme, tea="I drink green tea every morning")

    assert all("repetition" not in hit.parts for hit in ask(acme, "Who drinks tea?"))

"""A number where the question asks how many, a name where it asks who, where or which."""

from __future__ import annotations

import pytest

from nebo.tenants.scoping import tenant_scope
from search.answers.explanation import explain_memory
from search.answers.search import SearchQuery
from search.questions.sought import find_sought
from tests.conftest import Team
from tests.search.answers.test_search import ask
from tests.search.conftest import embed_all, remember, tell


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("How many hens do we keep?", "We keep 12 hens now.", True),
        ("How many hens do we keep?", "We keep hens now.", False),
        ("Wie viele Hennen haben wir?", "Es sind 12.", True),
        ("¿Cuánto costó la mesa?", "La compré ayer.", False),
        ("Where did they honeymoon?", "They flew to Crete.", True),
        ("Where did they honeymoon?", "They flew to an island.", False),
        ("What novel is she reading?", 'She is halfway through "Middlemarch".', True),
        ("Which of them plays with Ines?", "Thanks, Ines!", False),
        ("Which of them plays with Ines?", "That would be Inessa, her sister.", True),
        ("Who came?", "I did, as always.", False),
        ("What do the hens eat?", None, False),
        ("Wo ist der Schlüssel?", None, False),
    ],
)
def test_what_is_sought_is_found_in_a_text(question: str, text: str | None, expected: bool) -> None:
    sought = find_sought(question)

    assert (sought is None) is (text is None)
    if sought is not None and text is not None:
        assert (sought.search(text) is not None) is expected


@pytest.mark.django_db
def test_of_two_that_are_alike_the_one_that_holds_it_comes_first(acme: Team) -> None:
    tell(acme, "We went to the lake house by train in spring.", *["Rain."] * 5, key="one")
    tell(acme, "We went to the lake house at Annecy in spring.", *["Rain."] * 5, key="two")
    embed_all(acme)

    first, second = ask(acme, "Where is the lake house that we went to in spring?", explain=True)[:2]

    assert "Annecy" in first.text
    assert (first.parts["sought"]["raw"], second.parts["sought"]["raw"]) == (1.0, 0.0)
    for hit in (first, second):
        assert sum(part["points"] for part in hit.parts.values()) == pytest.approx(hit.score, abs=1e-5)


@pytest.mark.django_db
def test_who_asks_for_neither_gets_none_of_it(acme: Team) -> None:
    tell(acme, "We went to the lake house at Annecy.")

    assert "sought" not in ask(acme, "the lake house", explain=True)[0].parts


@pytest.mark.django_db
def test_an_explanation_counts_it_too(acme: Team) -> None:
    texts = {
        "one": "Keeps hens and some ducks",
        "two": "Keeps 12 hens and ducks",
        "three": "Keeps hens in a shed",
    }
    memories = remember(acme, **texts)
    embed_all(acme)
    question = "How many hens are kept?"
    hits = {hit.memory_id: hit for hit in ask(acme, question, explain=True, sources=("memory",))}

    with tenant_scope(acme.tenant):
        query = SearchQuery(question, acme.person.pk, limit=1, sources=("memory",))
        found = {
            key: explain_memory(tenant=acme.tenant, query=query, vector=None, memory_id=memory.pk)
            for key, memory in memories.items()
        }

    assert found["two"].kept_out_by == ()
    assert found["two"].rank == 1
    assert found["two"].parts["sought"]["raw"] == hits[memories["two"].pk].parts["sought"]["raw"] == 1.0
    assert {found["one"].kept_out_by, found["three"].kept_out_by} == {("limit",)}

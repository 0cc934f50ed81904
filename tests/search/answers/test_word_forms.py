"""A question's irregular words and what was said in another form of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nebo.tenants.scoping import tenant_scope
from search.answers.search import SearchQuery, search
from search.embeddings.serving import get_serving_model
from search.retrieval.candidates import FoundChunk, find_candidates
from tests.conftest import Team
from tests.search.answers.test_search import about_dogs, ask
from tests.search.conftest import remember, tell

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("by_vector", [True, False])
def test_what_was_said_in_another_form_of_a_word_is_found_by_it(acme: Team, by_vector: bool) -> None:
    tell(acme, "The mice have eaten all of it.", "Rain again.", "It was cold.")
    query = SearchQuery("Did a mouse eat it?", acme.person.pk)
    vector = get_serving_model().embedder.embed([query.text])[0] if by_vector else None

    with tenant_scope(acme.tenant):
        best = search(tenant=acme.tenant, query=query, vector=vector).results[0]

    assert best.text.startswith("The mice")
    assert best.text_score is not None and best.text_score > 0


def test_a_memory_is_found_so_too(acme: Team) -> None:
    remember(acme, work="Taught two children to swim")

    best = ask(acme, "Which child does she teach?", sources=("memory",))[0]

    assert best.text_score is not None and best.text_score > 0


def test_all_forms_count_as_one_word(acme: Team) -> None:
    tell(acme, "She knew him.", "She knows him.", "She knew what he had known.", "A stone.")
    asked = replace(about_dogs(acme), text="known", forms=["know knew known"])

    with tenant_scope(acme.tenant):
        found = {chunk.seq_from: chunk for chunk in find_candidates(asked)}

    assert terms(found[1]) == terms(found[2]) == terms(found[3]) != []
    assert found[1].lexical == pytest.approx(found[2].lexical)
    assert (found[3].lexical or 0) > (found[1].lexical or 0)


def test_in_another_language_they_are_other_words(acme: Team) -> None:
    tell(acme, "She ran home.", "He is a man.", speaker="Caroline")

    german = ask(acme, "Wie lange braucht man denn, und wann rufen sie an?")

    assert [hit.text for hit in german if hit.text_score] == ["He is a man."]


def terms(chunk: FoundChunk) -> list[int]:
    """The words of the question that it holds."""
    return chunk.terms or []

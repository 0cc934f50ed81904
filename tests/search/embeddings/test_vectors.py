"""Vectors of texts: a cache for each tenant alone, its age, and what happens when the provider fails."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from nebo.llm.errors import PermanentError
from nebo.tenants.scoping import tenant_scope
from search.embeddings import vectors
from search.embeddings.openai import build_openai_embedder
from search.embeddings.remote import RetryPolicy
from search.embeddings.serving import Vector, get_serving_model
from search.embeddings.vectors import CACHE_DAYS, embed_query, embed_texts, forget_old_vectors
from search.models import CachedEmbedding
from tests.conftest import Team
from tests.scripted_server import ScriptedServer, json_answer, raw, scripted_server, status

pytestmark = pytest.mark.django_db
__all__ = ["scripted_server"]

EMBEDDINGS = "/v1/embeddings"


@pytest.fixture
def provider(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    """A provider on loopback in place of the configured one, with vectors of four numbers."""
    embedder = build_openai_embedder(
        api_key="k",
        model="scripted",
        base_url=f"{scripted_server.url}/v1",
        dimensions=4,
        retry_policy=RetryPolicy(sleep=lambda _: None),
    )
    monkeypatch.setattr("search.embeddings.serving.get_embedder", lambda: embedder)
    vectors._recent.clear()
    return scripted_server


def answer(*numbers: float) -> object:
    return json_answer(
        {"data": [{"index": place, "embedding": [n, 0, 0, 1]} for place, n in enumerate(numbers)]}
    )


def cached(team: Team) -> list[CachedEmbedding]:
    with tenant_scope(team.tenant):
        return list(CachedEmbedding.objects.for_tenant(team.tenant))


def test_a_text_is_asked_for_once(acme: Team, provider: ScriptedServer) -> None:
    provider.on(EMBEDDINGS, answer(1, 2))

    first = embed_texts(tenant=acme.tenant, texts=["tea", "coffee", "tea"])
    again = embed_texts(tenant=acme.tenant, texts=["coffee", "tea"])

    assert first[0] == first[2] != first[1]
    assert again == [pytest.approx(first[1], abs=1e-3), pytest.approx(first[0], abs=1e-3)]
    assert [request.json["input"] for request in provider.requests] == [["tea", "coffee"]]


def test_only_what_is_missing_is_asked_for_and_the_order_is_kept(
    acme: Team, provider: ScriptedServer
) -> None:
    provider.on(EMBEDDINGS, answer(1), answer(5, 9))
    embed_texts(tenant=acme.tenant, texts=["tea"])

    found = embed_texts(tenant=acme.tenant, texts=["coffee", "tea", "milk"])

    assert provider.requests[1].json["input"] == ["coffee", "milk"]
    assert found[1][0] < found[0][0] < found[2][0]


def test_another_tenants_cache_tells_nothing(acme: Team, rival: Team, provider: ScriptedServer) -> None:
    provider.on(EMBEDDINGS, answer(1), answer(1))

    embed_texts(tenant=acme.tenant, texts=["a secret"])
    embed_texts(tenant=rival.tenant, texts=["a secret"])

    assert len(provider.requests) == 2
    assert len(cached(acme)) == len(cached(rival)) == 1


def test_a_vector_nobody_asked_for_in_a_month_is_made_anew_and_tidied_away(
    acme: Team, provider: ScriptedServer
) -> None:
    provider.on(EMBEDDINGS, answer(1), answer(2), answer(3))
    embed_texts(tenant=acme.tenant, texts=["tea"])
    age(acme, days=CACHE_DAYS + 1)

    embed_texts(tenant=acme.tenant, texts=["tea"])

    assert len(provider.requests) == 2
    age(acme, days=CACHE_DAYS + 1)
    with tenant_scope(acme.tenant):
        assert forget_old_vectors(tenant=acme.tenant) == 1
    assert cached(acme) == []


def test_a_vector_that_is_used_stays(acme: Team, provider: ScriptedServer) -> None:
    provider.on(EMBEDDINGS, answer(1))
    embed_texts(tenant=acme.tenant, texts=["tea"])
    age(acme, days=CACHE_DAYS - 1)

    embed_texts(tenant=acme.tenant, texts=["tea"])

    assert len(provider.requests) == 1
    assert cached(acme)[0].used_at > timezone.now() - timedelta(minutes=1)


def age(team: Team, *, days: int) -> None:
    with tenant_scope(team.tenant):
        rows = CachedEmbedding.objects.for_tenant(team.tenant)
        rows.update(used_at=timezone.now() - timedelta(days=days))


def test_the_caches_tidying_leaves_other_tenants_alone(
    acme: Team, rival: Team, provider: ScriptedServer
) -> None:
    provider.on(EMBEDDINGS, answer(1), answer(1))
    for team in (acme, rival):
        embed_texts(tenant=team.tenant, texts=["tea"])
        age(team, days=CACHE_DAYS + 1)

    with tenant_scope(acme.tenant):
        forget_old_vectors(tenant=acme.tenant)

    assert (len(cached(acme)), len(cached(rival))) == (0, 1)


@pytest.mark.parametrize(
    "trouble", [status(401), status(500), raw(b"<html>"), json_answer({"data": []})], ids=range(4)
)
def test_a_question_goes_without_a_vector_when_the_provider_fails(
    acme: Team, provider: ScriptedServer, trouble: object
) -> None:
    provider.always(EMBEDDINGS, trouble)  # type: ignore[arg-type]

    assert embed_query(tenant=acme.tenant, text="tea?") is None


def test_texts_to_store_say_that_the_provider_failed_and_leave_nothing_behind(
    acme: Team, provider: ScriptedServer
) -> None:
    provider.always(EMBEDDINGS, status(401))

    with pytest.raises(PermanentError):
        embed_texts(tenant=acme.tenant, texts=["tea"])

    assert cached(acme) == []


def test_a_question_asked_again_is_not_embedded_again(acme: Team, provider: ScriptedServer) -> None:
    provider.on(EMBEDDINGS, answer(1))

    first, second = (embed_query(tenant=acme.tenant, text="tea?") for _ in range(2))

    assert first == second
    assert len(provider.requests) == 1


def test_another_tenants_question_is_embedded_for_itself(
    acme: Team, rival: Team, provider: ScriptedServer
) -> None:
    provider.on(EMBEDDINGS, answer(1), answer(1))

    for team in (acme, rival):
        embed_query(tenant=team.tenant, text="tea?")

    assert len(provider.requests) == 2


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_nothing_is_asked_for_an_empty_question(acme: Team, provider: ScriptedServer, text: str) -> None:
    assert embed_query(tenant=acme.tenant, text=text) is None
    assert provider.requests == []


def test_a_vector_knows_its_model(acme: Team) -> None:
    texts, question = (
        embed_texts(tenant=acme.tenant, texts=["tea"])[0],
        embed_query(tenant=acme.tenant, text="tea"),
    )

    assert isinstance(texts, Vector)
    assert isinstance(question, Vector)
    assert texts.model_id == question.model_id == get_serving_model().id

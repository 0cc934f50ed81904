"""One embedding model for another: the old one answers until the new one is complete, and there is a way back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from nebo.jobs.models import Job
from nebo.jobs.services import enqueue
from nebo.tenants.scoping import tenant_scope
from search.answers.search import SearchQuery, search
from search.embeddings.hashing import HashingEmbedder
from search.embeddings.serving import Vector, get_models, get_serving_model
from search.embeddings.vectors import embed_query, embed_texts
from search.indexing import exchange
from search.indexing.exchange import (
    NothingToDo,
    cut_over,
    drop_retired,
    plan,
    roll_back,
    start_exchange,
)
from search.indexing.passages import Passage, index_passages
from search.models import Embedding, EmbeddingModel, PendingEmbedding
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.scripted_server import scripted_server
from tests.search.conftest import Configure, ask_as_an_agent, embed_all, remember, states, tell

pytestmark = pytest.mark.django_db(databases=["default", "operator"])
__all__ = ["scripted_server"]

LINES = ("My dog Biscuit chased a squirrel.", "We should book the train to Bergen.", "It rained.")
State = EmbeddingModel.State


def build_all(team: Team) -> None:
    """What the workers do until nothing waits."""
    model = get_models().building
    assert model is not None
    with tenant_scope(team.tenant):
        plan(tenant=team.tenant, model=model)
    while run_jobs(team.tenant, kind="build-vectors"):
        pass


def test_a_new_model_in_the_settings_is_built_while_the_old_one_answers(
    acme: Team, configure: Configure
) -> None:
    tell(acme, *LINES)
    embed_all(acme)
    before = ask_as_an_agent(acme, "squirrel")

    configure(HashingEmbedder(128))
    start_exchange()
    during = ask_as_an_agent(acme, "squirrel")

    assert states() == {"384": "serving", "128": "building"}
    assert [(hit.text, hit.vector_score) for hit in during] == [
        (hit.text, hit.vector_score) for hit in before
    ]


def test_what_is_written_meanwhile_gets_vectors_of_both(acme: Team, configure: Configure) -> None:
    tell(acme, *LINES, key="before")
    configure(HashingEmbedder(128))
    start_exchange()
    tell(acme, *LINES, key="meanwhile")

    while run_jobs(acme.tenant):
        pass

    with tenant_scope(acme.tenant):
        rows = Embedding.objects.for_tenant(acme.tenant)
        counts = {model.name: rows.filter(model_id=model.id).count() for model in get_models().live}
        assert not PendingEmbedding.objects.for_tenant(acme.tenant).exists()
    assert counts == {"384": 6, "128": 3}


def test_a_vector_given_along_counts_for_its_own_model_alone(acme: Team, configure: Configure) -> None:
    configure(HashingEmbedder(128))
    start_exchange()
    made = Vector(HashingEmbedder().embed(["Biscuit"])[0], model_id=get_serving_model().id)
    passage = Passage(source="memory", text="Biscuit", memory_id=remember(acme, dog="-")["dog"].pk)

    with tenant_scope(acme.tenant):
        PendingEmbedding.objects.for_tenant(acme.tenant).delete()
        index_passages(
            tenant=acme.tenant,
            person_id=acme.person.pk,
            passages=[passage],
            vectors={"Biscuit": made},
        )
        waiting = PendingEmbedding.objects.for_tenant(acme.tenant).get()

    assert waiting.model_id != made.model_id


def test_a_question_embedded_before_the_cut_is_answered_with_the_vectors_of_its_model(
    acme: Team, configure: Configure
) -> None:
    tell(acme, *LINES)
    embed_all(acme)
    old = embed_query(tenant=acme.tenant, text="squirrel")
    before = ask_as_an_agent(acme, "squirrel")
    configure(HashingEmbedder(128))
    start_exchange()
    build_all(acme)
    cut_over(at_once=True)

    with tenant_scope(acme.tenant):
        after = search(tenant=acme.tenant, query=SearchQuery("squirrel", acme.person.pk), vector=old).results

    assert isinstance(old, Vector)
    assert old.model_id != get_serving_model().id
    assert [hit.vector_score for hit in after] == [hit.vector_score for hit in before]


def test_cached_vectors_of_the_old_model_are_not_the_new_ones(acme: Team, configure: Configure) -> None:
    embed_texts(tenant=acme.tenant, texts=["tea"])
    configure(HashingEmbedder(128))
    start_exchange()
    cut_over(at_once=True)

    assert len(embed_texts(tenant=acme.tenant, texts=["tea"])[0]) == 128


def test_going_back_is_one_step_and_loses_nothing(acme: Team, configure: Configure) -> None:
    tell(acme, *LINES)
    embed_all(acme)
    before = ask_as_an_agent(acme, "squirrel")
    configure(HashingEmbedder(128))
    start_exchange()
    build_all(acme)
    cut_over(at_once=True)

    model = roll_back()

    assert states() == {"384": "serving", "128": "retired"}
    assert model.dimensions == 384
    assert [(hit.text, hit.vector_score) for hit in ask_as_an_agent(acme, "squirrel")] == [
        (hit.text, hit.vector_score) for hit in before
    ]


def test_giving_up_a_model_that_is_being_built_leaves_the_old_one_serving(
    acme: Team, configure: Configure
) -> None:
    get_models()
    configure(HashingEmbedder(128))
    start_exchange()

    roll_back()

    assert states() == {"384": "serving", "128": "retired"}
    with pytest.raises(NothingToDo):  # it never was complete
        roll_back()


def test_a_model_that_was_given_up_comes_back_only_when_somebody_says_so(
    acme: Team, configure: Configure
) -> None:
    get_models()
    configure(HashingEmbedder(128))
    assert exchange.begin_if_new()
    roll_back()

    assert not exchange.begin_if_new()
    assert states()["128"] == "retired"

    start_exchange()
    assert states()["128"] == "building"


def test_there_is_nothing_to_exchange_with_the_same_model(acme: Team) -> None:
    get_models()

    assert not exchange.begin_if_new()
    with pytest.raises(NothingToDo):
        start_exchange()
    with pytest.raises(NothingToDo):
        cut_over()
    with pytest.raises(NothingToDo):
        roll_back()


def test_a_third_model_takes_the_place_of_one_that_is_being_built(acme: Team, configure: Configure) -> None:
    get_models()
    configure(HashingEmbedder(128))
    start_exchange()
    configure(HashingEmbedder(64))

    start_exchange()

    assert states() == {"384": "serving", "128": "retired", "64": "building"}


def test_the_database_knows_one_serving_model(acme: Team) -> None:
    get_models()

    with pytest.raises(IntegrityError), transaction.atomic():
        EmbeddingModel.objects.create(provider="hashing", name="9", dimensions=9)


def test_vectors_of_a_model_long_retired_are_dropped_and_no_others(acme: Team, configure: Configure) -> None:
    tell(acme, *LINES)
    embed_all(acme)
    configure(HashingEmbedder(128))
    start_exchange()
    build_all(acme)
    cut_over(at_once=True)

    with tenant_scope(acme.tenant):
        assert drop_retired(tenant=acme.tenant) == 0  # there still is a way back
    EmbeddingModel.objects.filter(state=State.RETIRED).update(
        state_since=timezone.now() - timedelta(days=8), served_until=timezone.now() - timedelta(days=8)
    )
    run_tidying(acme)

    with tenant_scope(acme.tenant):
        left = set(Embedding.objects.for_tenant(acme.tenant).values_list("model_id", flat=True))
    assert left == {get_serving_model().id}
    with pytest.raises(NothingToDo, match="earlier model"):
        roll_back()


def run_tidying(team: Team) -> None:
    with tenant_scope(team.tenant):
        enqueue(tenant=team.tenant, kind="tidy-vectors", payload={})
    run_jobs(team.tenant, kind="tidy-vectors")


def test_planning_twice_plans_once(acme: Team, configure: Configure) -> None:
    tell(acme, *LINES)
    configure(HashingEmbedder(128))
    model = start_exchange()

    with tenant_scope(acme.tenant):
        planned = [plan(tenant=acme.tenant, model=model) for _ in range(2)]
        jobs = Job.objects.for_tenant(acme.tenant).filter(kind="build-vectors").count()

    assert planned == [3, 0]
    assert jobs == 1


def test_a_job_for_a_model_that_was_given_up_does_nothing(acme: Team, configure: Configure) -> None:
    tell(acme, *LINES)
    configure(HashingEmbedder(128))
    model = start_exchange()
    with tenant_scope(acme.tenant):
        plan(tenant=acme.tenant, model=model)
    roll_back()

    done = run_jobs(acme.tenant, kind="build-vectors")

    assert [job.result for job in done] == [{"embedded": 0}]

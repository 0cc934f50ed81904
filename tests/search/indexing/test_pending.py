"""Vectors that follow by jobs: once, for what still is there, and again after a failure."""

from __future__ import annotations

import pytest

from nebo.jobs.models import Job
from nebo.llm.errors import PermanentError
from nebo.tenants.scoping import tenant_scope
from search.embeddings.hashing import HashingEmbedder
from search.embeddings.openai import build_openai_embedder
from search.embeddings.serving import get_serving_model
from search.indexing import passages, pending
from search.indexing.passages import Passage, index_passages
from search.indexing.pending import ask_again, embed_batch, publish_vectors, read_batch
from search.models import Chunk, Embedding, PendingEmbedding
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.scripted_server import ScriptedServer, scripted_server, status
from tests.search.conftest import remember, remove_chunks, store, taking_all_but, tell

pytestmark = pytest.mark.django_db
__all__ = ["scripted_server"]

EMBEDDINGS = "/v1/embeddings"


def count(model: type, team: Team) -> int:
    with tenant_scope(team.tenant):
        return model.objects.for_tenant(team.tenant).count()  # type: ignore[attr-defined, no-any-return]


def embed_jobs(team: Team) -> list[Job]:
    with tenant_scope(team.tenant):
        return list(Job.objects.for_tenant(team.tenant).filter(kind="embed"))


def test_what_is_written_in_a_row_waits_for_one_job_a_person(acme: Team) -> None:
    tell(acme, "One.", "Two.", key="first")
    tell(acme, "Three.", key="second")
    with tenant_scope(acme.tenant):
        store(acme, key="office", value="Leipzig", person=acme.shared, scope="global")

    assert len(embed_jobs(acme)) == 2
    assert count(PendingEmbedding, acme) == 4


def test_the_job_embeds_what_waits_with_its_heading(acme: Team) -> None:
    tell(acme, "I painted a sunset.")

    (job,) = run_jobs(acme.tenant, kind="embed")

    assert job.result == {"embedded": 1}
    assert count(PendingEmbedding, acme) == 0
    expected = HashingEmbedder().embed(["[8 May 2023] Caroline: I painted a sunset."])[0]
    with tenant_scope(acme.tenant):
        found = Embedding.objects.for_tenant(acme.tenant).get()
    assert list(found.vector) == pytest.approx(expected, abs=1e-3)


def test_more_than_a_batch_takes_another_job(acme: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "EMBED_BATCH", 2)
    tell(acme, *(f"Line {number}." for number in range(5)))

    run_jobs(acme.tenant, kind="embed")

    assert sorted(job.result["embedded"] for job in embed_jobs(acme)) == [1, 2, 2]
    assert count(Embedding, acme) == 5


def test_a_job_with_nothing_left_to_do_succeeds(acme: Team) -> None:
    session = tell(acme, "One.")
    with tenant_scope(acme.tenant):
        remove_chunks(acme, session)

    (job,) = run_jobs(acme.tenant, kind="embed")

    assert (job.state, job.result) == ("succeeded", {"embedded": 0})
    assert count(PendingEmbedding, acme) == 0


def test_a_chunk_that_goes_while_it_is_embedded_gets_no_vector(acme: Team) -> None:
    gone, stays = tell(acme, "One.", key="gone"), tell(acme, "Two.", key="stays")
    model = get_serving_model()
    with tenant_scope(acme.tenant):
        batch = read_batch(tenant_id=acme.tenant.pk, model_id=model.id)
    vectors = embed_batch(model, batch)

    with tenant_scope(acme.tenant):
        remove_chunks(acme, gone)
        assert publish_vectors(tenant_id=acme.tenant.pk, model=model, vectors=vectors) == 1
        left = Embedding.objects.for_tenant(acme.tenant).get()
        chunk = Chunk.objects.for_tenant(acme.tenant).get()

    assert (left.chunk_id, chunk.session_id) == (chunk.pk, stays.pk)


def test_publishing_twice_is_publishing_once(acme: Team) -> None:
    tell(acme, "One.", "Two.")
    model = get_serving_model()
    with tenant_scope(acme.tenant):
        vectors = embed_batch(model, read_batch(tenant_id=acme.tenant.pk, model_id=model.id))

        counts = [publish_vectors(tenant_id=acme.tenant.pk, model=model, vectors=vectors) for _ in range(2)]

    assert counts == [2, 0]
    assert count(Embedding, acme) == 2


def test_a_vector_that_is_there_already_stays(acme: Team) -> None:
    tell(acme, "One.")
    run_jobs(acme.tenant, kind="embed")
    with tenant_scope(acme.tenant):
        chunk = Chunk.objects.for_tenant(acme.tenant).get()
        before = list(Embedding.objects.for_tenant(acme.tenant).get().vector)

        passages.store_vectors([chunk], {chunk.pk: HashingEmbedder().embed(["Something else."])[0]})

        assert list(Embedding.objects.for_tenant(acme.tenant).get().vector) == before


def test_another_tenants_chunks_are_neither_read_nor_written(acme: Team, rival: Team) -> None:
    tell(acme, "One.")
    tell(rival, "One.")

    run_jobs(acme.tenant, kind="embed")

    assert (count(Embedding, acme), count(Embedding, rival)) == (1, 0)
    assert count(PendingEmbedding, rival) == 1


def test_a_vector_that_is_known_is_kept_at_once_and_needs_no_job(acme: Team) -> None:
    memory = remember(acme, dog="-")["dog"]
    with tenant_scope(acme.tenant):
        Job.objects.for_tenant(acme.tenant).delete()
        index_passages(
            tenant=acme.tenant,
            person_id=acme.person.pk,
            passages=[Passage(source="memory", text="Biscuit", heading="dog:", memory_id=memory.pk)],
            vectors={"dog: Biscuit": HashingEmbedder().embed(["dog: Biscuit"])[0]},
        )

    assert count(Embedding, acme) == 1
    assert embed_jobs(acme) == []


def test_a_heading_longer_than_its_column_is_cut(acme: Team) -> None:
    memory = remember(acme, dog="-")["dog"]

    with tenant_scope(acme.tenant):
        (chunk_id,) = index_passages(
            tenant=acme.tenant,
            person_id=acme.person.pk,
            passages=[Passage(source="memory", text="x", heading="h" * 999, memory_id=memory.pk)],
        )
        chunk = Chunk.objects.for_tenant(acme.tenant).get(pk=chunk_id)

    assert len(chunk.heading) == passages.HEADING_CHARS


@pytest.fixture
def fussy(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    """A provider that refuses every request with an unspeakable text in it."""
    scripted_server.always(EMBEDDINGS, taking_all_but(scripted_server, "unspeakable"))
    embedder = build_openai_embedder(
        api_key="k", model="fussy", base_url=f"{scripted_server.url}/v1", dimensions=4
    )
    monkeypatch.setattr("search.embeddings.serving.get_embedder", lambda *spec, **more: embedder)
    return scripted_server


def test_one_refused_text_spoils_no_other_one(acme: Team, fussy: ScriptedServer) -> None:
    tell(acme, *(f"Line {number}." for number in range(20)), "The unspeakable.", "The end.")

    (job,) = run_jobs(acme.tenant, kind="embed")

    assert (job.state, job.result) == ("succeeded", {"embedded": 21, "refused": 1})
    assert len(fussy.requests) < 15  # by halves, not one by one
    with tenant_scope(acme.tenant):
        left = PendingEmbedding.objects.for_tenant(acme.tenant).select_related("chunk").get()
    assert left.chunk.text == "The unspeakable."


def test_a_refused_text_is_asked_for_no_more_until_somebody_says_so(
    acme: Team, fussy: ScriptedServer
) -> None:
    tell(acme, "The unspeakable.", key="first")
    run_jobs(acme.tenant, kind="embed")
    tell(acme, "The end.", key="second")

    (job,) = run_jobs(acme.tenant, kind="embed")

    assert job.result == {"embedded": 1}
    with tenant_scope(acme.tenant):
        assert ask_again(tenant_id=acme.tenant.pk, model=get_serving_model()) == 1
        assert len(read_batch(tenant_id=acme.tenant.pk, model_id=get_serving_model().id).chunks) == 1


@pytest.mark.parametrize(("code", "requests"), [(400, 2), (401, 1), (403, 1), (404, 1)])
def test_a_provider_that_refuses_everything_is_not_asked_text_by_text(
    acme: Team, fussy: ScriptedServer, code: int, requests: int
) -> None:
    tell(acme, *(f"Line {number}." for number in range(20)))
    fussy.always(EMBEDDINGS, status(code))
    model = get_serving_model()
    with tenant_scope(acme.tenant):
        batch = read_batch(tenant_id=acme.tenant.pk, model_id=model.id)

    with pytest.raises(PermanentError):
        embed_batch(model, batch)

    assert len(fussy.requests) == requests

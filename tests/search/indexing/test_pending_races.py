"""Vectors that follow while turns write: neither waits for the other in a circle."""

from __future__ import annotations

from threading import Event, Thread

from django.db import connections

from nebo.tenants.scoping import tenant_scope
from search.models import Chunk, Embedding, PendingEmbedding
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.search.conftest import remove_chunks, tell


def test_a_chunk_that_is_being_removed_is_passed_over(committed_db: None, acme: Team) -> None:
    gone, stays = tell(acme, "One.", key="gone"), tell(acme, "Two.", key="stays")
    removing, embedded = Event(), Event()

    def remove() -> None:
        with tenant_scope(acme.tenant):
            remove_chunks(acme, gone)
            removing.set()
            embedded.wait(10)
        connections.close_all()

    thread = Thread(target=remove)
    thread.start()
    removing.wait(10)
    (job,) = run_jobs(acme.tenant, kind="embed")
    embedded.set()
    thread.join()

    assert (job.state, job.result) == ("succeeded", {"embedded": 1})
    with tenant_scope(acme.tenant):
        assert Chunk.objects.for_tenant(acme.tenant).get().session_id == stays.pk
        assert Embedding.objects.for_tenant(acme.tenant).count() == 1
        assert not PendingEmbedding.objects.for_tenant(acme.tenant).exists()

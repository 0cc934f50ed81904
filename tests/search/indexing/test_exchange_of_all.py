"""The exchange of the embedding model across tenants: what comes round, and `manage.py embeddings …`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from nebo.env import env
from nebo.tenants.scoping import operator_scope, tenant_scope
from search.embeddings.hashing import HashingEmbedder
from search.embeddings.openai import build_openai_embedder
from search.embeddings.remote import RetryPolicy
from search.embeddings.serving import forget_models, get_models, get_serving_model
from search.indexing import exchange
from search.indexing.exchange import (
    NothingToDo,
    Progress,
    cut_over,
    have_change_noticed,
    progress,
    start_exchange,
    tend,
)
from search.models import Chunk, EmbeddingModel
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.scripted_server import ScriptedServer, scripted_server, status
from tests.search.conftest import (
    Configure,
    ask_as_an_agent,
    embed_all,
    remember,
    states,
    taking_all_but,
    tell,
)

__all__ = ["scripted_server"]

LINES = ("My dog Biscuit chased a squirrel.", "We should book the train to Bergen.", "It rained.")


@pytest.fixture(autouse=True)
def _one_model(committed_db: None) -> Iterator[None]:
    """The sweeps see what is committed: before and afterwards the tests' own model is the only one."""
    keep_own_model_alone()
    yield
    keep_own_model_alone()


def keep_own_model_alone() -> None:
    with psycopg.connect(
        settings.DATABASE_URLS.owner, dbname=env.test_database, autocommit=True
    ) as connection:
        connection.execute("TRUNCATE search_embedding, search_pendingembedding, search_cachedembedding")
        connection.execute("DELETE FROM search_embeddingmodel WHERE name <> '384'")
        connection.execute("UPDATE search_embeddingmodel SET state = 'serving', served_until = NULL")
    forget_models()


def begun_long_ago() -> None:
    EmbeddingModel.objects.update(state_since=timezone.now() - timedelta(hours=1))


@pytest.mark.parametrize("changes", [{"embedding_model": "hashing/128"}, {"embedding_dimensions": 128}])
def test_soon_after_a_start_a_worker_looks_whether_the_model_is_another(
    acme: Team, configure: Configure, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    tell(acme, *LINES)
    monkeypatch.setattr(exchange, "_asked", False)
    with operator_scope():
        assert have_change_noticed() == 0  # the same still

    configure(HashingEmbedder(128))
    monkeypatch.setattr(exchange, "env", replace(env, **changes))
    with operator_scope():
        assert [have_change_noticed(), have_change_noticed()] == [1, 0]  # once

    assert states() == {"384": "serving"}
    assert run_jobs(acme.tenant, kind="tidy-vectors")
    assert states() == {"384": "serving", "128": "building"}


def test_it_answers_when_it_is_complete_and_not_before(acme: Team, configure: Configure) -> None:
    tell(acme, *LINES)
    embed_all(acme)
    configure(HashingEmbedder(128))
    model = start_exchange()
    begun_long_ago()

    with operator_scope():
        assert tend() == 1
    assert states()["128"] == "building"
    while run_jobs(acme.tenant):
        pass
    with tenant_scope(acme.tenant):
        assert progress(tenant=acme.tenant, model=model).is_complete
    with operator_scope():
        assert tend() == 0

    assert states() == {"384": "retired", "128": "serving"}
    assert get_serving_model().id == model.id
    assert ask_as_an_agent(acme, "squirrel")[0].vector_score is not None


def test_what_was_just_written_does_not_hold_up_the_cut_and_what_waits_for_long_does(
    acme: Team, configure: Configure
) -> None:
    configure(HashingEmbedder(128))
    start_exchange()
    begun_long_ago()
    tell(acme, *LINES)

    with tenant_scope(acme.tenant):
        Chunk.objects.for_tenant(acme.tenant).update(created_at=timezone.now() - timedelta(minutes=1))
    with operator_scope():
        tend()
    assert states()["128"] == "building"

    with tenant_scope(acme.tenant):
        Chunk.objects.for_tenant(acme.tenant).update(created_at=timezone.now())
    with operator_scope():
        tend()
    assert states()["128"] == "serving"


def test_the_cut_waits_until_every_process_knows_of_the_new_model(acme: Team, configure: Configure) -> None:
    configure(HashingEmbedder(128))
    start_exchange()

    with operator_scope():
        tend()
    with pytest.raises(NothingToDo, match="too lately"):
        cut_over()

    assert states()["128"] == "building"


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("embeddings", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_status_names_the_models_and_counts(acme: Team, rival: Team, configure: Configure) -> None:
    tell(acme, *LINES)
    tell(rival, *LINES)
    embed_all(acme)
    configure(HashingEmbedder(128))
    start_exchange()

    lines = run("status").splitlines()

    assert lines[0].startswith("serving   hashing/384 (384)  3 of 6 chunks")
    assert lines[1].startswith("building  hashing/128 (128)  0 of 6 chunks")


def test_migrate_builds_for_every_tenant_and_cuts_over(acme: Team, rival: Team, configure: Configure) -> None:
    for team in (acme, rival):
        tell(team, *LINES)
        remember(team, dog="Biscuit")
    configure(HashingEmbedder(128))

    said = run("migrate", "--alone")

    assert said.endswith("hashing/128 serves.\n")
    for team in (acme, rival):
        with tenant_scope(team.tenant):
            assert progress(tenant=team.tenant, model=get_serving_model()) == Progress(4, 4)
    assert states() == {"384": "retired", "128": "serving"}


def test_migrate_in_the_background_leaves_the_work_to_jobs(acme: Team, configure: Configure) -> None:
    tell(acme, *LINES)
    configure(HashingEmbedder(128))

    run("migrate", "--background")
    while run_jobs(acme.tenant):
        pass
    begun_long_ago()
    with operator_scope():
        tend()

    assert states() == {"384": "retired", "128": "serving"}


def test_backfill_makes_what_is_missing_and_rollback_goes_back(acme: Team, configure: Configure) -> None:
    tell(acme, *LINES)
    assert "hashing/384: complete." in run("backfill")
    configure(HashingEmbedder(128))
    run("migrate", "--alone")

    assert run("rollback") == "hashing/384 serves.\n"
    assert "hashing/384: complete." in run("backfill")


def test_a_command_with_nothing_to_do_says_so(acme: Team) -> None:
    get_models()

    with pytest.raises(CommandError, match="serves"):
        run("migrate")
    with pytest.raises(CommandError, match="earlier model"):
        run("rollback")


def test_a_refusal_stops_everything_at_the_first_request(
    acme: Team, configure: Configure, scripted_server: ScriptedServer
) -> None:
    for number in range(3):
        tell(acme, *(f"Line {number} {n}" for n in range(100)), key=f"chat-{number}")
    configure(remote(scripted_server))
    start_exchange()
    scripted_server.always("/v1/embeddings", status(401))

    with pytest.raises(CommandError, match="refuses"):
        run("backfill")

    assert len([r for r in scripted_server.requests if r.path == "/v1/embeddings"]) == 1
    assert states()["scripted"] == "building"


def test_backfill_goes_in_batches_of_twenty_and_shows_how_far_it_is(
    acme: Team, configure: Configure, scripted_server: ScriptedServer
) -> None:
    tell(acme, *(f"Line {number}." for number in range(45)))
    embed_all(acme)
    configure(remote(scripted_server))
    start_exchange()
    scripted_server.always("/v1/embeddings", taking_all_but(scripted_server, "nothing"))
    bars = StringIO()

    call_command("embeddings", "backfill", stdout=StringIO(), stderr=bars)

    assert [len(request.json["input"]) for request in scripted_server.requests] == [20, 20, 5]
    assert "openai/scripted: 100%" in bars.getvalue()
    assert "45/45" in bars.getvalue()


def test_a_text_that_is_refused_does_not_hold_up_the_exchange(
    acme: Team, configure: Configure, scripted_server: ScriptedServer
) -> None:
    tell(acme, *LINES)
    embed_all(acme)
    configure(remote(scripted_server))
    start_exchange()
    scripted_server.always("/v1/embeddings", taking_all_but(scripted_server, "Bergen"))

    assert "openai/scripted: complete, 1 refused." in run("backfill")
    begun_long_ago()
    with operator_scope():
        tend()

    assert states() == {"384": "retired", "scripted": "serving"}
    assert "2 of 3 chunks (1 refused)" in run("status")


def test_a_busy_provider_leaves_a_rest_that_is_told(
    acme: Team, configure: Configure, scripted_server: ScriptedServer
) -> None:
    tell(acme, *LINES)
    embed_all(acme)
    configure(remote(scripted_server))
    start_exchange()
    scripted_server.always("/v1/embeddings", status(503))

    assert "openai/scripted: 3 chunks are left." in run("backfill")


def remote(server: ScriptedServer) -> object:
    return build_openai_embedder(
        api_key="k",
        model="scripted",
        base_url=f"{server.url}/v1",
        dimensions=4,
        retry_policy=RetryPolicy(sleep=lambda _: None),
    )

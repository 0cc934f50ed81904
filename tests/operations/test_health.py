from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone

from nebo.env import env
from nebo.jobs.models import Heartbeat
from nebo.llm.errors import ConfigurationError
from nebo.product.operations.preparing import name_embedder
from search.embeddings.registry import build_embedder
from search.models import EmbeddingModel


def beat(seconds_ago: float) -> None:
    Heartbeat.objects.create(name="worker:here/a", beat_at=timezone.now() - timedelta(seconds=seconds_ago))


def ask(path: str = "/healthz") -> tuple[int, dict[str, Any]]:
    response = Client().get(path)
    return response.status_code, response.json()


def test_all_is_well_with_a_fresh_heartbeat(db: None) -> None:
    beat(seconds_ago=2)

    status, answer = ask()

    assert status == 200
    assert answer["status"] == "ok"
    assert {name: part["status"] for name, part in answer["parts"].items()} == {
        "process": "ok",
        "database": "ok",
        "worker": "ok",
        "embedding": "ok",
    }
    assert 2 <= answer["parts"]["worker"]["age_s"] < 45


@pytest.mark.parametrize("spec", ["nowhere/model", "openai/text-embedding-3-small"])
def test_without_vectors_all_else_goes_on_and_it_is_said(
    db: None, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unusable = replace(env, openai_api_key="", openai_base_url="")
    monkeypatch.setattr(
        "search.embeddings.serving.get_embedder", lambda *_, **__: build_embedder(spec, unusable)
    )
    beat(seconds_ago=2)

    status, answer = ask()

    assert (status, answer["status"]) == (200, "ok")
    assert answer["parts"]["embedding"]["status"] == "degraded"
    assert "by words alone" in answer["parts"]["embedding"]["detail"]


def test_a_start_goes_on_by_words_where_vectors_were_made_before(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "nebo.product.operations.preparing.get_embedder", lambda: build_embedder("nowhere/x", env)
    )
    models = EmbeddingModel.objects.filter(state=EmbeddingModel.State.SERVING)
    models.update(state=EmbeddingModel.State.RETIRED)
    with pytest.raises(ConfigurationError):
        name_embedder()

    EmbeddingModel.objects.create(provider="openai", name="x", dimensions=8, state="serving")

    assert "search by words alone" in name_embedder()


def test_a_silent_worker_is_named(db: None) -> None:
    beat(seconds_ago=61)

    status, answer = ask()

    assert (status, answer["status"]) == (503, "failing")
    assert answer["parts"]["database"] == {"status": "ok"}
    assert answer["parts"]["worker"]["detail"].startswith("no heartbeat for 6")


def test_no_worker_at_all_is_told(db: None) -> None:
    status, answer = ask()

    assert status == 503
    assert answer["parts"]["worker"] == {"status": "failing", "detail": "no worker runs"}


def test_the_newest_worker_counts(db: None) -> None:
    beat(seconds_ago=3600)
    Heartbeat.objects.create(name="worker:there/b", beat_at=timezone.now())

    assert ask()[0] == 200


def test_a_database_that_fails_is_named_without_its_words(db: None) -> None:
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT nothing_of_that_name")  # from here on the transaction refuses every query

    status, answer = ask()

    assert status == 503
    assert answer["parts"]["process"] == {"status": "ok"}
    assert answer["parts"]["database"] == {"status": "failing", "detail": "does not answer"}


def test_the_process_alone_answers_without_a_database() -> None:
    assert ask("/healthz?live") == (200, {"status": "ok", "parts": {"process": {"status": "ok"}}})


def test_nobody_may_keep_or_post_it(db: None) -> None:
    assert "no-store" in Client().get("/healthz?live")["Cache-Control"]
    assert Client().post("/healthz").status_code == 405


def test_a_probe_is_not_sent_to_https(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True

    assert Client().get("/healthz?live").status_code == 200

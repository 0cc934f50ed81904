"""A question is embedded while something else is read, if nobody outside has to be asked."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence

import pytest

from nebo.llm.errors import PermanentError
from search.embeddings import serving
from search.embeddings.ahead import begin_query
from search.embeddings.vectors import embed_query, find_failure
from tests.conftest import Team

pytestmark = pytest.mark.django_db


class Recorder:
    """Embeds as a provider of this name; notes in which thread. Fails if told to."""

    model, dimensions = "recorder", 384

    def __init__(self, provider: str, *, fails: bool = False) -> None:
        self.provider, self.fails = provider, fails
        self.threads: list[threading.Thread] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.threads.append(threading.current_thread())
        if self.fails:
            raise PermanentError(self.provider, self.model, "no", kind="refused")
        return [[1.0] + [0.0] * 383 for _ in texts]


def serve(monkeypatch: pytest.MonkeyPatch, provider: str, *, fails: bool = False) -> Recorder:
    """This embedder serves from now on."""
    embedder = Recorder(provider, fails=fails)
    monkeypatch.setattr(serving, "get_embedder", lambda *_, **__: embedder)
    serving.forget_models()
    return embedder


def test_a_model_of_this_process_embeds_in_another_thread(
    acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = serve(monkeypatch, "local")

    vector = begin_query(tenant=acme.tenant, text="Which ferry leaves first?").wait()

    assert vector == embed_query(tenant=acme.tenant, text="Which ferry leaves first?")
    assert [thread is threading.current_thread() for thread in embedder.threads] == [False]


def test_a_provider_outside_is_asked_before_anything_else_happens(
    acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = serve(monkeypatch, "openai")

    begin_query(tenant=acme.tenant, text="Which ferry leaves last?")

    assert embedder.threads == [threading.current_thread()]


@pytest.mark.parametrize("provider", ["local", "openai"])
def test_without_a_vector_words_go_on_alone(
    provider: str, acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(monkeypatch, provider, fails=True)

    assert begin_query(tenant=acme.tenant, text="Which ferry is cheapest?").wait() is None
    assert "no" in find_failure()


def test_a_forked_process_embeds_with_threads_of_its_own(acme: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    serve(monkeypatch, "local")
    serving.get_models()
    model = serving.get_serving_model()
    begin_query(tenant=acme.tenant, text="Which ferry is oldest?").wait()
    monkeypatch.setattr("search.embeddings.ahead.get_serving_model", lambda: model)

    child = os.fork()
    if not child:
        found = begin_query(tenant=acme.tenant.pk, text="Which ferry is newest?").wait()
        os._exit(0 if found else 1)
    _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0

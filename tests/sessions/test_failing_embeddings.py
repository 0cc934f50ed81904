"""An embedding provider that fails, in each of the ways in which they do: answers come by words, and say so."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from nebo.jobs.models import Job
from nebo.llm.breakers import breaker_of, forget_breakers
from nebo.tenants.scoping import tenant_scope
from search.embeddings import serving, vectors
from search.embeddings.openai import build_openai_embedder
from search.models import PendingEmbedding
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.scripted_server import (
    Behaviour,
    Reply,
    ScriptedServer,
    drip,
    huge,
    json_answer,
    raw,
    scripted_server,
    silent,
    status,
    truncated,
)
from tests.sessions.conftest import Call

pytestmark = pytest.mark.django_db
__all__ = ["scripted_server"]

EMBEDDINGS = "/v1/embeddings"
ASKED = {"query": "Where does the ferry go?"}
READINGS = ("search", "recall", "context")
NUMBERS = [0.1, 0.2, 0.3, 0.4]
AT_ONCE_S = (
    5.0  # a second, and room for a machine that is busy; without a limit it would be half a minute and more
)


def answer_of(*rows: list[float], first: int = 0) -> dict[str, Any]:
    return {"data": [{"index": first + number, "embedding": row} for number, row in enumerate(rows)]}


HTML = b"<html><body>502 Bad Gateway</body></html>"
NOT_A_NUMBER = b'{"data": [{"index": 0, "embedding": [0.1, NaN, 0.3, 0.4]}]}'
FAILURES: dict[str, tuple[Behaviour, str]] = {
    "hang": (silent(60), "provider_slow"),
    "drip": (drip(answer_of(NUMBERS * 200)), "provider_slow"),
    "429": (status(429), "provider_busy"),
    "429 with Retry-After": (status(429, retry_after="7"), "provider_busy"),
    "500": (status(500), "provider_busy"),
    "401": (status(401), "provider_refused"),
    "html": (raw(HTML), "provider_unreadable"),
    "empty": (raw(b""), "provider_unreadable"),
    "truncated": (truncated(answer_of(NUMBERS)), "provider_unreachable"),
    "wrong count": (json_answer(answer_of(NUMBERS, NUMBERS)), "provider_unreadable"),
    "wrong order": (json_answer(answer_of(NUMBERS, first=1)), "provider_unreadable"),
    "wrong dimension": (json_answer(answer_of(NUMBERS[:3])), "provider_unreadable"),
    "NaN": (raw(NOT_A_NUMBER), "provider_unreadable"),
    "10 MB": (huge(10), "provider_unreadable"),
}


@pytest.fixture
def provider(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    """It serves this team's questions; what it answers is scripted."""
    use(f"{scripted_server.url}/v1", monkeypatch)
    return scripted_server


def use(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = build_openai_embedder(api_key="k", model="scripted", base_url=url, dimensions=4)
    monkeypatch.setattr("search.embeddings.serving.get_embedder", lambda *_, **__: embedder)
    serving.forget_models()
    vectors._recent.clear()


def embeds(server: ScriptedServer) -> Behaviour:
    """A vector for each text of the request, as long as it is well."""

    def behave(reply: Reply) -> None:
        texts = server.requests[-1].json["input"]
        json_answer(answer_of(*[NUMBERS] * len(texts)))(reply)

    return behave


def ask(call: Call, session_id: str, reading: str) -> dict[str, Any]:
    path = f"sessions/{session_id}/context/" if reading == "context" else f"users/alice/{reading}/"
    answer = call("POST", path, ASKED)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def tell(call: Call, session_id: str, content: str = "The ferry goes to Bergen.") -> None:
    body = {"messages": [{"role": "user", "content": content}]}
    assert call("POST", f"sessions/{session_id}/turns/", body).status_code == 201
    # recall searches only for what there is a memory of
    assert call("POST", "users/alice/memories/", {"value": "Takes the ferry to Bergen"}).status_code in (
        200,
        201,
    )


def took(action: Callable[[], Any]) -> tuple[Any, float]:
    began = time.monotonic()
    return action(), time.monotonic() - began


def come_back_later() -> None:
    """Let the pause of the breaker be over."""
    breaker_of("embedding", provider="openai", model="scripted")._asked_again_at = 0.0


@pytest.mark.parametrize("failure", FAILURES)
def test_each_answer_comes_at_once_and_says_why_words_alone_found_it(
    call: Call, session_id: str, provider: ScriptedServer, failure: str
) -> None:
    behaviour, word = FAILURES[failure]
    provider.always(EMBEDDINGS, behaviour)
    tell(call, session_id)

    for reading in READINGS:
        forget_breakers()
        asked_before = len(provider.requests)
        first, first_s = took(lambda reading=reading: ask(call, session_id, reading))
        asked = len(provider.requests)
        again = [ask(call, session_id, other) for other in READINGS]

        assert first_s < AT_ONCE_S
        assert [one["degraded"] for one in (first, *again)] == [word] * 4
        assert (asked - asked_before, len(provider.requests)) == (1, asked)
        assert again[0]["results"]


def test_a_provider_that_is_not_there_is_told_like_the_others(
    call: Call, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer() as server:
        gone = server.url
    use(f"{gone}/v1", monkeypatch)
    tell(call, session_id)

    answers, took_s = took(lambda: [ask(call, session_id, reading) for reading in READINGS])

    assert [one["degraded"] for one in answers] == ["provider_unreachable"] * 3
    assert took_s < AT_ONCE_S


def test_nothing_that_is_stored_waits_for_a_vector(
    call: Call, session_id: str, provider: ScriptedServer
) -> None:
    provider.always(EMBEDDINGS, silent(60))

    _, took_s = took(lambda: tell(call, session_id))

    assert took_s < AT_ONCE_S
    assert provider.requests == []


def test_jobs_wait_for_it_however_long_and_make_the_vectors_when_it_is_back(
    call: Call, session_id: str, acme: Team, provider: ScriptedServer
) -> None:
    provider.always(EMBEDDINGS, status(401))
    tell(call, session_id)
    for _ in range(7):  # more than a job has attempts
        come_back_later()
        run_jobs(acme.tenant, kind="embed")
    with tenant_scope(acme.tenant):
        waiting = list(Job.objects.for_tenant(acme.tenant).filter(kind="embed"))

    provider.always(EMBEDDINGS, embeds(provider))
    come_back_later()
    jobs = run_jobs(acme.tenant, kind="embed")

    assert {(job.state, job.attempts) for job in waiting} == {("failed", 0)}
    assert "the key was not accepted (401)" in waiting[0].error
    assert (max(job.due_at - job.started_at for job in waiting if job.started_at)).total_seconds() < 60
    assert {job.state for job in jobs} == {"succeeded"}
    with tenant_scope(acme.tenant):
        assert not PendingEmbedding.objects.for_tenant(acme.tenant).exists()


def test_one_question_tries_it_again_and_meaning_is_back_for_all(
    call: Call, session_id: str, provider: ScriptedServer
) -> None:
    provider.always(EMBEDDINGS, status(500))
    tell(call, session_id)
    assert ask(call, session_id, "search")["degraded"]

    provider.always(EMBEDDINGS, embeds(provider))
    come_back_later()
    answers = [ask(call, session_id, reading) for reading in READINGS]

    assert [one["degraded"] for one in answers] == [None] * 3


def test_a_job_tries_it_with_a_short_text_before_a_long_one(
    call: Call, session_id: str, acme: Team, provider: ScriptedServer
) -> None:
    provider.always(EMBEDDINGS, status(401))
    tell(call, session_id)
    run_jobs(acme.tenant, kind="embed")
    before = len(provider.requests)

    come_back_later()
    run_jobs(acme.tenant, kind="embed")

    assert provider.requests[before].json["input"] == ["ready"]
    assert len(provider.requests) == before + 1

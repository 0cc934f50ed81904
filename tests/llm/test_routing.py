from __future__ import annotations

import time

import pytest

from nebo.llm.errors import AllModelsFailed, PermanentError, ProviderError, RetryableError
from nebo.llm.providers.anthropic import AnthropicModel
from nebo.llm.providers.ollama import OllamaModel
from nebo.llm.providers.openai import OpenAIModel
from nebo.llm.routing import BACKOFF_S, complete, retry_budget, wait_before_retry
from nebo.llm.transport import HttpTransport
from nebo.llm.types import ChatModel, ChatRequest
from tests.llm.fake_model import FakeModel
from tests.scripted_server import ScriptedServer, garbage, json_answer, silent, status

AT_ONCE_S = (0.0, 0.0, 0.0)
TIMELY_S = 5.0  # far more than a loaded machine needs to notice a deadline of a second
CHAT = "/v1/chat/completions"
OPENAI_TEA = {"choices": [{"message": {"content": "tea"}}]}
ANTHROPIC_TEA = {"content": [{"type": "text", "text": "tea"}]}


@pytest.fixture
def models(scripted_server: ScriptedServer, transport: HttpTransport) -> tuple[ChatModel, ...]:
    """The cheap one first."""
    url = scripted_server.url
    return (
        OpenAIModel("cheap", "sk-1", f"{url}/v1", transport),
        AnthropicModel("dear", "sk-2", url, transport),
    )


def _busy(retry_after_s: float | None = None) -> ProviderError:
    return RetryableError("fake", "a", "too many requests (429)", kind="busy", retry_after_s=retry_after_s)


def test_the_cheapest_model_answers_and_the_next_is_not_asked(
    models: tuple[ChatModel, ...], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.on(CHAT, json_answer(OPENAI_TEA))

    reply = complete(request_for_json, models=models)

    assert (reply.text, reply.model) == ("tea", "cheap")
    assert [request.path for request in scripted_server.requests] == [CHAT]


@pytest.mark.parametrize("code", [400, 401, 403, 404, 413, 422])
def test_a_permanent_error_is_not_retried_and_the_next_model_answers(
    models: tuple[ChatModel, ...], scripted_server: ScriptedServer, request_for_json: ChatRequest, code: int
) -> None:
    scripted_server.always(CHAT, status(code))
    scripted_server.on("/v1/messages", json_answer(ANTHROPIC_TEA))

    reply = complete(request_for_json, models=models)

    assert reply.model == "dear"
    assert [request.path for request in scripted_server.requests] == [CHAT, "/v1/messages"]


def test_a_passing_error_is_retried_with_the_same_model(
    models: tuple[ChatModel, ...], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.on(CHAT, status(500), garbage(), status(429, retry_after="0"), json_answer(OPENAI_TEA))

    reply = complete(request_for_json, models=models, backoff_s=AT_ONCE_S)

    assert reply.model == "cheap"
    assert len(scripted_server.requests) == 4


def test_exhausted_retries_give_way_to_the_next_model(
    models: tuple[ChatModel, ...], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.always(CHAT, status(503))
    scripted_server.on("/v1/messages", json_answer(ANTHROPIC_TEA))

    reply = complete(request_for_json, models=models, backoff_s=AT_ONCE_S)

    assert reply.model == "dear"
    assert [request.path for request in scripted_server.requests] == [CHAT] * 4 + ["/v1/messages"]


def test_a_silent_model_leaves_time_for_the_next(
    models: tuple[ChatModel, ...], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.always(CHAT, silent(120))
    scripted_server.on("/v1/messages", json_answer(ANTHROPIC_TEA))

    started = time.monotonic()
    reply = complete(request_for_json, models=models, deadline_s=1.0)

    assert reply.model == "dear"
    assert 0.5 <= time.monotonic() - started < TIMELY_S


def test_when_all_are_silent_the_deadline_holds(
    models: tuple[ChatModel, ...], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.always(CHAT, silent(120))
    scripted_server.always("/v1/messages", silent(120))

    started = time.monotonic()
    with pytest.raises(AllModelsFailed) as caught:
        complete(request_for_json, models=models, deadline_s=0.5)

    assert 0.5 <= time.monotonic() - started < TIMELY_S
    assert [(attempt.model, attempt.kind) for attempt in caught.value.attempts] == [
        ("cheap", "timeout"),
        ("dear", "timeout"),
    ]


def test_a_back_off_that_does_not_fit_is_not_waited_for(request_for_json: ChatRequest) -> None:
    first = FakeModel([_busy(), _busy()])
    second = FakeModel(["tea"])

    started = time.monotonic()
    reply = complete(request_for_json, models=(first, second), deadline_s=20, backoff_s=(15.0,))

    assert reply.text == "tea"
    assert len(first.requests) == 1
    assert time.monotonic() - started < TIMELY_S


def test_a_retry_after_that_does_not_fit_gives_way_at_once(
    models: tuple[ChatModel, ...], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.on(CHAT, status(429, retry_after="60"))
    scripted_server.on("/v1/messages", json_answer(ANTHROPIC_TEA))

    started = time.monotonic()
    reply = complete(request_for_json, models=models, backoff_s=AT_ONCE_S)

    assert reply.model == "dear"
    assert time.monotonic() - started < TIMELY_S


def test_a_retry_after_that_fits_is_waited_for(
    models: tuple[ChatModel, ...], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.on(CHAT, status(429, retry_after="0.3"), json_answer(OPENAI_TEA))

    started = time.monotonic()
    reply = complete(request_for_json, models=models, backoff_s=AT_ONCE_S)

    assert reply.model == "cheap"
    assert time.monotonic() - started >= 0.3


def test_the_waits_are_half_a_second_two_and_eight_give_or_take_a_quarter() -> None:
    waits = [[wait_before_retry(pause_s, _busy()) for _ in range(50)] for pause_s in BACKOFF_S]

    assert BACKOFF_S == (0.5, 2.0, 8.0)
    for pause_s, drawn in zip(BACKOFF_S, waits, strict=True):
        assert 0.75 * pause_s <= min(drawn) < max(drawn) <= 1.25 * pause_s
    assert wait_before_retry(0.5, _busy(retry_after_s=30)) == 30


def test_each_model_gets_a_fair_share_of_the_time_that_is_left(request_for_json: ChatRequest) -> None:
    refused = PermanentError("fake", "a", "no", kind="refused")
    first, second, third = (FakeModel([refused]) for _ in range(3))

    with pytest.raises(AllModelsFailed):
        complete(request_for_json, models=(first, second, third), deadline_s=90)

    shares = [model.timeouts_s[0] for model in (first, second, third)]
    assert shares == pytest.approx([30, 45, 90], abs=TIMELY_S)


def test_a_model_without_any_time_is_told_not_to_be_tried(request_for_json: ChatRequest) -> None:
    model = FakeModel(["tea"])

    with pytest.raises(AllModelsFailed, match="fake/fake-1: not tried, the time was up") as caught:
        complete(request_for_json, models=(model,), deadline_s=0)

    assert [attempt.kind for attempt in caught.value.attempts] == ["no-time"]
    assert model.requests == []


def test_the_failure_tells_the_job_page_what_happened_and_no_secret(
    scripted_server: ScriptedServer, transport: HttpTransport, request_for_json: ChatRequest
) -> None:
    url = scripted_server.url
    scripted_server.always("/api/chat", status(500))
    scripted_server.always("/v1/messages", status(401, body=b"sk-2 for Caroline likes tea"))
    models = (OllamaModel("qwen", url, transport), AnthropicModel("dear", "sk-2", url, transport))

    with pytest.raises(AllModelsFailed) as caught:
        complete(request_for_json, models=models, backoff_s=AT_ONCE_S[:2])

    line = str(caught.value)
    assert line.startswith("No chat model answered. ollama/qwen: server error (500), 3 tries, 0.")
    assert "; anthropic/dear: the key was not accepted (401), 0." in line
    assert not any(secret in repr(caught.value) + line for secret in ("sk-2", "Caroline"))
    assert [attempt.status for attempt in caught.value.attempts] == [500, 500, 500, 401]


def test_without_a_model_the_failure_says_so() -> None:
    assert str(AllModelsFailed([])) == "No chat model answered. None is configured."


def test_questions_share_a_budget_of_second_tries_and_each_has_its_first(
    request_for_json: ChatRequest,
) -> None:
    model = FakeModel([RetryableError("fake", "a", "no text", kind="unreadable") for _ in range(8)])

    with retry_budget(3):
        for _ in range(3):
            with pytest.raises(AllModelsFailed):
                complete(request_for_json, models=[model], backoff_s=AT_ONCE_S)

    assert len(model.requests) == 4 + 1 + 1

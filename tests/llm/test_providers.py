from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nebo.llm.errors import PermanentError, RetryableError
from nebo.llm.providers.anthropic import AnthropicModel
from nebo.llm.providers.ollama import OllamaModel, context_tokens
from nebo.llm.providers.openai import OpenAIModel
from nebo.llm.transport import HttpTransport
from nebo.llm.types import ChatModel, ChatReply, ChatRequest
from tests.scripted_server import Behaviour, ScriptedServer, garbage, json_answer, raw, status, truncated

FAR_S = 20.0
CHAT = "/v1/chat/completions"
PATHS = {"openai": CHAT, "anthropic": "/v1/messages", "ollama": "/api/chat"}


@pytest.fixture
def models(scripted_server: ScriptedServer, transport: HttpTransport) -> dict[str, ChatModel]:
    url = scripted_server.url
    return {
        "openai": OpenAIModel("gpt-x", "sk-1", f"{url}/v1/", transport),
        "anthropic": AnthropicModel("claude-x", "sk-2", f"{url}/", transport),
        "ollama": OllamaModel("qwen-x", f"{url}/", transport),
    }


def _openai_answer(content: object, **more: Any) -> Behaviour:
    return json_answer({"choices": [{"message": {"role": "assistant", "content": content}}], **more})


def test_openai_is_asked_in_its_own_shape(
    models: dict[str, ChatModel], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.on(CHAT, _openai_answer("{}", usage={"prompt_tokens": 12, "completion_tokens": 3}))

    reply = models["openai"].complete(request_for_json, timeout_s=FAR_S)

    sent = scripted_server.requests[0]
    assert sent.headers["authorization"] == "Bearer sk-1"
    assert sent.json == {
        "model": "gpt-x",
        "messages": [
            {"role": "system", "content": "Read closely."},
            {"role": "user", "content": "Caroline likes tea."},
        ],
        "max_tokens": 300,
        "response_format": {"type": "json_object"},
    }
    assert replace(reply, duration_ms=0) == ChatReply("{}", "openai", "gpt-x", 12, 3, 0)


def test_anthropic_is_asked_in_its_own_shape(
    models: dict[str, ChatModel], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "{}"}]
    usage = {"input_tokens": 12, "output_tokens": 3}
    scripted_server.on("/v1/messages", json_answer({"content": content, "usage": usage}))

    reply = models["anthropic"].complete(request_for_json, timeout_s=FAR_S)

    sent = scripted_server.requests[0]
    assert (sent.headers["x-api-key"], sent.headers["anthropic-version"]) == ("sk-2", "2023-06-01")
    assert sent.json == {
        "model": "claude-x",
        "max_tokens": 300,
        "system": "Read closely.",
        "messages": [{"role": "user", "content": "Caroline likes tea."}],
    }
    assert replace(reply, duration_ms=0) == ChatReply("{}", "anthropic", "claude-x", 12, 3, 0)


def test_ollama_is_asked_in_its_own_shape(
    models: dict[str, ChatModel], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    answer = {"message": {"content": "{}"}, "done": True, "prompt_eval_count": 12, "eval_count": 3}
    scripted_server.on("/api/chat", json_answer(answer))

    reply = models["ollama"].complete(request_for_json, timeout_s=FAR_S)

    sent = scripted_server.requests[0].json
    assert (sent["model"], sent["stream"], sent["format"]) == ("qwen-x", False, "json")
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    assert sent["options"] == {"num_predict": 300, "num_ctx": 4096}
    assert replace(reply, duration_ms=0) == ChatReply("{}", "ollama", "qwen-x", 12, 3, 0)


def test_ollamas_context_window_holds_a_long_prompt(request_for_json: ChatRequest) -> None:
    long = replace(request_for_json, prompt="x" * 15_000, max_output_tokens=2048)

    assert context_tokens(request_for_json) == 4096
    assert context_tokens(long) == 8192


@pytest.mark.parametrize("code", [400, 422])
def test_openai_endpoint_that_knows_no_response_format_is_asked_without_it(
    models: dict[str, ChatModel], scripted_server: ScriptedServer, request_for_json: ChatRequest, code: int
) -> None:
    scripted_server.on(CHAT, status(code, body=b"response_format is not supported"), _openai_answer("{}"))

    reply = models["openai"].complete(request_for_json, timeout_s=FAR_S)

    first, second = scripted_server.requests
    assert reply.text == "{}"
    assert first.json.keys() - second.json.keys() == {"response_format"}


def test_openai_endpoint_that_wants_max_completion_tokens_gets_it(
    models: dict[str, ChatModel], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    rejected = status(400, body=b"Use 'max_completion_tokens' instead.")
    no_format = status(400, body=b"'response_format' unknown; 'max_completion_tokens' seen")
    scripted_server.on(CHAT, rejected, no_format, _openai_answer("tea"))

    models["openai"].complete(request_for_json, timeout_s=FAR_S)

    last = scripted_server.requests[-1].json
    assert last.keys() == {"model", "messages", "max_completion_tokens"}
    assert last["max_completion_tokens"] == 300


def test_openai_endpoint_that_rejects_the_rest_is_asked_no_more(
    models: dict[str, ChatModel], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.always(CHAT, status(400, body=b"response_format, max_completion_tokens"))

    with pytest.raises(PermanentError, match="rejected the request"):
        models["openai"].complete(request_for_json, timeout_s=FAR_S)

    assert len(scripted_server.requests) == 3


def test_openai_answer_may_come_in_parts_and_without_usage(
    models: dict[str, ChatModel], scripted_server: ScriptedServer, request_for_json: ChatRequest
) -> None:
    scripted_server.on(CHAT, _openai_answer([{"type": "text", "text": "te"}, {"type": "text", "text": "a"}]))

    reply = models["openai"].complete(request_for_json, timeout_s=FAR_S)

    assert (reply.text, reply.input_tokens, reply.output_tokens) == ("tea", 0, 0)


def test_openai_without_a_key_sends_none(
    scripted_server: ScriptedServer, transport: HttpTransport, request_for_json: ChatRequest
) -> None:
    scripted_server.on(CHAT, _openai_answer("tea"))

    OpenAIModel("m", "", f"{scripted_server.url}/v1", transport).complete(request_for_json, timeout_s=FAR_S)

    assert "authorization" not in scripted_server.requests[0].headers


def test_anthropics_address_may_already_end_in_its_version(
    scripted_server: ScriptedServer, transport: HttpTransport, request_for_json: ChatRequest
) -> None:
    scripted_server.on("/v1/messages", json_answer({"content": [{"type": "text", "text": "tea"}]}))

    model = AnthropicModel("m", "k", f"{scripted_server.url}/v1/", transport)

    assert model.complete(request_for_json, timeout_s=FAR_S).text == "tea"


@pytest.mark.parametrize(
    ("provider", "answer"),
    [
        ("openai", {"choices": [{"message": {"content": None, "refusal": "I can't."}}]}),
        ("anthropic", {"content": [], "stop_reason": "refusal"}),
    ],
)
def test_a_model_that_declines_is_not_asked_again(
    models: dict[str, ChatModel],
    scripted_server: ScriptedServer,
    request_for_json: ChatRequest,
    provider: str,
    answer: dict[str, Any],
) -> None:
    scripted_server.on(PATHS[provider], json_answer(answer))

    with pytest.raises(PermanentError, match="declined"):
        models[provider].complete(request_for_json, timeout_s=FAR_S)


NOTHING_USABLE = [
    json_answer({}),
    json_answer({"choices": []}),
    json_answer({"choices": "tea", "content": 3, "message": "tea"}),
    json_answer({"choices": [{"message": {}}], "content": [{}], "message": {}}),
    json_answer({"error": {"message": "overloaded"}}),
    json_answer([]),
    raw(b""),
    garbage(),
    truncated({"choices": [{"message": {"content": "tea"}}]}),
]


@pytest.mark.parametrize("provider", PATHS)
@pytest.mark.parametrize("behaviour", NOTHING_USABLE, ids=lambda _: "answer")
def test_an_answer_with_nothing_usable_is_worth_a_retry(
    models: dict[str, ChatModel],
    scripted_server: ScriptedServer,
    request_for_json: ChatRequest,
    provider: str,
    behaviour: Behaviour,
) -> None:
    scripted_server.on(PATHS[provider], behaviour)

    with pytest.raises(RetryableError) as caught:
        models[provider].complete(request_for_json, timeout_s=FAR_S)

    assert caught.value.provider == provider


@pytest.mark.parametrize("provider", PATHS)
def test_neither_key_nor_text_stands_in_an_error_or_a_repr(
    models: dict[str, ChatModel],
    scripted_server: ScriptedServer,
    request_for_json: ChatRequest,
    provider: str,
) -> None:
    echo = json_answer({"error": {"message": "Bad key sk-1 sk-2 for: Caroline likes tea."}}, status=401)
    scripted_server.on(PATHS[provider], echo)

    with pytest.raises(PermanentError, match=r"the key was not accepted \(401\)") as caught:
        models[provider].complete(request_for_json, timeout_s=FAR_S)

    told = f"{caught.value} {caught.value!r} {models[provider]!r}"
    assert not any(secret in told for secret in ("sk-1", "sk-2", "Caroline"))

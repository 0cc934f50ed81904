"""Any endpoint that speaks OpenAI's chat completions: OpenAI, vLLM, LM Studio, llama.cpp, OpenRouter, …"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from nebo.llm.answers import declined, read_count, read_object, read_text, unreadable
from nebo.llm.transport import SHARED_TRANSPORT, Endpoint, HttpAnswer, Payload, Transport
from nebo.llm.types import ChatReply, ChatRequest

DEFAULT_BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class OpenAIModel:
    """`POST {base_url}/chat/completions`; the key may be empty where the endpoint asks for none."""

    model: str
    api_key: str = field(default="", repr=False)
    base_url: str = DEFAULT_BASE_URL
    transport: Transport = field(default=SHARED_TRANSPORT, repr=False)

    @property
    def provider(self) -> str:
        """The name in `openai/…`."""
        return "openai"

    def complete(self, request: ChatRequest, *, timeout_s: float) -> ChatReply:
        """See ChatModel; asks again, without it, when the endpoint rejects a parameter that we can spare."""
        started = time.monotonic()
        endpoint = self._endpoint()
        payload: Payload | None = _payload(self.model, request)
        while payload is not None:
            left_s = timeout_s - (time.monotonic() - started)
            answer = self.transport.post_json(endpoint, payload, timeout_s=left_s)
            payload = _without_rejected(payload, answer)
        data = read_object(endpoint, answer)
        return ChatReply(
            text=_text(endpoint, data),
            provider=self.provider,
            model=self.model,
            input_tokens=read_count(data.get("usage"), "prompt_tokens"),
            output_tokens=read_count(data.get("usage"), "completion_tokens"),
            duration_ms=round((time.monotonic() - started) * 1000),
        )

    def _endpoint(self) -> Endpoint:
        headers = {"authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        return Endpoint(self.provider, self.model, f"{self.base_url.rstrip('/')}/chat/completions", headers)


def _payload(model: str, request: ChatRequest) -> dict[str, Any]:
    system = [{"role": "system", "content": request.system}] if request.system else []
    payload: dict[str, Any] = {
        "model": model,
        "messages": [*system, {"role": "user", "content": request.prompt}],
        "max_tokens": request.max_output_tokens,
    }
    if request.json:
        payload["response_format"] = {"type": "json_object"}
    return payload


def _without_rejected(payload: Payload, answer: HttpAnswer) -> Payload | None:
    """The payload in words the endpoint said it takes, or None when there is nothing more to give up."""
    if answer.status not in (400, 422):
        return None
    if "response_format" in payload and b"response_format" in answer.body:
        return {name: value for name, value in payload.items() if name != "response_format"}
    if "max_tokens" in payload and b"max_completion_tokens" in answer.body:
        renamed = {name: value for name, value in payload.items() if name != "max_tokens"}
        return {**renamed, "max_completion_tokens": payload["max_tokens"]}
    return None


def _text(endpoint: Endpoint, data: dict[str, Any]) -> str:
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise unreadable(endpoint, "its answer has no choices")
    if message.get("refusal") and not message.get("content"):
        raise declined(endpoint)
    return read_text(endpoint, message.get("content"))

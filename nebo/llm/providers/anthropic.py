"""Anthropic's messages API."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from nebo.llm.answers import declined, read_count, read_object, read_text
from nebo.llm.transport import SHARED_TRANSPORT, Endpoint, Transport
from nebo.llm.types import ChatReply, ChatRequest

DEFAULT_BASE_URL = "https://api.anthropic.com"
API_VERSION = "2023-06-01"  # the `anthropic-version` header, required


@dataclass(frozen=True, slots=True)
class AnthropicModel:
    """`POST {base_url}/v1/messages`; a base URL that already ends in `/v1` is taken as it is."""

    model: str
    api_key: str = field(default="", repr=False)
    base_url: str = DEFAULT_BASE_URL
    transport: Transport = field(default=SHARED_TRANSPORT, repr=False)

    @property
    def provider(self) -> str:
        """The name in `anthropic/…`."""
        return "anthropic"

    def complete(self, request: ChatRequest, *, timeout_s: float) -> ChatReply:
        """See ChatModel."""
        started = time.monotonic()
        endpoint = self._endpoint()
        answer = self.transport.post_json(endpoint, _payload(self.model, request), timeout_s=timeout_s)
        data = read_object(endpoint, answer)
        if data.get("stop_reason") == "refusal":
            raise declined(endpoint)
        return ChatReply(
            text=read_text(endpoint, data.get("content")),
            provider=self.provider,
            model=self.model,
            input_tokens=read_count(data.get("usage"), "input_tokens"),
            output_tokens=read_count(data.get("usage"), "output_tokens"),
            duration_ms=round((time.monotonic() - started) * 1000),
        )

    def _endpoint(self) -> Endpoint:
        base_url = self.base_url.rstrip("/").removesuffix("/v1")
        headers = {"x-api-key": self.api_key, "anthropic-version": API_VERSION}
        return Endpoint(self.provider, self.model, f"{base_url}/v1/messages", headers)


def _payload(model: str, request: ChatRequest) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "model": model,
        "max_tokens": request.max_output_tokens,
        "messages": [{"role": "user", "content": request.prompt}],
    }
    if request.system:
        payload["system"] = request.system
    return payload

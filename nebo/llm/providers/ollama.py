"""Models served by Ollama on one's own machine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from nebo.llm.answers import read_count, read_object, read_text, unreadable
from nebo.llm.transport import SHARED_TRANSPORT, Endpoint, Transport
from nebo.llm.types import ChatReply, ChatRequest

DEFAULT_BASE_URL = "http://127.0.0.1:11434"
MIN_CONTEXT_TOKENS = 4096
BYTES_PER_TOKEN = 3  # UTF-8; low on purpose: English has about 4, Chinese about 3


@dataclass(frozen=True, slots=True)
class OllamaModel:
    """`POST {base_url}/api/chat`, not streamed."""

    model: str
    base_url: str = DEFAULT_BASE_URL
    transport: Transport = field(default=SHARED_TRANSPORT, repr=False)

    @property
    def provider(self) -> str:
        """The name in `ollama/…`."""
        return "ollama"

    def complete(self, request: ChatRequest, *, timeout_s: float) -> ChatReply:
        """See ChatModel."""
        started = time.monotonic()
        endpoint = Endpoint(self.provider, self.model, f"{self.base_url.rstrip('/')}/api/chat")
        answer = self.transport.post_json(endpoint, _payload(self.model, request), timeout_s=timeout_s)
        data = read_object(endpoint, answer)
        message = data.get("message")
        if not isinstance(message, dict):
            raise unreadable(endpoint, "its answer has no message")
        return ChatReply(
            text=read_text(endpoint, message.get("content")),
            provider=self.provider,
            model=self.model,
            input_tokens=read_count(data, "prompt_eval_count"),
            output_tokens=read_count(data, "eval_count"),
            duration_ms=round((time.monotonic() - started) * 1000),
        )


def context_tokens(request: ChatRequest) -> int:
    """A context window that holds the request and its answer, a power of two of at least 4,096 tokens.

    Ollama's own default is small and cuts a longer prompt without a word; steps of two keep it from loading
    the model anew for every length.
    """
    size = len(request.system.encode("utf-8", "replace")) + len(request.prompt.encode("utf-8", "replace"))
    needed = size // BYTES_PER_TOKEN + request.max_output_tokens
    return max(MIN_CONTEXT_TOKENS, 1 << (needed - 1).bit_length())


def _payload(model: str, request: ChatRequest) -> dict[str, Any]:
    system = [{"role": "system", "content": request.system}] if request.system else []
    payload: dict[str, Any] = {
        "model": model,
        "messages": [*system, {"role": "user", "content": request.prompt}],
        "stream": False,
        "options": {"num_predict": request.max_output_tokens, "num_ctx": context_tokens(request)},
    }
    if request.json:
        payload["format"] = "json"
    return payload

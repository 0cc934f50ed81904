"""A chat model that answers what a test scripted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from nebo.llm.errors import ProviderError
from nebo.llm.types import ChatReply, ChatRequest


class FakeModel:
    """Gives the scripted replies in turn (an error is raised) and keeps the `requests` it saw."""

    def __init__(
        self, replies: Iterable[str | ProviderError], *, provider: str = "fake", model: str = "fake-1"
    ) -> None:
        self.provider = provider
        self.model = model
        self.requests: list[ChatRequest] = []
        self.timeouts_s: list[float] = []
        self._replies = deque(replies)

    def complete(self, request: ChatRequest, *, timeout_s: float) -> ChatReply:
        """The next scripted reply; IndexError when the script is over."""
        self.requests.append(request)
        self.timeouts_s.append(timeout_s)
        reply = self._replies.popleft()
        if isinstance(reply, ProviderError):
            raise reply
        return ChatReply(reply, self.provider, self.model, input_tokens=0, output_tokens=0, duration_ms=0)

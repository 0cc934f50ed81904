"""Anthropic's memory tool (`memory_20250818`) with its files in Nebo.

    client.beta.messages.tool_runner(tools=[NeboMemoryTool(nebo.user("annie"))], …)

Needs `nebo-client[anthropic]`.
"""

from __future__ import annotations

from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from nebo_client.asynchronous import AsyncUser
from nebo_client.errors import NeboError
from nebo_client.synchronous import User
from nebo_client.wire import Request, at, post

FIELDS = (
    *("command", "path", "view_range", "file_text", "old_str", "new_str", "insert_line", "insert_text"),
    *("old_path", "new_path"),
)


class NeboMemoryTool(BetaAbstractMemoryTool):
    """The tool for `Anthropic`. Whatever goes wrong is told to the model, as an error of the tool."""

    def __init__(self, user: User, **options: Any) -> None:
        super().__init__(**options)
        self._user = user

    def _run(self, command: Any) -> str:
        try:
            answer = self._user.nebo.send(_request(self._user.id, command))
        except NeboError as error:
            raise _unavailable(error) from error
        return _result(answer)

    view = create = str_replace = insert = delete = rename = _run


class AsyncNeboMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`."""

    def __init__(self, user: AsyncUser, **options: Any) -> None:
        super().__init__(**options)
        self._user = user

    async def _run(self, command: Any) -> str:
        try:
            answer = await self._user.nebo.send(_request(self._user.id, command))
        except NeboError as error:
            raise _unavailable(error) from error
        return _result(answer)

    view = create = str_replace = insert = delete = rename = _run


def _request(user: str, command: Any) -> Request:
    """The call of the API; what the model added of its own is left out."""
    given = {name: getattr(command, name, None) for name in FIELDS}
    body = {name: value for name, value in given.items() if value is not None}
    return post(at("users", user, "memory-tool"), body)


def _result(answer: dict[str, Any]) -> str:
    if answer["is_error"]:
        raise ToolError(answer["content"])
    return str(answer["content"])


def _unavailable(error: NeboError) -> Exception:
    refused: Exception = ToolError(f"The memory can't be used now: {error}")
    return refused

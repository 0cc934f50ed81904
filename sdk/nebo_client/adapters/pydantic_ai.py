"""Tools for an agent of Pydantic AI to look up, keep and forget what is known of a person.

    agent = Agent("openai:gpt-5", toolsets=[NeboToolset(nebo.user("annie"))])

Needs `nebo-client[pydantic-ai]`.
"""

from __future__ import annotations

from typing import Any

from pydantic_ai.toolsets import FunctionToolset

from nebo_client.adapters.steps import arun
from nebo_client.asynchronous import AsyncUser
from nebo_client.errors import NeboError
from nebo_client.synchronous import User
from nebo_client.wire import at, given, post


class NeboToolset(FunctionToolset[Any]):
    """`search_memory`, `save_memory` and `forget_memory`, about one person. Nebo never fails a run:
    the model is told.
    """

    def __init__(self, user: User | AsyncUser, *, id: str = "nebo", **options: Any) -> None:
        self._user = user
        super().__init__([self.search_memory, self.save_memory, self.forget_memory], id=id, **options)

    async def search_memory(self, query: str) -> str:
        """Look up what is known about the user, also from earlier conversations.

        Args:
            query: What to look for, in a few words or as a question.
        """
        return await self._call("search", query=query)

    async def save_memory(self, text: str, key: str = "") -> str:
        """Keep something about the user for later conversations.

        Args:
            text: One fact, as a sentence that is understood without this conversation.
            key: A short name such as "favourite-tea"; the same name replaces what it says.
        """
        return await self._call("store", value=text, key=key)

    async def forget_memory(self, key: str) -> str:
        """Delete something that is known about the user, by the key that a search shows.

        Args:
            key: The key of the memory.
        """
        return await self._call("delete", key=key)

    async def _call(self, action: str, **arguments: str) -> str:
        body = given(action=action, **{name: value or None for name, value in arguments.items()})
        try:
            answer = await arun(self._user.nebo, _one(post(at("users", self._user.id, "tool"), body)))
        except NeboError as error:
            return f"The memory can't be used now: {error}"
        return str(answer["text"])


def _one(request: Any) -> Any:
    return (yield request)

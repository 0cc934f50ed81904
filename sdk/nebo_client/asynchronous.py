"""The client for programs with an event loop.

`synchronous.py` is made from this file by `python sdk/mirror.py`; change this one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Self, TypeVar, cast

import httpx

from nebo_client import wire
from nebo_client.errors import LATER, Refused, Unreachable
from nebo_client.outbox import KeptTurn, Outbox, stamp
from nebo_client.pausing_async import AsyncPausable
from nebo_client.remembering_async import remember
from nebo_client.shapes import (
    Context,
    EntityCard,
    Erased,
    Job,
    JobAnswer,
    Memory,
    Message,
    NewMessage,
    Observation,
    Profile,
    Recall,
    SearchAnswer,
    SessionState,
    Todo,
    ToolAnswer,
    Turn,
    Version,
)
from nebo_client.wire import Request, Retries, at, given, post

Client = TypeVar("Client")
Fields = dict[str, Any]
PAGE = 100
JOB_ENDED = ("succeeded", "failed", "dead")
LOOK_AGAIN_S = 0.5


class AsyncNebo:
    """A Nebo, reached with one key.

    `key` and `url` default to `NEBO_KEY` and `NEBO_URL`. With an `outbox` (a folder), turns that can't be delivered are
    kept there and sent before the next one. Whatever a call gets that isn't an answer is raised as a `NeboError`.
    """

    def __init__(
        self,
        key: str | None = None,
        url: str | None = None,
        *,
        timeout: float = wire.TIMEOUT_S,
        retries: int = 3,
        outbox: str | Path | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.outbox = None if outbox is None else Outbox(outbox)
        self._retries, self._timeout = Retries(retries), timeout
        self._http = httpx.AsyncClient(
            base_url=wire.address(url),
            headers=wire.default_headers(key),
            timeout=timeout,
            transport=transport,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def user(self, user: str = "me") -> AsyncUser:
        """A person, by your own id; `me` is the one to whom the key is bound. Nothing is sent."""
        return AsyncUser(self, user)

    def remember(
        self, client: Client, *, user: str = "me", session: str = "chat", token_budget: int | None = None
    ) -> AbstractAsyncContextManager[Client]:
        """OpenAI's or Anthropic's client with a memory, within the block: `AsyncSession.remember`."""
        return self.user(user).session(session).remember(client, token_budget=token_budget)

    async def get_memory(self, memory_id: str) -> Memory:
        """One memory by its id."""
        return cast(Memory, await self.send(Request("GET", at("memories", memory_id))))

    async def update_memory(self, memory_id: str, *, version: int | None = None, **changes: Any) -> Memory:
        """Change any of what `add_memory` takes. With the `version` that was read, raise Stale if it has changed."""
        request = Request("PATCH", at("memories", memory_id), changes, version=version)
        return cast(Memory, await self.send(request))

    async def delete_memory(self, memory_id: str, *, keep_words: bool = False, purge: bool = False) -> None:
        """Forget it, and the words that it rests on; `restore_memory` brings both back for 30 days.

        `keep_words`: the memory alone. `purge`: gone for good.
        """
        params = {"keep_words": keep_words or None, "purge": purge or None}
        await self.send(Request("DELETE", at("memories", memory_id), params=params))

    async def restore_memory(self, memory_id: str) -> Memory:
        """Undo a deletion, an archiving, or that it was marked wrong."""
        return await self._act(memory_id, "restore")

    async def pin_memory(self, memory_id: str) -> Memory:
        """Keep it in every context."""
        return await self._act(memory_id, "pin")

    async def unpin_memory(self, memory_id: str) -> Memory:
        """As it was before it was pinned."""
        return await self._act(memory_id, "unpin")

    async def archive_memory(self, memory_id: str) -> Memory:
        """Keep it, and show it to nobody."""
        return await self._act(memory_id, "archive")

    async def take_back_memory(self, memory_id: str) -> Memory:
        """No longer the team's."""
        return await self.update_memory(memory_id, visibility="own")

    def history(self, memory_id: str) -> AsyncIterator[Version]:
        """What became of it, newest first."""
        return self.pages(at("memories", memory_id, "history"))

    def provenance(self, memory_id: str) -> AsyncIterator[Observation]:
        """Where it comes from: each observation with the quoted message."""
        return self.pages(at("memories", memory_id, "provenance"))

    async def get_job(self, job_id: str) -> Job:
        """How work in the background goes."""
        return cast(Job, await self.send(Request("GET", at("jobs", job_id))))

    async def wait_for(self, job_id: str) -> Job:
        """The job when it has ended, however long that takes."""
        while (job := await self.get_job(job_id))["state"] not in JOB_ENDED:
            await asyncio.sleep(LOOK_AGAIN_S)
        return job

    async def settings(self) -> Fields:
        """The workspace's settings; the key needs the scope `admin`."""
        return cast(Fields, await self.send(Request("GET", at("settings"))))

    async def update_settings(self, **changes: Any) -> Fields:
        """Change some of them."""
        return cast(Fields, await self.send(Request("PATCH", at("settings"), changes)))

    async def send_kept(self) -> int:
        """Send what the outbox holds, oldest first; how many turns still wait.

        What Nebo refuses for good is put aside, so that it doesn't hold up the others.
        """
        if self.outbox is None:
            return 0
        with self.outbox.sending() as mine:
            for path, turn in self.outbox.list_turns() if mine else ():
                session = self.user(turn.user).session(turn.session, persona=turn.persona)
                try:
                    await session.store(turn.messages)
                except LATER:
                    break
                except Refused as refused:
                    self.outbox.put_aside(path, str(refused))
                else:
                    self.outbox.drop(path)
        return len(self.outbox)

    async def send(self, request: Request) -> Any:
        """Any call of the API; the decoded answer. Raises NeboError."""
        attempt = 0
        while True:
            response, broken = await self._try(request)
            pause = self._retries.pause(attempt, response)
            if response is not None and (response.is_success or pause is None):
                return wire.read_answer(response)
            if pause is None:
                raise Unreachable(f"{self._http.base_url}: {broken}") from broken
            attempt += 1
            await asyncio.sleep(pause)

    async def pages(self, path: str, **params: Any) -> AsyncIterator[Any]:
        """Every result of a list, fetched page by page as they are used."""
        cursor: str | None = None
        while True:
            query = {"limit": PAGE, **params, "cursor": cursor}
            page = await self.send(Request("GET", path, params=query))
            for result in page["results"]:
                yield result
            if not (cursor := page["next"]):
                return

    async def _act(self, memory_id: str, verb: str) -> Memory:
        return cast(Memory, await self.send(post(at("memories", memory_id, verb))))

    async def _try(self, request: Request) -> tuple[httpx.Response | None, Exception | None]:
        try:
            response = await self._http.request(**request.arguments(self._timeout))
        except httpx.TransportError as error:
            return None, error
        return response, None


class AsyncUser(AsyncPausable):
    """A person whom memories are about."""

    def __init__(self, nebo: AsyncNebo, user: str) -> None:
        self.nebo = nebo
        self.id = user

    def session(self, key: str, *, persona: str | None = None, **options: Any) -> AsyncSession:
        """A conversation, by your own key. It is created with the first call that needs it.

        `options`: `auto_extract`, `recall`, `index_turns`.
        """
        return AsyncSession(self, key, persona, options)

    async def search(self, query: str, *, limit: int = 10, **filters: Any) -> SearchAnswer:
        """Memories and passages of conversations about it, best first.

        `filters`: `sources`, `namespace`, `layer`, `types`, `persona`, `session`, `min_score`, `explain`, `ranking`.
        """
        return cast(SearchAnswer, await self._post("search", query=query, limit=limit, **filters))

    async def recall(self, query: str, *, limit: int = 5, min_similarity: float = 0.35) -> Recall:
        """The memories near to it as a block for a prompt."""
        found = await self._post("recall", query=query, limit=limit, min_similarity=min_similarity)
        return cast(Recall, found)

    async def tool(self, action: str, **arguments: Any) -> ToolAnswer:
        """What a model asked of its memory tool; give it the answer's `text`."""
        return cast(ToolAnswer, await self._post("tool", action=action, **arguments))

    async def add_memory(self, value: str, *, key: str | None = None, **fields: Any) -> Memory:
        """Store something known. The same `key` (in its namespace) updates what is there.

        `fields`: `layer`, `namespace`, `tags`, `type`, `entity_refs`, `importance`, `pinned`, `persona`, `scope`,
        `session`, `expires_at`, `deduplicate`, `visibility`. With `visibility="team"` others' agents may recall it.
        """
        return cast(Memory, await self._post("memories", value=value, key=key, **fields))

    def memories(self, **filters: Any) -> AsyncIterator[Memory]:
        """`filters`: `layer`, `namespace`, `type`, `status`, `pinned`, `visibility`, `entity`, `q`, `ordering`."""
        return self.nebo.pages(at("users", self.id, "memories"), **filters)

    def entities(self, **filters: Any) -> AsyncIterator[EntityCard]:
        """People, projects and things, each with what is known; `ref="person:john"` is one of them."""
        return self.nebo.pages(at("users", self.id, "entities"), **filters)

    def todos(self, **filters: Any) -> AsyncIterator[Todo]:
        """What is to be done. `filters`: `status`, `kind`, `persona`."""
        return self.nebo.pages(at("users", self.id, "todos"), **filters)

    async def add_todo(self, text: str, *, due_at: str | None = None, **fields: Any) -> Todo:
        """Add one by hand."""
        return cast(Todo, await self._post("todos", text=text, due_at=due_at, **fields))

    async def update_todo(self, todo_id: str, *, version: int | None = None, **changes: Any) -> Todo:
        """Such as `status="done"`, or another `due_at`."""
        request = Request("PATCH", at("users", self.id, "todos", todo_id), changes, version=version)
        return cast(Todo, await self.nebo.send(request))

    def sessions(self) -> AsyncIterator[SessionState]:
        """This person's conversations."""
        return self.nebo.pages(at("sessions"), user=self.id)

    async def profile(self) -> Profile:
        """What a prompt begins with."""
        return cast(Profile, await self.nebo.send(Request("GET", at("users", self.id))))

    async def update_profile(self, **changes: Any) -> Profile:
        """Such as `location="Ghent"`."""
        return cast(Profile, await self.nebo.send(Request("PATCH", at("users", self.id), changes)))

    async def personality(self) -> Fields:
        """How agents speak with this person, and why."""
        return cast(Fields, await self.nebo.send(Request("GET", at("users", self.id, "personality"))))

    async def export(self, *, wait: float = 0.0) -> Fields:
        """Have everything about this person packed."""
        return cast(Fields, await self.nebo.send(post(at("users", self.id, "export"), waits_s=wait)))

    async def erase(self, *, wait: float = 0.0) -> JobAnswer | Erased:
        """Delete everything about this person for good; the receipt counts what is gone."""
        request = Request("DELETE", at("users", self.id), waits_s=wait)
        return cast(JobAnswer | Erased, await self.nebo.send(request))

    async def _ask_pause(self, method: str, body: Any = None) -> Any:
        return await self.nebo.send(Request(method, at("users", self.id, "pause"), body))

    async def _post(self, verb: str, **fields: Any) -> Any:
        return await self.nebo.send(post(at("users", self.id, verb), given(**fields)))


class AsyncSession(AsyncPausable):
    """One conversation of one person."""

    def __init__(self, user: AsyncUser, key: str, persona: str | None, options: dict[str, Any]) -> None:
        self.user = user
        self.key = key
        self._persona = persona
        self._options = options
        self._id = ""

    async def open(self) -> SessionState:
        """Create it, or find it. The other calls do so by themselves."""
        body = given(user=self.user.id, key=self.key, persona=self._persona, **self._options)
        state = cast(SessionState, await self.user.nebo.send(post(at("sessions"), body)))
        self._id = state["id"]
        return state

    async def add(self, messages: Sequence[NewMessage]) -> Turn | None:
        """Store what was said, 1 to 500 messages, all or none. None: it waits in the outbox, so nothing is lost."""
        nebo = self.user.nebo
        if nebo.outbox is None:
            return await self.store(messages)
        messages = stamp(messages)
        if len(nebo.outbox) == 0 or await nebo.send_kept() == 0:
            try:
                return await self.store(messages)
            except LATER:
                pass
        nebo.outbox.keep(KeptTurn(self.user.id, self.key, self._persona, messages))
        return None

    async def store(self, messages: Sequence[NewMessage]) -> Turn:
        """Like `add`, past the outbox."""
        return cast(Turn, await self._post("turns", {"messages": list(messages)}))

    async def context(
        self, query: str = "", *, token_budget: int | None = None, format: str = "sections", **options: Any
    ) -> Context:
        """What goes into the next prompt. Raises ContinuityMissing.

        `format`: `sections`, `text`, `openai`, `anthropic`. `options`: `recall`, `lean`.
        """
        body = given(query=query or None, token_budget=token_budget, format=format, **options)
        return cast(Context, await self._post("context", body))

    def remember(
        self, client: Client, *, token_budget: int | None = None
    ) -> AbstractAsyncContextManager[Client]:
        """OpenAI's or Anthropic's client with a memory, within the block.

        Each completion knows what is known, and is stored with its question, streamed or not. Nebo never fails it:
        what goes wrong is logged.
        """
        return remember(client, self, token_budget=token_budget)

    async def messages(self) -> AsyncIterator[Message]:
        """All that was said, oldest first."""
        async for message in self.user.nebo.pages(at("sessions", await self._opened(), "messages")):
            yield message

    async def extract(self, *, wait: float = 0.0) -> JobAnswer:
        """Learn from what was said now, instead of in a while. `wait`: up to 30 seconds for the job to end."""
        return cast(JobAnswer, await self._post("extract", waits_s=wait))

    async def flush(self, *, wait: float = 0.0) -> JobAnswer:
        """Save what matters before the agent's own history is cut."""
        return cast(JobAnswer, await self._post("flush", waits_s=wait))

    async def compact(self, *, wait: float = 0.0) -> JobAnswer:
        """Put a summary in the place of older messages."""
        return cast(JobAnswer, await self._post("compact", waits_s=wait))

    async def close(self, *, wait: float = 0.0) -> JobAnswer:
        """The conversation is over: sum it up."""
        return cast(JobAnswer, await self._post("close", waits_s=wait))

    async def set_task(self, text: str) -> None:
        """What the agent is at."""
        path = at("sessions", await self._opened(), "active-task")
        await self.user.nebo.send(Request("PUT", path, {"text": text}))

    async def redact(self, message_id: str, words: Sequence[str] = ()) -> None:
        """Remove words of a message for good; without `words`, all of it."""
        body = {"words": list(words)} if words else {}
        path = at("sessions", await self._opened(), "messages", message_id, "redact")
        await self.user.nebo.send(post(path, body))

    async def _ask_pause(self, method: str, body: Any = None) -> Any:
        path = at("sessions", await self._opened(), "pause")
        return await self.user.nebo.send(Request(method, path, body))

    async def _opened(self) -> str:
        return self._id or (await self.open())["id"]

    async def _post(self, verb: str, body: Any = None, *, waits_s: float = 0.0) -> Any:
        request = post(at("sessions", await self._opened(), verb), body, waits_s=waits_s)
        return await self.user.nebo.send(request)

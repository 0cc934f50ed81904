"""What an adapter does, written once as a generator of calls, for clients with an event loop and without."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any, TypeVar

from nebo_client.asynchronous import AsyncNebo
from nebo_client.errors import NeboError
from nebo_client.synchronous import PAGE, Nebo
from nebo_client.wire import Request

T = TypeVar("T")
Steps = Generator[Request, Any, T]  # yields calls of the API, is sent their answers


def run(nebo: Nebo | AsyncNebo, steps: Steps[T]) -> T:
    """Take the steps. Raises NeboError, and TypeError for an `AsyncNebo`."""
    if isinstance(nebo, AsyncNebo):
        raise TypeError("AsyncNebo goes with the asynchronous methods; give this one a Nebo")
    try:
        request = next(steps)
        while True:
            try:
                answer = nebo.send(request)
            except NeboError as error:
                request = steps.throw(error)
            else:
                request = steps.send(answer)
    except StopIteration as done:
        result: T = done.value
        return result


async def arun(nebo: Nebo | AsyncNebo, steps: Steps[T]) -> T:
    """The same; a `Nebo` works in a thread."""
    if isinstance(nebo, Nebo):
        return await asyncio.to_thread(run, nebo, steps)
    try:
        request = next(steps)
        while True:
            try:
                answer = await nebo.send(request)
            except NeboError as error:
                request = steps.throw(error)
            else:
                request = steps.send(answer)
    except StopIteration as done:
        result: T = done.value
        return result


def pages(path: str, **params: Any) -> Generator[Request, Any, list[Any]]:
    """All rows of a list."""
    rows: list[Any] = []
    cursor: str | None = None
    while True:
        page = yield Request("GET", path, params={"limit": PAGE, **params, "cursor": cursor})
        rows += page["results"]
        if not (cursor := page["next"]):
            return rows

"""LangGraph's `BaseStore` over the memories of people.

    graph = builder.compile(store=NeboStore(nebo, "annie"))
    graph = builder.compile(store=NeboStore(nebo, lambda namespace: namespace[1]))  # a person by namespace

Needs `nebo-client[langgraph]`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
)

from nebo_client.adapters.addresses import address_of, namespace_of, read_key, read_namespace
from nebo_client.adapters.filters import matches
from nebo_client.adapters.steps import Steps, arun, pages, run
from nebo_client.adapters.values import parse, render
from nebo_client.asynchronous import AsyncNebo
from nebo_client.errors import NotFound
from nebo_client.synchronous import Nebo
from nebo_client.wire import Request, at, post

log = logging.getLogger("nebo_client")
Namespace = tuple[str, ...]
MOST_FOUND = 100  # by one search
SPARE = 4  # times as many are looked for where a filter drops some


class NeboStore(BaseStore):
    """Items as memories: each keeps its history, and is found by meaning.

    `user`: whose they are, or what names the person by the beginning of a namespace. An item has 2,048 characters
    at most. With an `AsyncNebo` only the asynchronous methods.
    """

    def __init__(self, nebo: Nebo | AsyncNebo, user: str | Callable[[Namespace], str]) -> None:
        super().__init__()
        self._nebo = nebo
        self._user = user

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Do them; what is written is written after all is read, the last word on each key alone."""
        return run(self._nebo, self._do(list(ops)))

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """The same."""
        return await arun(self._nebo, self._do(list(ops)))

    def _do(self, ops: Sequence[Any]) -> Steps[list[Any]]:
        results: list[Any] = []
        for op in ops:
            results.append(None if isinstance(op, PutOp) else (yield from self._read(op)))
        last = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        for op in last.values():
            yield from self._write(op)
        return results

    def _read(self, op: Any) -> Steps[Any]:
        if isinstance(op, GetOp):
            row = yield from self._find(op.namespace, op.key)
            return None if row is None else Item(**_fields(row))
        if isinstance(op, SearchOp):
            return (yield from (self._search(op) if op.query else self._list(op)))
        if isinstance(op, ListNamespacesOp):
            return (yield from self._list_namespaces(op))
        raise ValueError(f"Unknown operation: {type(op).__name__}")

    def _write(self, op: PutOp) -> Steps[None]:
        user = self._person(op.namespace)
        if op.value is None:
            row = yield from self._find(op.namespace, op.key)
            if row is not None:
                yield Request("DELETE", at("memories", row["id"]), params={"keep_words": True})
            return
        value = render(op.value)
        namespace, key = address_of(op.namespace, op.key)
        body = {"value": value, "namespace": namespace, "key": key, "deduplicate": False}
        stored = yield post(at("users", user, "memories"), body)
        if stored["status"] != "active":
            log.warning("an item waits for the person's review: %s", stored.get("quarantine_reason", ""))

    def _find(self, namespace: Namespace, key: str) -> Steps[dict[str, Any] | None]:
        """The memory at an address."""
        own, name = address_of(namespace, key)
        rows = yield from self._rows(namespace, key=name)
        return next((row for row in rows if row["namespace"] == own and row["key"] == name), None)

    def _rows(self, prefix: Namespace, **filters: Any) -> Steps[list[Any]]:
        """Memories at and below a namespace, the newest first; none of a person whom nobody knows yet."""
        path = at("users", self._person(prefix), "memories")
        try:
            return (yield from pages(path, namespace=namespace_of(prefix), **filters))
        except NotFound:
            return []

    def _list(self, op: SearchOp) -> Steps[list[SearchItem]]:
        rows = yield from self._rows(op.namespace_prefix)
        found = [SearchItem(**_fields(row)) for row in rows]
        return [one for one in found if matches(one.value, op.filter)][op.offset : op.offset + op.limit]

    def _search(self, op: SearchOp) -> Steps[list[SearchItem]]:
        """By meaning. A search answers with pieces of values, so each is read whole."""
        wanted = op.offset + op.limit
        body = {
            "query": op.query,
            "sources": ["memory"],
            "namespace": namespace_of(op.namespace_prefix),
            "limit": min(wanted * (SPARE if op.filter else 1), MOST_FOUND),
        }
        try:
            answer = yield post(at("users", self._person(op.namespace_prefix), "search"), body)
        except NotFound:
            return []
        scores = {hit["memory_id"]: hit["score"] for hit in reversed(answer["results"])}
        found: list[SearchItem] = []
        for memory_id in reversed(scores):
            try:
                row = yield Request("GET", at("memories", memory_id))
            except NotFound:  # deleted since it was found
                continue
            item = SearchItem(**_fields(row), score=scores[memory_id])
            found += [item] if matches(item.value, op.filter) else []
            if len(found) == wanted:
                break
        return found[op.offset :]

    def _list_namespaces(self, op: ListNamespacesOp) -> Steps[list[Namespace]]:
        conditions = op.match_conditions or ()
        prefix = next((one.path for one in conditions if one.match_type == "prefix"), ())
        fixed = prefix[: prefix.index("*")] if "*" in prefix else prefix
        rows = yield from self._rows(tuple(fixed))
        all_of = {read_namespace(row["namespace"]) for row in rows}
        held = {one for one in all_of if all(_holds(condition, one) for condition in conditions)}
        found = sorted({one[: op.max_depth] for one in held})
        return found[op.offset : op.offset + op.limit]

    def _person(self, namespace: Namespace) -> str:
        if isinstance(self._user, str):
            return self._user
        try:
            return self._user(namespace)
        except IndexError as error:
            raise ValueError(f"{namespace!r} doesn't say whose it is") from error


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Of an item."""
    return {
        "namespace": read_namespace(row["namespace"]),
        "key": read_key(row["key"]),
        "value": parse(row["value"]),
        "created_at": datetime.fromisoformat(row["created_at"]),
        "updated_at": datetime.fromisoformat(row["updated_at"]),
    }


def _holds(condition: MatchCondition, namespace: Namespace) -> bool:
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return all(wanted in ("*", name) for wanted, name in zip(path, part, strict=True))

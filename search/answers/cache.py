"""Answers kept for seconds: what was just asked about a person is not worked out again.

An answer is kept in the process. Its key is everything that shapes it (tenant, person, persona, session, question,
filters, ranking, model) and the versions it was made from (`search/answer_versions.py`), so no process gives an answer
that was made before something was written.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import NamedTuple, TypeAlias
from uuid import UUID

from django.db import transaction

from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from search.answer_versions import Versions
from search.answers.search import SearchAnswer, SearchQuery, search
from search.embeddings.serving import get_serving_model
from search.retrieval.candidates import DetailsReader

CACHE_S = 20.0  # seconds an answer is kept; docs/design.md#search-numbers
CACHE_SIZE = 100  # answers in one process; one with a context's forty results takes some 50 kB

Key: TypeAlias = tuple[UUID, int, SearchQuery]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """An answer, and whether it was kept from a moment ago."""

    answer: SearchAnswer
    kept: bool


class _CacheEntry(NamedTuple):
    answer: SearchAnswer
    versions: Versions
    until: float


_kept: OrderedDict[Key, _CacheEntry] = OrderedDict()
_lock = Lock()


def search_cached(
    *,
    tenant: Tenant | UUID,
    query: SearchQuery,
    versions: Versions,
    vector: list[float] | None,
    read_details: DetailsReader | None = None,
) -> Retrieval:
    """The kept answer, or a new one that is kept; one that had to do without a vector is not.

    `versions` are of the open transaction (`get_versions`): what a commit has changed since counts from the next one.
    """
    started = time.perf_counter()
    key = _key(tenant, query)
    kept = _find(key, versions)
    if kept is not None:
        took_ms = round((time.perf_counter() - started) * 1000, 3)
        return Retrieval(SearchAnswer(kept.results, took_ms), kept=True)
    answer = search(tenant=tenant, query=query, vector=vector, read_details=read_details)
    if vector is not None:
        made = _CacheEntry(answer, versions, time.monotonic() + CACHE_S)
        # Versions that are rolled back are given to other writes later.
        transaction.on_commit(partial(_put, key, made))
    return Retrieval(answer, kept=False)


def _key(tenant: Tenant | UUID, query: SearchQuery) -> Key:
    """Everything that shapes an answer; the order of sources and types doesn't."""
    asked = replace(query, sources=tuple(sorted(query.sources)), types=tuple(sorted(query.types)))
    return tenant_id_of(tenant), get_serving_model().id, asked


def _find(key: Key, versions: Versions) -> SearchAnswer | None:
    with _lock:
        kept = _kept.get(key)
        if kept is None or kept.versions != versions or kept.until <= time.monotonic():
            return None
        _kept.move_to_end(key)
        return kept.answer


def _put(key: Key, kept: _CacheEntry) -> None:
    with _lock:
        _kept[key] = kept
        _kept.move_to_end(key)
        while len(_kept) > CACHE_SIZE:
            _kept.popitem(last=False)

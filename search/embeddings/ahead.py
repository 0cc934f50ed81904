"""A question embedded in another thread, while the one that asks reads what doesn't depend on it.

Only where the model runs in this process: it takes some milliseconds then, and a transaction may wait for it. A
provider outside is asked at once, before one opens.
"""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from uuid import UUID

from nebo.llm.errors import LlmError
from nebo.tenants.models import Tenant
from nebo.timing import span
from search.embeddings.local import DEFAULT_THREADS
from search.embeddings.serving import get_serving_model
from search.embeddings.types import OWN_PROCESS
from search.embeddings.vectors import embed_query, embed_query_by


def _open_pool() -> ThreadPoolExecutor:
    """Its threads begin with their first question."""
    return ThreadPoolExecutor(min(DEFAULT_THREADS, os.cpu_count() or 1), "question")


@dataclass(slots=True)
class _Threads:
    pool: ThreadPoolExecutor = field(default_factory=_open_pool)

    def renew(self) -> None:
        """In a forked child, which has none of its parent's threads."""
        self.pool = _open_pool()


_threads = _Threads()
os.register_at_fork(after_in_child=_threads.renew)


class PendingVector:
    """A question's vector, soon."""

    def __init__(self, made: Future[list[float] | None]) -> None:
        self._made = made

    def wait(self) -> list[float] | None:
        """As `embed_query` gives it."""
        with span("embed"):
            return self._made.result()


def begin_query(*, tenant: Tenant | UUID, text: str) -> PendingVector:
    """What `embed_query` gives; which model is asked is settled here, since another thread has no connection."""
    try:
        model = get_serving_model()
    except LlmError:
        model = None
    if model is None or model.provider not in OWN_PROCESS:
        made: Future[list[float] | None] = Future()
        made.set_result(embed_query(tenant=tenant, text=text))
        return PendingVector(made)
    return PendingVector(_threads.pool.submit(embed_query_by, model, tenant=tenant, text=text))

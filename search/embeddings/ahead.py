"""A question embedded in another thread, while the one that asks reads what doesn't depend on it.

Only where the model runs in this process: it takes some milliseconds then, and a transaction may wait for it. A
provider outside is asked at once, before one opens.
"""

from __future__ import annotations

from concurrent.futures import Future
from uuid import UUID

from nebo.encoders.threads import begin
from nebo.llm.errors import LlmError
from nebo.tenants.models import Tenant
from nebo.timing import span
from search.embeddings.serving import get_serving_model
from search.embeddings.types import OWN_PROCESS
from search.embeddings.vectors import embed_query, embed_query_by


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
    return PendingVector(begin(embed_query_by, model, tenant=tenant, text=text))

"""Vectors of memories that are about to be stored, and of questions. A model is called: never inside a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import structlog

from memories.new_memory import embedding_text
from memories.screening.checks import find_reason
from memories.screening.sensitive import redact
from nebo.llm.errors import LlmError
from nebo.tenants.models import Tenant
from search.embeddings.ahead import PendingVector, begin_query
from search.embeddings.serving import get_serving_model
from search.embeddings.types import OWN_PROCESS
from search.embeddings.vectors import embed_query, embed_texts

log = structlog.get_logger(__name__)


def embed_pairs(*, tenant: Tenant | UUID, pairs: Sequence[tuple[str, str]]) -> dict[str, list[float]]:
    """Vectors by embedding text for (key, value) pairs; those of secrets and orders are never asked for.

    Empty when the model is out of reach: what is stored then gets its vectors by a job.
    """
    texts = list(
        dict.fromkeys(embedding_text(key, value) for key, value in pairs if not find_reason(key, value))
    )
    if not texts:
        return {}
    try:
        return dict(zip(texts, embed_texts(tenant=tenant, texts=texts), strict=True))
    except LlmError as error:
        log.warning("memories.embedding_failed", reason=type(error).__name__, texts=len(texts))
        return {}


def embed_pair(*, tenant: Tenant | UUID, key: str, value: str) -> list[float] | None:
    """The vector of one memory that somebody stores; None where a provider outside would have to be asked: nobody
    waits for that, and a job makes it.
    """
    return embed_pairs_now(tenant=tenant, pairs=[(key, value)]).get(embedding_text(key, value))


def embed_pairs_now(*, tenant: Tenant | UUID, pairs: Sequence[tuple[str, str]]) -> dict[str, list[float]]:
    """The same of several, by embedding text."""
    try:
        own = get_serving_model().provider in OWN_PROCESS
    except LlmError:
        own = False
    return embed_pairs(tenant=tenant, pairs=pairs) if own else {}


def embed_question(*, tenant: Tenant | UUID, text: str) -> list[float] | None:
    """The vector of what somebody asks, or of words that were said, without the secrets in it; None when the model is
    out of reach.
    """
    return embed_query(tenant=tenant, text=redact(text))


def begin_question(*, tenant: Tenant | UUID, text: str) -> PendingVector:
    """The same, soon: in another thread if the model runs in this process."""
    return begin_query(tenant=tenant, text=redact(text))

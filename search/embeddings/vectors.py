"""Texts to vectors: cached for each tenant alone, asked of the model with no transaction open."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from uuid import UUID

import structlog
from django.utils import timezone
from pgvector import HalfVector

from nebo.llm.errors import LlmError, ProviderError
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of, tenant_scope
from nebo.timing import span
from search.embeddings.own import asked_for
from search.embeddings.serving import Vector, VectorModel, get_configured, get_serving_model
from search.models import CachedEmbedding

CACHE_DAYS = 30  # since the last use; docs/design.md#search-numbers
NOTE_USE_AFTER = timedelta(days=1)  # a use is noted once a day, not with each reading
RECENT_QUERIES = 500  # vectors of questions kept in the process, 12 kB each

WORDS_ONLY = "words_only"  # where the reason isn't known any more
NOT_CONFIGURED = "not_configured"
WORDS = {  # by how the provider failed
    "timeout": "provider_slow",
    "connection": "provider_unreachable",
    "busy": "provider_busy",
    "refused": "provider_refused",
    "unreadable": "provider_unreadable",
    "too-large": "provider_unreadable",
}

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _LastFailure:
    failure: str = ""  # what the model said when it was last asked
    word: str = ""  # the same in one word, for answers


_standing = _LastFailure()
_recent: OrderedDict[tuple[UUID, int, str], Vector] = OrderedDict()
_recent_lock = Lock()


def content_hash(text: str) -> bytes:
    """SHA-256; with tenant and model it names a cached vector."""
    return hashlib.sha256(text.encode()).digest()


def embed_texts(*, tenant: Tenant | UUID, texts: Sequence[str]) -> list[list[float]]:
    """Vectors in the order of `texts`, from the tenant's cache where it has them. Raises LlmError.

    Opens short transactions of its own around the cache; the model is asked between them.
    """
    if not texts:
        return []
    model = get_serving_model()
    with tenant_scope(tenant):
        found = _read_cache(tenant, model, texts)
    missing = [text for text in dict.fromkeys(texts) if text not in found]
    if missing:
        made = dict(zip(missing, asked_for(tenant, model).embed(missing), strict=True))
        with tenant_scope(tenant, shows=False):
            _write_cache(tenant, model, made)
        found |= made
    return [found[text] for text in texts]


def embed_query(*, tenant: Tenant | UUID, text: str) -> list[float] | None:
    """The vector of a question; None when the provider fails or takes more than a second, so that search goes on by
    words.
    """
    if not text.strip():
        return None
    try:
        model = get_serving_model()
    except LlmError as error:
        _note_failure(error)
        return None
    with span("embed"):
        return embed_query_by(model, tenant=tenant, text=text)


def embed_query_by(model: VectorModel, *, tenant: Tenant | UUID, text: str) -> list[float] | None:
    """The same by this model; needs no connection to the database."""
    if not text.strip():
        return None
    key = (tenant_id_of(tenant), model.id, text)
    try:
        return _find_recent(key) or _remember_recent(key, _made(asked_for(tenant, model), text))
    except LlmError as error:
        _note_failure(error)
        return None


def _note_failure(error: LlmError) -> None:
    log.warning("search.query_not_embedded", reason=type(error).__name__)
    _standing.failure = str(error)
    _standing.word = NOT_CONFIGURED
    if isinstance(error, ProviderError):
        _standing.word = WORDS.get(error.kind, WORDS_ONLY)


def _made(model: VectorModel, text: str) -> Vector:
    vector = model.embed_question(text)
    _standing.failure = _standing.word = ""
    return vector


def find_failure() -> str:
    """Why questions are answered by words alone, as far as this process knows; empty where vectors are made.

    A provider that can't work as it is configured is found out without asking it.
    """
    try:
        get_configured()
    except LlmError as error:
        return str(error)
    return _standing.failure


def say_why() -> str:
    """In a word, why the last question that got no vector got none."""
    return _standing.word or WORDS_ONLY


def _find_recent(key: tuple[UUID, int, str]) -> Vector | None:
    with _recent_lock:
        if key in _recent:
            _recent.move_to_end(key)
        return _recent.get(key)


def _remember_recent(key: tuple[UUID, int, str], vector: Vector) -> Vector:
    with _recent_lock:
        _recent[key] = vector
        while len(_recent) > RECENT_QUERIES:
            _recent.popitem(last=False)
    return vector


def _read_cache(tenant: Tenant | UUID, model: VectorModel, texts: Iterable[str]) -> dict[str, Vector]:
    """What is too old is not there, whether it was tidied away or not."""
    by_hash = {content_hash(text): text for text in texts}
    now = timezone.now()
    rows = CachedEmbedding.objects.for_tenant(tenant).filter(
        model_id=model.id, content_hash__in=list(by_hash), used_at__gte=now - timedelta(days=CACHE_DAYS)
    )
    found = list(rows)
    if any(row.used_at < now - NOTE_USE_AFTER for row in found):
        rows.update(used_at=now)
    return {by_hash[bytes(row.content_hash)]: Vector(row.vector, model_id=model.id) for row in found}


def _write_cache(tenant: Tenant | UUID, model: VectorModel, made: dict[str, Vector]) -> None:
    """In the order of their keys, so that two writers never wait for each other."""
    rows = [
        CachedEmbedding(
            tenant_id=tenant_id_of(tenant),
            model_id=model.id,
            content_hash=content_hash(text),
            vector=HalfVector(vector),
            used_at=timezone.now(),
        )
        for text, vector in sorted(made.items(), key=lambda item: content_hash(item[0]))
    ]
    CachedEmbedding.unscoped.bulk_create(
        rows,
        update_conflicts=True,
        update_fields=["used_at"],
        unique_fields=["tenant_id", "model_id", "content_hash"],
    )


def forget_old_vectors(*, tenant: Tenant | UUID) -> int:
    """Drop cached vectors past their age; how many went."""
    oldest = timezone.now() - timedelta(days=CACHE_DAYS)
    return CachedEmbedding.objects.for_tenant(tenant).filter(used_at__lt=oldest).delete()[0]

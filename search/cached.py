"""Answers kept for seconds (seed 004): what was just asked about a person is not worked out again.

An answer is kept under everything that shapes it (person, persona, session, question, filters, ranking, model) and
is worth nothing once anything was written about the person or about everyone: it names the versions it was made
under, and looking it up compares them with those of the same moment, in the same statement.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now

from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_id_of
from search.models import CachedRetrieval
from search.prepared import fetch_rows, number_parameters
from search.selectors import Hit, MessageRef, SearchAnswer, SearchQuery, search
from search.serving import get_serving_model

KEPT_S = 20  # seconds an answer is kept (seed 004)

# The versions and the answer made under them, seen in one snapshot. No row of another person is touched.
FIND_ANSWER = number_parameters("""
SELECT v.versions, r.answer
FROM (SELECT concat_ws('.',
        (SELECT memory_version FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND id = %(profile_id)s),
        (SELECT memory_version FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND kind = 'shared')
     ) AS versions) v
LEFT JOIN search_cachedretrieval r
  ON r.tenant_id = %(tenant_id)s AND r.profile_id = %(profile_id)s AND r.key = %(key)s
 AND r.expires_at > now() AND r.answer->>'versions' = v.versions
""")

# One answer a key; the person's outlived ones go on the way, unless somebody else is at them.
KEEP_ANSWER = """
WITH outlived AS (
    DELETE FROM search_cachedretrieval WHERE tenant_id = %(tenant_id)s AND id IN (
        SELECT id FROM search_cachedretrieval
        WHERE tenant_id = %(tenant_id)s AND profile_id = %(profile_id)s AND key <> %(key)s AND expires_at <= now()
        FOR UPDATE SKIP LOCKED)
)
INSERT INTO search_cachedretrieval (id, tenant_id, profile_id, key, answer, expires_at)
VALUES (%(id)s, %(tenant_id)s, %(profile_id)s, %(key)s, %(answer)s::jsonb, now() + make_interval(secs => %(kept)s))
ON CONFLICT (tenant_id, profile_id, key) DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at
"""


@dataclass(frozen=True, slots=True)
class Look:
    """What is kept for a question: its answer, or None, and the key and versions to keep one under."""

    query: SearchQuery
    key: str
    versions: str
    answer: SearchAnswer | None = None


def find_answer(*, tenant: Tenant | UUID, query: SearchQuery) -> Look:
    """One statement; needs no vector, so that a question whose answer is kept is not embedded either."""
    started = time.perf_counter()
    key = cache_key(query)
    wanted = {"tenant_id": tenant_id_of(tenant), "profile_id": query.profile_id, "key": key}
    ((versions, kept),) = fetch_rows(FIND_ANSWER, wanted)
    if kept is None:
        return Look(query, key, versions)
    answer = json.loads(kept) if isinstance(kept, str | bytes) else kept
    hits = tuple(_as_hit(row) for row in answer["hits"])
    took_ms = round((time.perf_counter() - started) * 1000, 3)
    return Look(query, key, versions, SearchAnswer(hits, took_ms))


def search_and_keep(*, tenant: Tenant | UUID, look: Look, vector: list[float] | None) -> SearchAnswer:
    """The kept answer, or a new one that is kept; one that had to do without a vector is not."""
    if look.answer is not None:
        return look.answer
    answer = search(tenant=tenant, query=look.query, vector=vector)
    if vector is not None:
        _keep(tenant_id_of(tenant), look, answer)
    return answer


def cache_key(query: SearchQuery) -> str:
    """A hash over everything that shapes an answer; the model that serves is a part of it."""
    asked = {**asdict(query), "sources": sorted(query.sources), "types": sorted(query.types)}
    canonical = json.dumps({**asked, "model": get_serving_model().id}, cls=DjangoJSONEncoder, sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def drop_answers(*, tenant: Tenant | UUID, profile_id: UUID) -> None:
    """Something was, or is about to be, written about a person: in this transaction, and with its commit, no
    answer made before counts. Takes the person's row, as every writer of memories does: call it before chunks are
    touched, or hold the row already.
    """
    people = UserProfile.objects.for_tenant(tenant).filter(pk=profile_id)
    people.update(memory_version=F("memory_version") + 1)


def drop_all_answers(*, tenant: Tenant | UUID) -> None:
    """Something was taken out of many people's conversations at once. In the open scope."""
    CachedRetrieval.objects.for_tenant(tenant).delete()


def remove_expired_retrievals(*, tenant: Tenant | UUID) -> int:
    """Delete the answers whose time is over; how many. In the open scope."""
    rows = CachedRetrieval.objects.for_tenant(tenant).filter(expires_at__lte=Now())
    return rows.delete()[0]


def _keep(tenant_id: UUID, look: Look, answer: SearchAnswer) -> None:
    hits = [asdict(hit) for hit in answer.results]
    kept = {"versions": look.versions, "hits": hits}
    parameters = {
        "id": CachedRetrieval._meta.pk.get_default(),
        "tenant_id": tenant_id,
        "profile_id": look.query.profile_id,
        "key": look.key,
        "answer": json.dumps(kept, default=_as_text),
        "kept": KEPT_S,
    }
    with connection.cursor() as cursor:
        cursor.execute(KEEP_ANSWER, parameters)


def _as_text(value: object) -> str:
    """Moments to the microsecond, which Django's own encoder would cut."""
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _as_hit(row: Mapping[str, Any]) -> Hit:
    """A hit exactly as it was."""
    return Hit(
        **{
            **row,
            "memory_id": _as_id(row["memory_id"]),
            "session_id": _as_id(row["session_id"]),
            "messages": tuple(MessageRef(UUID(ref["id"]), ref["external_id"]) for ref in row["messages"]),
            "created_at": datetime.fromisoformat(row["created_at"]),
        }
    )


def _as_id(text: str | None) -> UUID | None:
    return UUID(text) if text else None

"""Which memories stand in What You Know: two passes, over-fetched, re-ranked by decay (seed 000 §9)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from memories.decay import decay_score
from memories.models import Memory
from memories.selectors import promptable
from nebo.tenants.models import Tenant
from sessions.context.stable import KnownMemory

MAX_KNOWN = 50  # memories in the prompt; seed 000 §9
MAX_PERSONALITY = 10  # of them from tacit/personality; seed 000 §9
MAX_PINNED = 20  # pinned memories that are always there; more of them stand in line by use (seed 002)
OVERFETCH = 3  # times as many rows are read as are taken; seed 000 §9
MIN_FETCH = 30  # rows; seed 000 §9
PERSONALITY = "tacit/personality"
DIRECTIVE_KEY = "directive"


def list_promptable(
    *, tenant: Tenant, profile_ids: Iterable[UUID], persona_id: UUID | None, session_id: UUID | None
) -> QuerySet[Memory]:
    """Live memories this person, persona and session may see and that are sure enough for a prompt (§14)."""
    return Memory.objects.for_tenant(tenant).filter(
        promptable(),
        Q(persona_id=None) | Q(persona_id=persona_id),
        Q(session_id=session_id) | ~Q(scope=Memory.Scope.SESSION),
        profile_id__in=list(profile_ids),
    )


def choose_known(rows: QuerySet[Memory]) -> tuple[str, list[KnownMemory]]:
    """The learned directive, and up to fifty memories: twenty pinned ones whatever their use, then by decayed use."""
    tacit = rows.filter(layer=Memory.Layer.TACIT)
    personality = tacit.filter(namespace=PERSONALITY).exclude(key=DIRECTIVE_KEY)
    directive = _find_directive(rows.filter(namespace=PERSONALITY))
    pinned = list(_pinned(rows))
    kept = [memory.pk for memory in pinned]
    chosen = _rank(_fetch(personality.exclude(pk__in=kept), MAX_PERSONALITY))
    chosen = chosen[: MAX_PERSONALITY - sum(m.namespace == PERSONALITY for m in pinned)]
    others = tacit.exclude(namespace=PERSONALITY) | rows.filter(pinned=True).exclude(namespace=PERSONALITY)
    ranked = _rank(_fetch(others.exclude(pk__in=kept), MAX_KNOWN))
    known = [*pinned, *ranked[: MAX_KNOWN - len(pinned) - len(chosen)], *chosen]
    return directive, [KnownMemory(str(m.pk), m.namespace, m.key, m.value) for m in known]


def _find_directive(rows: QuerySet[Memory]) -> str:
    """Read for itself, so that style observations never crowd it out (gotcha 2); a persona's own comes first."""
    found = rows.filter(key=DIRECTIVE_KEY).order_by("persona_id").first()  # nulls last
    return found.value if found else ""


def _pinned(rows: QuerySet[Memory]) -> QuerySet[Memory]:
    """The foundation: pinned ones of any layer, the last pinned or heard first (seed 002)."""
    pinned = rows.filter(pinned=True).exclude(namespace=PERSONALITY, key=DIRECTIVE_KEY)
    return pinned.order_by("-last_reinforced", "-created_at")[:MAX_PINNED]


def _fetch(rows: QuerySet[Memory], wanted: int) -> QuerySet[Memory]:
    """Over-fetch the most used; which of them are taken is decided by decay."""
    most = max(wanted * OVERFETCH, MIN_FETCH)
    return rows.order_by("-access_count", "-last_reinforced")[:most]


def _rank(memories: Iterable[Memory], now: datetime | None = None) -> list[Memory]:
    """By decay score, then the most recently confirmed by the conversation."""
    now = now or timezone.now()
    return sorted(
        memories,
        key=lambda m: (decay_score(m.access_count, m.accessed_at, now=now), m.last_reinforced),
        reverse=True,
    )

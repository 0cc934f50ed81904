"""What came before: the state two share, rolling summary, spine, and the conversation before this one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from memories.models import Memory
from memories.unions import Curation
from nebo.api.times import as_utc
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from sessions.models import Message, RollingSummary, Session, SessionState, SessionSummary, Spine
from sessions.spine import Spine as SectionsByAudience
from sessions.spine import view_spine

LAST_WORDS = 6  # messages of the conversation before that stand in for its summary
STILL_WARM = timedelta(hours=6)  # since it was left; after that they are found by search alone
STANDING = (Memory.Status.ACTIVE, Memory.Status.ARCHIVED)  # archived ones are true, only out of sight
SPOKEN = (Message.Role.USER, Message.Role.ASSISTANT)


@dataclass(frozen=True, slots=True)
class Background:
    """What a session goes on from. `last_words` speak where `last_summary` does not yet."""

    last_summary: SessionSummary | None = None
    last_words: tuple[Message, ...] = ()
    rolling: str = ""
    spine: dict[str, list[str]] | None = None

    @property
    def any(self) -> bool:
        """Whether there is anything of an earlier conversation."""
        return bool(self.last_summary or self.last_words or self.rolling or self.spine)


def read_background(*, tenant: Tenant | UUID, session: Session) -> Background:
    """What the person and this persona talked about before; five statements, one more for a fresh goodbye."""
    audience = str(session.persona_id or default_persona_id(tenant_id_of(tenant)))
    rolling = list_rolling(tenant=tenant, profile_id=session.profile_id)
    rolling = rolling.filter(with_persona("state__persona_id", tenant, session.persona_id))
    spine = find_spine(tenant=tenant, profile_id=session.profile_id)
    view = view_spine(list_standing(tenant=tenant, spine=spine), audience) if spine else {}
    summary, words = _before(tenant, session)
    return Background(
        last_summary=summary,
        last_words=words,
        rolling=rolling.values_list("text", flat=True).first() or "",
        spine=view if any(view.values()) else None,
    )


def with_persona(column: str, tenant: Tenant | UUID, persona_id: UUID | None) -> Q:
    """Rows of one persona; those that name none are the default one's."""
    default = default_persona_id(tenant_id_of(tenant))
    if persona_id in (None, default):
        return Q(**{f"{column}__isnull": True}) | Q(**{column: default})
    return Q(**{column: persona_id})


def find_state(*, tenant: Tenant | UUID, session: Session) -> SessionState | None:
    """What carries over between the sessions of this person with this persona."""
    rows = SessionState.objects.for_tenant(tenant).filter(profile_id=session.profile_id)
    return rows.filter(Q(persona_id=session.persona_id)).first()


def find_rolling(*, tenant: Tenant | UUID, state: SessionState) -> RollingSummary | None:
    """The rolling summary that speaks now."""
    rows = RollingSummary.objects.for_tenant(tenant).filter(state=state)
    return rows.order_by("-created_at", "-id").first()


def list_rolling(*, tenant: Tenant | UUID, profile_id: UUID) -> QuerySet[RollingSummary]:
    """Every rolling summary of a person, the newest first."""
    rows = RollingSummary.objects.for_tenant(tenant).filter(state__profile_id=profile_id)
    return rows.select_related("state", "state__persona").order_by("-created_at", "-id")


def find_spine(*, tenant: Tenant | UUID, profile_id: UUID) -> Spine | None:
    """The newest version."""
    return list_spines(tenant=tenant, profile_id=profile_id).first()


def list_spines(*, tenant: Tenant | UUID, profile_id: UUID) -> QuerySet[Spine]:
    """Every version of a person's spine, the newest first."""
    return Spine.objects.for_tenant(tenant).filter(profile_id=profile_id).order_by("-version")


def list_standing(*, tenant: Tenant | UUID, spine: Spine) -> SectionsByAudience:
    """A spine's sections without what was forgotten, replaced or held back since: it says no more than memory does."""
    said = {item for own in spine.sections.values() for items in own.values() for item in items}
    rows = Memory.objects.for_tenant(tenant).filter(profile_id=spine.profile_id, value__in=said)
    stands: dict[str, bool] = {}
    for value, status in rows.values_list("value", "status"):
        stands[value] = stands.get(value, False) or status in STANDING
    return {
        audience: {name: [item for item in items if stands.get(item, True)] for name, items in own.items()}
        for audience, own in spine.sections.items()
    }


def list_states(*, tenant: Tenant | UUID, profile_id: UUID) -> QuerySet[SessionState]:
    """What carries over between sessions, by persona, each with `rolling_text`; the last used first."""
    rows = SessionState.objects.for_tenant(tenant).filter(profile_id=profile_id).select_related("persona")
    rolling = RollingSummary.unscoped.filter(tenant_id=OuterRef("tenant_id"), state_id=OuterRef("pk"))
    newest = rolling.order_by("-created_at", "-id").values("text")[:1]
    return rows.annotate(rolling_text=Subquery(newest)).order_by("-last_interaction_at", "-id")


def find_curation(*, tenant: Tenant | UUID, profile_id: UUID) -> dict[str, Any] | None:
    """When the person's memories were last looked through, and how many there were (seed 002)."""
    found = Curation.objects.for_tenant(tenant).filter(profile_id=profile_id).first()
    if found is None:
        return None
    return {"last_run_at": as_utc(found.last_run_at), "last_memory_count_at_run": found.last_memory_count}


def list_summaries(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[SessionSummary]:
    """What was written about a session each time it closed, the newest first."""
    rows = SessionSummary.objects.for_tenant(tenant).filter(session_id=session_id)
    return rows.order_by("-created_at", "-id")


def _before(tenant: Tenant | UUID, session: Session) -> tuple[SessionSummary | None, tuple[Message, ...]]:
    """The summary of the last conversation with this persona; while it lacks one that speaks for all of it, its last
    words too.
    """
    others = Session.objects.for_tenant(tenant).filter(profile_id=session.profile_id, turn_count__gt=0)
    others = others.filter(with_persona("persona_id", tenant, session.persona_id)).exclude(pk=session.pk)
    last = others.order_by("-last_activity_at").first()
    if last is None:
        return None, ()
    told = SessionSummary.objects.for_tenant(tenant).filter(session__profile_id=session.profile_id)
    told = told.filter(with_persona("session__persona_id", tenant, session.persona_id))
    summary = (
        told.exclude(session=session).order_by("-session__last_activity_at", "-created_at", "-id").first()
    )
    if summary is not None and summary.session_id == last.pk and summary.seq_to >= last.next_seq - 1:
        return summary, ()
    return summary, _last_words(tenant, last)


def _last_words(tenant: Tenant | UUID, session: Session) -> tuple[Message, ...]:
    if session.last_activity_at < timezone.now() - STILL_WARM:
        return ()
    rows = Message.objects.for_tenant(tenant).filter(session=session, role__in=SPOKEN, archived_at=None)
    return tuple(rows.order_by("-seq")[:LAST_WORDS])[::-1]

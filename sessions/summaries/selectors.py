"""Reading what was written about conversations, and what carries over between them."""

from __future__ import annotations

from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery

from nebo.tenants.models import Tenant
from sessions.models import RollingSummary, Session, SessionState, SessionSummary
from sessions.withheld import without_withheld_rolling, without_withheld_summaries


def find_state(*, tenant: Tenant | UUID, session: Session) -> SessionState | None:
    """What carries over between the sessions of this person with this persona."""
    rows = SessionState.objects.for_tenant(tenant).filter(person_id=session.person_id)
    return rows.filter(Q(persona_id=session.persona_id)).first()


def find_rolling(*, tenant: Tenant | UUID, state: SessionState) -> RollingSummary | None:
    """The rolling summary that speaks now."""
    rows = without_withheld_rolling(RollingSummary.objects.for_tenant(tenant)).filter(state=state)
    return rows.order_by("-created_at", "-id").first()


def list_rolling(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[RollingSummary]:
    """Every rolling summary of a person that may be told, the newest first."""
    rows = without_withheld_rolling(RollingSummary.objects.for_tenant(tenant))
    rows = rows.filter(state__person_id=person_id)
    return rows.select_related("state", "state__persona").order_by("-created_at", "-id")


def list_states(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[SessionState]:
    """What carries over between sessions, by persona, each with `rolling_text`; the last used first."""
    rows = SessionState.objects.for_tenant(tenant).filter(person_id=person_id).select_related("persona")
    rolling = without_withheld_rolling(RollingSummary.objects.for_tenant(tenant)).filter(
        state_id=OuterRef("pk")
    )
    newest = rolling.order_by("-created_at", "-id").values("text")[:1]
    return rows.annotate(rolling_text=Subquery(newest)).order_by("-last_interaction_at", "-id")


def list_summaries(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[SessionSummary]:
    """What was written about a session each time it closed and may be told, the newest first."""
    rows = without_withheld_summaries(SessionSummary.objects.for_tenant(tenant)).filter(session_id=session_id)
    return rows.order_by("-created_at", "-id")

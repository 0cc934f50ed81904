"""What the page about a persona and one person shows, in one statement."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F

from memories.decay import lifespan
from memories.models import Memory
from memories.storing.styles import WISHED
from nebo.tenants.models import Tenant
from nebo.tenants.reads import Queries, TenantReads
from personality.models import Persona, PersonaCandidate, PersonaEvidence, PersonaOverlay, PersonaRevision
from personality.overlays.selectors import list_overlays
from personality.personas.selectors import list_revisions
from personality.styles.selectors import list_directives_for, list_styles
from personality.wishes.selectors import list_candidates

STYLES_SHOWN = 15  # as many as the paragraph is written from
DECISIONS_SHOWN = 50
REVISIONS_SHOWN = 30
SEEN_OFTEN = (2, 5)  # times from which a style has two bars, and three


@dataclass(frozen=True, slots=True)
class Style:
    """An observation of how somebody likes to be spoken to: how strong it is, and when it fades; None for never."""

    memory: Memory
    fades_at: datetime | None

    @property
    def strength(self) -> int:
        """1, 2 or 3 bars, by how often it was seen."""
        return 1 + sum(self.memory.reinforced_count >= times for times in SEEN_OFTEN)


@dataclass(frozen=True, slots=True)
class Personality:
    """All that is known of how a persona is to one person."""

    overlay: PersonaOverlay | None
    waiting: int  # wishes that are decided in the inbox
    decided: list[PersonaCandidate]  # each with `said`, what it rests on
    directive: Memory | None
    styles: list[Style]
    revisions: list[PersonaRevision]


def read_personality(*, tenant: Tenant | UUID, persona: Persona, person_id: UUID) -> Personality:
    """One statement in the open scope."""
    found = PERSONALITY_READS.read(tenant=tenant, persona_id=persona.pk, person_id=person_id)
    said: dict[str, list[dict[str, Any]]] = {}
    for evidence in found["evidence"]:
        said.setdefault(evidence["of"], []).append(evidence)
    for candidate in found["decided"]:
        candidate.said = said.get(str(candidate.pk), [])
    return Personality(
        overlay=next(iter(found["overlay"]), None),
        waiting=next((one["count"] for one in found["waiting"]), 0),
        decided=found["decided"],
        directive=next(iter(found["directive"]), None),
        styles=[Style(memory, _fades_at(memory)) for memory in found["styles"]],
        revisions=found["revisions"],
    )


def _fades_at(style: Memory) -> datetime | None:
    """As `personality.styles.fading` has it."""
    if style.pinned or style.confirmed_at or WISHED in style.metadata:
        return None
    return style.last_reinforced + lifespan(style.reinforced_count)


def _list_all(tenant: UUID, *, persona_id: UUID, person_id: UUID) -> Queries:
    persona = Persona(tenant_id=tenant, pk=persona_id)
    asked = list_candidates(tenant=tenant, persona=persona, person_id=person_id)
    asked = asked.select_related(None).prefetch_related(None)
    waiting = asked.filter(decision=PersonaCandidate.Decision.DEFERRED)
    decided = asked.exclude(decision=PersonaCandidate.Decision.DEFERRED)
    decided = decided.order_by("-updated_at")[:DECISIONS_SHOWN]
    evidence = PersonaEvidence.objects.for_tenant(tenant).filter(candidate__in=decided.values("pk"))
    words = {"of": F("candidate_id"), "session": F("message__session_id"), "seq": F("message__seq")}
    learned = {"tenant": tenant, "person_id": person_id, "persona_id": persona_id}
    return {
        "overlay": list_overlays(tenant=tenant, persona_id=persona_id, person_id=person_id),
        "waiting": waiting.order_by().values("tenant_id").annotate(count=Count("pk")).values("count"),
        "decided": decided,
        "evidence": evidence.order_by("created_at", "id").values("quote", "message_id", **words),
        "directive": list_directives_for(**learned)[:1],
        "styles": list_styles(**learned)[:STYLES_SHOWN],
        "revisions": list_revisions(tenant=tenant, persona=persona, person_id=person_id)[:REVISIONS_SHOWN],
    }


PERSONALITY_READS = TenantReads(_list_all, given={"persona_id": "uuid", "person_id": "uuid"})

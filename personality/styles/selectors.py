"""Reading what was learned of a person's style."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet

from memories.models import Memory
from memories.storing.styles import STYLE_PREFIX
from nebo.tenants.models import Tenant
from personality.overlays.overlay import decided_about
from personality.overlays.selectors import list_overlays
from personality.personas.selectors import list_all_personas, make_default_persona
from personality.styles.evidence import DIRECTIVE_KEY, NAMESPACE


def list_styles(
    *, tenant: Tenant | UUID, person_id: UUID | None, persona_id: UUID | None = None
) -> QuerySet[Memory]:
    """Live observations of style about a person, the most often seen first."""
    rows = _learned(tenant, person_id, persona_id).filter(key__startswith=STYLE_PREFIX)
    return rows.order_by("-reinforced_count", "-last_reinforced")


def find_directive(
    *, tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None = None
) -> Memory | None:
    """The learned directive for a persona, or the one for all of them."""
    return list_directives_for(tenant=tenant, person_id=person_id, persona_id=persona_id).first()


def list_directives_for(
    *, tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None = None
) -> QuerySet[Memory]:
    """A persona's own learned directive, and the one for all of them; its own comes first, since nulls are last."""
    return _learned(tenant, person_id, persona_id).filter(key=DIRECTIVE_KEY).order_by("persona_id")


def list_directives(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Memory]:
    """Every live directive about a person."""
    rows = Memory.objects.for_tenant(tenant).filter(person_id=person_id, status=Memory.Status.ACTIVE)
    return rows.filter(namespace=NAMESPACE, key=DIRECTIVE_KEY)


def list_settled(*, tenant: Tenant | UUID, persona_id: UUID, person_id: UUID) -> set[str]:
    """Topics of which a persona's team or the person has said how it is to be."""
    persona = list_all_personas(tenant=tenant).filter(pk=persona_id).first() or make_default_persona(tenant)
    overlay = list_overlays(tenant=tenant, persona_id=persona_id, person_id=person_id).first()
    return (
        decided_about(persona, overlay.fields, overlay.rule_topics)
        if overlay
        else set(decided_about(persona, {}, {}))
    )


def _learned(tenant: Tenant | UUID, person_id: UUID | None, persona_id: UUID | None) -> QuerySet[Memory]:
    mine = Q(persona_id=None) | Q(persona_id=persona_id) if persona_id else Q(persona_id=None)
    return Memory.objects.for_tenant(tenant).filter(
        mine, person_id=person_id, namespace=NAMESPACE, status=Memory.Status.ACTIVE
    )

"""Styles that are over because the person says otherwise."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet

from memories.models import Memory
from memories.normalize import normalize_key
from memories.storing.audited_writes import Change, change_memory
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from personality.models import PersonaOverlay
from personality.styles.selectors import list_styles

STYLE_ENDED = "They took it back."


def list_styles_about(tenant: Tenant | UUID, overlay: PersonaOverlay, about: str) -> QuerySet[Memory]:
    """Styles that were learned, answer one question, and were not settled by a person."""
    persona_id, person_id = overlay.persona_id, overlay.person_id
    styles = list_styles(tenant=tenant, person_id=person_id, persona_id=persona_id)
    return styles.filter(metadata__slot=about or None, pinned=False, confirmed_at=None)


def end_styles(*, tenant: Tenant | UUID, overlay: PersonaOverlay, about: str, actor: Actor) -> None:
    """Styles that say what the person took back are archived. The person's row must be held."""
    if about:
        _end(tenant, list_styles_about(tenant, overlay, about), actor)


def _end(tenant: Tenant | UUID, styles: QuerySet[Memory], actor: Actor) -> None:
    change = Change("archived", actor, reason=STYLE_ENDED)
    for style in styles:
        fields = {"status": Memory.Status.ARCHIVED}
        change_memory(tenant=tenant, memory=style, fields=fields, change=change)


def end_wished_style(
    *, tenant: Tenant | UUID, overlay: PersonaOverlay, about: str, value: str, actor: Actor
) -> None:
    """A wish that is undone or declined doesn't stay as a style: neither one of this value nor what was told to this
    persona alone about the same. The person's row must be held.
    """
    if not about:
        return
    same = Q(persona_id=overlay.persona_id) | Q(key=normalize_key(f"style/{about}-{value}"))
    _end(tenant, list_styles_about(tenant, overlay, about).filter(same), actor)

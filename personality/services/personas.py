"""Personas are made and changed with a revision each, so that any of them can be brought back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from memories.services import record_audit
from nebo.errors import Conflict, InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from personality.models import Persona, PersonaRevision
from personality.selectors import DEFAULT_SLUG

EDITABLE = (
    "name", "preset", "custom_personality", "voice_style", "response_length", "emoji_usage", "formality",
    "proactivity", "emoji", "creature", "vibe", "role", "rules", "tool_notes", "file_sync",
)  # fmt: skip


def ensure_default_persona(*, tenant: Tenant | UUID) -> Persona:
    """The persona of whoever names none, made on first use; two at once get the same row."""
    persona, _ = Persona.objects.for_tenant(tenant).get_or_create(slug=DEFAULT_SLUG)
    made: Persona = persona
    return made


def create_persona(*, tenant: Tenant | UUID, slug: str, fields: Mapping[str, Any], actor: Actor) -> Persona:
    """A new persona. Raises InvalidInput for an unknown field, Conflict for a slug that is taken."""
    check_fields(fields)
    try:
        with transaction.atomic():
            persona: Persona = Persona.objects.for_tenant(tenant).create(slug=slug, **fields)
    except IntegrityError as error:
        raise Conflict(f"There is a persona {slug} already.", field="slug") from error
    _revise(tenant, persona, None, actor, "created")
    return persona


def update_persona(
    *,
    tenant: Tenant | UUID,
    persona: Persona,
    changes: Mapping[str, Any],
    actor: Actor,
    reason: str = "",
) -> Persona:
    """Change what `EDITABLE` names; nothing is written when nothing differs. Raises InvalidInput."""
    check_fields(changes)
    held = lock_persona(tenant=tenant, persona=persona)
    before = as_revision(held)
    for name, value in changes.items():
        setattr(held, name, value)
    if as_revision(held) == before:
        return held
    held.version += 1
    held.save()
    _revise(tenant, held, before, actor, reason)
    return held


def lock_persona(*, tenant: Tenant | UUID, persona: Persona) -> Persona:
    """The persona's fresh row, held until the transaction ends."""
    return Persona.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=persona.pk)


def check_fields(fields: Mapping[str, Any]) -> None:
    """Raise InvalidInput for a field a persona doesn't have."""
    unknown = [name for name in fields if name not in EDITABLE]
    if unknown:
        raise InvalidInput("There is no such field.", field=unknown[0])


def as_revision(persona: Persona) -> dict[str, Any]:
    """Everything a revision can bring back."""
    return {name: getattr(persona, name) for name in EDITABLE}


def _revise(
    tenant: Tenant | UUID, persona: Persona, before: dict[str, Any] | None, actor: Actor, reason: str
) -> None:
    PersonaRevision.objects.for_tenant(tenant).create(
        persona=persona,
        number=persona.version,
        before=before,
        after=as_revision(persona),
        actor=str(actor)[:120],
        reason=reason[:300],
    )
    record_audit(
        tenant=tenant,
        actor=actor,
        action="persona.created" if before is None else "persona.updated",
        object_type="persona",
        object_id=persona.pk,
        detail={"version": persona.version},
    )

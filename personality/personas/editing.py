"""Personas are made and changed with a revision each, so that any of them can be brought back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.screening.sensitive import find_sensitive
from nebo.errors import Conflict, InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from personality.fields import OVERLAY_FIELDS
from personality.models import Persona, PersonaCandidate
from personality.personas.presets import check_preset
from personality.personas.revisions import Change, revise_persona
from personality.personas.selectors import DEFAULT_SLUG

EDITABLE = (
    "name", "preset", "custom_personality", "voice_style", "response_length", "emoji_usage", "formality",
    "proactivity", "emoji", "creature", "vibe", "role", "language", "rules", "tool_notes", "file_sync",
    "memory_scope", "locked",
)  # fmt: skip


def ensure_default_persona(*, tenant: Tenant | UUID) -> Persona:
    """The persona of whoever names none, made on first use; two at once get the same row."""
    tenant_id = tenant if isinstance(tenant, UUID) else tenant.pk
    rows = Persona.objects.for_tenant(tenant)
    persona, _ = rows.get_or_create(pk=default_persona_id(tenant_id), defaults={"slug": DEFAULT_SLUG})
    made: Persona = persona
    return made


def create_persona(*, tenant: Tenant | UUID, slug: str, fields: Mapping[str, Any], actor: Actor) -> Persona:
    """A new persona. Raises InvalidInput for an unknown field, Conflict for a slug that is taken."""
    check_fields(fields)
    check_scope(Persona(slug=slug), fields)
    tenant_id = tenant if isinstance(tenant, UUID) else tenant.pk
    own_id = {"id": default_persona_id(tenant_id)} if slug == DEFAULT_SLUG else {}
    try:
        with transaction.atomic():
            persona: Persona = Persona.objects.for_tenant(tenant).create(slug=slug, **own_id, **fields)
    except IntegrityError as error:
        raise Conflict(_("There is a persona %(slug)s already.") % {"slug": slug}, field="slug") from error
    change = Change("persona.created", actor, reason="created")
    revise_persona(tenant=tenant, persona=persona, before=None, after=as_revision(persona), change=change)
    return persona


def update_persona(
    *,
    tenant: Tenant | UUID,
    persona: Persona,
    changes: Mapping[str, Any],
    actor: Actor,
    reason: str = "",
    candidate: PersonaCandidate | None = None,
) -> Persona:
    """Change what `EDITABLE` names; nothing is written when nothing differs. Raises InvalidInput."""
    check_fields(changes)
    check_scope(persona, changes)
    held = lock_persona(tenant=tenant, persona=persona)
    before = as_revision(held)
    for name, value in changes.items():
        setattr(held, name, value)
    if as_revision(held) == before:
        return held
    held.version += 1
    held.save()
    change = Change("persona.updated", actor, reason, candidate)
    revise_persona(tenant=tenant, persona=held, before=before, after=as_revision(held), change=change)
    return held


def archive_persona(*, tenant: Tenant | UUID, persona: Persona, actor: Actor) -> Persona:
    """Nobody opens a session with it any more; what it knows stays. Raises Conflict for the default persona."""
    if persona.slug == DEFAULT_SLUG:
        raise Conflict(_("The default persona speaks wherever none is named; it can't be archived."))
    return _set_archived(tenant, persona, actor, archived=True)


def restore_persona(*, tenant: Tenant | UUID, persona: Persona, actor: Actor) -> Persona:
    """Back from the archive."""
    return _set_archived(tenant, persona, actor, archived=False)


def _set_archived(tenant: Tenant | UUID, persona: Persona, actor: Actor, *, archived: bool) -> Persona:
    held = lock_persona(tenant=tenant, persona=persona)
    if (held.archived_at is not None) == archived:
        return held
    before = {"archived": not archived}
    held.archived_at = timezone.now() if archived else None
    held.version += 1
    held.save()
    verb = "archived" if archived else "restored"
    state = as_revision(held)
    change = Change(f"persona.{verb}", actor, reason=verb)
    revise_persona(
        tenant=tenant,
        persona=held,
        before={**state, **before},
        after={**state, "archived": archived},
        change=change,
    )
    return held


def lock_persona(*, tenant: Tenant | UUID, persona: Persona) -> Persona:
    """The persona's fresh row, held until the transaction ends."""
    return Persona.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=persona.pk)


def check_fields(fields: Mapping[str, Any]) -> None:
    """Raise InvalidInput for a field a persona doesn't have, a preset there is none of, and for a secret."""
    unknown = [name for name in fields if name not in EDITABLE]
    if unknown:
        raise InvalidInput("There is no such field.", field=unknown[0])
    for name, value in fields.items():
        refuse_secrets(name, str(value))
    check_preset(str(fields.get("preset", "")))
    strange = [name for name in fields.get("locked", ()) if name not in OVERLAY_FIELDS]
    if strange:
        raise InvalidInput(f"One of {', '.join(OVERLAY_FIELDS)}.", field="locked")


def refuse_secrets(field: str, text: str) -> None:
    """Raise InvalidInput for a text that every prompt of the persona would show a key or a password with."""
    if secrets := find_sensitive(text):
        raise InvalidInput(
            _("Contains a %(kind)s.") % {"kind": secrets[0].kind.replace("_", " ")}, field=field
        )


def check_scope(persona: Persona, changes: Mapping[str, Any]) -> None:
    """Raise InvalidInput where the default persona would keep to itself what is said wherever none is named."""
    own = changes.get("memory_scope") == Persona.MemoryScope.OWN
    if own and persona.slug == DEFAULT_SLUG:
        raise InvalidInput(
            "What the default persona learns is for all; make a persona of its own.", field="memory_scope"
        )


def as_revision(persona: Persona) -> dict[str, Any]:
    """Everything a revision can bring back."""
    return {name: getattr(persona, name) for name in EDITABLE}

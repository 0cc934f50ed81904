"""Reading personas and what was learned about style."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.models import Memory
from memories.storing.styles import STYLE_PREFIX
from nebo.errors import Conflict, NotFound
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from personality.directive import DIRECTIVE_KEY, NAMESPACE
from personality.files import FILE_NAMES, FileText, render_files, written_by_profile
from personality.models import Persona, PersonaCandidate, PersonaFile, PersonaOverlay, PersonaRevision
from personality.overlay import decided_about

DEFAULT_SLUG = "default"


def make_default_persona(tenant: Tenant | UUID) -> Persona:
    """The default persona as nobody has changed it; not stored."""
    tenant_id = tenant_id_of(tenant)
    return Persona(tenant_id=tenant_id, pk=default_persona_id(tenant_id), slug=DEFAULT_SLUG)


def get_persona(
    *,
    tenant: Tenant | UUID,
    slug: str | None = None,
    persona_id: UUID | None = None,
    archived: bool = False,
) -> Persona:
    """A stored persona by slug or id; raises NotFound, for an archived one too unless it may be."""
    rows = Persona.objects.for_tenant(tenant)
    found = (
        rows.filter(pk=persona_id).first() if persona_id else rows.filter(slug=slug or DEFAULT_SLUG).first()
    )
    if found is None or (found.archived_at is not None and not archived):
        raise NotFound("No persona has this slug.", field="persona")
    return found


def list_all_personas(*, tenant: Tenant | UUID) -> QuerySet[Persona]:
    """Those that speak and the archived ones."""
    return Persona.objects.for_tenant(tenant)


def list_personas(
    *, tenant: Tenant | UUID, persona_id: UUID | None = None, archived: bool = False
) -> QuerySet[Persona]:
    """Every persona that speaks, or the archived ones; only the one a key is bound to, if it is."""
    rows = list_all_personas(tenant=tenant).filter(archived_at__isnull=not archived)
    return rows.filter(pk=persona_id) if persona_id else rows


def list_revisions(
    *, tenant: Tenant | UUID, persona: Persona, person_id: UUID | None = None
) -> QuerySet[PersonaRevision]:
    """What a persona, or a person's overlay of it, was and became, the newest first."""
    rows = PersonaRevision.objects.for_tenant(tenant).filter(Q(person_id=person_id), persona=persona)
    return rows.order_by("-number")


def list_file_revisions(*, tenant: Tenant | UUID, persona: Persona, name: str) -> QuerySet[PersonaRevision]:
    """Those that wrote a file of a persona, the newest first."""
    return list_revisions(tenant=tenant, persona=persona).filter(after__files__has_key=name)


def find_overlay(*, tenant: Tenant | UUID, persona: Persona, person_id: UUID) -> PersonaOverlay | None:
    """What a person's wishes made of a persona; None where they wished nothing."""
    return list_overlays(tenant=tenant, persona_id=persona.pk, person_id=person_id).first()


def list_overlays(*, tenant: Tenant | UUID, persona_id: UUID, person_id: UUID) -> QuerySet[PersonaOverlay]:
    """What a person's wishes made of a persona: one row at most."""
    return PersonaOverlay.objects.for_tenant(tenant).filter(persona_id=persona_id, person_id=person_id)


def list_candidates(
    *,
    tenant: Tenant | UUID,
    persona: Persona | None = None,
    person_id: UUID | None = None,
    decision: str = "",
    field: str = "",
) -> QuerySet[PersonaCandidate]:
    """What was asked and what was decided, with person and evidence; of one persona, or person, if one is given."""
    rows = PersonaCandidate.objects.for_tenant(tenant)
    wanted = {"persona": persona, "person_id": person_id, "decision": decision, "field": field}
    rows = rows.filter(**{name: value for name, value in wanted.items() if value})
    return rows.select_related("person", "persona").prefetch_related("evidence__message")


def get_candidate(
    *,
    tenant: Tenant | UUID,
    candidate_id: UUID,
    persona: Persona | None = None,
    person_id: UUID | None = None,
) -> PersonaCandidate:
    """One candidate; of a persona and of a person if they are given. Raises NotFound."""
    rows = list_candidates(tenant=tenant, persona=persona, person_id=person_id)
    found = rows.filter(pk=candidate_id).first()
    if found is None:
        raise NotFound
    return found


def find_fields_before(*, tenant: Tenant | UUID, candidate: PersonaCandidate) -> dict[str, Any]:
    """What the overlay said before this wish was fulfilled; nothing for one that never was."""
    rows = PersonaRevision.objects.for_tenant(tenant).filter(candidate=candidate).order_by("number")
    first = rows.first()
    return dict(first.before or {}) if first else {}


def list_decided_about(*, tenant: Tenant | UUID, message_ids: Collection[UUID]) -> QuerySet[PersonaCandidate]:
    """The decisions that rest on these messages, in the order they were made."""
    rows = PersonaCandidate.objects.for_tenant(tenant).filter(evidence__message_id__in=list(message_ids))
    return rows.order_by("created_at", "id").distinct()


def get_file(*, tenant: Tenant | UUID, persona: Persona, name: str) -> FileText:
    """A persona's file; raises NotFound for a name there is none of, Conflict where files are switched off."""
    if name not in FILE_NAMES:
        raise NotFound
    if persona.file_sync == Persona.FileSync.DISABLED:
        raise Conflict("The files of this persona are switched off (file_sync: disabled).", field="file_sync")
    written = list_files(tenant=tenant, persona_id=persona.pk).filter(name=name).first()
    if written is None:
        return FileText(name, written_by_profile(persona, name))
    return FileText(name, written.content, written.updated_at)


def list_files(*, tenant: Tenant | UUID, persona_id: UUID) -> QuerySet[PersonaFile]:
    """What was written into a persona's files."""
    return PersonaFile.objects.for_tenant(tenant).filter(persona_id=persona_id)


def render_prompt_files(persona: Persona, files: Iterable[PersonaFile]) -> list[str]:
    """The sections that a persona's files add to the prompt; none where they are switched off."""
    if persona.file_sync == Persona.FileSync.DISABLED:
        return []
    return render_files({file.name: file.content for file in files})


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
    rows = _learned(tenant, person_id, persona_id).filter(key=DIRECTIVE_KEY)
    return rows.order_by("persona_id").first()  # nulls last: a persona's own comes first


def list_directives(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Memory]:
    """Every live directive about a person."""
    rows = Memory.objects.for_tenant(tenant).filter(person_id=person_id, status=Memory.Status.ACTIVE)
    return rows.filter(namespace=NAMESPACE, key=DIRECTIVE_KEY)


def list_settled(*, tenant: Tenant | UUID, persona_id: UUID, person_id: UUID) -> set[str]:
    """Matters of which a persona's team or the person has said how it is to be."""
    persona = list_all_personas(tenant=tenant).filter(pk=persona_id).first() or make_default_persona(tenant)
    overlay = list_overlays(tenant=tenant, persona_id=persona_id, person_id=person_id).first()
    return (
        decided_about(persona, overlay.fields, overlay.matters)
        if overlay
        else set(decided_about(persona, {}, {}))
    )


def _learned(tenant: Tenant | UUID, person_id: UUID | None, persona_id: UUID | None) -> QuerySet[Memory]:
    mine = Q(persona_id=None) | Q(persona_id=persona_id) if persona_id else Q(persona_id=None)
    return Memory.objects.for_tenant(tenant).filter(
        mine, person_id=person_id, namespace=NAMESPACE, status=Memory.Status.ACTIVE
    )

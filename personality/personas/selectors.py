"""Reading personas, their files and their versions."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q, QuerySet

from nebo.errors import Conflict, NotFound
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from personality.models import Persona, PersonaFile, PersonaRevision
from personality.personas.files import FILE_NAMES, FileText, render_files, written_by_profile

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

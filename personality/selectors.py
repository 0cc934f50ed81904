"""Reading personas and what was learned about style."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet

from memories.models import Memory
from nebo.errors import Conflict, NotFound
from nebo.tenants.models import Tenant
from personality.directive import DIRECTIVE_KEY, NAMESPACE, STYLE_PREFIX
from personality.files import FILE_NAMES, FileText, render_files, written_by_profile
from personality.models import Persona, PersonaFile, PersonaRevision

DEFAULT_SLUG = "default"


def get_default_persona(*, tenant: Tenant | UUID) -> Persona:
    """The persona of whoever names none; as it would be made, when nobody has made or changed it yet."""
    found = Persona.objects.for_tenant(tenant).filter(slug=DEFAULT_SLUG).first()
    if found is not None:
        return found
    return Persona(tenant_id=tenant if isinstance(tenant, UUID) else tenant.pk, slug=DEFAULT_SLUG)


def get_persona(*, tenant: Tenant | UUID, slug: str | None = None, persona_id: UUID | None = None) -> Persona:
    """A stored persona by slug or id; raises NotFound."""
    rows = Persona.objects.for_tenant(tenant)
    found = (
        rows.filter(pk=persona_id).first() if persona_id else rows.filter(slug=slug or DEFAULT_SLUG).first()
    )
    if found is None:
        raise NotFound("No persona has this slug.", field="persona")
    return found


def list_personas(*, tenant: Tenant | UUID, persona_id: UUID | None = None) -> QuerySet[Persona]:
    """Every persona, or the one a key is bound to."""
    rows = Persona.objects.for_tenant(tenant)
    return rows.filter(pk=persona_id) if persona_id else rows


def list_revisions(*, tenant: Tenant | UUID, persona: Persona) -> QuerySet[PersonaRevision]:
    """What a persona was and became, the newest first."""
    return PersonaRevision.objects.for_tenant(tenant).filter(persona=persona).order_by("-number")


def get_file(*, tenant: Tenant | UUID, persona: Persona, name: str) -> FileText:
    """A persona's file; raises NotFound for a name there is none of, Conflict where files are switched off."""
    if name not in FILE_NAMES:
        raise NotFound
    if persona.file_sync == Persona.FileSync.DISABLED:
        raise Conflict("The files of this persona are switched off (file_sync: disabled).", field="file_sync")
    written = PersonaFile.objects.for_tenant(tenant).filter(persona=persona, name=name).first()
    if written is None:
        return FileText(name, written_by_profile(persona, name))
    return FileText(name, written.content, written.updated_at)


def list_prompt_files(*, tenant: Tenant | UUID, persona: Persona) -> list[str]:
    """The sections that a persona's files add to the prompt, from one query; none where they are switched off."""
    if persona.file_sync == Persona.FileSync.DISABLED:
        return []
    rows = PersonaFile.objects.for_tenant(tenant).filter(persona_id=persona.pk)
    return render_files(dict(rows.values_list("name", "content")))


def list_styles(
    *, tenant: Tenant | UUID, profile_id: UUID | None, persona_id: UUID | None = None
) -> QuerySet[Memory]:
    """Live observations of style about a person, the most often seen first."""
    rows = _learned(tenant, profile_id, persona_id).filter(key__startswith=STYLE_PREFIX)
    return rows.order_by("-reinforced_count", "-last_reinforced")


def find_directive(
    *, tenant: Tenant | UUID, profile_id: UUID, persona_id: UUID | None = None
) -> Memory | None:
    """The learned directive for a persona, or the one for all of them."""
    rows = _learned(tenant, profile_id, persona_id).filter(key=DIRECTIVE_KEY)
    return rows.order_by("persona_id").first()  # nulls last: a persona's own comes first


def _learned(tenant: Tenant | UUID, profile_id: UUID | None, persona_id: UUID | None) -> QuerySet[Memory]:
    mine = Q(persona_id=None) | Q(persona_id=persona_id) if persona_id else Q(persona_id=None)
    return Memory.objects.for_tenant(tenant).filter(
        mine, profile_id=profile_id, namespace=NAMESPACE, status=Memory.Status.ACTIVE
    )

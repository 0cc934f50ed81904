"""Everything of a team as a file on disk: its settings and personas, and each of its people as an export has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import QuerySet
from django.utils import timezone

from memories.audit.log import record_audit
from nebo.product.governance.belongings import PersonalModel
from nebo.product.governance.services.export_file import as_json, columns_of, write_archive, write_lines
from nebo.product.governance.services.manifest import FileDigest
from nebo.product.governance.services.tenant_settings import settings_of
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona, PersonaFile, PersonaRevision

FORMAT = "nebo-tenant"
VERSION = 1
FILE = "tenant.json"
SHARED_TABLES: Mapping[str, tuple[PersonalModel, Mapping[str, Any]]] = {  # by file: rows that are nobody's
    "personas": (Persona, {}),
    "persona_files": (PersonaFile, {}),
    "persona_revisions": (PersonaRevision, {"person": None}),
}
FOLDER = "people/{number:06}/"


def write_tenant_file(
    archive: ZipFile, *, tenant: Tenant, actor: Actor, tell: Callable[[UserProfile], object]
) -> int:
    """How many people there are in it. Opens its own scopes; `tell` hears of each person."""
    made_at = timezone.now().isoformat()
    files: dict[str, FileDigest] = {}
    with tenant_scope(tenant):
        for name in SHARED_TABLES:
            files[f"{name}.jsonl"] = write_lines(
                archive, lambda: None, f"{name}.jsonl", list_shared_rows(tenant, name)
            )
    people = []
    for number, person in enumerate(_list_people(tenant), start=1):
        folder = FOLDER.format(number=number)
        write_archive(archive, person, store=lambda: None, folder=folder)
        people.append({"folder": folder, "external_id": person.external_id, "kind": person.kind})
        tell(person)
    about = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": made_at,
        "tenant": {"id": str(tenant.pk), "slug": tenant.slug, "name": tenant.name},
        "settings": settings_of(tenant),
        "files": {name: digest.as_json() for name, digest in files.items()},
        "people": people,
    }
    archive.writestr(FILE, as_json(about, indent=2))
    _note(tenant, actor, len(people))
    return len(people)


def list_shared_rows(tenant: Tenant, name: str) -> QuerySet[Any, Any]:
    """Rows of a table that are no person's, by column. In the tenant's scope."""
    model, chosen = SHARED_TABLES[name]
    rows: QuerySet[Any, Any] = model.objects.for_tenant(tenant).filter(**chosen).order_by("pk")
    return rows.values(*columns_of(model))


def _list_people(tenant: Tenant) -> Iterator[UserProfile]:
    """Everybody, and the profile that stands for all, without those who are being erased."""
    with tenant_scope(tenant):
        rows = UserProfile.objects.for_tenant(tenant).exclude(external_id__startswith="erased:")
        ids = list(rows.order_by("pk").values_list("pk", flat=True))
    for person_id in ids:
        with tenant_scope(tenant):
            person = UserProfile.objects.for_tenant(tenant).filter(pk=person_id).first()
        if person is not None:
            yield person


def _note(tenant: Tenant, actor: Actor, people: int) -> None:
    with tenant_scope(tenant):
        record_audit(
            tenant=tenant,
            actor=actor,
            action="tenant.exported",
            object_type="tenant",
            object_id=tenant.pk,
            detail={"people": people},
        )


def new_archive(file: Any) -> ZipFile:
    """To write a team into."""
    return ZipFile(file, "w", ZIP_DEFLATED)

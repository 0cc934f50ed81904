"""Everything known about a person as one ZIP file: asked for, read part by part, dropped in time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from nebo.errors import Conflict, NotFound
from nebo.jobs.models import Job
from nebo.jobs.services import enqueue
from nebo.product.governance.models import Export, ExportPart
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.reading import write_after_reading
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.windows import find_cutoff

KIND = "export-person"
REMOVED_AT_ONCE = 50  # exports a statement


def request_export(*, tenant: Tenant | UUID, person: UserProfile, actor: Actor) -> tuple[Export, Job]:
    """The export that is being made for this person, or a new one, and its job."""
    export = Export.objects.for_tenant(tenant).filter(person=person, ready_at=None).first()
    if export is None:
        export = Export.objects.for_tenant(tenant).create(person=person, requested_by=str(actor)[:120])
        _audit(tenant, export, actor, "person.export_requested")
    job = enqueue(
        tenant=tenant,
        kind=KIND,
        payload={"export_id": str(export.pk)},
        dedupe_key=f"export:{export.pk}",
        person_id=person.pk,
    )
    return export, job


def list_exports(*, tenant: Tenant, person_id: UUID) -> QuerySet[Export]:
    """A person's exports that can still be had, or are being made."""
    rows = Export.objects.for_tenant(tenant).filter(person_id=person_id)
    before = find_cutoff(tenant.export_days)
    return rows.filter(requested_at__gte=before) if before else rows


def get_export(*, tenant: Tenant, person_id: UUID, export_id: UUID) -> Export:
    """A finished one; raises NotFound, and Conflict for one that is being made."""
    export = list_exports(tenant=tenant, person_id=person_id).filter(pk=export_id).first()
    if export is None:
        raise NotFound
    if export.ready_at is None:
        raise Conflict(_("This export is still being made."))
    return export


def note_download(*, tenant: Tenant | UUID, export: Export, actor: Actor) -> None:
    """Into the log that the person can read."""
    write_after_reading(partial(_audit, tenant, export, actor, "person.export_downloaded"))


def read_export(*, tenant: Tenant | UUID, export_id: UUID) -> Iterator[bytes]:
    """The file, part by part, each in a short scope of its own; ends early if it is removed meanwhile."""
    number = 0
    while True:
        with tenant_scope(tenant):
            rows = ExportPart.objects.for_tenant(tenant).filter(export_id=export_id, number=number)
            data = rows.values_list("data", flat=True).first()
        if data is None:
            return
        yield bytes(data)
        number += 1


def _audit(tenant: Tenant | UUID, export: Export, actor: Actor, action: str) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="export",
        object_id=export.pk,
        person_id=export.person_id,
        detail={"records": export.records} if export.records else {},
    )


def list_outlived_exports(*, tenant: Tenant) -> QuerySet[Export]:
    """Exports past the tenant's window; none where it keeps for ever."""
    rows = Export.objects.for_tenant(tenant)
    before = find_cutoff(tenant.export_days)
    return rows.filter(requested_at__lt=before) if before else rows.none()


def remove_exports(*, tenant: Tenant) -> int:
    """Remove a batch of them with their parts; how many. In the tenant's scope."""
    ids = list(list_outlived_exports(tenant=tenant).values_list("pk", flat=True)[:REMOVED_AT_ONCE])
    return Export.objects.for_tenant(tenant).filter(pk__in=ids).delete()[0]

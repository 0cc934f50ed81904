"""A file brought along for a person: kept in parts, read and stored by a job, looked at, stopped."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from memories.storing.audited_writes import lock_person
from nebo.errors import Conflict, InvalidInput, NotFound, TooLarge
from nebo.jobs.lanes import Lane
from nebo.jobs.models import Job
from nebo.jobs.services import enqueue
from nebo.postgres.prepared import prepared_cursor
from nebo.product.governance.models import Import, ImportBatch, ImportPart
from nebo.tenants.actor import Actor
from nebo.tenants.ids import uuid7
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.pauses import find_standing, refusal_of
from nebo.tenants.scoping import tenant_id_of
from nebo.tenants.windows import find_cutoff

KIND = "import-person"
LANE = Lane.SUMMARY  # what is said now goes first
MAX_UPLOAD_BYTES = 60 << 20  # of a file as it is sent; DATA_UPLOAD_MAX_MEMORY_SIZE bounds the whole request
MAX_WAITING = 3  # files of one person that haven't ended
NAME_CHARS = 200
PART_BYTES = 1 << 18
REMOVED_AT_ONCE = 50  # imports a statement
ADD_PART = """
INSERT INTO governance_importpart (id, tenant_id, incoming_id, number, data) VALUES ($1, $2, $3, $4, $5)
"""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came. `manages` says that who brought it may change what a whole team shares."""

    source: str
    data: bytes
    name: str = ""
    dry_run: bool = False
    manages: bool = False
    after_erasure: bool = False


def request_import(
    *, tenant: Tenant | UUID, person: UserProfile, upload: Upload, actor: Actor
) -> tuple[Import, Job]:
    """Keep the file, and have a job bring in what stands in it. Raises InvalidInput, TooLarge, Conflict and
    CollectionPaused.
    """
    _check(upload)
    held = lock_person(tenant=tenant, person=person)
    check_open(held, actor)
    waiting = Import.objects.for_tenant(tenant).filter(person=held, ended_at=None)
    if waiting.count() >= MAX_WAITING:
        raise Conflict(_("%(number)s files are on their way already.") % {"number": MAX_WAITING})
    incoming = Import.objects.for_tenant(tenant).create(
        person=held,
        source=upload.source,
        name=upload.name[:NAME_CHARS],
        size=len(upload.data),
        dry_run=upload.dry_run,
        manages=upload.manages,
        after_erasure=upload.after_erasure,
        requested_by=str(actor)[:120],
        trust=actor.trust,
    )
    _keep_parts(incoming, upload.data)
    incoming.job = _enqueue(incoming)
    incoming.save(update_fields=["job"])
    note(incoming, actor, "person.import_requested")
    return incoming, incoming.job


def check_open(person: UserProfile, actor: Actor) -> None:
    """Raise CollectionPaused while nothing is collected about the person: then no file is brought in, by their own hand
    either, since all that stands in it would be learned from.
    """
    if not person.has_pause:
        return
    pause = find_standing(tenant=person.tenant_id, person_id=person.pk, key_id=actor.key_id)
    if pause is not None:
        raise refusal_of(pause)


def _check(upload: Upload) -> None:
    if not upload.data:
        raise InvalidInput(_("The file is empty."), field="file")
    if len(upload.data) > MAX_UPLOAD_BYTES:
        raise TooLarge(
            _("At most %(megabytes)s MB a file.") % {"megabytes": MAX_UPLOAD_BYTES >> 20}, field="file"
        )


def _keep_parts(incoming: Import, data: bytes) -> None:
    """SQL: the ORM would write the bytes into the statement, twice as long."""
    ImportPart.objects.for_tenant(incoming.tenant_id)  # raises unless the scope is this tenant's
    with prepared_cursor() as cursor:
        for number, first in enumerate(range(0, len(data), PART_BYTES)):
            part = data[first : first + PART_BYTES]
            cursor.execute(ADD_PART, [uuid7(), incoming.tenant_id, incoming.pk, number, part])


def _enqueue(incoming: Import) -> Job:
    return enqueue(
        tenant=incoming.tenant_id,
        kind=KIND,
        payload={"import_id": str(incoming.pk)},
        dedupe_key=f"import:{incoming.pk}",
        person_id=incoming.person_id,
    )


def list_imports(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Import]:
    """What was brought along for a person."""
    return Import.objects.for_tenant(tenant).filter(person_id=person_id)


def get_import(*, tenant: Tenant | UUID, person_id: UUID, import_id: UUID) -> Import:
    """One of them; raises NotFound."""
    found = list_imports(tenant=tenant, person_id=person_id).filter(pk=import_id).first()
    if found is None:
        raise NotFound
    return found


def cancel_import(*, tenant: Tenant | UUID, person_id: UUID, import_id: UUID, actor: Actor) -> Import:
    """Stop it; what has come in stays. Raises NotFound, and Conflict for one that has ended."""
    rows = list_imports(tenant=tenant, person_id=person_id).select_for_update(no_key=True)
    incoming = rows.filter(pk=import_id).first()
    if incoming is None:
        raise NotFound
    if incoming.outcome:
        raise Conflict(_("This import has ended."))
    end_import(incoming, Import.Outcome.CANCELLED)
    note(incoming, actor, "person.import_cancelled")
    return incoming


def end_import(incoming: Import, outcome: str, fault: dict[str, str] | None = None) -> None:
    """It has ended; what is left of the file goes. In the tenant's scope, with the row held."""
    incoming.ended_at, incoming.outcome, incoming.fault = timezone.now(), outcome, fault
    incoming.save()
    ImportPart.objects.for_tenant(incoming.tenant_id).filter(incoming=incoming).delete()
    ImportBatch.objects.for_tenant(incoming.tenant_id).filter(incoming=incoming).delete()


def note(incoming: Import, actor: Actor, action: str) -> None:
    """Into the log that the person can read."""
    record_audit(
        tenant=incoming.tenant_id,
        actor=actor,
        action=action,
        object_type="import",
        object_id=incoming.pk,
        person_id=incoming.person_id,
        detail={"source": incoming.source, "dry_run": incoming.dry_run, "records": incoming.counts},
    )


def list_outlived_imports(*, tenant: Tenant) -> QuerySet[Import]:
    """Imports past the tenant's window for files, whether they came to an end or not."""
    rows = Import.objects.for_tenant(tenant_id_of(tenant))
    before = find_cutoff(tenant.export_days)
    return rows.filter(requested_at__lt=before) if before else rows.none()


def remove_imports(*, tenant: Tenant) -> int:
    """Remove a batch of them with what is left of their files; how many."""
    ids = list(list_outlived_imports(tenant=tenant).values_list("pk", flat=True)[:REMOVED_AT_ONCE])
    Import.objects.for_tenant(tenant).filter(pk__in=ids).delete()
    return len(ids)

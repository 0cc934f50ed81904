"""Everything about a person as a file on disk: the same archive that the job of an export keeps in the database."""

from __future__ import annotations

from typing import IO, Any, cast
from zipfile import ZIP_DEFLATED, ZipFile

from memories.audit.log import record_audit
from nebo.product.governance.services.export_file import write_archive
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope


def write_person_file(
    file: IO[bytes], *, tenant: Tenant, person: UserProfile, actor: Actor
) -> dict[str, int]:
    """How many rows of what. Opens its own scopes."""
    with ZipFile(cast(Any, file), "w", ZIP_DEFLATED) as archive:
        records = write_archive(archive, person, store=lambda: None)
    with tenant_scope(tenant):
        record_audit(
            tenant=tenant,
            actor=actor,
            action="person.exported",
            object_type="export",
            person_id=person.pk,
            detail={"records": records},
        )
    return records

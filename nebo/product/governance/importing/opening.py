"""From a file to the batches that it is stored in: an archive of Nebo's own, or what another system made."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from zipfile import ZipFile

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from nebo.errors import Conflict, InvalidInput
from nebo.product.governance.importing.archive.reading import PERSONAS_TABLE, Archive, Rows, open_archive
from nebo.product.governance.importing.batches import Batch, End, cut
from nebo.product.governance.importing.reading import UNREADABLE, read_brought
from nebo.product.governance.models import Import
from nebo.product.governance.services.erasure import was_erased_after
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file as it came. `makes` lets it make personas that lack, `after_erasure` somebody who was erased come back."""

    source: str
    data: bytes
    name: str = ""
    makes: bool = False
    after_erasure: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that was found to be whole; its batches, of `total` pieces, can be taken once."""

    batches: Iterable[Batch]
    total: int
    left_out: Counter[str] = field(default_factory=Counter)


def open_incoming(file: Incoming, *, tenant: Tenant, person: UserProfile) -> Opened:
    """Look at all of it. Opens a scope of its own. Raises NeboError."""
    if file.source != Import.Source.NEBO:
        brought = read_brought(file.data, source=file.source, name=file.name)
        total = len(brought.notes) + sum(len(history.messages) for history in brought.histories)
        return Opened(cut(brought, source=file.source), total, brought.left_out)
    try:
        files = ZipFile(io.BytesIO(file.data))
        archive = open_person(files, file, tenant=tenant, person=person)
    except UNREADABLE as error:
        raise InvalidInput(_("The archive can't be read."), field="#") from error
    return Opened(list_batches(archive), sum(map(len, archive.levels.values())))


def open_person(
    files: ZipFile, file: Incoming, *, tenant: Tenant, person: UserProfile, folder: str = ""
) -> Archive:
    """One person's files in an archive. Opens a scope of its own. Raises NeboError."""
    with tenant_scope(tenant):
        archive = open_archive(files, tenant=tenant, person=person, makes=file.makes, folder=folder)
        if not file.after_erasure:
            check_erased(archive, tenant)
    return archive


def check_erased(archive: Archive, tenant: Tenant) -> None:
    """Who had themselves erased comes back only on purpose. In the tenant's scope. Raises Conflict."""
    made_at = made_at_of(archive)
    for external_id in {archive.manifest["person"]["external_id"], archive.person.external_id}:
        if was_erased_after(tenant=tenant, external_id=external_id, moment=made_at):
            raise Conflict(
                _(
                    "This person was erased after the file was made. If they ask to come back, say so: after_erasure."
                )
            )


def made_at_of(archive: Archive) -> datetime:
    """When the archive was made."""
    found = parse_datetime(archive.manifest["made_at"])
    assert found is not None
    return found


def list_batches(archive: Archive) -> Iterator[Batch]:
    """Personas that lack, then each table, then the end."""
    if archive.personas.new:
        yield Rows(PERSONAS_TABLE, tuple(archive.personas.new), archive.ours)
    yield from archive.rows()
    yield End(archive.profile)

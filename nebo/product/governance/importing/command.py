"""A command that brings in a file at once, without a worker."""

from __future__ import annotations

import io
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar
from zipfile import ZipFile

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from memories.audit.log import record_audit
from nebo.errors import InvalidInput, NeboError
from nebo.product.governance.importing.opening import Incoming, Opened, open_incoming
from nebo.product.governance.importing.reading import MARKDOWN, MAX_FILE_BYTES
from nebo.product.governance.importing.requests import check_open
from nebo.product.governance.importing.storing import foresee_batch, store_batch
from nebo.tenants.actor import Actor
from nebo.tenants.commands import tenant_named
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import check_external_id, get_or_create_person

ACTOR = Actor(kind="operator", id="import")


class ImportCommand(BaseCommand):
    """Its `sources` say which files it takes; of several, one is named."""

    sources: ClassVar[Sequence[str]] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the file, or the archive with it")
        if len(self.sources) > 1:
            parser.add_argument("--source", required=True, choices=self.sources, help="who made the file")
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="whose it becomes")
        parser.add_argument("--user", required=True, metavar="EXTERNAL_ID", help="whom it is about")
        parser.add_argument("--dry-run", action="store_true", help="only count; store nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        file, dry_run = Path(options["file"]), options["dry_run"]
        tenant = tenant_named(options["tenant"])
        try:
            check_external_id(options["user"])
            incoming = self.read(file, options)
            person = find_or_make(tenant, options["user"], makes=not dry_run)
            opened = open_incoming(incoming, tenant=tenant, person=person)
            counts = import_all(tenant, person, opened, dry_run=dry_run)
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        except NeboError as error:
            raise CommandError(f"{error.field}: {error.detail}" if error.field else error.detail) from error
        self.stdout.write(self.closing_line(counts, opened.left_out, dry_run=dry_run))

    def read(self, file: Path, options: dict[str, Any]) -> Incoming:
        """The file with what is wanted of it. Raises OSError and InvalidInput."""
        source = options.get("source") or self.sources[0]
        return Incoming(
            source=source,
            data=read_file(file),
            name=file.name if source == "markdown" else file.stem,
            makes=True,
            after_erasure=options.get("after_erasure", False),
        )

    def closing_line(self, counts: Counter[str], left_out: Counter[str], *, dry_run: bool) -> str:
        """What was done, or would be."""
        would = "would be " if dry_run else ""
        parts = [
            f"{counts['messages']} messages {would}stored, {counts['sessions']} sessions {would}new",
            f"{counts['memories']} memories {would}stored, {counts['in_review']} {would}in review",
            f"{counts['known']} pieces were there already",
            f"{counts['left_out'] + left_out.total()} left out",
        ]
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(left_out.items()))
        return "; ".join(parts) + (f" ({reasons})." if reasons else ".")


def read_file(path: Path) -> bytes:
    """A file, or a folder's Markdown as an archive. Raises OSError and InvalidInput."""
    if path.is_dir():
        return _packed(path)
    if path.stat().st_size > MAX_FILE_BYTES:
        raise InvalidInput(f"At most {MAX_FILE_BYTES >> 20} MB a file.", field="#")
    return path.read_bytes()


def _packed(folder: Path) -> bytes:
    found = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in MARKDOWN]
    files = [path for path in found if path.is_file() and not path.is_symlink()]
    if not files:
        raise InvalidInput("There is no Markdown in this folder.", field="#")
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        for path in files:
            archive.writestr(str(path.relative_to(folder)), path.read_bytes())
    return packed.getvalue()


def find_or_make(tenant: Tenant, user: str, *, makes: bool) -> UserProfile:
    """The person of that name; one that isn't stored where nobody is to be made."""
    with tenant_scope(tenant):
        if makes:
            person = get_or_create_person(tenant=tenant, external_id=user)
            check_open(person, ACTOR)
            return person
        found = UserProfile.objects.for_tenant(tenant).filter(kind="person", external_id=user).first()
        return found or UserProfile(tenant=tenant, external_id=user)


def import_all(tenant: Tenant, person: UserProfile, opened: Opened, *, dry_run: bool) -> Counter[str]:
    """Batch by batch, with a bar. Raises NeboError, with what came before it stored."""
    counts: Counter[str] = Counter()
    aliases: dict[str, str] = {}
    with tqdm(total=opened.total, unit=" pieces", disable=None) as bar:
        for batch in opened.batches:
            with tenant_scope(tenant):
                if dry_run:
                    counts += foresee_batch(tenant=tenant, person=person, batch=batch, actor=ACTOR)
                else:
                    counts += store_batch(
                        tenant=tenant, person=person, batch=batch, actor=ACTOR, aliases=aliases
                    )
            bar.update(len(batch))
    if not dry_run:
        _note(tenant, person, counts)
    return counts


def _note(tenant: Tenant, person: UserProfile, counts: Counter[str]) -> None:
    """Into the log that the person can read."""
    with tenant_scope(tenant):
        record_audit(
            tenant=tenant,
            actor=ACTOR,
            action="person.imported",
            object_type="import",
            person_id=person.pk,
            detail={"records": dict(counts)},
        )

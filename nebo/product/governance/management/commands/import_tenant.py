"""`import_tenant FILE`: everything of a tenant, as export_tenant wrote it, brought back."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from nebo.errors import NeboError
from nebo.product.governance.importing.reading import UNREADABLE
from nebo.product.governance.importing.tenant import (
    TenantArchive,
    TenantCounts,
    apply_settings,
    check_tenant,
    import_tenant,
    open_tenant,
)
from nebo.tenants.actor import Actor
from nebo.tenants.commands import tenant_named
from nebo.tenants.models import Tenant
from nebo.tenants.services import create_tenant

ACTOR = Actor(kind="operator", id="import")


class Command(BaseCommand):
    """All of it is checked, then stored a batch a transaction: run again it goes on, and doubles nothing."""

    help = "Bring back the export of a tenant, into that one, another, or a new one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the ZIP file")
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="whose it becomes")
        parser.add_argument(
            "--create", action="store_true", help="make that tenant, with the settings of the file"
        )
        parser.add_argument("--dry-run", action="store_true", help="only check and count; needs the tenant")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["file"])
        try:
            with ZipFile(path) as files:
                told = self.bring(open_tenant(files), options)
        except OSError as error:
            raise CommandError(f"{path} can't be read: {error.strerror}.") from error
        except UNREADABLE as error:
            raise CommandError(f"{path} is no archive.") from error
        except NeboError as error:
            raise CommandError(f"{error.field}: {error.detail}" if error.field else error.detail) from error
        self.stdout.write(told)

    def bring(self, archive: TenantArchive, options: dict[str, Any]) -> str:
        """What was done. Raises NeboError."""
        if options["create"] and not options["dry_run"]:
            tenant = create_tenant(slug=options["tenant"], name=archive.name)
            apply_settings(archive, tenant=tenant, actor=ACTOR)
        else:
            tenant = tenant_named(options["tenant"])
        total = check_tenant(archive, tenant=tenant)
        if options["dry_run"]:
            return f"{total} rows about {len(archive.people)} people are whole."
        return _told(self.store(archive, tenant, total))

    def store(self, archive: TenantArchive, tenant: Tenant, total: int) -> TenantCounts:
        """With a bar."""
        with tqdm(total=total, unit=" rows", disable=None) as bar:
            return import_tenant(archive, tenant=tenant, actor=ACTOR, tell=bar.update)


def _told(counts: TenantCounts) -> str:
    came = sum(count for name, count in counts.rows.items() if name != "known")
    left = f"; {counts.erased} were erased since and stay so" if counts.erased else ""
    return (
        f"{came} rows about {counts.people} people came in, {counts.rows['known']} were there already{left}."
    )

"""`export_person FILE`: everything about a person as a file, at once and without a worker."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nebo.errors import NotFound
from nebo.product.governance.services.person_file import write_person_file
from nebo.tenants.actor import Actor
from nebo.tenants.commands import tenant_named
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import get_person

ACTOR = Actor(kind="operator", id="export")


class Command(BaseCommand):
    """The same file that a job makes."""

    help = "Write everything about a person into a ZIP file, which import_person brings back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the ZIP file to write")
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="the person's team")
        parser.add_argument("--user", required=True, metavar="EXTERNAL_ID", help="the person")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant, path = tenant_named(options["tenant"]), Path(options["file"])
        try:
            with tenant_scope(tenant):
                person = get_person(tenant=tenant, external_id=options["user"])
        except NotFound as error:
            raise CommandError(f"There is no {options['user']} in {tenant.slug}.") from error
        try:
            with path.open("xb") as file:
                records = write_person_file(file, tenant=tenant, person=person, actor=ACTOR)
        except OSError as error:
            raise CommandError(f"{path} can't be written: {error.strerror}.") from error
        self.stdout.write(f"{sum(records.values())} rows of {len(records)} tables in {path}.")

"""`export_tenant FILE`: everything of a tenant as a file, which import_tenant brings back."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from nebo.product.governance.services.tenant_file import new_archive, write_tenant_file
from nebo.tenants.actor import Actor
from nebo.tenants.commands import tenant_named

ACTOR = Actor(kind="operator", id="export")


class Command(BaseCommand):
    """Person after person."""

    help = (
        "Write everything of a tenant into a ZIP file: settings, personas, and all about each of its people."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the ZIP file to write")
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="whose")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant, path = tenant_named(options["tenant"]), Path(options["file"])
        try:
            with (
                path.open("xb") as file,
                new_archive(file) as archive,
                tqdm(unit=" people", disable=None) as bar,
            ):
                people = write_tenant_file(
                    archive, tenant=tenant, actor=ACTOR, tell=lambda person: bar.update(1)
                )
        except OSError as error:
            raise CommandError(f"{path} can't be written: {error.strerror}.") from error
        self.stdout.write(f"{people} people in {path}.")

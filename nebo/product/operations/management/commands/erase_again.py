"""`erase_again`: whoever was erased and is there again."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from nebo.product.governance.services.ledger import default_path, read_ledger
from nebo.product.operations.backup.verifying import erase_again


class Command(BaseCommand):
    """For a database that went back a little, such as a standby that took the place of its primary."""

    help = "Erase again whoever the ledger of erasures names and the database still has. Nebo may be running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--erased",
            type=Path,
            default=None,
            help=f"the ledger of erasures, by default {default_path().name} in the data directory",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        count = erase_again(read_ledger(options["erased"] or default_path()))
        self.stdout.write(f"{count} people were erased again.")

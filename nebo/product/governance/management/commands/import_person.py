"""`import_person FILE`: everything about a person, as `export_person` or an export has it, brought back."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter

from nebo.product.governance.importing.command import ImportCommand


class Command(ImportCommand):
    """A batch a transaction: when it is stopped, the next run goes on, and doubles nothing."""

    help = "Bring back the export of a person, as that person or another, here or in another team."
    sources = ("nebo",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--after-erasure",
            action="store_true",
            help="also somebody who was erased after the file was made",
        )

    def closing_line(self, counts: Counter[str], left_out: Counter[str], *, dry_run: bool) -> str:
        """Table by table."""
        would = "would come" if dry_run else "came"
        found = {name: count for name, count in sorted(counts.items()) if count}
        total = sum(count for name, count in found.items() if name != "known")
        each = ", ".join(f"{name} {count}" for name, count in found.items())
        return f"{total} rows {would} in: {each or 'nothing'}."

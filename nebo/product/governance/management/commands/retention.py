"""`retention`: what tenants keep no longer, removed at once, or only counted."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from nebo.product.governance.retention import STEPS, apply_retention, count_due
from nebo.tenants.actor import Actor
from nebo.tenants.commands import tenants_named
from nebo.tenants.models import Tenant
from nebo.terminal_tables import format_table

ACTOR = Actor("operator", "shell")
NO_END = float("inf")  # seconds


class Command(BaseCommand):
    help = "Archive and remove what is past its window, as the daily job does, and say what and how much."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", default="", help="slug; all tenants without it")
        parser.add_argument("--dry-run", action="store_true", help="count, and change nothing")

    def handle(self, **options: Any) -> None:
        dry = options["dry_run"]
        head = ("TENANT", "WHAT", "KEPT", "DUE" if dry else "DONE")
        rows = [row for tenant in tenants_named(options["tenant"]) for row in _rows(tenant, dry=dry)]
        self.stdout.write(format_table(head, rows))


def _rows(tenant: Tenant, *, dry: bool) -> list[tuple[str, ...]]:
    counts = (
        count_due(tenant=tenant)
        if dry
        else apply_retention(tenant=tenant, actor=ACTOR, seconds=NO_END).counts
    )
    return [(tenant.slug, step.name, step.window_of(tenant), str(counts[step.name])) for step in STEPS]

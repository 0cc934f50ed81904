"""`audit verify|seal`: whether the audit log is as it was sealed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memories.audit.sealing import ChainReport, check_chain, seal_all
from nebo.tenants.commands import tenants_named
from nebo.tenants.models import Tenant
from nebo.terminal_tables import format_table

HEAD = ("TENANT", "SEALS", "ENTRIES", "REMOVED", "UNSEALED", "STATE", "HEAD")


class Command(BaseCommand):
    help = "Check the hash chain over the audit log, or seal what has gathered. Ends with 1 on a fault."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        verify = actions.add_parser("verify", help="recompute every link, and name what does not fit")
        verify.add_argument("--head", default="", help="a digest noted before, which must be in the chain")
        for one in (verify, actions.add_parser("seal", help="seal what has gathered, without waiting")):
            one.add_argument("--tenant", default="", help="slug; all tenants without it")

    def handle(self, **options: Any) -> None:
        tenants = tenants_named(options["tenant"])
        if options["action"] == "seal":
            for tenant in tenants:
                self.stdout.write(f"{tenant.slug}: {seal_all(tenant=tenant)} entries sealed.")
            return
        self._verify(tenants, options["head"])

    def _verify(self, tenants: list[Tenant], noted: str) -> None:
        reports = [(tenant, check_chain(tenant=tenant)) for tenant in tenants]
        self.stdout.write(format_table(HEAD, [_cells(tenant, report) for tenant, report in reports]))
        faults = [f"{tenant.slug}: {fault}" for tenant, report in reports for fault in report.faults]
        for fault in faults:
            self.stderr.write(fault)
        if noted and not any(noted in report.digests for _, report in reports):
            raise CommandError("This digest is in no chain: the newest part of its chain was replaced.")
        if faults:
            raise CommandError(f"The log is not as it was sealed: {len(faults)} faults.")


def _cells(tenant: Tenant, report: ChainReport) -> tuple[str, ...]:
    counts = (report.seals, report.entries, report.removed_seals, report.unsealed)
    state = f"{len(report.faults)} faults" if report.faults else "whole"
    return (tenant.slug, *map(str, counts), state, report.head or "-")

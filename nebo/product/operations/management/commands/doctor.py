"""`doctor`: what is wrong with this installation, and how to mend it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from nebo.product.operations.checks import list_findings
from nebo.product.operations.findings import summary, table


class Command(BaseCommand):
    """Looks, tells, changes nothing; ends with 1 when something is broken."""

    help = "Say what is wrong with this installation, and how to mend it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--ask", action="store_true", help="send a few words to each configured model (may cost money)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        findings = list(list_findings(ask=options["ask"]))
        for line in table(findings):
            self.stdout.write(line)
        self.stdout.write(f"\n{summary(findings)}")
        if any(finding.state == "broken" for finding in findings):
            sys.exit(1)

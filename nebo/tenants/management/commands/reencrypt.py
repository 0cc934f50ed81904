"""`reencrypt`: secrets at rest under the newest key, so that an older one can be thrown away."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nebo.tenants.sealed_rows import reencrypt


class Command(BaseCommand):
    help = "Encrypt what is sealed in the database anew, under the newest of NEBO_ENCRYPTION_KEYS."

    def handle(self, **options: Any) -> None:
        counts = reencrypt()
        self.stdout.write(
            f"{counts.older} encrypted anew, {counts.newest} were under the newest key already."
        )
        if counts.unreadable:
            where = ", ".join(f"{table}: {count}" for table, count in sorted(counts.unreadable.items()))
            raise CommandError(
                f"Can't be read with any key that is set: {where}. They were left as they are."
            )

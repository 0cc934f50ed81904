"""`restore FILE`: a backup into an empty database, compared with what was dumped."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from nebo.env import env
from nebo.jobs.selectors import find_beat_age_s
from nebo.product.governance.services.ledger import default_path, read_ledger
from nebo.product.operations.backup.archive import Archive, BackupFailed, read_archive
from nebo.product.operations.backup.restoring import check_target, list_differences, restore
from nebo.product.operations.backup.verifying import (
    erase_again,
    list_broken_chains,
    list_broken_walls,
    list_failed_searches,
)
from nebo.product.operations.health import SILENT_S
from nebo.product.operations.steps import Steps
from nebo.tenants.scoping import operator_scope


class Command(BaseCommand):
    help = "Bring a backup back into an empty database, and check that everything is there."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what `backup` has written")
        parser.add_argument("--replace", action="store_true", help="remove what the database holds now")
        parser.add_argument(
            "--erased",
            type=Path,
            default=None,
            help=f"the ledger of erasures, by default {default_path().name} in the data directory",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._restore(options)
        except (BackupFailed, psycopg.Error, DatabaseError) as error:
            raise CommandError(str(error)) from error
        finally:
            connections.close_all()

    def _restore(self, options: dict[str, Any]) -> None:
        archive = read_archive(options["file"].resolve())
        check_target(archive, settings.DATABASE_URLS, replace=options["replace"])
        _refuse_beside_worker()
        take_key(archive)
        steps = Steps(sys.stdout)
        with steps.step("Database") as step:
            connections.close_all()
            restore(archive, settings.DATABASE_URLS)
            step.done = f"Database as of {archive.manifest.made_at}"
        with steps.step("Rows compared") as step:
            _refuse(list_differences(archive, settings.DATABASE_URLS))
            step.done = (
                f"{archive.manifest.rows:,} rows of {len(archive.manifest.tables)} tables are the same"
            )
        with steps.step("Migrations since then"):
            call_command("migrate", database="owner", verbosity=0, interactive=False)
        with steps.step("Walls between tenants"):
            _refuse(list_broken_walls())
        with steps.step("Audit log as it was sealed"):
            _refuse(list_broken_chains())
        with steps.step("People erased since then") as step:
            count = erase_again(read_ledger(options["erased"] or default_path()))
            step.done = f"{count} people erased since then are erased again"
        with steps.step("A first search"):
            _refuse(list_failed_searches())


def take_key(archive: Archive) -> None:
    """Put the backup's secret key in place and begin again with it. Raises BackupFailed where SECRET_KEY forbids it."""
    if not archive.key or archive.key == env.secret_key:
        return
    path = env.data_dir / "secret_key"
    if not path.exists() or path.read_text().strip() != env.secret_key:
        raise BackupFailed(
            "SECRET_KEY is set, to another key than the backup's: set it to that, or unset it."
        )
    path.write_text(archive.key)
    connections.close_all()
    os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606  ourselves


def _refuse_beside_worker() -> None:
    try:
        with operator_scope():
            age_s = find_beat_age_s()
    except DatabaseError:
        return
    if age_s is not None and age_s < SILENT_S:
        raise BackupFailed("Nebo is running on this database: stop it first.")


def _refuse(faults: Iterable[str]) -> None:
    found = list(faults)
    if found:
        raise BackupFailed("\n".join(found))

"""What must be in place before anything is served: tables, walls, static files, an embedding model."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from tqdm import tqdm

from nebo.database import prepare_database
from nebo.env import env
from nebo.llm.errors import ConfigurationError
from nebo.product.operations.steps import Steps
from nebo.tenants.management.commands.migrate import Command as Migrate
from nebo.tenants.startup import check_database
from search.embeddings.registry import get_embedder
from search.models import EmbeddingModel

FINGERPRINT = "fingerprint"  # what the collected files were collected from


def prepare(steps: Steps) -> None:
    """Every step in order. Raises psycopg.Error, UnsafeDatabase, ConfigurationError."""
    migrate(steps)
    with steps.step("Walls between tenants"):
        check_database()
    with steps.step("Static files"):
        collect_static()
    with steps.step("Embedding model") as step:
        step.done = name_embedder()


def name_embedder() -> str:
    """The model by name; where vectors were made before and no longer can be, that words alone are searched.

    Raises ConfigurationError on a new installation, which could be set up wrongly for good.
    """
    try:
        embedder = get_embedder()
    except ConfigurationError as error:
        if not EmbeddingModel.objects.filter(state=EmbeddingModel.State.SERVING).exists():
            raise
        return f"No vectors, search by words alone: {error}"
    return f"Embedding model {embedder.provider}/{embedder.model}, {embedder.dimensions} dimensions"


# --- Tables ----------------------------------------------------------------------------------------------


class _MigrateWithBar(Migrate):
    """The command, telling a bar instead of the terminal."""

    def __init__(self, bar: tqdm[Any]) -> None:
        super().__init__()
        self.bar = bar

    def migration_progress_callback(self, action: str, migration: Any = None, fake: bool = False) -> None:
        if action.endswith("_success"):
            self.bar.update()


def migrate(steps: Steps) -> None:
    """As the owner; a database that is up to date is left alone."""
    with steps.step("Database") as step:
        if not env.database_owner_url:
            prepare_database(settings.DATABASE_URLS)
        waiting = count_waiting_migrations()
        if waiting:
            with step.bar(waiting, "migrations") as bar:
                call_command(_MigrateWithBar(bar), database="owner", verbosity=0, interactive=False)
        step.done = f"Database, {waiting} migrations applied" if waiting else "Database, up to date"


def count_waiting_migrations() -> int:
    """How many migrations the database has not seen."""
    executor = MigrationExecutor(connections["owner"])
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


# --- Static files ----------------------------------------------------------------------------------------


def collect_static() -> bool:
    """Collect and compress, unless nothing changed since the last time; whether it was needed."""
    stamp = Path(settings.STATIC_ROOT) / FINGERPRINT
    fingerprint = fingerprint_sources()
    if stamp.exists() and stamp.read_text() == fingerprint:
        return False
    call_command("collectstatic", interactive=False, verbosity=0, clear=stamp.exists())
    stamp.write_text(fingerprint)
    return True


def fingerprint_sources() -> str:
    """Names, sizes and times of all static files there are, as one digest; and how they are kept."""
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for line in sorted(_describe_sources()):
        digest.update(line.encode())
    return digest.hexdigest()


def _describe_sources() -> Iterator[str]:
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            state = Path(storage.path(name)).stat()
            yield f"{name}\0{state.st_size}\0{state.st_mtime_ns}\n"

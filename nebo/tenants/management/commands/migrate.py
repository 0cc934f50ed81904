"""`migrate`, as the owner: roles, database and extensions first, then the tables."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.core.management.commands.migrate import Command as DjangoMigrate

from nebo.database import prepare_database
from nebo.env import env
from nebo.postgres.migration_state import adding_models_alone


class Command(DjangoMigrate):
    """Django's own command on the owner's connection."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def execute(self, *args: Any, **options: Any) -> str | None:
        if options["database"] == "owner" and not env.database_owner_url:
            prepare_database(settings.DATABASE_URLS)
        with adding_models_alone():
            return super().execute(*args, **options)

"""`prepare`: what must be in place before web servers and workers start that are run one by one."""

from __future__ import annotations

import sys
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from nebo.llm.errors import ConfigurationError
from nebo.product.operations.preparing import prepare
from nebo.product.operations.steps import Steps
from nebo.tenants.startup import UnsafeDatabase


class Command(BaseCommand):
    help = "Migrate, check the walls, collect static files and try the embedding model; starts nothing."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            prepare(Steps(sys.stdout))
        except (UnsafeDatabase, ConfigurationError, psycopg.Error, DatabaseError) as error:
            raise CommandError(str(error)) from error
        finally:
            connections.close_all()

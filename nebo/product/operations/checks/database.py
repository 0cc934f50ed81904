"""Postgres: does it answer, as each role, with what Nebo needs, and do the walls stand?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, connections

from nebo.database import EXTENSIONS, NO_SERVER_URL
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.postgres.sql_files import list_changed
from nebo.product.operations.distribution.functions import list_derived
from nebo.product.operations.findings import Finding, broken, ok
from nebo.product.operations.preparing import count_waiting_migrations
from nebo.tenants.startup import list_faults

OLDEST_MAJOR = 15  # PostgreSQL; `SET NULL (column)` in foreign keys came with it
SHOWN_FAULTS = 5


def look() -> Iterator[Finding]:
    """What rests on a thing that is broken is not asked."""
    steps: tuple[Callable[[], Finding], ...] = (
        look_at_server,
        look_at_roles,
        look_at_extensions,
        look_at_migrations,
        look_at_functions,
        look_at_walls,
    )
    for step in steps:
        finding = step()
        yield finding
        if finding.state == "broken":
            return


def look_at_server() -> Finding:
    """Reachable as the app, and new enough."""
    app = connections["default"]
    try:
        app.ensure_connection()
    except DatabaseError as error:
        return broken("PostgreSQL", describe(error), _server_remedy())
    version = app.connection.info.server_version
    shown = f"{version // 10_000}.{version % 10_000} at {place_of(app.settings_dict)}"
    if version // 10_000 < OLDEST_MAJOR:
        return broken("PostgreSQL", shown, f"Nebo needs {OLDEST_MAJOR} or newer.")
    return ok("PostgreSQL", shown)


def _server_remedy() -> str:
    if settings.DATABASE_URLS.admin == NO_SERVER_URL:
        return "The embedded server does not run: `python -m nebo.embedded start` says why."
    return "Is it up, and is DATABASE_URL right? If roles are missing, `manage.py migrate` makes them."


def describe(error: Exception) -> str:
    """The first line of what libpq says, which names host and role but never a password."""
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else type(error).__name__


def place_of(database: dict[str, Any]) -> str:
    """Host, port and database, without who and with what password."""
    return f"{database['HOST']}:{database['PORT']}/{database['NAME']}"


def look_at_roles() -> Finding:
    """The other two roles can log in; whether they may too much is asked by the walls."""
    for alias in ("operator", "owner"):
        try:
            connections[alias].ensure_connection()
        except DatabaseError as error:
            variable = f"DATABASE_{alias.upper()}_URL"
            return broken(
                "Roles", describe(error), f"Mend {variable}, or let `manage.py migrate` make the role."
            )
    return ok("Roles", ", ".join(settings.DATABASE_ROLES.values()))


def look_at_extensions() -> Finding:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extname, extversion FROM pg_extension")
        found = dict(cursor.fetchall())
    missing = [name for name in EXTENSIONS if name not in found]
    if missing:
        return broken(
            "Extensions",
            f"{', '.join(missing)} missing",
            "`manage.py migrate` makes it if it may; otherwise run CREATE EXTENSION as a superuser.",
        )
    return ok("Extensions", ", ".join(f"{name} {found[name]}" for name in EXTENSIONS))


def look_at_migrations() -> Finding:
    try:
        waiting = count_waiting_migrations()
    except DatabaseError as error:
        return broken("Migrations", f"not readable ({type(error).__name__})", "Run `manage.py migrate`.")
    if waiting:
        return broken("Migrations", f"{waiting} not applied", "Run `manage.py migrate`.")
    return ok("Migrations", "all applied")


def look_at_functions() -> Finding:
    """What the database runs is what the files of this version say."""
    with connection.cursor() as cursor:
        derived = list_derived() if IS_DISTRIBUTED else set()
        changed = [name for name in list_changed(cursor) if name not in derived]
    if changed:
        return broken(
            "SQL functions",
            f"otherwise than in their files: {', '.join(changed)}",
            "Load them in a migration.",
        )
    return ok("SQL functions", "as in their files" + (", or derived for Citus" if derived else ""))


def look_at_walls() -> Finding:
    """Row-level security, keys with the tenant, and a role that can't get past them."""
    faults = list_faults()
    if not faults:
        return ok("Walls between tenants", "stand")
    more = f" … and {len(faults) - SHOWN_FAULTS} more" if len(faults) > SHOWN_FAULTS else ""
    return broken(
        "Walls between tenants",
        " ".join(faults[:SHOWN_FAULTS]) + more,
        "Nebo doesn't start like this. Was a table changed by hand? See docs/tenancy.md.",
    )

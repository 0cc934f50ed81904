"""Advisory locks: names that one transaction at a time may hold, where there is no row yet that could be locked.

Postgres knows them by a number of 64 bits, here the hash of a name. `nebo.seal:<tenant>` is also taken by functions of
the database (`memories/sql/`).
"""

from __future__ import annotations

from django.db import DEFAULT_DB_ALIAS, connections

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
LOCK_SHARED = "SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0))"
TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))"
TRY_SESSION_LOCK = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"


def lock(name: str, *, using: str = DEFAULT_DB_ALIAS) -> None:
    """Wait for it, and hold it until the transaction ends."""
    _ask(LOCK, name, using)


def lock_shared(name: str, *, using: str = DEFAULT_DB_ALIAS) -> None:
    """Wait until nobody holds it alone, and keep everybody from it until the transaction ends."""
    _ask(LOCK_SHARED, name, using)


def try_lock(name: str, *, using: str = DEFAULT_DB_ALIAS) -> bool:
    """Hold it until the transaction ends, unless somebody else does."""
    return bool(_ask(TRY_LOCK, name, using))


def _ask(statement: str, name: str, using: str) -> object:
    with connections[using].cursor() as cursor:
        cursor.execute(statement, [name])
        return cursor.fetchone()[0]

"""Secrets at rest: whether all can be read, and whether an old key is still needed."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import DatabaseError

from nebo.product.operations.findings import Finding, broken, note, ok
from nebo.tenants.sealed_rows import count_sealed

NAME = "Secrets at rest"
BRING_KEY = (
    "Put the key they were encrypted with into NEBO_ENCRYPTION_KEYS or SECRET_KEY_FALLBACKS, behind the new one;"
    " or enter those provider keys anew and rotate those webhooks."
)
REENCRYPT = "`manage.py reencrypt` brings them under the newest key; then the older ones can go."


def look() -> Iterator[Finding]:
    """One finding."""
    try:
        counts = count_sealed()
    except DatabaseError:
        return  # what is wrong with the database has been said
    if counts.unreadable:
        where = ", ".join(f"{count} in {table}" for table, count in sorted(counts.unreadable.items()))
        yield broken(NAME, f"can't be read: {where}", BRING_KEY)
    elif counts.older:
        yield note(NAME, f"{counts.newest} under the newest key, {counts.older} under older ones", REENCRYPT)
    else:
        yield ok(NAME, f"{counts.newest}, all under the newest key")

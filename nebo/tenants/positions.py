"""How far a replica must have come to show what was written: noted by tenant, on the primary, at each commit."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple
from uuid import UUID

from django.db import connection, transaction
from psycopg.pq import TransactionStatus

from nebo.postgres.replica import PRIMARY, has_replica

EVERYBODY = UUID(int=0)  # for what is written past the tenants: by operators, or to logins
HAS_WRITTEN = "SELECT pg_current_xact_id_if_assigned() IS NOT NULL"
NOTE = "SELECT nebo_note_position(%s)"
# The first eight digits of the name of the log's file are its timeline.
FIND = """
SELECT needed, reached, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) FROM nebo_find_position(%s)
"""


class Position(NamedTuple):
    """In bytes of the log: what must have been replayed to show a tenant its own, and how far the primary is."""

    needed: int
    reached: int


def note_writing(tenant_id: UUID) -> None:
    """In the open transaction: once it is committed, note its position, if it has written anything."""
    if not has_replica() or _is_to_be_rolled_back():
        return
    with connection.cursor() as cursor:
        cursor.execute(HAS_WRITTEN)
        (has_written,) = cursor.fetchone()
    if has_written:
        transaction.on_commit(partial(note_position, tenant_id))


def _is_to_be_rolled_back() -> bool:
    return (
        connection.needs_rollback
        or connection.connection.info.transaction_status == TransactionStatus.INERROR
    )


def note_position(tenant_id: UUID = EVERYBODY) -> None:
    """Something was committed just now."""
    if has_replica():
        with connection.cursor() as cursor:
            cursor.execute(NOTE, [tenant_id])


def find_position(tenant_id: UUID) -> Position:
    """What the primary says."""
    with connection.cursor() as cursor:
        cursor.execute(FIND, [tenant_id])
        needed, reached, timeline = cursor.fetchone()
    PRIMARY.note(int(timeline, 16))
    return Position(needed, reached)

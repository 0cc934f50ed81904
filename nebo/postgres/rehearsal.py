"""Work that is done only to see what would come of it, in a savepoint that is taken back.

Nobody has to wait for what stays with nobody: while it lasts, the row of a person is neither held nor changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import OperationalError, connection, transaction
from psycopg.errors import DeadlockDetected, LockNotAvailable

LOCK_WAIT = (
    "500ms"  # half of PostgreSQL's deadlock_timeout: of two that wait for each other, the rehearsal gives way
)
BUSY = (LockNotAvailable, DeadlockDetected)

_rehearsing: ContextVar[bool] = ContextVar("nebo_rehearsing", default=False)


class Busy(RuntimeError):
    """Somebody is changing the very rows that a rehearsal would change."""


class _TakenBack(Exception):
    """Ends the savepoint."""


def is_rehearsal() -> bool:
    """Whether what is written now will be taken back."""
    return _rehearsing.get()


@contextmanager
def rehearsal() -> Iterator[None]:
    """Whatever is written inside is taken back at the end. In an open transaction; raises Busy."""
    token = _rehearsing.set(True)
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = %s", [LOCK_WAIT])
            yield
            raise _TakenBack
    except _TakenBack:
        return
    except OperationalError as error:
        if not isinstance(error.__cause__, BUSY):
            raise
        raise Busy from error
    finally:
        _rehearsing.reset(token)

"""Telling a connection that was lost from a statement that was refused."""

from __future__ import annotations

from django.db import Error as DatabaseError
from psycopg import errors

# The server was stopped, killed or is starting: admin_shutdown, crash_shutdown, cannot_connect_now.
ENDED_BY_SERVER = (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow)


def is_lost_connection(error: BaseException) -> bool:
    """Whether the server or the way to it went away, or wasn't there; the same statement may work later."""
    if not isinstance(error, DatabaseError):
        return False
    cause = error.__cause__
    if isinstance(cause, ENDED_BY_SERVER):
        return True
    code = getattr(cause, "sqlstate", None)  # none where the client noticed; class 08: connection exceptions
    return isinstance(cause, (errors.OperationalError, errors.InterfaceError)) and (
        code is None or code.startswith("08")
    )

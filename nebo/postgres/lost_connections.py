"""Telling a connection that was lost, or a server that has no room, from a statement that was refused."""

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


def is_passing(error: BaseException) -> bool:
    """Whether it is nobody's doing, and the same may work later: the connection was lost, or the server has no disk,
    memory or connection left (class 53 of SQLSTATE).
    """
    code = getattr(error.__cause__, "sqlstate", None) or ""
    return is_lost_connection(error) or (isinstance(error, DatabaseError) and code.startswith("53"))

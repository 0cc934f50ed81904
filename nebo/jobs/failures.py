"""What a job's page says about a failure: in words, without a user's text and without keys."""

from __future__ import annotations

from traceback import FrameSummary, extract_tb

from django.db import Error as DatabaseError

from nebo.errors import NeboError
from nebo.jobs.registry import UnknownKind
from nebo.llm.errors import LlmError
from nebo.postgres.lost_connections import is_lost_connection, is_passing
from nebo.queue import TIME_LIMIT_S, TimeLimitReached

REASON_CHARS = 2_000


class NotPublished(RuntimeError):
    """A handler came to its end without `claim.publish()`."""


def describe(error: BaseException) -> str:
    """One or two sentences for a person; errors whose message might quote a user give their type alone."""
    if isinstance(error, LlmError):
        return str(error)[:REASON_CHARS]
    if isinstance(error, TimeLimitReached):
        return f"The work took longer than {TIME_LIMIT_S} s and was stopped."
    if isinstance(error, UnknownKind):
        return "This worker doesn't know this kind of job; it may be older than the server."
    if isinstance(error, NeboError):
        return f"{error.title} ({error.code})."
    if is_lost_connection(error):
        return "The connection to the database was lost."
    if is_passing(error):
        return "The database had no disk, memory or connection left."
    if isinstance(error, DatabaseError):
        return f"The database refused the work ({type(error).__name__})."
    return f"Unexpected {type(error).__name__}; the worker's log says where."


def place_of(error: BaseException) -> str:
    """`file:line function` of the innermost frame of our own, for the log."""
    frames = extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "site-packages" not in frame.filename]
    return _place((ours or frames)[-1]) if frames else ""


def _place(frame: FrameSummary) -> str:
    return f"{frame.filename}:{frame.lineno} {frame.name}"

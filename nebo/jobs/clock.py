"""The database's clock, which alone decides what is due and whose lease has ended."""

from __future__ import annotations

from datetime import datetime

from django.db import connections, models, router

from nebo.jobs.models import Job


class ClockTimestamp(models.Func):
    """`clock_timestamp()`: goes on inside a transaction, where `now()` stands still."""

    function = "clock_timestamp"
    template = "%(function)s()"
    arity = 0
    output_field = models.DateTimeField()


def database_now() -> datetime:
    """What the database's clock says, on the connection that jobs are written on here."""
    with connections[router.db_for_write(Job)].cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
        return now

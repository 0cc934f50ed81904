"""The database's clock, which alone decides what is due and whose lease has ended: machines differ in theirs."""

from __future__ import annotations

from datetime import datetime

from django.db import connections, models, router

from nebo.postgres.layout import IS_DISTRIBUTED

CLOCK = "SELECT clock_timestamp()"


class ClockTimestamp(models.Func):
    """`clock_timestamp()`: goes on inside a transaction, where `now()` stands still.

    In a distributed database an update may not ask for it, so it is the time when the statement came.
    """

    function = "statement_timestamp" if IS_DISTRIBUTED else "clock_timestamp"
    template = "%(function)s()"
    arity = 0
    output_field = models.DateTimeField()


def database_now(model: type[models.Model]) -> datetime:
    """What the database's clock says, on the connection that a model's rows are written on here."""
    with connections[router.db_for_write(model)].cursor() as cursor:
        cursor.execute(CLOCK)
        now: datetime = cursor.fetchone()[0]
        return now

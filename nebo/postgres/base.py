"""The backend that the settings name; Django looks for it in a module of this name."""

from __future__ import annotations

from select import POLLIN, poll

from django.db.backends.postgresql.base import DatabaseWrapper as DjangoWrapper
from django.db.backends.postgresql.operations import DatabaseOperations

from nebo.postgres.layout import IS_DISTRIBUTED


class DistributedOperations(DatabaseOperations):
    """New rows are sent as VALUES. The arrays that Django sends instead would be copied from server to server, which
    row-level security forbids.
    """

    compiler_module = "django.db.models.sql.compiler"


class DatabaseWrapper(DjangoWrapper):
    """Django asks `SELECT 1` at the beginning of each request. A connection that the server has closed has something
    to read, its end, and that can be seen without asking anybody; only then is it asked.
    """

    ops_class = DistributedOperations if IS_DISTRIBUTED else DatabaseOperations
    health_check_done: bool
    errors_occurred: bool

    def close_if_health_check_failed(self) -> None:
        if self.connection is not None and not self.health_check_done and not self._has_something_to_read():
            self.health_check_done = True
        super().close_if_health_check_failed()

    def close_if_unusable_or_obsolete(self) -> None:
        """A session of Citus in which planning has failed may plan others wrongly: it ends with the request or job."""
        if IS_DISTRIBUTED and self.errors_occurred and not self.in_atomic_block:
            self.close()
        super().close_if_unusable_or_obsolete()

    def _has_something_to_read(self) -> bool:
        if self.connection.closed:
            return True
        waiting = poll()
        waiting.register(self.connection.fileno(), POLLIN)
        return bool(waiting.poll(0))

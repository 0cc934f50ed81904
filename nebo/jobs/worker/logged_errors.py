"""An edge that errors don't pass: they are logged, with ids and a place, and whoever comes round next tries again."""

from __future__ import annotations

from types import TracebackType

import structlog

from nebo.jobs.failures import place_of

log = structlog.get_logger(__name__)


class LoggedErrors:
    """`with Contained("job_not_run", job_id=…):` logs that event in place of an error, other than `passing`."""

    def __init__(self, event: str, *, passing: tuple[type[Exception], ...] = (), **ids: str) -> None:
        self.event = event
        self.passing = passing
        self.ids = ids

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception) or isinstance(error, self.passing):
            return False
        log.error(self.event, error=type(error).__name__, place=place_of(error), **self.ids)
        return True

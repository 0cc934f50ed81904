"""A process that is started while the database is away waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connections

from nebo.embedded.postmaster import find_free_port
from nebo.tenants import startup
from nebo.tenants.startup import await_safe_database

pytestmark = pytest.mark.usefixtures("committed_db")


@contextmanager
def port_of_nobody() -> Iterator[Callable[[], None]]:
    """The app's connection leads where no server listens, until what is given is called."""
    known = connections["default"].settings_dict
    port = known["PORT"]
    connections["default"].close()
    known["PORT"] = find_free_port()
    try:
        yield lambda: known.update(PORT=port)
    finally:
        known["PORT"] = port


def test_a_database_that_is_still_starting_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    with port_of_nobody() as it_is_up:
        monkeypatch.setattr(time, "sleep", lambda seconds: (pauses.append(seconds), it_is_up())[0])

        await_safe_database()

    assert len(pauses) == 1


def test_one_that_stays_away_is_not_waited_for_all_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "AWAITED_S", 0.0)

    with port_of_nobody(), pytest.raises(OperationalError):
        await_safe_database()

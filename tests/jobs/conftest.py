"""Workers for the tests that need real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import tests.jobs.facts  # noqa: F401 - registers the tests' handlers
from nebo.database import database_urls
from nebo.env import env
from tests.jobs.worker_process import WorkerProcess, environment, running_worker

StartWorker = Callable[[int], WorkerProcess]


@pytest.fixture
def start_worker(committed_db: None, tmp_path: Path) -> Iterator[StartWorker]:
    """Start `manage.py worker` with so many processes; every one started is stopped after the test."""
    variables = environment(database_urls(env), env.test_database)
    with ExitStack() as started:
        yield lambda processes: started.enter_context(
            running_worker(variables, processes=processes, log=tmp_path / "worker.log")
        )

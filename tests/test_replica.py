"""A read replica, with a server and a standby of its own: the tests that only there can run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.replicated import OWN

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_replica_shows_what_was_written_and_may_die() -> None:
    command = [sys.executable, "-m", "tests.replicated", OWN, "-q"]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout

"""Run tests with a read replica: `make test-replica`.

A server of its own and a standby that follows it, both thrown away. Readings go to the standby: each waits until it
shows all that stands on the primary, so that a test sees what it has just written, by whatever way. What tests write is
committed, since nothing else would reach a standby.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.standby import Standby, running_standby
from nebo import embedded

OWN = "tests/replica"  # kill the standby: nothing runs beside them
NAMES = ("api", "search", "sessions", "tenants", "dashboard")
TESTS = tuple(f"tests/{name}" for name in NAMES)
NOT_HERE = {
    "tests/api/test_pagination.py::test_a_page_is_one_query_however_far_in": "counts statements of the primary",
    "tests/sessions/test_context_statements.py": "counts statements of the primary",
    "tests/dashboard/test_queries.py": "counts statements of the primary",
    "tests/tenants/test_startup.py": "takes walls down that a rollback puts up again",
}
# Emptying the tables after each test takes its time on a busy machine. Only the test itself is cut off: without what
# comes before and after it, all tests that follow would fail.
PATIENT = ("--timeout=600", "-o", "timeout_func_only=true")
TWO = ("-n", "2", "--dist", "worksteal", *PATIENT)
LEFT_OUT = "not slow and not browser and not worker"
SETTINGS = {
    "fsync": "off",
    "wal_writer_delay": "10ms",
    "max_connections": "200",
    "hot_standby_feedback": "on",
}
NOT_OURS = ("DATABASE_", "PYTEST_")  # what the names of variables begin with that lead elsewhere


def main(arguments: Sequence[str]) -> int:
    """Options go on to pytest."""
    with tempfile.TemporaryDirectory(prefix="nebo-replica-") as place:
        folder = Path(place)
        folder.chmod(0o755)  # root hands PostgreSQL to another account, which must get in
        server = embedded.ensure_running(folder / "data", settings=SETTINGS)
        try:
            with running_standby(server, folder / "standby", SETTINGS) as standby:
                environment = _environment(server.admin_url, standby)
                if arguments:
                    return _test(arguments, environment)
                without = [f"--deselect={name}" for name in NOT_HERE]
                beside = (*TWO, *TESTS, "-m", LEFT_OUT, *without)
                return max(_test((OWN, *PATIENT), environment), _test(beside, environment))
        finally:
            embedded.stop(folder / "data")


def _environment(admin_url: str, standby: Standby) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
    return {
        **kept,
        "NEBO_DATA_DIR": str(standby.folder.with_name("data")),
        "NEBO_TEST_DB": "test_nebo",
        "DATABASE_URL": admin_url,
        "DATABASE_REPLICA_URL": f"postgresql://127.0.0.1:{standby.port}/nebo",
        "NEBO_REPLICA_STALENESS_S": "0",
        "NEBO_REPLICA_WAIT_S": "10",
    }


def _test(chosen: Sequence[str], environment: Mapping[str, str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *chosen], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

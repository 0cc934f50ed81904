"""Run tests on a database that Citus has distributed over two servers: `make test-citus`.

`NEBO_TEST_CITUS` names a folder of PostgreSQL's programs with Citus and pgvector, which Nebo doesn't bring along.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg

from benchmarks.citus import MISSING, Cluster, citus_cluster, find_programs
from nebo.database import MAINTENANCE, DatabaseUrls, database_urls
from nebo.env import env

WORKERS = "NEBO_TEST_CITUS_WORKERS"  # URLs of the workers' servers, for the processes of the tests
SHARDS = 4
NAMES = ("api", "tenants", "sessions", "memories", "search", "personality", "mcp", "gateway", "governance")
TESTS = tuple(f"tests/{name}" for name in NAMES)
LEFT_OUT = "not slow and not browser"
# Making a database takes minutes on a busy machine, and one that is cut off fails all tests after it.
TWO = ("-n", "2", "--dist", "worksteal", "-o", "timeout_func_only=true")
# What the app has written the owner can't read in the same transaction, having sessions of its own there. In use, each
# of the two has a transaction.
COMMITTING = {
    "tests/api/test_isolation_table.py": "the owner changes settings among other calls",
    "tests/governance/test_everyone_page.py": "the owner changes settings",
    "tests/governance/test_settings": "the owner changes settings, and the log is read afterwards",
    "tests/mcp/test_tools.py::test_what_one_persons_model_shares": "the owner changes settings",
    "tests/memories/test_team_memory.py": "the owner changes settings",
    "tests/sessions/test_seen.py::test_a_team_without_memory_says_so": "the owner changes settings",
    "tests/workspace/test_connect_codes.py": "the owner finds codes that the app has made",
    "tests/workspace/test_invitations.py": "the owner finds invitations that the app has made",
    "tests/workspace/test_members.py": "the same",
    "tests/workspace/test_signing_up.py": "the owner makes a team, and finds invitations",
}
SEARCH = "tests/search/answers/test_search.py"
NOT_HERE = {
    "tests/api/test_authentication.py::test_a_use_is_noted_once_a_minute_and_the_first_call_once": "teams have called",
    "tests/dashboard/test_queries.py": "counts statements, of which some pages send one more there",
    "tests/search/answers/test_answer_cache.py::test_the_second_asking_gives_the_same_answer_from_one_statement": (
        "looks for the statement, where its function is called"
    ),
    "tests/sessions/test_bounded_reads.py": "explains plans",
    "tests/sessions/test_context_statements.py": "counts statements",
    "tests/sessions/test_seen.py::test_it_takes_ten_statements": "counts statements",
    f"{SEARCH}::test_the_one_plan_enters_every_large_table_by_the_owners_index": "explains plans",
    f"{SEARCH}::test_postings_counters_and_vectors_are_exact_after_every_write_and_removal": (
        "asks over all parts"
    ),
    f"{SEARCH}::test_an_owner_keeps_the_number_their_postings_name": "numbers are a tenant's",
    "tests/search/indexing/test_hnsw.py::test_without_the_tables_owner_all_goes_on_exactly": (
        "has a wrong password, and these servers trust whoever comes"
    ),
    "tests/tenants/test_canaries_outside.py::test_the_stream_of_events": (
        "the stream counts the transactions of one server"
    ),
    "tests/tenants/test_keys.py::test_a_use_is_noted_for_the_key_that_was_used_and_for_its_team": "teams have called",
    "tests/tenants/test_reads.py": "sends statements of its own, for which no function was made",
}


@contextmanager
def one_at_a_time(urls: DatabaseUrls) -> Iterator[None]:
    """Of two processes that make their databases, one waits: both change roles, which belong to whole servers."""
    with psycopg.connect(urls.admin, dbname=MAINTENANCE, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext('nebo.tests'))")
        yield


def join_workers(urls: DatabaseUrls, database: str) -> None:
    """Make a fresh database known to the workers, each of which gets one of that name. As the admin."""
    workers = os.environ[WORKERS].split()
    for url in workers:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')
            server.execute(f'CREATE DATABASE "{database}"')
        with psycopg.connect(url, dbname=database, autocommit=True) as inside:
            inside.execute("CREATE EXTENSION citus")
    with psycopg.connect(urls.admin, dbname=database, autocommit=True) as coordinator:
        coordinator.execute("CREATE EXTENSION citus")
        coordinator.execute(f'ALTER DATABASE "{database}" SET citus.shard_count = {SHARDS}')
        # A test is one transaction, in which a question to all parts at once would forbid some of what comes after it.
        coordinator.execute(f"ALTER DATABASE \"{database}\" SET citus.multi_shard_modify_mode = 'sequential'")
        place = coordinator.info
        coordinator.execute("SELECT citus_set_coordinator_host(%s, %s)", [place.host, place.port])
        for url in workers:
            place = psycopg.conninfo.conninfo_to_dict(url)
            coordinator.execute("SELECT citus_add_node(%s, %s)", [place["host"], int(str(place["port"]))])


def sum_over_workers(question: str) -> int:
    """Of a number that each worker gives for its part of the test database."""
    with psycopg.connect(database_urls().admin, dbname=env.test_database) as coordinator:
        rows = coordinator.execute("SELECT result FROM run_command_on_workers(%s)", [question]).fetchall()
    return sum(int(number) for (number,) in rows)


def _environment(cluster: Cluster) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": cluster.coordinator.url("nebo"),
        "DATABASE_LAYOUT": "distributed",
        WORKERS: " ".join(server.url() for server in cluster.workers),
    }


def main(arguments: Sequence[str]) -> int:
    if find_programs() is None:
        print(MISSING)
        return 1
    without = [f"--deselect={name}" for name in NOT_HERE]
    chosen = [*(arguments or [*TESTS, "-m", LEFT_OUT]), *without]
    with citus_cluster() as cluster:
        command = [sys.executable, "-m", "pytest", *TWO, *chosen]
        return subprocess.run(command, env=_environment(cluster), check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

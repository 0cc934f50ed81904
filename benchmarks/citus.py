"""A Citus of three servers on this machine, for tests and measurements: a coordinator and two workers, more when asked.

`NEBO_TEST_CITUS` names a folder of PostgreSQL's programs with Citus and pgvector. Citus is no part of Nebo; where that
variable is missing, the tests that need it are skipped. The servers trust whoever comes from this machine; their data
are thrown away.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from benchmarks.server import issue_key, manage
from nebo.embedded.postmaster import HOST, SETTINGS, SUPERUSER, _try_start, find_free_port, initialise
from nebo.embedded.programs import Programs, get_account

VARIABLE = "NEBO_TEST_CITUS"
MISSING = f"Citus isn't at hand: {VARIABLE} names no folder of PostgreSQL's programs with Citus."
OF_CITUS = {
    "shared_preload_libraries": "citus",
    "wal_level": "logical",  # shards move while they are written to
    "output_plugin_libraries": "pgoutput, citus",
    "max_prepared_transactions": "200",
    "max_connections": "200",
    "max_worker_processes": "32",
    "max_replication_slots": "32",
    "max_wal_senders": "32",
    "shared_buffers": "128MB",
    "log_statement": "none",
    "log_min_error_statement": "error",
    "log_error_verbosity": "default",
}


@dataclass(frozen=True, slots=True)
class Server:
    """One server: where its data is and its port."""

    folder: Path
    port: int

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://{SUPERUSER}@{HOST}:{self.port}/{database}"


@dataclass(slots=True)
class Cluster:
    """The coordinator and its workers; `add_server` starts another one, which no database knows yet."""

    programs: Programs
    folder: Path
    settings: Mapping[str, str]
    servers: list[Server] = field(default_factory=list)
    apart: list[Server] = field(default_factory=list)  # that stand beside it, for comparison

    @property
    def coordinator(self) -> Server:
        return self.servers[0]

    @property
    def workers(self) -> list[Server]:
        return self.servers[1:]

    def add_server(self, *, joins: bool = True) -> Server:
        """Start one more; raises RuntimeError with its log when it doesn't."""
        home = self.folder / f"server{len(self.servers) + len(self.apart)}"
        home.mkdir(mode=0o755)
        self.programs.give(home)
        data = home / "data"
        initialise(self.programs, data, "unused", synced=False)
        (data / "pg_hba.conf").write_text(
            f"host all all {HOST}/32 trust\nhost replication all {HOST}/32 trust\n"
        )
        server = Server(data, find_free_port())
        failure = _try_start(self.programs, data, {**self.settings, "port": str(server.port)})
        if failure:
            raise RuntimeError(failure)
        (self.servers if joins else self.apart).append(server)
        return server

    def join(self, database: str) -> None:
        """Make that database, which the coordinator has, known to all: the extension everywhere, and the nodes."""
        for server in self.workers:
            self.prepare(server, database)
        with psycopg.connect(self.coordinator.url(database), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS citus")
            connection.execute("SELECT citus_set_coordinator_host(%s, %s)", [HOST, self.coordinator.port])
            for server in self.workers:
                connection.execute("SELECT citus_add_node(%s, %s)", [HOST, server.port])

    def prepare(self, server: Server, database: str) -> None:
        """A fresh database with the extension on a server that is to become a worker."""
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{database}"')
        with psycopg.connect(server.url(database), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS citus")

    def stop(self) -> None:
        for server in [*self.servers, *self.apart]:
            self.programs.run("pg_ctl", "stop", "-D", str(server.folder), "-m", "immediate")


def find_programs() -> Programs | None:
    """The programs, to be run under the account that may run servers; None where the variable is missing."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        return None
    return Programs(Path(folder), get_account() if os.geteuid() == 0 else None)


@contextmanager
def citus_cluster(workers: int = 2, *, synced: bool = False) -> Iterator[Cluster]:
    """Three servers that stop with the block, and their data with them; a commit waits for the disk where `synced`."""
    programs = find_programs()
    if programs is None:
        raise RuntimeError(MISSING)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        fsync = {"fsync": "on" if synced else "off"}
        cluster = Cluster(programs, folder, {**SETTINGS, **OF_CITUS, **fsync})
        try:
            for _ in range(workers + 1):
                cluster.add_server()
            yield cluster
        finally:
            cluster.stop()


def distribute(cluster: Cluster, database: str, folder: Path, shards: int) -> Mapping[str, str]:
    """Migrate a new database and distribute it, as an operator does; the environment of a Nebo that uses it."""
    cluster.join(database)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_")}
    environment = {
        **kept,
        "DATABASE_URL": cluster.coordinator.url(database),
        "NEBO_DATA_DIR": str(folder / "data"),
    }
    manage(environment, "migrate", "-v0")
    issue_key(environment, "before")
    environment["DATABASE_LAYOUT"] = "distributed"
    manage(environment, "distribute", "--shards", str(shards))
    return environment

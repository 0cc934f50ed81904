"""Run tests with PgBouncer, pooling by transaction, between Nebo and the included Postgres: `make test-pooled`.

The database is made, migrated and emptied past it; the app and the operator go through it, and each transaction gets
whichever connection to the server is free.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from nebo.database import DatabaseUrls, database_urls, ensure_server, password_of, role_of
from nebo.embedded.postmaster import find_free_port

POOL_SIZE = 12  # the tests of races hold that many transactions open at once
START_S = 10.0
NAMES = ("api", "tenants", "sessions", "memories", "search", "personality", "mcp", "gateway", "governance")
TESTS = tuple(f"tests/{name}" for name in NAMES)
LEFT_OUT = "not slow and not browser"
CONFIGURATION = """\
[databases]
* = host={host} port={port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = plain
auth_file = {users}
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 500
ignore_startup_parameters = extra_float_digits
server_check_query = SELECT 1
"""


@contextmanager
def pgbouncer(urls: DatabaseUrls, listen: int) -> Iterator[None]:
    """A PgBouncer on that port of this machine, for the roles of `urls`; raises RuntimeError if it doesn't start."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if not program:
        raise RuntimeError("Needs pgbouncer (Debian, Ubuntu: apt install pgbouncer).")
    with tempfile.TemporaryDirectory() as folder:
        configuration = _configure(Path(folder), urls, listen)
        as_whom = ("-u", "nobody") if os.geteuid() == 0 else ()  # it refuses to run as root
        process = subprocess.Popen([program, "-q", *as_whom, str(configuration)])
        try:
            _wait_until_it_listens(listen, process)
            yield
        finally:
            process.terminate()
            process.wait()


def _configure(folder: Path, urls: DatabaseUrls, listen: int) -> Path:
    server = urlsplit(urls.app)
    users = folder / "users.txt"
    users.write_text("".join(f'"{role_of(url)}" "{password_of(url)}"\n' for url in (urls.app, urls.operator)))
    path = folder / "pgbouncer.ini"
    path.write_text(
        CONFIGURATION.format(
            host=server.hostname, port=server.port, listen=listen, users=users, size=POOL_SIZE
        )
    )
    folder.chmod(0o755)
    return path


def _through(url: str, listen: int) -> str:
    """The same URL by way of the pooler."""
    parts = urlsplit(url)
    who = parts.netloc.rpartition("@")[0]
    return urlunsplit(parts._replace(netloc=f"{who}@127.0.0.1:{listen}"))


def _wait_until_it_listens(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(ConnectionError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise RuntimeError("PgBouncer didn't start.")


def _environment(urls: DatabaseUrls, listen: int) -> Mapping[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": urls.admin,
        "DATABASE_OWNER_URL": urls.owner,
        "DATABASE_APP_URL": _through(urls.app, listen),
        "DATABASE_OPERATOR_URL": _through(urls.operator, listen),
        "DATABASE_POOLING": "transaction",
    }


def main(arguments: Sequence[str]) -> int:
    ensure_server()
    urls, listen = database_urls(), find_free_port()
    chosen = [*arguments] or [*TESTS, "-m", LEFT_OUT]
    with pgbouncer(urls, listen):
        command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", *chosen]
        return subprocess.run(command, env=_environment(urls, listen), check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

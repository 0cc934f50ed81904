"""One cluster: making it, starting it, and telling whether its server lives."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from nebo.embedded.errors import EmbeddedPostgresError
from nebo.embedded.programs import Programs
from nebo.embedded.state import State, save_state, sync

DATABASE = "nebo"
SUPERUSER = "postgres"
HOST = "127.0.0.1"

START_TIMEOUT_S = 120  # crash recovery replays up to max_wal_size (1 GB) of log: tens of seconds
STOP_TIMEOUT_S = 60
ORPHANS_TIMEOUT_S = 30  # after a kill -9, backends that outlive their server finish their statement first
PORT_ATTEMPTS = 4  # a port found free can be taken before the server binds it
ORPHANS_PORT_S = 5  # those of a killed server may also hold its port for a moment
POLL_S = 0.05
LOG_TAIL_LINES = 15

# The text search parser asks libc, not the built-in provider, what a letter is; under LC_CTYPE=C everything
# outside ASCII is one, quotation marks included. macOS has no C.UTF-8.
LIBC_CTYPE = "UTF-8" if sys.platform.startswith("darwin") else "C.UTF-8"

SETTINGS: Mapping[str, str] = {
    "listen_addresses": HOST,
    "unix_socket_directories": "",  # a data directory's path may be too long for one
    "max_connections": "100",
    "shared_buffers": "256MB",
    "jit": "off",  # compiling costs more than these short statements take
    "wal_compression": "on",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "on",
    "log_directory": "log",
    "log_filename": "postgres-%a.log",  # one a weekday, so a week is kept
    "log_rotation_age": "1d",
    "log_rotation_size": "0",
    "log_truncate_on_rotation": "on",
    "log_checkpoints": "off",
    "log_min_error_statement": "panic",  # statements and rows carry people's words
    "log_error_verbosity": "terse",
}


@dataclass(frozen=True, slots=True)
class Postmaster:
    """The server process as its postmaster.pid tells it; `status` is "ready" once it takes connections."""

    pid: int
    port: int
    status: str


def initialise(programs: Programs, cluster: Path, password: str, *, synced: bool) -> None:
    """Make a cluster with its database, beside its place, and move it there: a half-made one never counts."""
    scratch = cluster.with_name("postgres.new")
    cluster.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(mode=0o700)
    with tempfile.NamedTemporaryFile("w", prefix="nebo-") as password_file:
        password_file.write(password)
        password_file.flush()
        programs.give(scratch, Path(password_file.name))
        _check(programs.run("initdb", *_initdb_arguments(scratch, password_file.name, synced=synced)))
    # Single-user mode needs no port: the database is there before the first start.
    _check(
        programs.run(
            "postgres", "--single", "-D", str(scratch), "postgres", stdin=f"CREATE DATABASE {DATABASE}\n"
        )
    )
    scratch.rename(cluster)
    sync(cluster.parent)


def _initdb_arguments(folder: Path, password_file: str, *, synced: bool) -> list[str]:
    return [
        *("-D", str(folder), "-U", SUPERUSER, "--pwfile", password_file),
        *("--auth=scram-sha-256", "--encoding=UTF8"),
        *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", f"--lc-ctype={LIBC_CTYPE}"),
        *([] if synced else ["--no-sync"]),
    ]


def _check(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        log_tail = "\n".join(done.stdout.strip().splitlines()[-LOG_TAIL_LINES:])
        raise EmbeddedPostgresError(f"{Path(done.args[0]).name} failed:\n{log_tail}")


def start(programs: Programs, data_dir: Path, state: State, settings: Mapping[str, str]) -> None:
    """Start the server in a session of its own, on its port; where that is taken, on a new one to keep."""
    cluster = state.cluster(data_dir)
    patience = ORPHANS_PORT_S if (cluster / "postmaster.pid").exists() else 0
    _forget_stale_lock(cluster)
    for _ in range(PORT_ATTEMPTS):
        if not _becomes_free(state.port, within_s=patience):
            state = replace(state, port=find_free_port())
            save_state(data_dir, state)
        failure = _try_start(programs, cluster, {**settings, "port": str(state.port)})
        if "could not bind" not in failure:
            break
    if failure:
        raise EmbeddedPostgresError(f"PostgreSQL did not start in {cluster}.\n{failure}")


def _try_start(programs: Programs, cluster: Path, settings: Mapping[str, str]) -> str:
    """Start once the orphans of a killed server let go of its memory; return the failure, "" for none."""
    options = shlex.join(f"--{name}={value}" for name, value in settings.items())
    deadline = time.monotonic() + ORPHANS_TIMEOUT_S
    while True:
        (cluster / "start.log").unlink(missing_ok=True)
        done = programs.run(
            *("pg_ctl", "start", "-D", str(cluster), "-o", options),
            *("-l", str(cluster / "start.log"), "-t", str(START_TIMEOUT_S)),
        )
        if done.returncode == 0:
            return ""
        failure = f"{done.stdout.strip()}\n{log_tail(cluster)}"
        if "still in use" not in failure or time.monotonic() > deadline:
            return failure
        time.sleep(POLL_S)


def stop(programs: Programs, cluster: Path) -> None:
    """Stop the running server after a checkpoint; open connections are ended."""
    done = programs.run("pg_ctl", "stop", "-D", str(cluster), "-m", "fast", "-t", str(STOP_TIMEOUT_S))
    if done.returncode:
        raise EmbeddedPostgresError(f"PostgreSQL did not stop: {done.stdout.strip()}\n{log_tail(cluster)}")


def find_postmaster(cluster: Path) -> Postmaster | None:
    """Return the living server process of this cluster. A pid that now is another program's doesn't count."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
    except (FileNotFoundError, PermissionError):
        return None
    lines += [""] * (8 - len(lines))  # a server that is starting has not written them all
    if not lines[0].isdigit() or not _is_server(int(lines[0]), cluster):
        return None
    return Postmaster(pid=int(lines[0]), port=int(lines[3] or 0), status=lines[7].strip())


def find_settled_postmaster(cluster: Path) -> Postmaster | None:
    """Like find_postmaster, but a server that is starting or stopping is waited for."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while (found := find_postmaster(cluster)) and found.status != "ready":
        if time.monotonic() > deadline:
            raise EmbeddedPostgresError(
                f"PostgreSQL stays {found.status or 'starting'}.\n{log_tail(cluster)}"
            )
        time.sleep(POLL_S)
    return found


def _is_server(pid: int, cluster: Path) -> bool:
    return f"postgres -D {cluster} " in f"{_command_line(pid)} "


def _command_line(pid: int) -> str:
    """Return a process's command line, "" where there is none (any more)."""
    if Path("/proc/self/cmdline").exists():
        with contextlib.suppress(OSError):
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return ""
    ps = ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)]
    return subprocess.run(ps, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603


def _forget_stale_lock(cluster: Path) -> None:
    """Drop a lock file whose pid lives on as another program; PostgreSQL itself sees through a dead one.

    Backends of a killed server still keep a second one out, by the shared memory that is keyed to the folder.
    """
    lock = cluster / "postmaster.pid"
    with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
        pid = int(lock.read_text().splitlines()[0])
        if _is_alive(pid) and not _is_server(pid, cluster):
            lock.unlink()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def find_free_port() -> int:
    """Return a port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _becomes_free(port: int, *, within_s: float) -> bool:
    """Whether nobody listens on a port any more, at the latest after so many seconds."""
    deadline = time.monotonic() + within_s
    while not (free := _is_free(port)) and time.monotonic() < deadline:
        time.sleep(POLL_S)
    return free


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as PostgreSQL does
        with contextlib.suppress(OSError):
            probe.bind((HOST, port))
            return True
    return False


def log_tail(cluster: Path) -> str:
    """Return the last lines of what the server wrote, before and after it opened its own log."""
    logs = sorted((cluster / "log").glob("*.log"), key=lambda path: path.stat().st_mtime)
    lines: list[str] = []
    for path in (cluster / "start.log", *logs[-1:]):
        with contextlib.suppress(FileNotFoundError):
            lines += path.read_text(errors="replace").splitlines()[-LOG_TAIL_LINES:]
    return "\n".join(lines)

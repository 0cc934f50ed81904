"""The server of a data directory: running or not, made and started where needed, stopped."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nebo.embedded import postmaster as clusters
from nebo.embedded.errors import EmbeddedPostgresError
from nebo.embedded.programs import can_enter, get_account, get_outside_cluster, get_programs
from nebo.embedded.state import State, find_state, locked, save_state, state_file

PASSWORD_BYTES = 24


@dataclass(frozen=True, slots=True)
class Server:
    """A running server. `admin_url` carries the superuser's password: not for logs."""

    admin_url: str
    port: int
    pid: int
    data_dir: Path


def ensure_running(data_dir: Path, *, settings: Mapping[str, str] | None = None) -> Server:
    """Return the server of this data directory, made and started where needed.

    `settings` go over `cluster.SETTINGS` when it starts (`{"fsync": "off"}` for throw-away data); a server
    that runs already keeps what it has. Callers in several processes end with one server.
    Raises EmbeddedPostgresError.
    """
    data_dir = _make_data_dir(data_dir)
    chosen = {**clusters.SETTINGS, **(settings or {})}
    with locked(data_dir):
        state = find_state(data_dir) or _new_state(data_dir)
        cluster = state.cluster(data_dir)
        if clusters.find_settled_postmaster(cluster) is None:
            programs = get_programs(state)
            if not cluster.exists():
                clusters.initialise(programs, cluster, state.password, synced=chosen.get("fsync") != "off")
            clusters.start(programs, data_dir, state, chosen)
        server = find_running(data_dir)
    if server is None:
        raise EmbeddedPostgresError(f"PostgreSQL started and ended at once.\n{clusters.log_tail(cluster)}")
    return server


def find_running(data_dir: Path) -> Server | None:
    """Return the server of this data directory if it takes connections now. Starts and awaits nothing."""
    data_dir = data_dir.resolve()
    state = find_state(data_dir)
    postmaster = clusters.find_postmaster(state.cluster(data_dir)) if state else None
    if state is None or postmaster is None or postmaster.status != "ready":
        return None
    address = f"{clusters.HOST}:{postmaster.port}/{clusters.DATABASE}"
    url = f"postgresql://{clusters.SUPERUSER}:{state.password}@{address}"
    return Server(admin_url=url, port=postmaster.port, pid=postmaster.pid, data_dir=data_dir)


def is_running(data_dir: Path) -> bool:
    """Whether the server of this data directory takes connections now."""
    return find_running(data_dir) is not None


def stop(data_dir: Path) -> None:
    """Stop the server and keep its data; open connections are ended. Does nothing where none runs."""
    data_dir = data_dir.resolve()
    state = find_state(data_dir)
    if state is None:
        return
    with locked(data_dir):
        cluster = state.cluster(data_dir)
        if clusters.find_settled_postmaster(cluster) is not None:
            clusters.stop(get_programs(state), cluster)


def _make_data_dir(data_dir: Path) -> Path:
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EmbeddedPostgresError(
            f"The data directory {data_dir} can't be made: {error.strerror}."
        ) from error
    return data_dir.resolve()


def _new_state(data_dir: Path) -> State:
    """Decide on account, place, port and password for a data directory that has no server yet."""
    inside = data_dir / "postgres"
    if inside.exists():
        raise EmbeddedPostgresError(
            f"{inside} is there, but {state_file(data_dir)} with its password is gone."
        )
    account = get_account()
    outside = ""
    if os.geteuid() == 0 and not can_enter(account, data_dir):
        outside = str(get_outside_cluster(data_dir))
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    state = State(clusters.find_free_port(), password, account.pw_name, outside)
    save_state(data_dir, state)
    return state

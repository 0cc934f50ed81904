"""Is a TCP port free, and if not, whose is it?

Of another user's process one is told nothing: its port is known to be taken, but not by whom.
"""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from typing import Any

import psutil

from nebo.product.operations.program import is_nebo

COMMAND_CHARS = 120
PORTS_TRIED = 50


@dataclass(frozen=True, slots=True)
class PortOwner:
    """The process that listens on a port."""

    pid: int
    command: str


class PortTaken(Exception):
    """`owner` is None where the system does not tell."""

    def __init__(self, port: int, owner: PortOwner | None) -> None:
        self.port = port
        self.owner = owner
        whom = f"pid {owner.pid}: {owner.command}" if owner else "a process of another user."
        super().__init__(f"Port {port} is taken by {whom}")


def check_port(host: str, port: int) -> None:
    """Raise PortTaken, or OSError for an address that can't be served at all."""
    try:
        _bind(host, port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise PortTaken(port, find_owner(port)) from error


def find_next_port(host: str, after: int) -> int | None:
    """The next port that can be had."""
    for port in range(after + 1, min(after + PORTS_TRIED, 65_536)):
        try:
            _bind(host, port)
        except OSError:
            continue
        return port
    return None


def _bind(host: str, port: int) -> None:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)


def find_owner(port: int) -> PortOwner | None:
    """Who listens on `port`, on whatever address; None where that can't be seen."""
    try:
        pids = [one.pid for one in psutil.net_connections("tcp") if one.pid and _is_at(port, one)]
        return _describe(psutil.Process(min(pids)), port) if pids else None
    except psutil.Error:  # ended meanwhile, or macOS, which tells root alone
        return None


def _describe(process: psutil.Process, port: int) -> PortOwner:
    """A server forks, and its children listen too: it is the first of them.

    A web server of ours is started again when it ends: its owner is `manage.py start` above it.
    """
    parent = process.parent()
    while parent and _listens(parent, port):
        process, parent = parent, parent.parent()
    if parent and is_nebo(_command(parent)):
        process = parent
    return PortOwner(process.pid, _command(process))


def _listens(process: psutil.Process, port: int) -> bool:
    try:
        return any(_is_at(port, one) for one in process.net_connections("tcp"))
    except psutil.AccessDenied:
        return False


def _is_at(port: int, connection: Any) -> bool:
    return connection.status == psutil.CONN_LISTEN and bool(connection.laddr.port == port)


def _command(process: psutil.Process) -> str:
    command = " ".join(process.cmdline()).strip()
    return command if len(command) <= COMMAND_CHARS else command[: COMMAND_CHARS - 1] + "…"

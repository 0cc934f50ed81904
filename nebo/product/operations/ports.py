"""Is a TCP port free, and if not, whose is it?

The answer comes from Linux's own tables (`/proc/net/tcp*` and `/proc/*/fd`), so nothing has to be installed;
elsewhere, and for another user's process, the port is known to be taken but not by whom.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
LISTEN = "0A"  # a socket's state in /proc/net/tcp, hexadecimal
COMMAND_CHARS = 120
PORTS_TRIED = 50


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that listens on a port."""

    pid: int
    command: str


class PortTaken(Exception):
    """`owner` is None where the system does not tell."""

    def __init__(self, port: int, owner: Owner | None) -> None:
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


def find_owner(port: int) -> Owner | None:
    """Who listens on `port`, on whatever address; None where that can't be seen."""
    inodes = {f"socket:[{inode}]" for inode in _listening_inodes(port)}
    if not inodes:
        return None
    pids = (int(folder.name) for folder in PROC.iterdir() if folder.name.isdigit())
    holders = [pid for pid in pids if _holds(pid, inodes)]
    first = [
        pid for pid in holders if _parent(pid) not in holders
    ]  # a server forks, and its children hold it too
    return _owner(first[0]) if first else None


def _owner(pid: int) -> Owner:
    """A web server of ours is started again when it ends: its owner is `manage.py start` above it."""
    parent = _parent(pid)
    above = _command(parent)
    return Owner(parent, above) if "manage.py start" in above else Owner(pid, _command(pid))


def _parent(pid: int) -> int:
    try:
        return int((PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _listening_inodes(port: int) -> Iterator[str]:
    for name in ("tcp", "tcp6"):
        try:
            lines = (PROC / "net" / name).read_text().splitlines()[1:]
        except OSError:
            continue
        for columns in map(str.split, lines):
            if columns[3] == LISTEN and int(columns[1].rpartition(":")[2], 16) == port:
                yield columns[9]


def _holds(pid: int, inodes: set[str]) -> bool:
    try:
        return any(str(file.readlink()) in inodes for file in (PROC / str(pid) / "fd").iterdir())
    except OSError:  # ended meanwhile, or another user's
        return False


def _command(pid: int) -> str:
    try:
        words = (PROC / str(pid) / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return "(ended meanwhile)"
    command = " ".join(words).strip()
    return command if len(command) <= COMMAND_CHARS else command[: COMMAND_CHARS - 1] + "…"

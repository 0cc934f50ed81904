"""The embedded server from the command line: start, stop, status, url."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nebo.embedded import EmbeddedPostgresError, Server, ensure_running, find_running, stop

NOT_RUNNING = 3  # the exit status that init scripts give for a stopped service (LSB)


def main(arguments: list[str] | None = None) -> int:
    """Carry out one command; 0 for done, 1 for an error, 3 where `status` or `url` finds no server."""
    parser = argparse.ArgumentParser(prog="python -m nebo.embedded", description=__doc__)
    parser.add_argument("command", choices=["start", "stop", "status", "url"])
    parser.add_argument("--data-dir", type=Path, default=Path(".nebo"), help="default: .nebo")
    chosen = parser.parse_args(arguments)
    try:
        line, status = _answer(chosen.command, chosen.data_dir)
    except EmbeddedPostgresError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{line}\n")
    return status


def _answer(command: str, data_dir: Path) -> tuple[str, int]:
    """Do what is asked and return the line to print with the exit status."""
    if command == "start":
        return _describe(ensure_running(data_dir)), 0
    if command == "stop":
        stop(data_dir)
        return "stopped", 0
    server = find_running(data_dir)
    if server is None:
        return "not running", NOT_RUNNING
    return (server.admin_url if command == "url" else _describe(server)), 0


def _describe(server: Server) -> str:
    return f"running on port {server.port}, pid {server.pid}"


if __name__ == "__main__":
    sys.exit(main())

"""`pg_dump` and `pg_restore`, those that come along, as programs that talk to whatever server is configured."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from nebo.database import password_of
from nebo.embedded import find_program
from nebo.product.operations.backup.archive import BackupFailed

LAST_LINES = 12


@dataclass(slots=True)
class Program:
    """One that was started; its messages go to a file, so that a full pipe never stops it."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def wait(self) -> None:
        """Until its end; raises BackupFailed with its last lines."""
        if self.process.wait():
            lines = self.log.read_text(errors="replace").strip().splitlines()[-LAST_LINES:]
            raise BackupFailed("\n".join([f"{self.name} failed:", *lines]))


def start_program(name: str, *arguments: str, url: str, folder: Path) -> Program:
    """The password goes through the environment, where no other account's `ps` shows it."""
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603  the wheel's own programs, no shell
            [str(find_program(name)), f"--dbname={_without_password(url)}", "--no-password", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={"PATH": os.defpath, "LC_ALL": "C", "PGPASSWORD": password_of(url)},
        )
    return Program(name, process, log)


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}@{host}"))

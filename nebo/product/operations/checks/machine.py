"""Python, the data directory, and settings that are a danger."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator

from nebo.env import Environment, env
from nebo.product.operations.findings import Finding, broken, note, ok

PYTHON = (3, 11)
SCARCE_BYTES = 1_000_000_000
TOO_FEW_BYTES = 100_000_000  # Postgres stops when it can't write its log
SECRET_CHARS = 32
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def look(environment: Environment = env) -> Iterator[Finding]:
    """Each in turn."""
    yield look_at_python()
    yield look_at_data_dir(environment)
    yield look_at_secret(environment)
    yield look_at_debug(environment)
    yield look_at_hosts(environment)


def look_at_python() -> Finding:
    version = platform.python_version()
    if sys.version_info < PYTHON:
        return broken("Python", version, "Nebo needs 3.11 or newer: install it, then `make clean run`.")
    return ok("Python", version)


def look_at_data_dir(environment: Environment) -> Finding:
    """The folder can be written, and there is room."""
    folder = environment.data_dir
    if not os.access(folder, os.W_OK):
        return broken("Data directory", f"{folder} can't be written", "Set NEBO_DATA_DIR, or fix its owner.")
    free = shutil.disk_usage(folder).free
    detail = f"{folder}, {free / 1e9:.1f} GB free"
    if free < TOO_FEW_BYTES:
        return broken("Data directory", detail, "Make room: the database stops when the disk is full.")
    if free < SCARCE_BYTES:
        return note("Data directory", detail, "Make room soon.")
    return ok("Data directory", detail)


def look_at_secret(environment: Environment) -> Finding:
    if len(environment.secret_key) < SECRET_CHARS:
        return note(
            "SECRET_KEY",
            f"shorter than {SECRET_CHARS} characters",
            "Set a random one; it signs logins and queued work.",
        )
    return ok("SECRET_KEY", "set")


def look_at_debug(environment: Environment) -> Finding:
    if environment.debug:
        return note(
            "DEBUG", "on: error pages show what should stay private", "Unset it, except for development."
        )
    return ok("DEBUG", "off")


def look_at_hosts(environment: Environment) -> Finding:
    """A service that others reach should know its name and speak HTTPS."""
    hosts = ", ".join(environment.allowed_hosts)
    if "*" in environment.allowed_hosts:
        return note("ALLOWED_HOSTS", "every name", "Name the hosts that people use.")
    if environment.host not in LOOPBACK and not environment.https:
        return note(
            "ALLOWED_HOSTS", f"{hosts}; without HTTPS", "Put a proxy with TLS before it, NEBO_HTTPS=1."
        )
    return ok("ALLOWED_HOSTS", hosts)

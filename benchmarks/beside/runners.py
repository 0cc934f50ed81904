"""The other stores: an environment for each, a database for each on Nebo's own Postgres, a process for each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from benchmarks.beside.task import Measured, Person, Task, Turn, read_measured
from benchmarks.conversations import Conversation
from benchmarks.server import ROOT
from nebo import embedded

ENVIRONMENTS = ROOT / ".bench"
STORES = ("mem0", "hindsight")
RUN_LIMIT_S = 3_600


def measure_store(
    store: str, conversations: Sequence[Conversation], *, data_dir: Path, limit: int
) -> Measured:
    """Run one of STORES on the server in `data_dir`. Raises CalledProcessError, with what it said on stderr."""
    python = _environment(store)
    with _database(data_dir, store) as dsn, tempfile.TemporaryDirectory(prefix=f"{store}-") as folder:
        task = Task(dsn, folder, limit, tuple(_person(conversation) for conversation in conversations))
        done = subprocess.run(  # noqa: S603  our own module
            [str(python), "-m", f"benchmarks.beside.{store}_runner"],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT), "HOME": folder},
            input=f"{json.dumps(asdict(task))}\n",
            stdout=subprocess.PIPE,
            text=True,
            timeout=RUN_LIMIT_S,
            check=True,
        )
        return read_measured(done.stdout)


def _environment(store: str) -> Path:
    """The Python of the store's own virtual environment, made from its requirements when it is missing."""
    folder = ENVIRONMENTS / store
    requirements = Path(__file__).parent / f"{store}-requirements.txt"
    python, stamp = folder / "bin" / "python", folder / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != requirements.read_text():
        sys.stderr.write(f"Installing {store} …\n")
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(requirements)], check=True)  # noqa: S603
        stamp.write_text(requirements.read_text())
    return python


@contextmanager
def _database(data_dir: Path, name: str) -> Iterator[str]:
    """An empty database with the extension, dropped at the end."""
    server = embedded.find_running(data_dir)
    if server is None:
        raise RuntimeError(f"No server runs in {data_dir}.")
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    with psycopg.connect(server.admin_url, autocommit=True) as admin:
        admin.execute(drop)
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        dsn = urlunsplit(urlsplit(server.admin_url)._replace(path=f"/{name}"))
        with psycopg.connect(dsn, autocommit=True) as inside:
            inside.execute("CREATE EXTENSION IF NOT EXISTS vector")
        try:
            yield dsn
        finally:
            admin.execute(drop)


def _person(conversation: Conversation) -> Person:
    """Each turn carries its day and its speaker, as in Nebo's own index."""
    turns = tuple(
        Turn(
            turn.id,
            f"[{turn.said_at.day} {turn.said_at:%B %Y}] {turn.speaker or turn.role.title()}: {turn.text}",
            turn.said_at.isoformat(),
        )
        for turn in conversation.turns
    )
    return Person(conversation.id, turns, tuple(question.text for question in conversation.questions))

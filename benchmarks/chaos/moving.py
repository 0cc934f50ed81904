"""A ChatGPT export of many conversations is killed half-way and goes on: is each message there, and once?

    python -m benchmarks.chaos.moving [--conversations 1000]

On a server of its own with data that is thrown away. First the file is sent to the API, for one person, and every
process of the worker is killed with kill -9; then the command that brings the same file in for another is killed and
run again. Exits with 1 where something is lost or stored twice.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from benchmarks.chaos.faults import Family
from benchmarks.chatter import make_turns
from benchmarks.client import Client
from benchmarks.server import ROOT, TENANT, Server, find_admin_url, manage, running_server, throwaway_folder
from benchmarks.tables import Cell, render_table

COLUMNS = 80
LIMIT_S = 1_800.0
POLL_S = 0.1
SCOPES = "read,write,admin"
BRANCH = 3  # each so many conversations have an answer that was asked for anew
BY_COMMAND, BY_API = "moved-by-command", "moved-by-api"
WORDS_OF_A_MESSAGE = (8, 60)
COUNTED = """
    SELECT count(*), count(DISTINCT (message.session_id, message.external_id)), count(DISTINCT message.session_id)
    FROM agent_sessions_message message JOIN tenants_userprofile person
        ON (person.tenant_id, person.id) = (message.tenant_id, message.person_id)
    WHERE person.external_id = %s
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """What is stored of a person: messages, different ones among them, conversations."""

    messages: int
    different: int
    conversations: int


@dataclass(frozen=True, slots=True)
class Way:
    """One way in: what was there when it was killed, in the end, and how long it took until and after that."""

    name: str
    halfway: Counts
    end: Counts
    before_s: float
    after_s: float
    bar: str = ""


def main(arguments: list[str] | None = None) -> int:
    """Bring the file in both ways, kill, count and print; 0 where everything is there once."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos.moving", description=__doc__)
    parser.add_argument("--conversations", type=int, default=1_000, help="of the export")
    chosen = parser.parse_args(arguments)
    with throwaway_folder() as folder, running_server(folder, {}) as server:
        file = folder / "conversations.json"
        talks = [make_conversation(number) for number in range(chosen.conversations)]
        file.write_text(json.dumps(talks))
        messages = sum(map(shown, talks))
        expected = Counts(messages, messages, len(talks))
        with psycopg.connect(find_admin_url(server), autocommit=True) as database:
            ways = [
                by_api(server, file, database, expected, Family(server.pid, folder / "data")),
                by_command(server, file, database, expected),
            ]
    sys.stdout.write(render(ways, expected))
    return 0 if all(way.end == expected and way.halfway != expected for way in ways) else 1


def make_conversation(number: int) -> dict[str, Any]:
    """As ChatGPT exports it: a tree with a hidden system message; in some, an answer was asked for twice."""
    exchanges = 2 + number % 4
    turns = make_turns(2 * exchanges, seed=f"talk {number}", lengths=WORDS_OF_A_MESSAGE)
    nodes = [_node("root", "", "", ""), _node("system", "root", "system", "")]
    for place, turn in enumerate(turns):
        role = "assistant" if place % 2 else "user"
        nodes.append(_node(f"{number}-{place}", nodes[-1]["id"], role, turn.text))
    if number % BRANCH == 0:
        nodes.insert(-1, _node(f"{number}-given-up", nodes[-2]["id"], "assistant", "An answer nobody kept."))
    return {
        "conversation_id": f"talk-{number}",
        "title": f"Talk {number}",
        "create_time": 1_700_000_000 + number,
        "current_node": nodes[-1]["id"],
        "mapping": {node["id"]: node for node in nodes},
    }


def _node(name: str, parent: str, role: str, text: str) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"id": name, "author": {"role": role}, "content": content, "create_time": 1_700_000_000.0}
    return {"id": name, "parent": parent or None, "children": [], "message": message if role else None}


def shown(talk: dict[str, Any]) -> int:
    """How many messages the branch shown last has."""
    spoken = [node for node in talk["mapping"].values() if node["message"] and node["id"] != "system"]
    return sum(not node["id"].endswith("given-up") for node in spoken)


def by_command(server: Server, file: Path, database: psycopg.Connection, expected: Counts) -> Way:
    """`manage.py import_conversations` before a terminal, where it draws a bar: killed, and run once more."""
    began = time.monotonic()
    with open_terminal() as (reader, writer):
        command = _command(file)
        process = subprocess.Popen(  # noqa: S603  our own words
            command, cwd=ROOT, env=server.environment, stdout=subprocess.DEVNULL, stderr=writer
        )
        wait_until(lambda: count(database, BY_COMMAND).messages >= expected.messages // 2)
        process.kill()
        process.wait()
        seen = select.select([reader], [], [], 0)[0]
        drawn = os.read(reader, 1 << 20).decode(errors="replace") if seen else ""
    killed, halfway = time.monotonic(), count(database, BY_COMMAND)
    subprocess.run(command, cwd=ROOT, env=server.environment, check=True, capture_output=True)  # noqa: S603
    bar = drawn.rstrip().rpartition("\r")[2]
    end = count(database, BY_COMMAND)
    return Way("the command", halfway, end, killed - began, time.monotonic() - killed, bar)


def by_api(server: Server, file: Path, database: psycopg.Connection, expected: Counts, family: Family) -> Way:
    """A file sent to the API, which a job brings in: every process of the worker is killed, and starts again."""
    key = json.loads(
        manage(server.environment, "issue_key", "--tenant", TENANT, "--scopes", SCOPES, "--json")
    )["key"]
    began = time.monotonic()
    with closing(Client(server.url, key)) as client:
        incoming = send(server.url, key, file)
        wait_until(lambda: count(database, BY_API).messages >= expected.messages // 2)
        for pid in family.list_worker():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed, halfway = time.monotonic(), count(database, BY_API)
        path = f"users/{BY_API}/imports/{incoming}/"
        wait_until(lambda: client.call("GET", path).body["state"] in ("done", "failed"))
        told = client.call("GET", path).body
    bar = f"{told['state']}, {told['done']} of {told['total']}"
    end = count(database, BY_API)
    return Way("the API", halfway, end, killed - began, time.monotonic() - killed, bar)


def _command(file: Path) -> list[str]:
    options = ["--source", "chatgpt", "--tenant", TENANT, "--user", BY_COMMAND]
    return [sys.executable, "manage.py", "import_conversations", str(file), *options]


def send(url: str, key: str, file: Path) -> str:
    """The id of the import that a file sent to the API begins."""
    place = urlsplit(url)
    with closing(HTTPConnection(place.hostname or "", place.port, timeout=LIMIT_S)) as connection:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/octet-stream"}
        path = f"/api/v1/users/{BY_API}/import/?source=chatgpt"
        connection.request("POST", path, file.read_bytes(), headers)
        return str(json.loads(connection.getresponse().read())["incoming"]["id"])


@contextmanager
def open_terminal() -> Iterator[tuple[int, int]]:
    """Both ends of one."""
    ends = pty.openpty()
    termios.tcsetwinsize(ends[1], (40, COLUMNS))  # none has no room for a bar
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def count(database: psycopg.Connection, user: str) -> Counts:
    """What is stored of a person by now."""
    return Counts(*(database.execute(COUNTED, [user]).fetchone() or (0, 0, 0)))


def wait_until(condition: Callable[[], bool]) -> None:
    """Raises TimeoutError."""
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(POLL_S)


def render(ways: Sequence[Way], expected: Counts) -> str:
    """A row for each way in."""
    head = [
        "killed",
        "then stored",
        "in the end",
        "stored twice",
        "conversations",
        "s before",
        "s after",
        "told",
    ]
    rows: list[list[Cell]] = [
        [
            way.name,
            way.halfway.messages,
            f"{way.end.messages:,} of {expected.messages:,}",
            way.end.messages - way.end.different,
            f"{way.end.conversations:,} of {expected.conversations:,}",
            f"{way.before_s:.0f}",
            f"{way.after_s:.0f}",
            way.bar,
        ]
        for way in ways
    ]
    return f"{render_table(head, rows)}\n"


if __name__ == "__main__":
    sys.exit(main())

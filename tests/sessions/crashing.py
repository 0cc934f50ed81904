"""Appends one turn again and again, and dies at its first, second, third … statement.

`python -m tests.sessions.crashing TENANT SESSION`
Each attempt is a child of its own with a connection of its own, and ends by SIGKILL, as a machine that loses power
would end it. After each, what stands in the database is counted and printed, a line of JSON an attempt.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import django

django.setup()

import psycopg  # noqa: E402
from django.conf import settings  # noqa: E402
from django.db import connection, connections  # noqa: E402
from psycopg import sql  # noqa: E402

from nebo.env import env  # noqa: E402
from nebo.tenants.actor import Actor  # noqa: E402
from nebo.tenants.models import Tenant  # noqa: E402
from nebo.tenants.scoping import tenant_scope  # noqa: E402
from sessions.turns.append import NewMessage, append_turn, understand  # noqa: E402

MOST = 1_000  # statements a turn may take
TURN = (
    NewMessage("user", "My wife Sarah works at a bakery. Remind me to call mom tomorrow.", external_id="m-1"),
    NewMessage("user", "remember globally: the spare key is under the third pot"),
    NewMessage("user", "Please forget about my dog."),
    NewMessage("assistant", "I will."),
)


@dataclass(slots=True)
class Fuse:
    """Lets so many statements through, and kills this process at the next."""

    left: int

    def __call__(self, execute: Callable[..., Any], *call: Any) -> Any:
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1
        return execute(*call)


def attempt(tenant_id: UUID, session_id: UUID, turn: Sequence[NewMessage], statements: int) -> None:
    """The turn as an endpoint appends it once it is read, in its own transaction."""
    with connection.execute_wrapper(Fuse(statements)):
        tenant = Tenant.objects.get(pk=tenant_id)
        with tenant_scope(tenant):
            append_turn(
                tenant=tenant, session_id=session_id, messages=turn, actor=Actor("key", str(session_id))
            )


def in_a_child(act: Callable[[], None]) -> bool:
    """Whether it came to its end."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        act()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status) != 0:
        raise SystemExit("an attempt failed by itself")
    return not os.WIFSIGNALED(status)


def count_rows(database: psycopg.Connection[Any]) -> dict[str, int]:
    """Rows of every table, and what is counted in the person's, the session's and the corpus' rows."""
    rows = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    sums = [("count(*)", name, name) for (name,) in rows]
    sums += [(f'coalesce(sum("{column}"), 0)', table, f"{table}.{column}") for column, table in COUNTERS]
    asked = " UNION ALL ".join(
        f"SELECT '{name}', ({what})::int FROM \"{table}\"" for what, table, name in sums
    )
    return dict(database.execute(sql.SQL(asked)).fetchall())


COUNTERS = (
    ("memory_version", "tenants_userprofile"),
    ("next_seq", "agent_sessions_session"),
    ("turn_count", "agent_sessions_session"),
    ("length", "search_corpus"),
)


def main(tenant_id: UUID, session_id: UUID) -> None:
    """Until an attempt comes to its end."""
    for alias in connections:
        connections[alias].settings_dict["NAME"] = env.test_database
    with psycopg.connect(settings.DATABASE_URLS.owner, dbname=env.test_database, autocommit=True) as database:
        turn = understand(tenant_id, session_id, TURN)
        tell(ended=False, rows=count_rows(database))
        for statements in range(MOST):
            ended = in_a_child(lambda left=statements: attempt(tenant_id, session_id, turn, left))
            tell(ended=ended, rows=count_rows(database))
            if ended:
                break


def tell(**what: Any) -> None:
    """A line, out before the next child could say it again."""
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main(UUID(sys.argv[1]), UUID(sys.argv[2]))

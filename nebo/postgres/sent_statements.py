"""Statements that a distributed database runs where the tenant's rows are, by a function for each (docs/scale.md).

Sent as it is, a long statement would be planned twice, by the coordinator and by the server that has the rows, each
time anew; and some the coordinator can't plan at all. So `manage.py distribute` makes a function of each, for every
part of the tables, and the coordinator only passes the call on.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache

WRITES = re.compile(r"\b(?:INSERT INTO|DELETE FROM|UPDATE \S+ SET|UPDATE \S+ AS)\b")
TENANT = "tenant_id"


def is_sent(sql: str, names: Sequence[str]) -> bool:
    """Whether a statement reads rows of one tenant, which it names by a parameter, and writes none."""
    return TENANT in names and not WRITES.search(sql)


@cache
def function_of(sql: str) -> str:
    """The name of its function: another text is another function."""
    return f"nebo_sent_{hashlib.sha256(sql.encode()).hexdigest()[:16]}"


@cache
def call_of(sql: str, amount: int) -> str:
    """The statement that calls it, with as many parameters."""
    given = ", ".join(f"${place}" for place in range(1, amount + 1))
    return f"SELECT * FROM {function_of(sql)}({given})"  # noqa: S608  a name of our own

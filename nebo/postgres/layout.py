"""Whether one server has all rows, or several have those of some tenants each (docs/scale.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nebo.env import env

IS_DISTRIBUTED = env.database_layout == "distributed"
ANCHOR = "tenants_userprofile"  # the table whose parts all other tenant tables stand beside
LONGEST_NAME = 63 - len("_1234567")  # what stands on a part of a table has the part's number at its end

HAS_PARTS = """
SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AND EXISTS (
    SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = to_regclass(%s))
"""


def is_in_parts(connection: Any) -> bool:
    """Whether the tenants are distributed already; asked only where the settings say that they are to be."""
    if not IS_DISTRIBUTED:
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')")
        if cursor.fetchone() == (False,):
            return False
        cursor.execute(HAS_PARTS, [ANCHOR])
        found: bool = cursor.fetchone()[0]
        return found


def place_beside(table: str) -> str:
    """The statement that puts a table of tenants beside the others."""
    return f"SELECT create_distributed_table('{table}', 'tenant_id', colocate_with => '{ANCHOR}')"


def on_coordinator(*statements: str) -> Iterator[str]:
    """What Citus refuses for a table in parts, said of the coordinator's own, empty one: `distribute` reads it there
    and tells the parts. Inside a transaction.
    """
    yield "SET LOCAL citus.enable_ddl_propagation = off"
    yield from statements
    yield "SET LOCAL citus.enable_ddl_propagation = on"


def unlink_trigger(table: str, column: str, target: str) -> str:
    """The trigger that does what `ON DELETE SET NULL (column)` would, which no key with the tenant in it may say there.

    It stands before the key's own trigger, which would refuse: they run by their names.
    """
    name = f"AA_unlink_{table}_{column}"[:LONGEST_NAME]
    return (
        f'CREATE TRIGGER "{name}" AFTER DELETE ON "{target}" '
        f"FOR EACH ROW EXECUTE FUNCTION nebo_unlink('{table}', '{column}')"
    )

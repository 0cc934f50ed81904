"""Turn a database into one distributed by tenant, step by step.

Each step looks in the catalog for what is left to do and commits what it has done: a run that was cut off is begun
again, and one on a database that is all in place changes nothing. What is taken off on the way (keys, triggers) is kept
in a table until it stands again. Nobody may use the database meanwhile: rules are missing while tables move.
"""

from __future__ import annotations

from io import StringIO

from django.conf import settings
from psycopg import sql

from nebo.postgres.layout import ANCHOR, IS_DISTRIBUTED, place_beside
from nebo.product.operations.distribution import functions, rules, statements
from nebo.product.operations.distribution.catalog import has_citus, list_misplaced, list_nodes, read_places
from nebo.product.operations.distribution.plan import tables_of
from nebo.product.operations.distribution.session import Session, open_session
from nebo.product.operations.steps import Step, Steps
from nebo.tenants.isolation import planner_sql

SETTINGS = {
    "citus.enable_unsafe_triggers": "on",  # they touch rows of their own tenant alone, which are on the same server
    "plan_cache_mode": "force_custom_plan",  # a plan for all values asks all servers
    "citus.propagate_set_commands": "local",  # SET LOCAL nebo.tenant_id reaches the server that has the rows
}
DIRECTORY_TABLE = """
CREATE TABLE IF NOT EXISTS nebo_directory (
    kind varchar(20), name varchar(64), team uuid NOT NULL, PRIMARY KEY (kind, name))
"""
FILL_DIRECTORY = """
INSERT INTO nebo_directory (kind, name, team)
SELECT 'key', public_id, tenant_id FROM tenants_apikey
UNION ALL SELECT 'invitation', public_id, tenant_id FROM workspace_invitation
UNION ALL SELECT 'code', digest, tenant_id FROM workspace_connectcode
ON CONFLICT DO NOTHING
"""


class CannotDistribute(RuntimeError):
    """What is missing, in a sentence."""


def go_on(database: str) -> None:
    """After migrations: what is new in a database that is distributed, or all of one where there is no tenant yet."""
    with open_session(settings.DATABASE_URLS, database) as session:
        if read_places(session.connection).get(ANCHOR) == "distributed" or _is_new(session):
            distribute(session, Steps(StringIO()))


def _is_new(session: Session) -> bool:
    found = session.connection.execute("SELECT NOT EXISTS (SELECT FROM tenants_tenant)").fetchone()
    return found == (True,)


def check_ready(session: Session) -> None:
    """Raise CannotDistribute where Citus or a worker is missing, or the admin may too little."""
    if not IS_DISTRIBUTED:
        raise CannotDistribute("Set DATABASE_LAYOUT=distributed, here and wherever Nebo runs.")
    if not has_citus(session.connection):
        raise CannotDistribute(
            "This database has no Citus: install it on each server, CREATE EXTENSION citus, and add the workers "
            "with citus_add_node."
        )
    if not list_nodes(session.connection):
        raise CannotDistribute("No worker takes shards: add one with citus_add_node.")
    row = session.connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    if not row or not row[0]:
        raise CannotDistribute("DATABASE_URL must name a superuser of the coordinator.")


def distribute(session: Session, steps: Steps, shards: int | None = None) -> None:
    """Every step in order; harmless where all is in place. Into as many parts as `citus.shard_count` says by default.

    Raises CannotDistribute and psycopg.Error.
    """
    check_ready(session)
    if shards:
        _check_number(session, shards)
        session.connection.execute(sql.SQL("SET citus.shard_count = {}").format(sql.Literal(shards)))
    with steps.step("Settings"):
        _set_up(session)
    if list_misplaced(session.connection):
        with steps.step("Keys and triggers taken off") as step:
            step.done = f"{rules.take_off(session)} keys and triggers taken off"
        with steps.step("Tables") as step:
            step.done = f"{_place_tables(session, step)} tables placed"
    with steps.step("Functions") as step:
        step.done = f"{functions.install(session)} functions"
    with steps.step("Statements") as step:
        step.done = f"{statements.install(session, functions.read_shards(session))} statements"
    with steps.step("Rights") as step:
        step.done = f"{functions.close(session)} functions closed to everybody else"
    with steps.step("Keys and triggers put on") as step:
        step.done = f"{rules.put_on(session)} keys and triggers put on"
    with steps.step("Numbers"):
        _go_on_counting(session)
    with steps.step("Directory of keys"):
        session.run(FILL_DIRECTORY)
    with steps.step("Shards"):
        _tell_planner(session)


def _check_number(session: Session, shards: int) -> None:
    """Raise CannotDistribute where the tables are in another number of parts already."""
    found = len(session.ask(functions.LIST_SHARDS, ANCHOR))
    if found and found != shards:
        raise CannotDistribute(f"The tables are in {found} parts already, which can't be changed.")


def _set_up(session: Session) -> None:
    for name, value in SETTINGS.items():
        statement = sql.SQL("ALTER DATABASE {} SET {} = {}")
        session.connection.execute(
            statement.format(sql.Identifier(session.database), sql.SQL(name), sql.Literal(value))
        )
        session.connection.execute(sql.SQL("SET {} = {}").format(sql.SQL(name), sql.Literal(value)))
    with session.as_owner():
        session.run(DIRECTORY_TABLE)
        session.run(rules.KEPT)


def _place_tables(session: Session, step: Step) -> int:
    """Reference tables first: keys will lead to them."""
    left = {one.table: one.place for one in list_misplaced(session.connection)}
    names = [name for name in _in_order() if name in left]
    with step.bar(len(names), "tables") as bar:
        for name in names:
            _place(session, name, left[name])
            bar.update()
    return len(names)


def _in_order() -> list[str]:
    distributed = tables_of("distributed")
    distributed.sort(key=lambda name: name != ANCHOR)
    return [*tables_of("reference"), *distributed]


def _place(session: Session, table: str, place: str) -> None:
    """One table with its rows; the copy that stays on the coordinator goes."""
    if place == "reference":
        session.run(f"SELECT create_reference_table('{table}')")
    elif table == ANCHOR:
        session.run(f"SELECT create_distributed_table('{table}', 'tenant_id', colocate_with => 'none')")
    else:
        session.run(place_beside(table))
    session.run(f"SELECT truncate_local_data_after_distributing_table('{table}')")


IDENTITIES = """
SELECT a.attrelid::regclass::text, a.attname FROM pg_attribute a
WHERE a.attidentity <> '' AND NOT a.attisdropped AND a.attrelid::regclass::text = ANY(%s)
"""
HIGHEST = "SELECT max({column}) FROM {table}"
COUNTED = "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)"
COUNT_ON = "SELECT setval(pg_get_serial_sequence(%s, %s), %s)"


def _go_on_counting(session: Session) -> None:
    """A table that Citus has taken over counts from the beginning again: its numbers go on after the highest."""
    taken = [*tables_of("known"), *tables_of("reference"), *tables_of("distributed")]
    for table, column in session.connection.execute(IDENTITIES, [taken]).fetchall():
        names = {"table": sql.Identifier(table), "column": sql.Identifier(column)}
        highest = session.ask(sql.SQL(HIGHEST).format(**names))[0][0] or 0
        if highest > (session.ask(COUNTED, table, column)[0][0] or 0):
            session.ask(COUNT_ON, table, column, highest)


EXPECTED = """
SELECT attrelid::regclass::text, attname FROM pg_attribute
WHERE attrelid::regclass::text = ANY(%s) AND 'n_distinct=1' = ANY(attoptions)
"""
TELL = "SELECT nodename, nodeport, shardid, result FROM run_command_on_placements(%s, %s) WHERE NOT success"


def _tell_planner(session: Session) -> None:
    """Of which columns all rows have the same. It is known of each table; its parts aren't told by themselves, and one
    that was moved has to be told again.
    """
    for table, column in session.ask(EXPECTED, tables_of("distributed")):
        # `%1$s` is a part's name
        for node, port, part, why in session.ask(TELL, table, planner_sql("%1$s", column)):
            raise CannotDistribute(f"{node}:{port} didn't take what is expected of {table}_{part}: {why}")

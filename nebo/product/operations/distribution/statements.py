"""Functions of the statements that are sent to the tenant's server (nebo/postgres/sent_statements.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from uuid import UUID

from nebo.postgres.batched_reads import BATCHES
from nebo.postgres.layout import ANCHOR
from nebo.postgres.prepared import NUMBERED, PIN_IN_ORDER, Statement
from nebo.postgres.sent_statements import TENANT, function_of, is_sent
from nebo.product.operations.distribution.functions import DELEGATE, Shards, name_shards
from nebo.product.operations.distribution.session import Session
from nebo.tenants.reads import own_ids
from nebo.tenants.scoping import tenant_scope

NOBODY = UUID(int=0)  # a statement is the same for every tenant
TYPES = """
SELECT parameter_types::text[], result_types::text[] FROM pg_prepared_statements WHERE name = 'nebo_typed'
"""
LIST_STALE = """
SELECT p.oid::regprocedure::text FROM pg_proc p
WHERE p.pronamespace = 'public'::regnamespace AND p.proname ~ '^nebo_sent_'
  AND NOT substring(p.proname FROM '^nebo_sent_[0-9a-f]{16}') = ANY(%s)
"""
LIST_MADE = (
    "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname ~ '^nebo_sent_'"
)


def list_sent() -> list[Statement]:
    """Every such statement of this version, once."""
    import_module("nebo.urls")  # whatever the product asks has been loaded then
    import_module("nebo.jobs.registry")
    with tenant_scope(NOBODY):
        compiled = [batch.compile(own_ids(NOBODY)).statement for batch in BATCHES]
    found = {one.sql: one for one in [*NUMBERED, *compiled] if is_sent(one.sql, one.names)}
    return list(found.values())


def install(session: Session, shards: Shards) -> int:
    """A function for each statement and part of the tables, and none of earlier versions; how many statements."""
    sent = list_sent()
    names = [function_of(one.sql) for one in sent]
    made = {name for (name,) in session.connection.execute(LIST_MADE).fetchall()}
    wanted = [one for one in sent if not {*_names(one, shards)} <= made]
    with session.as_owner():
        for (stale,) in session.connection.execute(LIST_STALE, [names]).fetchall():
            session.run(f"DROP FUNCTION {stale}")
        for statement in wanted:
            for made_by in _functions(statement, *_types(session, statement), shards):
                session.run(made_by)
    for statement in wanted:
        place = statement.names.index(TENANT) + 1
        signature = f"{function_of(statement.sql)}({', '.join(_types(session, statement)[0])})"
        session.connection.execute(DELEGATE.replace("$1", f"${place}"), [signature, signature])
    return len(sent)


def _names(statement: Statement, shards: Shards) -> Iterator[str]:
    name = function_of(statement.sql)
    yield name
    yield from (f"{name}_{number}" for number in shards[ANCHOR])


def _types(session: Session, statement: Statement) -> tuple[list[str], list[str]]:
    """Of its parameters and of its columns, as the server understands it."""
    session.run(f"PREPARE nebo_typed AS {statement.sql}")
    try:
        parameters, columns = session.connection.execute(TYPES).fetchall()[0]
    finally:
        session.run("DEALLOCATE nebo_typed")
    return parameters, columns


def _functions(
    statement: Statement, parameters: list[str], columns: list[str], shards: Shards
) -> Iterator[str]:
    """One for each part, with a plan of its own that is kept, and the one that finds the right part."""
    name = function_of(statement.sql)
    returned = ", ".join(f"out_{place} {kind}" for place, kind in enumerate(columns, start=1))
    head = f"({', '.join(parameters)}) RETURNS TABLE ({returned}) LANGUAGE plpgsql"
    pins = "SET plan_cache_mode = force_generic_plan SET enable_seqscan = off" + (
        " SET enable_bitmapscan = off" if statement.pin == PIN_IN_ORDER else ""
    )
    for place, number in enumerate(shards[ANCHOR]):
        text = name_shards(statement.sql, shards, place)
        yield (
            f"CREATE OR REPLACE FUNCTION {name}_{number}{head} {pins} AS $nebo$\n"
            f"#variable_conflict use_column\nBEGIN\nRETURN QUERY {text};\nEND $nebo$"
        )
    given = ", ".join(f"${place}" for place in range(1, len(parameters) + 1))
    tenant = f"${statement.names.index(TENANT) + 1}"
    question = re.sub("'", "''", f"SELECT * FROM {name}_%s({given})")  # noqa: S608  a name of our own
    yield (
        f"CREATE OR REPLACE FUNCTION {name}{head} AS $nebo$\nBEGIN\n"
        f"RETURN QUERY EXECUTE format('{question}', get_shard_id_for_distribution_column('{ANCHOR}', {tenant}))\n"
        f"USING {given};\nEND $nebo$"
    )

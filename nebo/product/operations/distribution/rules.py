"""Keys, unique constraints and triggers of the tables: taken off while the tables move, and put on as Citus has them.

Citus refuses `ON DELETE SET NULL (column)` in a key that holds the tenant. Such a key is put on without an action, and
a trigger unlinks the rows first; its name comes before that of the key's own trigger, which would refuse. A unique
constraint without the tenant becomes one with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nebo.postgres.layout import unlink_trigger
from nebo.product.operations.distribution.catalog import (
    FOREIGN_KEYS,
    TRIGGERS,
    UNIQUE_WITHOUT_TENANT,
    Rule,
    list_rules,
)
from nebo.product.operations.distribution.plan import tables_of
from nebo.product.operations.distribution.session import Session

KEPT = """
CREATE TABLE IF NOT EXISTS nebo_kept_rule (
    kind text, relation text, name text, definition text NOT NULL, target text NOT NULL,
    PRIMARY KEY (kind, relation, name))
"""
KEEP = "INSERT INTO nebo_kept_rule VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
LIST_KEPT = (
    "SELECT kind, relation, name, definition, target FROM nebo_kept_rule ORDER BY kind DESC, relation, name"
)
FORGET = "DELETE FROM nebo_kept_rule WHERE kind = %s AND relation = %s AND name = %s"
SET_NULL = re.compile(r" ON DELETE SET NULL \((\w+)\)")
KINDS = {"unique": UNIQUE_WITHOUT_TENANT, "trigger": TRIGGERS, "key": FOREIGN_KEYS}


def take_off(session: Session) -> int:
    """All of them, each remembered in the same transaction that takes it off; how many."""
    everywhere = [*tables_of("distributed"), *tables_of("reference"), *tables_of("known")]
    tables = {"unique": tables_of("distributed"), "trigger": everywhere, "key": everywhere}
    count = 0
    with session.as_owner():
        for kind, question in KINDS.items():
            for rule in list(list_rules(session.connection, question, tables[kind])):
                _take_off_one(session, kind, rule)
                count += 1
    return count


def _take_off_one(session: Session, kind: str, rule: Rule) -> None:
    with session.connection.transaction():
        session.connection.execute(KEEP, [kind, rule.table, rule.name, rule.definition, rule.target])
        if kind == "trigger":
            session.run(f'DROP TRIGGER "{rule.name}" ON "{rule.table}"')
        else:
            session.run(f'ALTER TABLE "{rule.table}" DROP CONSTRAINT "{rule.name}"')


def put_on(session: Session) -> int:
    """What was taken off, as it can stand in a distributed database; how many."""
    count = 0
    with session.as_owner():
        for kind, *columns in session.connection.execute(LIST_KEPT).fetchall():
            rule = Rule(*columns)
            with session.connection.transaction():
                session.run("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
                for statement in statements_of(kind, rule):
                    session.run(statement)
                session.connection.execute(FORGET, [kind, rule.table, rule.name])
            count += 1
    return count


def statements_of(kind: str, rule: Rule) -> Iterator[str]:
    """The SQL that makes a rule in a distributed database."""
    add = f'ALTER TABLE "{rule.table}" ADD CONSTRAINT "{rule.name}"'
    if kind == "trigger":
        yield rule.definition
    elif kind == "unique":
        yield f"{add} {rule.definition.replace('UNIQUE (', 'UNIQUE (tenant_id, ')}"
    elif found := SET_NULL.search(rule.definition):
        yield f"{add} {SET_NULL.sub('', rule.definition)}"
        yield unlink_trigger(rule.table, found[1], rule.target)
    else:
        yield f"{add} {rule.definition}"

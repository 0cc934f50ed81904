"""A context of somebody of whom very much is known: its first statement reads the first few rows, and no more."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection

from nebo.tenants.ids import default_persona_id
from nebo.tenants.scoping import tenant_scope
from sessions.context.inputs import CONTEXT_READS
from sessions.models import Session, Spine
from tests.conftest import Team

KNOWN = 20_000
ENOUGH = 1_000  # rows of memories: eight parts of 180 at most, few of which can be full at once

KNOW = """
INSERT INTO memories_memory (
    id, tenant_id, person_id, scope, layer, namespace, key, value, tags, type, entity_refs, entity_label, entity_type,
    fact_type, memory_key, importance, pinned, source, trust, status, quarantine_reason, confidence, reinforced_count,
    first_observed, last_reinforced, access_count, accessed_at, metadata, shared_by, version,
    created_at, updated_at)
SELECT gen_random_uuid(), %s, %s, 'user', 'tacit', %s, 'key-' || number, 'Value ' || number, '{}', 'profile', '{}', '',
       '', 'fact', '', CASE WHEN %s THEN 3 ELSE 1 END, %s, 'user', 'user', 'active', '', 0.9, 1,
       now(), now() - number * interval '1 second', number %% 7, now(), '{}', '', 1, now(), now()
FROM generate_series(1, %s) AS number
"""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("namespace", "pinned"),
    [("tacit/facts", False), ("tacit/personality", False), ("tacit/facts", True), ("entity/people", True)],
)
def test_the_first_statement_reads_a_few_of_very_many_memories(
    acme: Team, namespace: str, pinned: bool
) -> None:
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).create(person=acme.person, key="chat")
        Spine.objects.for_tenant(acme.tenant).create(
            person=acme.person, version=1, sections={"everyone": {"facts": ["Value 7", "Value 8"]}}
        )
        know(acme.tenant.pk, acme.person.pk, namespace, pinned)
        plan = explain(acme, session)

    assert 0 < sum(rows_read(plan, "memories_memory")) <= ENOUGH


def know(tenant_id: UUID, person_id: UUID, namespace: str, pinned: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute(KNOW, [tenant_id, person_id, namespace, pinned, pinned, KNOWN])


def explain(team: Team, session: Session) -> Mapping[str, Any]:
    """The plan as it was run."""
    statement = CONTEXT_READS.statement(team.tenant.pk)
    own = {"tenant_id": team.tenant.pk, "default_persona_id": default_persona_id(team.tenant.pk)}
    with connection.cursor() as cursor:
        cursor.execute(statement.pin)
    with psycopg.RawCursor(connection.connection) as raw:
        raw.execute(
            f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {statement.sql}",
            statement.values({**own, "session_id": session.pk, "as_persona": None, "key_id": None}),
        )
        row = raw.fetchone()
    assert row
    return dict((row[0] if isinstance(row[0], list) else json.loads(row[0]))[0]["Plan"])


def rows_read(node: Mapping[str, Any], table: str) -> Iterator[int]:
    """Of a table: those that went on, and those that were read for nothing."""
    if node.get("Relation Name") == table:
        read = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        yield round(read * node["Actual Loops"])
    for below in node.get("Plans", ()):
        yield from rows_read(below, table)

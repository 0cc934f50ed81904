"""Many other people at once: a template's index is copied to them inside the database.

Over HTTP a million messages would take an hour; what a search reads is the same either way. Copies have no sessions
and no messages of their own, only what stands in the search's tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import psycopg
from psycopg import sql
from tqdm import tqdm

TABLES = {  # with the column that names whose a row is
    "search_chunk": "person_id",
    "search_posting": "person_number",
    "search_embedding": "person_id",
    "search_corpus": "person_id",
}
BATCH = 250  # people a statement
VECTOR_BYTES = 2  # a number, in half precision

TEMPLATE = """
CREATE TEMPORARY TABLE template AS
SELECT person.tenant_id, person.id AS person_id, corpus.person_number, min(chunk.id) AS first_chunk, count(*) AS chunks,
       max(chunk.id) - min(chunk.id) + 1 AS step
FROM tenants_userprofile AS person
JOIN search_corpus AS corpus ON corpus.tenant_id = person.tenant_id AND corpus.person_id = person.id
JOIN search_chunk AS chunk ON chunk.tenant_id = person.tenant_id AND chunk.person_id = person.id
WHERE person.external_id = %s GROUP BY 1, 2, 3
"""
CROWD = """
CREATE TEMPORARY TABLE crowd (
    n bigint PRIMARY KEY, tenant_id uuid NOT NULL, person_id uuid NOT NULL DEFAULT gen_random_uuid(),
    person_number integer NOT NULL DEFAULT nextval('search_corpus_person_number_seq')
)
"""
# Each in a tenant of its own, or all in the template's.
JOIN_CROWD = """
INSERT INTO crowd (n, tenant_id)
SELECT n, CASE WHEN %(own_tenants)s THEN gen_random_uuid() ELSE template.tenant_id END
FROM template, generate_series(%(first)s::bigint, %(last)s::bigint) AS n
"""
# New ids are below zero, where the sequence never comes.
NEW_CHUNK = "-(crowd.n * template.step + source.id - template.first_chunk)"
VALUES = {
    "tenant_id": "crowd.tenant_id",
    "person_id": "crowd.person_id",
    "person_number": "crowd.person_number",
    "chunk_id": NEW_CHUNK.replace("source.id", "source.chunk_id"),
    "external_id": "'crowd-' || crowd.n",
    "slug": "'crowd-' || crowd.n",
}
SIZE = "SELECT sum(pg_total_relation_size(name::regclass))::bigint FROM unnest(%s::text[]) AS name"
CONTENT = """
SELECT count(*), coalesce(sum(octet_length(text)), 0)::bigint,
       (SELECT coalesce(sum(vector_dims(vector::vector)), 0)::bigint FROM search_embedding)
FROM search_chunk
"""


@dataclass(frozen=True, slots=True)
class Disk:
    """Bytes of the search's tables with their indexes, and of what has to be kept: texts and vectors."""

    chunks: int
    bytes: int
    content_bytes: int

    @property
    def a_chunk(self) -> float:
        return self.bytes / self.chunks

    @property
    def ratio(self) -> float:
        return self.bytes / self.content_bytes


class Crowd:
    """One privileged connection; what it writes passes no trigger and no foreign key."""

    def __init__(self, admin_url: str, *, template: str) -> None:
        self._connection = psycopg.connect(admin_url, autocommit=True)
        self._connection.execute("SET session_replication_role = replica")
        self._connection.execute(TEMPLATE, [template])
        self._connection.execute(CROWD)
        self._people = 0

    def grow(self, people: int, *, own_tenants: bool = False) -> None:
        """Add so many people, each with the template's chunks; statistics are then fresh, and all is on the disk."""
        for first in tqdm(range(0, people, BATCH), "crowd", unit=f"×{BATCH}"):
            self._add(min(BATCH, people - first), own_tenants=own_tenants)
        self._connection.execute("VACUUM (ANALYZE)")
        self._connection.execute("CHECKPOINT")

    def _add(self, people: int, *, own_tenants: bool) -> None:
        with self._connection.transaction():
            self._connection.execute("TRUNCATE crowd")
            span = {"first": self._people + 1, "last": self._people + people, "own_tenants": own_tenants}
            self._connection.execute(JOIN_CROWD, span)
            if own_tenants:
                self._copy("tenants_tenant", "source.id = template.tenant_id", {"id": "crowd.tenant_id"})
            self._copy("tenants_userprofile", "source.id = template.person_id", {"id": "crowd.person_id"})
            for table, whose in TABLES.items():
                self._copy(table, f"source.{whose} = template.{whose}", {"id": NEW_CHUNK})
        self._people += people

    def _copy(self, table: str, which: str, renamed: dict[str, str]) -> None:
        """Every row of the template's in `table`, once for each in the crowd, under the new ids."""
        columns = self._columns(table)
        values = [sql.SQL(VALUES.get(name) or renamed.get(name) or f'source."{name}"') for name in columns]
        statement = (
            "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM {} AS source, template, crowd WHERE "
        )
        self._connection.execute(
            sql.SQL(statement + which).format(
                sql.Identifier(table),
                sql.SQL(", ").join(map(sql.Identifier, columns)),
                sql.SQL(", ").join(values),
                sql.Identifier(table),
            )
        )

    def _columns(self, table: str) -> Sequence[str]:
        rows = self._connection.execute(
            "SELECT column_name FROM information_schema.columns"
            " WHERE table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position",
            [table],
        )
        return [row[0] for row in rows]

    def weigh(self) -> Disk:
        """What the search's tables take now."""
        size = self._connection.execute(SIZE, [list(TABLES)]).fetchone()
        content = self._connection.execute(CONTENT).fetchone()
        assert size  # an aggregate always gives a row
        assert content
        chunks, text_bytes, numbers = content
        return Disk(chunks, size[0], text_bytes + numbers * VECTOR_BYTES)

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()

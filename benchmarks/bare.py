"""The floor: embedding a question and one prepared statement, nothing else; and embedding what is written.

The statement does the least that a search by words and meaning must: BM25 over the owner's postings, an exact scan
of the owner's vectors, both min-max scaled and added, the texts of the best ten; as the app role, under
row-level security.
It runs in a process of its own with the server's environment: python -m benchmarks.bare < questions.json
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import psycopg

from nebo.database import database_urls
from nebo.env import env
from search.embeddings.registry import get_embedder

LIMIT = 10  # results, as a search gives by default
CANDIDATES = 100  # of either leg
BATCH = 256  # texts the model is given at once: search.indexing.passages.EMBED_BATCH, which would need all of Django
WARM_UP = 5  # questions not counted: the model is loaded, the statement prepared

Params = dict[str, Any]

OWNER = """
SELECT tenant.id, set_config('nebo.tenant_id', tenant.id::text, false)
FROM tenants_tenant AS tenant WHERE slug = %(slug)s
"""
PROFILE = "SELECT id FROM tenants_userprofile WHERE tenant_id = %(tenant)s AND external_id = %(user)s"
TEXTS = """
SELECT trim(heading || ' ' || text) FROM search_chunk
WHERE tenant_id = %(tenant)s AND person_id = %(person)s ORDER BY id LIMIT %(texts)s
"""
COUNT = "SELECT chunks FROM search_corpus WHERE tenant_id = %(tenant)s AND person_id = %(person)s"

# BM25 with k1 = 1.2, b = 0.75 (Robertson and Zaragoza, 2009).
STATEMENT = """
WITH corpus AS (
    SELECT person_number, chunks, length::float8 / greatest(chunks, 1) AS mean_length
    FROM search_corpus WHERE tenant_id = %(tenant)s AND person_id = %(person)s
), posting AS (
    SELECT chunk_id, tf, length, count(*) OVER (PARTITION BY lexeme) AS df
    FROM search_posting
    WHERE tenant_id = %(tenant)s AND person_number = (SELECT person_number FROM corpus)
      AND lexeme = ANY (tsvector_to_array(to_tsvector('english', %(question)s)))
), words AS (
    SELECT chunk_id, sum(ln(1 + (chunks - df + 0.5) / (df + 0.5))
                         * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / mean_length))) AS score
    FROM posting, corpus GROUP BY chunk_id ORDER BY score DESC LIMIT %(candidates)s
), vectors AS (
    SELECT chunk_id, 1 - (vector <=> %(vector)s::halfvec) AS score
    FROM search_embedding
    WHERE tenant_id = %(tenant)s AND person_id = %(person)s
    ORDER BY vector <=> %(vector)s::halfvec LIMIT %(candidates)s
), best AS (
    SELECT chunk_id,
           coalesce(words.score / nullif(max(words.score) OVER (), 0), 0)
           + coalesce((vectors.score - min(vectors.score) OVER ())
                      / nullif(max(vectors.score) OVER () - min(vectors.score) OVER (), 0), 0) AS score
    FROM words FULL JOIN vectors USING (chunk_id) ORDER BY score DESC LIMIT %(limit)s
)
SELECT chunk.id, chunk.text, best.score
FROM best JOIN search_chunk AS chunk ON chunk.tenant_id = %(tenant)s AND chunk.id = best.chunk_id
ORDER BY best.score DESC
"""


def main(arguments: list[str] | None = None) -> int:
    """Print {"chunks", "embed_ms": […], "sql_ms": […], "embedded_a_second"} for the questions on standard input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bare", description=__doc__)
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--user", required=True)
    parser.add_argument("--batches", type=int, default=0, help="batches of texts to embed by themselves")
    chosen = parser.parse_args(arguments)
    with psycopg.connect(database_urls(env).app, autocommit=True) as connection:
        owner = find_owner(connection, chosen.tenant, chosen.user)
        told = measure(connection, owner, json.load(sys.stdin))
        json.dump({**told, "embedded_a_second": embed_batches(connection, owner, chosen.batches)}, sys.stdout)
    return 0


def find_owner(connection: psycopg.Connection, slug: str, user: str) -> Params:
    """Whose index is searched, and how much is asked for."""
    tenant = _one(connection, OWNER, {"slug": slug})
    person = _one(connection, PROFILE, {"tenant": tenant, "user": user})
    return {"tenant": tenant, "person": person, "limit": LIMIT, "candidates": CANDIDATES}


def measure(connection: psycopg.Connection, owner: Params, questions: Sequence[str]) -> Params:
    """Milliseconds of both parts for each question but the first few."""
    timed = [_time(connection, owner, question) for question in questions][WARM_UP:]
    embed_ms, sql_ms = zip(*timed, strict=True)
    return {"chunks": _one(connection, COUNT, owner), "embed_ms": embed_ms, "sql_ms": sql_ms}


def _one(connection: psycopg.Connection, query: str, params: Params) -> Any:
    row = connection.execute(query, params).fetchone()
    if row is None:
        raise LookupError(f"Nothing there: {query}")
    return row[0]


def _time(connection: psycopg.Connection, owner: Params, question: str) -> tuple[float, float]:
    began = time.perf_counter()
    vector = get_embedder().embed([question])[0]
    embedded = time.perf_counter()
    params = {**owner, "question": question, "vector": json.dumps(vector)}
    connection.execute(STATEMENT, params, prepare=True).fetchall()
    return (embedded - began) * 1000, (time.perf_counter() - embedded) * 1000


def embed_batches(connection: psycopg.Connection, owner: Params, batches: int) -> float:
    """Texts a second, in batches as the embed job makes them; 0 for none."""
    rows = connection.execute(TEXTS, {**owner, "texts": BATCH * batches}).fetchall()
    texts = [text for (text,) in rows]
    began = time.perf_counter()
    for first in range(0, len(texts), BATCH):
        get_embedder().embed(texts[first : first + BATCH])
    return len(texts) / (time.perf_counter() - began)


if __name__ == "__main__":
    sys.exit(main())

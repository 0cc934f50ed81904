"""Nebo on a database that Citus has distributed over two servers, from the outside, and its walls on each of them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import pytest

from benchmarks.citus import MISSING, Cluster, citus_cluster, distribute, find_programs
from benchmarks.server import manage, running_server, throwaway_folder

DATABASE = "nebo"
SHARDS = 4
JOB_LIMIT_S = 60.0
PARTS = """
SELECT 'memories_memory_' || shardid FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
WHERE logicalrelid = 'memories_memory'::regclass AND groupid = (SELECT groupid FROM pg_dist_local_group)
"""

pytestmark = [
    pytest.mark.worker,
    pytest.mark.timeout(400),
    pytest.mark.skipif(find_programs() is None, reason=MISSING),
]


@dataclass(frozen=True)
class Place:
    """A distributed Nebo that runs, with a key for each of two teams."""

    cluster: Cluster
    url: str
    acme: str
    rival: str

    def call(self, key: str, method: str, path: str, body: Any = None, expects: int = 200) -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        answer = httpx.request(
            method, f"{self.url}/api/v1/{path}", headers=headers, json=body, timeout=JOB_LIMIT_S
        )
        assert answer.status_code == expects, answer.text
        return answer.json() if answer.content else None


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with citus_cluster() as cluster, throwaway_folder() as folder:
        environment = distribute(cluster, DATABASE, folder, SHARDS)
        chosen = {
            "DATABASE_URL": environment["DATABASE_URL"],
            "DATABASE_LAYOUT": "distributed",
            "NEBO_EMBEDDING_MODEL": "hashing/384",
            "NEBO_WORKER_PROCESSES": "1",
        }
        with running_server(folder, chosen) as server:
            keys = [_issue_key(server.environment, slug) for slug in ("acme", "rival")]
            yield Place(cluster, server.url, *keys)


def _issue_key(environment: Mapping[str, str], slug: str) -> str:
    scopes = ("--scopes", "read,write,admin")
    return str(
        json.loads(manage(environment, "issue_key", "--tenant", slug, "--create", "--json", *scopes))["key"]
    )


def await_job(place: Place, key: str, path: str) -> None:
    until = time.monotonic() + JOB_LIMIT_S
    while place.call(key, "GET", path)["state"] not in ("succeeded", "dead") and time.monotonic() < until:
        time.sleep(0.2)
    assert place.call(key, "GET", path)["state"] == "succeeded"


def test_a_second_run_finds_everything_in_its_place(place: Place) -> None:
    with psycopg.connect(place.cluster.coordinator.url(DATABASE)) as connection:
        kept = connection.execute("SELECT count(*) FROM nebo_kept_rule").fetchone()
        nodes = connection.execute(
            "SELECT count(DISTINCT nodeport) FROM citus_shards WHERE citus_table_type = 'distributed'"
        ).fetchone()

    assert kept == (0,)
    assert nodes == (2,)


def test_what_is_told_is_stored_learned_found_given_deleted_and_erased(place: Place) -> None:
    key = place.acme
    stored = place.call(key, "POST", "users/maya/memories/", {"value": "Plays the cello"}, expects=201)
    session = place.call(key, "POST", "sessions/", {"user": "maya", "key": "one"}, expects=201)["id"]
    said = {"messages": [{"role": "user", "content": "I live in Lisbon. My sister is called Ines."}]}
    place.call(key, "POST", f"sessions/{session}/turns/", said, expects=201)

    until = time.monotonic() + JOB_LIMIT_S
    while time.monotonic() < until and "Lisbon" not in str(place.call(key, "GET", "users/maya/memories/")):
        time.sleep(0.3)
    found = place.call(key, "POST", "users/maya/search/", {"query": "Who plays the cello?"})
    given = place.call(key, "POST", f"sessions/{session}/context/", {"query": "Where do I live?"})

    assert "Lisbon" in str(place.call(key, "GET", "users/maya/memories/"))
    assert "cello" in str(found)
    assert "Lisbon" in str(given)
    assert "cello" not in str(place.call(place.rival, "GET", "users/maya/memories/", expects=404))

    place.call(key, "DELETE", f"memories/{stored['id']}/", expects=204)
    assert "Plays the cello" not in str(place.call(key, "POST", "users/maya/search/", {"query": "cello"}))
    job = place.call(key, "DELETE", "users/maya/", expects=202)["job"]["id"]
    await_job(place, key, f"jobs/{job}/")
    place.call(key, "GET", "users/maya/memories/", expects=404)
    with psycopg.connect(place.cluster.coordinator.url(DATABASE)) as admin:
        counts = admin.execute("SELECT receipt -> 'counts' FROM governance_erasure").fetchone()
        left = admin.execute("SELECT count(*) FROM agent_sessions_message").fetchone()
    assert counts and counts[0]["agent_sessions_message"] >= 1 and counts[0]["search_posting"] >= 1
    assert left == (0,)


def test_on_each_server_nothing_of_another_tenant_is_seen(place: Place) -> None:
    place.call(place.acme, "POST", "users/noor/memories/", {"value": "Owns a canary"}, expects=201)
    place.call(place.rival, "POST", "users/noor/memories/", {"value": "Owns a canary"}, expects=201)
    with psycopg.connect(place.cluster.coordinator.url(DATABASE)) as admin:
        tenants = [
            row[0] for row in admin.execute("SELECT id FROM tenants_tenant WHERE slug IN ('acme', 'rival')")
        ]

    seen = []
    for server in place.cluster.workers:
        with psycopg.connect(
            f"postgresql://nebo_app@127.0.0.1:{server.port}/{DATABASE}", autocommit=True
        ) as app:
            for (part,) in app.execute(PARTS).fetchall():
                with pytest.raises(psycopg.Error):
                    app.execute(f'SELECT * FROM "{part}"')
                for tenant in tenants:
                    with app.transaction():
                        app.execute(f"SET LOCAL nebo.tenant_id = '{tenant}'")
                        rows = app.execute(f'SELECT DISTINCT tenant_id FROM "{part}"').fetchall()
                    seen += [(tenant, row[0]) for row in rows]

    assert {tenant for tenant, _ in seen} == set(tenants)
    assert [pair for pair in seen if pair[0] != pair[1]] == []

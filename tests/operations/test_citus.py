"""Nebo on a database that Citus has distributed over two servers, from the outside, and its walls on each of them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import pytest

from benchmarks.citus import MISSING, Cluster, citus_cluster, distribute, find_programs
from benchmarks.server import ServerFailed, manage, running_server, throwaway_folder
from nebo.embedded.postmaster import HOST

DATABASE = "nebo"
SHARDS = 4
JOB_LIMIT_S = 60.0
PARTS = """
SELECT 'memories_memory_' || shardid FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
WHERE logicalrelid = 'memories_memory'::regclass AND groupid = (SELECT groupid FROM pg_dist_local_group)
"""

# Of parts of tables as of tables: what has a name and a text, and is no server's own.
CATALOGS = {
    "key or constraint": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace""",
    "index": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "trigger": """
        SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger
        WHERE NOT tgisinternal AND tgname !~ '^(citus|truncate)'""",
    "policy": "SELECT tablename, policyname, roles::text, qual, with_check FROM pg_policies",
    "wall": """
        SELECT oid::regclass::text, relrowsecurity, relforcerowsecurity, relacl::text FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'""",
    "column": """
        SELECT attrelid::regclass::text, attname, attoptions::text, attacl::text FROM pg_attribute
        WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
          AND (attoptions IS NOT NULL OR attacl IS NOT NULL)""",
    "function": """
        SELECT oid::regprocedure::text, md5(pg_get_functiondef(oid)), proacl::text FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND proname ~ '^(nebo|search|memories|events)_'
    """,
    "setting": "SELECT unnest(setconfig) FROM pg_db_role_setting WHERE setdatabase <> 0",
}

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
    environment: Mapping[str, str]

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
            yield Place(cluster, server.url, keys[0], keys[1], server.environment)


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


def test_everything_is_in_its_place(place: Place) -> None:
    with psycopg.connect(place.cluster.coordinator.url(DATABASE)) as connection:
        kept = connection.execute("SELECT count(*) FROM nebo_kept_rule").fetchone()
        nodes = connection.execute(
            "SELECT count(DISTINCT nodeport) FROM citus_shards WHERE citus_table_type = 'distributed'"
        ).fetchone()

    assert kept == (0,)
    assert nodes == (2,)


def manage_later(place: Place, *command: str) -> str:
    """A command of a later version, which has one more app."""
    return manage(
        {**place.environment, "DJANGO_SETTINGS_MODULE": "tests.operations.later.settings"}, *command
    )


def read_all(place: Place) -> dict[str, set[tuple[Any, ...]]]:
    """What the catalogs of the coordinator, and of all workers together, say of everything that is Nebo's."""
    found: dict[str, set[tuple[Any, ...]]] = {"coordinator": set(), "workers": set()}
    for server in place.cluster.servers:
        whose = "coordinator" if server == place.cluster.coordinator else "workers"
        with psycopg.connect(
            server.url(DATABASE), options="-c citus.show_shards_for_app_name_prefixes=*"
        ) as one:
            for kind, question in CATALOGS.items():
                found[whose] |= {(kind, *row) for row in one.execute(question).fetchall()}
    return found


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
    await_job(place, key, f"jobs/{erase(place, 'maya')}/")
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


def test_the_number_of_parts_is_fixed(place: Place) -> None:
    with pytest.raises(ServerFailed, match=f"in {SHARDS} parts already"):
        manage(place.environment, "distribute", "--shards", str(2 * SHARDS))


def test_whoever_calls_during_a_second_run_is_answered(place: Place) -> None:
    session = place.call(place.rival, "POST", "sessions/", {"user": "ravi", "key": "one"}, expects=201)["id"]
    done = threading.Event()

    def call() -> int:
        count = 0
        while not done.is_set():
            said = {"messages": [{"role": "user", "content": f"I keep {count} goats."}]}
            place.call(place.rival, "POST", f"sessions/{session}/turns/", said, expects=201)
            place.call(place.rival, "POST", "users/ravi/search/", {"query": "Who keeps goats?"})
            place.call(place.rival, "POST", f"sessions/{session}/context/", {"query": "goats"})
            count += 1
        return count

    with ThreadPoolExecutor(1) as pool:
        calls = pool.submit(call)
        try:
            manage(place.environment, "distribute")
        finally:
            done.set()

    assert calls.result() > 1


def test_a_second_run_and_moving_keep_every_rule_also_of_a_later_versions_table(place: Place) -> None:
    memory = place.call(place.acme, "POST", "users/iris/memories/", {"value": "Keeps bees"}, expects=201)[
        "id"
    ]
    manage_later(place, "migrate", "-v0")
    with psycopg.connect(place.cluster.coordinator.url(DATABASE), autocommit=True) as admin:
        (tenant,) = admin.execute(TAKE_NOTE, [memory]).fetchall()[0]
        before = read_all(place)

        told = manage_later(place, "distribute")

        assert read_all(place) == before
        assert "✓ 0 keys and triggers put on" in told

        moved = add_server_and_rebalance(place, admin)
        manage_later(place, "distribute")

        after = read_all(place)
        assert moved > 0
        for whose, things in before.items():
            assert (whose, things - after[whose], after[whose] - things) == (whose, set(), set())

        admin.execute("DELETE FROM memories_memory WHERE tenant_id = %s AND id = %s", [tenant, memory])
        assert admin.execute("SELECT person_id IS NULL, memory_id FROM later_note").fetchall() == [
            (False, None)
        ]
        await_job(place, place.acme, f"jobs/{erase(place, 'iris')}/")
        assert admin.execute("SELECT 1 FROM later_note").fetchall() == []


TAKE_NOTE = """
INSERT INTO later_note (id, tenant_id, person_id, memory_id, text)
SELECT gen_random_uuid(), tenant_id, person_id, id, 'Two hives' FROM memories_memory WHERE id = %s
RETURNING tenant_id
"""


def add_server_and_rebalance(place: Place, admin: psycopg.Connection[Any]) -> int:
    """How many parts of tables have moved to a server that came."""
    new = place.cluster.add_server()
    place.cluster.prepare(new, DATABASE)
    admin.execute("SELECT citus_add_node(%s, %s)", [HOST, new.port])
    admin.execute("SELECT citus_rebalance_start()")
    admin.execute("SELECT citus_rebalance_wait()")
    return int(
        admin.execute("SELECT count(*) FROM citus_shards WHERE nodeport = %s", [new.port]).fetchall()[0][0]
    )


def erase(place: Place, user: str) -> str:
    """The job that does it."""
    return str(place.call(place.acme, "DELETE", f"users/{user}/", expects=202)["job"]["id"])

"""How long the page of memories takes for somebody of whom very much is known.

    python -m benchmarks.browsing [--memories 50000]

A server of its own, on data that is thrown away. A few hundred memories come over HTTP and get their vectors; the rest
are copies of them, made inside the database. Then a login asks for the page over HTTP as a browser does.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import httpx
import psycopg
from psycopg import sql
from tqdm import tqdm

from benchmarks.chatter import make_turns
from benchmarks.client import Client
from benchmarks.page import describe_machine
from benchmarks.server import TENANT, Server, find_admin_url, manage, throwaway_server
from benchmarks.tables import Cell, render_table

USER = "reader"
EMAIL, PASSWORD = "reader@example.com", "correct horse battery"
TEMPLATE = 500  # memories that come over HTTP
TIMES = 7  # each page is asked for, after once that doesn't count
PAGES = {
    "list": "",
    "filtered by layer": "?layer=tacit",
    "sorted by importance": "?sort=importance",
    "page 1,000": "?page=1000",
    "searched by words and meaning": "?q=what do they like to cook",
    "searched by one word": "?q=garden",
}
JOIN = """
from nebo.tenants.models import Membership, Tenant, User, UserProfile
from nebo.tenants.scoping import tenant_scope
tenant = Tenant.objects.using("operator").get(slug="{tenant}")
login = User.objects.db_manager("operator").create_user("{email}", "{password}")
with tenant_scope(tenant):
    Membership.objects.for_tenant(tenant).create(user=login, role="owner")
    UserProfile.objects.for_tenant(tenant).filter(external_id="{user}").update(login=login)
"""
MAP = """
CREATE TEMPORARY TABLE copied AS
SELECT copy, chunk.id AS old_chunk, chunk.memory_id AS old_memory,
       -(copy * 1000000 + row_number() OVER (PARTITION BY copy ORDER BY chunk.id)) AS new_chunk,
       gen_random_uuid() AS new_memory
FROM search_chunk AS chunk, generate_series(1, %(copies)s) AS copy
WHERE chunk.person_id IN (SELECT id FROM tenants_userprofile WHERE external_id = %(user)s)
  AND chunk.memory_id IS NOT NULL AND chunk.index = 0
"""
# Which old row a new one is made of, and what is not the same in it. Ids below zero are where no sequence comes.
COPIES = {
    "memories_memory": (
        "source.id = copied.old_memory",
        {"id": "copied.new_memory", "key": "source.key || '-' || copied.copy"},
    ),
    "search_chunk": (
        "source.id = copied.old_chunk",
        {"id": "copied.new_chunk", "memory_id": "copied.new_memory"},
    ),
    "search_posting": (
        "source.chunk_id = copied.old_chunk",
        {"chunk_id": "copied.new_chunk", "id": "DEFAULT"},
    ),
    "search_embedding": ("source.chunk_id = copied.old_chunk", {"chunk_id": "copied.new_chunk"}),
}
COUNTED = """
UPDATE search_corpus SET chunks = chunks * (%(copies)s + 1), length = length * (%(copies)s + 1)
WHERE person_id IN (SELECT id FROM tenants_userprofile WHERE external_id = %(user)s)
"""
COUNT = """
SELECT count(*) FROM memories_memory
WHERE status = 'active' AND person_id IN (SELECT id FROM tenants_userprofile WHERE external_id = %(user)s)
"""


def tell(client: Client) -> None:
    """The memories that the others are copies of, with their vectors."""
    texts = list(dict.fromkeys(turn.text for turn in make_turns(TEMPLATE * 2, seed=USER)))[:TEMPLATE]
    for number, text in enumerate(tqdm(texts, "memories")):
        body = {"value": text, "namespace": "tacit/facts", "key": f"fact-{number}", "deduplicate": False}
        client.call("POST", f"users/{USER}/memories/", body)
    client.wait_for_vectors(limit_s=600)


def copy_rows(admin_url: str, memories: int, *, user: str = USER) -> int:
    """Until at least so many of the person are there; returns how many."""
    with psycopg.connect(admin_url, autocommit=True) as owner:
        owner.execute("SET session_replication_role = replica")
        told = _count(owner, user)
        given = {"user": user, "copies": -(-memories // told) - 1}
        owner.execute(MAP, given)
        for table, (which, renamed) in tqdm(COPIES.items(), "copies", unit="table"):
            _copy(owner, table, which, renamed)
        owner.execute(COUNTED, given)
        owner.execute("VACUUM (ANALYZE)")
        return _count(owner, user)


def _count(owner: psycopg.Connection, user: str) -> int:
    return int(owner.execute(COUNT, {"user": user}).fetchone()[0])  # type: ignore[index]


def _copy(owner: psycopg.Connection, table: str, which: str, renamed: dict[str, str]) -> None:
    named = (
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
    )
    columns = [name for (name,) in owner.execute(f"{named} AND attgenerated = ''", [table])]
    columns = [name for name in columns if renamed.get(name) != "DEFAULT"]
    statement = sql.SQL(
        "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM {} AS source, copied WHERE {}"
    )
    owner.execute(
        statement.format(
            sql.Identifier(table),
            sql.SQL(", ").join(map(sql.Identifier, columns)),
            sql.SQL(", ").join(sql.SQL(renamed.get(name) or f'source."{name}"') for name in columns),
            sql.Identifier(table),
            sql.SQL(which),
        )
    )


@contextmanager
def signed_in(server: Server) -> Iterator[httpx.Client]:
    """A browser in which the person has a login."""
    manage(
        server.environment,
        "shell",
        "-c",
        JOIN.format(tenant=TENANT, email=EMAIL, password=PASSWORD, user=USER),
    )
    with httpx.Client(base_url=server.url, follow_redirects=True, timeout=60) as browser:
        page = browser.get("/accounts/login/").text
        token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[0]
        answer = browser.post(
            "/accounts/login/",
            data={"login": EMAIL, "password": PASSWORD, "csrfmiddlewaretoken": token},
            headers={"Referer": f"{server.url}/accounts/login/"},
        )
        answer.raise_for_status()
        yield browser


def time_pages(browser: httpx.Client) -> list[list[Cell]]:
    """A row a page: median and longest in ms, and how large it is in kB."""
    home = str(browser.get("/").url.path)
    at = next(found for found in re.findall(r'href="([^"?#]*memories/)"', browser.get(home).text))
    return [[name, *_time(browser, f"{at}{query}")] for name, query in PAGES.items()]


def _time(browser: httpx.Client, address: str) -> list[Cell]:
    taken: list[float] = []
    for _ in range(TIMES + 1):
        began = time.perf_counter()
        answer = browser.get(address)
        taken.append((time.perf_counter() - began) * 1000)
        answer.raise_for_status()
    return [round(statistics.median(taken[1:])), round(max(taken[1:])), round(len(answer.content) / 1000)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=50_000, help="of one person (default: %(default)s)")
    memories = parser.parse_args().memories
    with throwaway_server() as server, closing(Client(server.url, server.key)) as client:
        tell(client)
        known = copy_rows(find_admin_url(server), memories)
        with signed_in(server) as browser:
            rows = time_pages(browser)
    sys.stdout.write(f"{known:,} memories of one person. {describe_machine()}\n\n")
    sys.stdout.write(render_table(["page", "median ms", "longest ms", "kB"], rows) + "\n")


if __name__ == "__main__":
    main()

"""The page of a team's audit log: filtered, paged, and verified by a job that names the first bad row."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.test import Client

from memories.audit.sealing import seal_all
from memories.models import AuditEntry
from nebo.env import env
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import remember
from tests.visitors import count_queries, join, refetch, text_of, visitor

PAGE = "/t/acme/audit/"
SECRET = "Plays the cello on Sundays"
PAGE_QUERIES = 17  # five of them are a test's own savepoint and a scope inside another


@pytest.fixture
def owner(db: None, acme: Team) -> Client:
    with tenant_scope(acme.tenant):
        remember(acme, SECRET)
    return visitor(acme.owner)


def entries_of(team: Team) -> list[AuditEntry]:
    with tenant_scope(team.tenant):
        return list(AuditEntry.objects.for_tenant(team.tenant).order_by("at", "id"))


def test_it_says_who_did_what_and_never_what_was_said(owner: Client, acme: Team) -> None:
    page = owner.get(PAGE)

    (entry,) = entries_of(acme)
    assert page.status_code == 200
    assert str(entry.pk) in page.content.decode()
    assert "about alice" in text_of(page)
    assert SECRET not in page.content.decode()
    assert count_queries(owner, PAGE) <= PAGE_QUERIES


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("what=changes", True),
        ("what=reads", False),
        ("about=memory", True),
        ("about=webhook", False),
        ("by=operator", False),
        ("since=2020-01-01&until=2020-01-02", False),
        ("since=2020-01-01", True),
        ("entry=0190a000-0000-7000-8000-000000000000", False),
        ("since=nonsense&what=nothing&entry=x", True),
    ],
)
def test_it_is_filtered(owner: Client, acme: Team, question: str, shown: bool) -> None:
    page = owner.get(f"{PAGE}?{question}")

    (entry,) = entries_of(acme)
    assert page.status_code == 200
    assert (f'id="entry-{entry.pk}"' in page.content.decode()) is shown


def test_a_log_as_it_was_sealed_is_found_whole(owner: Client, acme: Team) -> None:
    seal_all(tenant=acme.tenant)

    asked = owner.post(f"{PAGE}verify/", follow=True)
    run_jobs(acme.tenant)

    assert 'hx-trigger="every 1s"' in asked.content.decode()
    part = owner.get(PAGE, **refetch("check"))
    assert "entries are as they were sealed" in text_of(part)
    assert "hx-trigger" not in part.content.decode()


def test_the_first_row_that_was_changed_is_named(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        remember(acme, SECRET)
        remember(acme, "Owns a green bicycle")
    seal_all(tenant=acme.tenant)
    changed = entries_of(acme)[0]
    with psycopg.connect(settings.DATABASE_URLS.admin, dbname=env.test_database) as admin:
        admin.execute("SET LOCAL session_replication_role = replica")
        admin.execute("UPDATE memories_auditentry SET actor = 'user:nobody' WHERE id = %s", [changed.pk])
    owner = visitor(acme.owner)

    owner.post(f"{PAGE}verify/")
    run_jobs(acme.tenant)

    page = owner.get(PAGE)
    assert f"an entry is not as it was sealed (entry {changed.pk})" in text_of(page)
    assert f"?entry={changed.pk}" in page.content.decode()


@pytest.mark.parametrize("path", ["", "verify/"])
def test_to_members_and_strangers_it_does_not_exist(db: None, acme: Team, rival: Team, path: str) -> None:
    member = visitor(join(acme, "member@acme.example", person="ben"))

    answers: list[Any] = [
        one.post(f"{PAGE}{path}") if path else one.get(PAGE) for one in (member, visitor(rival.owner))
    ]

    assert [answer.status_code for answer in answers] == [404, 404]

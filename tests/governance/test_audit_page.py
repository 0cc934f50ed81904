"""The page of a team's audit log: filtered, paged, and verified by a job that names the first bad row."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.test import Client
from django.utils.html import strip_tags
from django.utils.timezone import localtime

from memories.audit.sealing import seal_all
from memories.models import AuditEntry
from memories.snapshot import SNAPSHOT_FIELDS
from nebo.env import env
from nebo.product.dashboard.vocabulary import WORDS
from nebo.product.governance.audit_log import ALL_SUBJECTS, SUBJECTS
from nebo.product.governance.pauses import ABOUT
from nebo.product.inbox.deciding import MODELS
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.dashboard.things import things_of
from tests.jobs.inline import run_jobs
from tests.memories.conftest import caller, remember
from tests.visitors import count_queries, join, refetch, text_of, visitor

PAGE = "/t/acme/audit/"
SECRET = "Plays the cello on Sundays"
APPS = ("memories", "personality", "search", "sessions")
PAGE_QUERIES = 18  # five of them are a test's own savepoint and a scope inside another


@pytest.fixture
def owner(db: None, acme: Team) -> Client:
    with tenant_scope(acme.tenant):
        remember(acme, SECRET)
    return visitor(acme.owner)


def entries_of(team: Team) -> list[AuditEntry]:
    with tenant_scope(team.tenant):
        return list(AuditEntry.objects.for_tenant(team.tenant).order_by("at", "id"))


def test_it_says_who_did_what_when_and_to_which_thing(owner: Client, acme: Team) -> None:
    page = owner.get(PAGE)

    (entry,) = entries_of(acme)
    assert page.status_code == 200
    assert str(entry.pk) in page.content.decode()
    assert f"{localtime(entry.at):%H:%M:%S}" in text_of(page)
    assert "Memory created" in text_of(page) and "about alice" in text_of(page)
    assert SECRET in text_of(page)
    assert f"/t/acme/memories/{entry.object_id}/" in page.content.decode()
    assert count_queries(owner, PAGE) <= PAGE_QUERIES


def test_words_stand_in_it_for_nobody_but_the_person_they_are_about(owner: Client, acme: Team) -> None:
    admin = visitor(join(acme, "admin@acme.example", role="admin", person="ben"))
    with tenant_scope(acme.tenant):
        ben = UserProfile.objects.for_tenant(acme.tenant).get(external_id="ben")
        remember(Team(acme.tenant, acme.owner, ben, acme.shared), "Sails on Lake Constance")
    things_of(acme)

    page = admin.get(PAGE)

    about_alice = [one for one in entries_of(acme) if one.person_id == acme.person.pk and one.object_id]
    assert "Sails on Lake Constance" in text_of(page)
    assert SECRET not in page.content.decode() and "green bicycle" not in page.content.decode()
    assert all(
        f"…{one.object_id[-8:]}" in text_of(page) for one in about_alice if one.object_type == "memory"
    )
    assert not any(f"memories/{one.object_id}/" in page.content.decode() for one in about_alice)


def test_a_memory_reads_as_the_change_left_it(owner: Client, acme: Team) -> None:
    call = caller(acme, name="Our agent")
    made = call("POST", "users/alice/memories/", {"value": "Lives in Ghent"}).json()
    call("PATCH", f"memories/{made['id']}/", {"value": "Lives in Antwerp"})

    lines = list_lines(owner)

    assert any("Memory updated" in one and "Lives in Antwerp" in one and "version 2" in one for one in lines)
    assert any("Memory created" in one and "Lives in Ghent" in one for one in lines)
    assert all("(Our agent)" in one for one in lines if "Lives in" in one)


def list_lines(client: Client) -> list[str]:
    """What each row says."""
    page = client.get(PAGE).content.decode()
    return [" ".join(strip_tags(one).split()) for one in page.split('class="line log-line"')[1:]]


def test_whatever_entries_are_about_can_be_asked_for() -> None:
    code = [*Path("nebo").rglob("*.py"), *(file for app in APPS for file in Path(app).rglob("*.py"))]
    used = set(MODELS) | set(ABOUT.values())
    used |= {kind for file in code for kind in re.findall(r'object_type="(\w+)"', file.read_text("utf-8"))}

    assert used <= set(ALL_SUBJECTS)
    assert set(SUBJECTS) <= used


def test_whatever_changes_of_a_memory_has_a_word() -> None:
    assert set(SNAPSHOT_FIELDS) - set(WORDS["field"]) == set()


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

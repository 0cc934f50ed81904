"""Collection paused by hand on the pages: seen, begun, changed and ended, with and without JavaScript."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from memories.audit.log import record_read
from memories.models import AuditEntry
from nebo.product.governance.importing.requests import list_imports
from nebo.product.governance.services.tenant_settings import change_settings
from nebo.tenants.actor import Actor
from nebo.tenants.models import ApiKey, Pause, UserProfile
from nebo.tenants.pauses import Thing, set_pause
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from sessions.models import Session
from tests.chromium import DESK, PHONE, prefer, resize, sideways, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import Browser, browser, driver  # noqa: F401 - fixtures
from tests.memories.conftest import remember
from tests.visitors import count_queries, join, text_of, visitor

PAUSES = "/t/acme/data/pauses/"
ALL = f"{PAUSES}everything/"
ADDED = {"value": "Lives in Lisbon", "layer": "tacit", "type": "profile"}


@pytest.fixture
def mine(db: None, acme: Team) -> Client:
    """Alice's browser; one memory of her is known."""
    with tenant_scope(acme.tenant):
        remember(acme, "Plays the cello")
    return visitor(acme.owner)


@pytest.fixture
def session(db: None, acme: Team) -> UUID:
    with tenant_scope(acme.tenant):
        return UUID(str(Session.objects.for_tenant(acme.tenant).create(person=acme.person, key="chat").pk))


@pytest.fixture
def key(db: None, acme: Team) -> ApiKey:
    """One that has read something of Alice."""
    with tenant_scope(acme.tenant):
        made = issue_key(tenant=acme.tenant, name="Our agent").key
        actor = Actor("key", str(made.pk))
        record_read(
            tenant=acme.tenant, actor=actor, action="memory.read", person_id=acme.person.pk, memory_ids=[]
        )
        return made


def standing(team: Team) -> list[Pause]:
    with tenant_scope(team.tenant):
        return list(Pause.objects.for_tenant(team.tenant).order_by("since"))


def log_of(team: Team) -> list[tuple[str, str, str]]:
    with tenant_scope(team.tenant):
        rows = AuditEntry.objects.for_tenant(team.tenant).filter(action__startswith="collection.")
        return list(rows.order_by("at", "id").values_list("action", "actor", "object_type"))


def test_everything_is_paused_for_a_while_and_the_pages_say_so(mine: Client, acme: Team) -> None:
    assert "What is collected" in text_of(mine.get("/t/acme/data/"))

    answer = mine.post(ALL, {"length": "24", "reason": "On holiday"}, follow=True)

    (pause,) = standing(acme)
    assert answer.redirect_chain == [(PAUSES, 302)]
    assert timedelta(hours=23) < pause.until - timezone.now() <= timedelta(hours=24)
    assert (pause.scope, pause.person_id, pause.reason) == ("person", acme.person.pk, "On holiday")
    assert "Paused until" in text_of(answer)
    assert "On holiday" in text_of(answer)
    for page in ("", "memories/", "sessions/", "data/", "data/import/"):
        assert "Nothing is collected about you until" in text_of(mine.get(f"/t/acme/{page}"))
    by = f"user:{acme.owner.pk}"
    assert log_of(acme) == [("collection.paused", by, "person")]
    assert "Paused collection" in text_of(mine.get("/t/acme/data/activity/"))
    assert "Collection paused" in text_of(mine.get("/t/acme/audit/"))

    after = mine.post(ALL, {"resume": "1"}, follow=True)

    assert standing(acme) == []
    assert "is collected again" in text_of(after)
    assert "Nothing is collected" not in text_of(mine.get("/t/acme/"))
    assert log_of(acme)[1:] == [("collection.resumed", by, "person")]


def test_the_moment_is_meant_in_the_persons_zone(mine: Client, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        UserProfile.objects.for_tenant(acme.tenant).filter(pk=acme.person.pk).update(timezone="Europe/Berlin")
    day = (timezone.now().astimezone(ZoneInfo("Europe/Berlin")) + timedelta(days=40)).replace(
        hour=9, minute=0, second=0, microsecond=0
    )

    answer = mine.post(ALL, {"length": "1", "until": f"{day:%Y-%m-%dT%H:%M}"}, follow=True)

    assert standing(acme)[0].until == day
    assert f"Paused until {day.day} {day:%B} {day.year}, 09:00" in text_of(answer)
    assert f'value="{day:%Y-%m-%dT%H:%M}"' in answer.content.decode()
    assert "In the time of Europe/Berlin" in text_of(answer)


@pytest.mark.parametrize(
    "sent",
    [
        {"until": "2001-01-01T10:00"},
        {"until": "soon"},
        {"until": "9999-12-31T23:59"},
        {"length": "7"},
        {"reason": "x" * 201},
    ],
)
def test_what_cannot_be_meant_is_asked_again(mine: Client, acme: Team, sent: dict[str, str]) -> None:
    answer = mine.post(ALL, sent)

    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode() or "error" in answer.content.decode()
    assert standing(acme) == []


def test_one_that_has_ended_is_shown_nowhere(mine: Client, acme: Team) -> None:
    mine.post(ALL, {"length": "1"})
    with tenant_scope(acme.tenant):
        Pause.objects.for_tenant(acme.tenant).update(until=timezone.now() - timedelta(seconds=1))

    assert "Paused until" not in text_of(mine.get(PAUSES))
    assert "Nothing is collected" not in text_of(mine.get("/t/acme/"))


def test_a_conversation_is_paused_on_its_page(mine: Client, acme: Team, session: UUID) -> None:
    page = f"/t/acme/sessions/{session}/"
    assert "Pause collection in this conversation" in text_of(mine.get(page))

    answer = mine.post(f"{PAUSES}sessions/{session}/", {}, follow=True)

    assert answer.redirect_chain == [(page, 302)]
    assert "Paused until you resume" in text_of(answer)
    assert [(one.scope, one.session_id, one.until) for one in standing(acme)] == [("session", session, None)]
    assert "Paused until you resume" in text_of(mine.get(PAUSES))
    assert "Nothing is collected about you" not in text_of(mine.get("/t/acme/"))
    mine.post(f"{PAUSES}sessions/{session}/", {"resume": "1"})
    assert standing(acme) == []


def test_lists_of_conversations_say_which_is_paused(mine: Client, acme: Team, session: UUID) -> None:
    with tenant_scope(acme.tenant):
        sessions = Session.objects.for_tenant(acme.tenant)
        sessions.create(person=acme.person, key="another", next_seq=2)
        sessions.filter(pk=session).update(next_seq=2)
    before = count_queries(mine, "/t/acme/sessions/")
    mine.post(f"{PAUSES}sessions/{session}/", {"length": "24"})

    for page in ("/t/acme/sessions/", "/t/acme/"):
        assert text_of(mine.get(page)).count("Paused until") == 1
    assert count_queries(mine, "/t/acme/sessions/") <= before + 1  # the toast is shown once
    mine.post(f"{PAUSES}sessions/{session}/", {"resume": "1"})
    assert "Paused" not in text_of(mine.get("/t/acme/sessions/"))


def test_a_conversation_says_that_everything_is_paused(mine: Client, session: UUID) -> None:
    mine.post(ALL, {})

    assert "Everything about you is paused" in text_of(mine.get(f"/t/acme/sessions/{session}/"))


def test_a_key_is_paused_for_oneself(mine: Client, acme: Team, key: ApiKey) -> None:
    assert "Our agent" in text_of(mine.get(PAUSES))

    mine.post(f"{PAUSES}keys/{key.pk}/", {"length": "168"})

    assert [(one.scope, one.person_id, one.key_id) for one in standing(acme)] == [
        ("key", acme.person.pk, key.pk)
    ]
    assert "Paused until" in text_of(mine.get(PAUSES))
    assert "Paused until" not in text_of(mine.get("/t/acme/keys/"))


def test_owners_pause_a_key_for_everybody_and_see_it_in_the_list(
    mine: Client, acme: Team, key: ApiKey
) -> None:
    page = f"/t/acme/keys/{key.pk}/"

    answer = mine.post(f"{PAUSES}keys/{key.pk}/everybody/", {"length": "720"}, follow=True)

    assert answer.redirect_chain == [(page, 302)]
    assert "Paused until" in text_of(answer)
    assert "Paused until" in text_of(mine.get("/t/acme/keys/"))
    assert "Paused by your team until" in text_of(mine.get(PAUSES))
    assert [(one.person_id, one.key_id) for one in standing(acme)] == [(None, key.pk)]


def test_members_pause_no_key_for_everybody(acme: Team, key: ApiKey) -> None:
    member = visitor(join(acme, "member@acme.example", person="bob"))

    assert member.post(f"{PAUSES}keys/{key.pk}/everybody/", {}).status_code == 404
    assert member.post(f"{PAUSES}keys/{key.pk}/", {}).status_code == 404  # it never worked for them
    assert standing(acme) == []


def test_owners_pause_somebody_only_where_the_policy_lets_them_look(mine: Client, acme: Team) -> None:
    join(acme, "bob@acme.example", person="bob")
    with tenant_scope(acme.tenant):
        bob = UserProfile.objects.for_tenant(acme.tenant).get(external_id="bob")
    page = f"/t/acme/everyone/{bob.pk}/pause/"
    assert mine.post(page, {}).status_code == 404

    with tenant_scope(acme.tenant):
        actor = Actor("user", str(acme.owner.pk))
        change_settings(tenant=acme.tenant, changes={"admins_look": True}, actor=actor)
    answer = mine.post(page, {}, follow=True)

    assert 'badge-warn">Paused' in answer.content.decode()
    assert [one.person_id for one in standing(acme)] == [bob.pk]
    theirs = visitor(bob.login)
    assert "Nothing is collected about you" in text_of(theirs.get("/t/acme/"))
    assert "Paused collection" in text_of(theirs.get("/t/acme/data/activity/"))
    theirs.post(ALL, {"resume": "1"})
    assert standing(acme) == []


def test_a_file_is_not_brought_in_meanwhile(mine: Client, acme: Team, tmp_path: Any) -> None:
    mine.post(ALL, {})
    file = tmp_path / "notes.md"
    file.write_text("- Lives in Lisbon")

    with file.open("rb") as sent:
        answer = mine.post("/t/acme/data/import/", {"source": "markdown", "file": sent, "bring": "1"})

    assert answer.status_code == 422
    assert "Nothing is collected about this person until it is resumed" in text_of(answer)
    with tenant_scope(acme.tenant):
        assert not list_imports(tenant=acme.tenant, person_id=acme.person.pk).exists()


def test_by_hand_one_may_still_add_and_correct(mine: Client, acme: Team) -> None:
    mine.post(ALL, {})

    answer = mine.post("/t/acme/memories/add/", ADDED, follow=True)

    assert answer.status_code == 200
    assert "Lives in Lisbon" in text_of(mine.get("/t/acme/memories/"))


# --- In a browser ---------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_the_way_through_the_pages(
    browser: Browser,  # noqa: F811
    acme: Team,
    width: int,
    scheme: str,
) -> None:
    resize(browser.driver, width)
    prefer(browser.driver, scheme)
    browser.sign_in(acme.owner.email)
    browser.open("/t/acme/data/")
    browser.click(f"a[href='{PAUSES}']")
    browser.click(".pause-tool summary")
    browser.write("#pause-reason", "On holiday")
    assert sideways(browser.driver) == 0
    browser.click(".pause-form button[type=submit]")

    wait_for(lambda: "Paused until you resume" in browser.text(".pause-state"))
    assert sideways(browser.driver) == 0
    browser.open("/t/acme/")
    assert "Nothing is collected about you" in browser.text(".pause-banner")
    assert sideways(browser.driver) == 0
    browser.click(".pause-banner button")

    wait_for(lambda: not browser.texts(".pause-state"))
    assert standing(acme) == []


@pytest.mark.browser
def test_by_keyboard_alone(browser: Browser, acme: Team) -> None:  # noqa: F811
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).create(person=acme.person, key="chat").pk
    browser.sign_in(acme.owner.email)
    browser.open(f"/t/acme/sessions/{session}/")

    browser.tab_to(".pause-tool summary", within=80)
    browser.press("\ue007")
    browser.tab_to(".pause-form button[type=submit]")
    browser.press("\ue007")

    wait_for(lambda: "Paused until you resume" in browser.text(".pause-state"))


def test_pages_of_others_pause_nothing_of_mine(acme: Team, rival: Team, session: UUID, key: ApiKey) -> None:
    stranger = visitor(rival.owner)

    for page in (ALL, f"{PAUSES}sessions/{session}/", f"{PAUSES}keys/{key.pk}/everybody/"):
        assert stranger.post(page, {}).status_code == 404
        assert stranger.post(page.replace("/acme/", "/rival/"), {}).status_code == (
            302 if page == ALL else 404
        )
    assert standing(acme) == []


def test_pausing_twice_changes_the_end(db: None, acme: Team) -> None:
    actor, thing = Actor("user", str(acme.owner.pk)), Thing(person_id=acme.person.pk)
    with tenant_scope(acme.tenant):
        first, is_new = set_pause(tenant=acme.tenant, thing=thing, actor=actor)
        until = timezone.now() + timedelta(days=1)
        second, again = set_pause(tenant=acme.tenant, thing=thing, actor=actor, until=until)
        assert (is_new, again, first.pk) == (True, False, second.pk)
        assert Pause.objects.for_tenant(acme.tenant).get().until == until

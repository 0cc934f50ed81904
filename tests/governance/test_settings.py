"""What a team decides for all its people, over the API."""

from __future__ import annotations

from typing import Any

import pytest

from memories.models import AuditEntry
from nebo.product.governance.api.tenant_settings import SettingsInput
from nebo.tenants.models import Tenant
from nebo.tenants.policy import SETTINGS
from nebo.tenants.scoping import operator_scope, tenant_scope
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.sessions.conftest import Call, caller

QUESTION = "Where does my sister Ilse live?"
SAID = "My sister Ilse lives in Porto and keeps bees."


@pytest.fixture
def owner(db: None, acme: Team) -> Call:
    return caller(acme, scopes=("admin",))


def say(call: Call, session: str, text: str) -> None:
    turn = {"messages": [{"role": "user", "content": text}]}
    assert call("POST", f"sessions/{session}/turns/", turn).status_code == 201


def converse(call: Call, team: Team, key: str = "first", **fields: Any) -> str:
    """A session in which something was said that is remembered by now."""
    opened = call("POST", "sessions/", {"user": "maya", "key": key, **fields})
    session = str(opened.json()["id"])
    say(call, session, SAID)
    run_jobs(team.tenant)
    return session


def context(call: Call, session: str, query: str = QUESTION) -> dict[str, Any]:
    answer = call("POST", f"sessions/{session}/context/", {"query": query})
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def is_told(answer: dict[str, Any]) -> bool:
    return "Porto" in answer["stable"] + answer["dynamic"] + str(answer["cards"])


def test_every_setting_is_shown_and_can_be_changed(owner: Call) -> None:
    shown = owner("GET", "settings/")

    assert shown.status_code == 200
    assert set(shown.json()) == set(SETTINGS) == set(SettingsInput().fields)
    assert (shown.json()["recall"], shown.json()["archive_days"], shown.json()["relevance_floor"]) == (
        True,
        90,
        None,
    )


def test_a_change_is_kept_noted_and_changes_nothing_else(owner: Call, acme: Team) -> None:
    before = owner("GET", "settings/").json()
    changes = {"review_share": 0.25, "relevance_floor": 0.4, "archive_days": None, "trash_days": 0}

    changed = owner("PATCH", "settings/", changes)

    assert changed.status_code == 200
    assert changed.json() == owner("GET", "settings/").json() == before | changes
    with tenant_scope(acme.tenant):
        noted = AuditEntry.objects.for_tenant(acme.tenant).get(action="settings.changed")
    assert noted.detail["changes"]["review_share"] == [0.5, 0.25]
    assert noted.actor.startswith("key:")


def test_what_is_said_again_is_not_noted(owner: Call, acme: Team) -> None:
    owner("PATCH", "settings/", {"trash_days": 30})

    with tenant_scope(acme.tenant):
        assert not AuditEntry.objects.for_tenant(acme.tenant).filter(action="settings.changed").exists()


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"recal": True}, "recal"),
        ({"recall": "no"}, "recall"),
        ({"recall": None}, "recall"),
        ({"user_memory": 0}, "user_memory"),
        ({"compaction_tokens": 999}, "compaction_tokens"),
        ({"compaction_tokens": 1e9}, "compaction_tokens"),
        ({"review_share": 1.5}, "review_share"),
        ({"review_share": None}, "review_share"),
        ({"relevance_floor": -0.1}, "relevance_floor"),
        ({"relevance_floor": "0.3"}, "relevance_floor"),
        ({"archive_days": -1}, "archive_days"),
        ({"event_days": 40_000}, "event_days"),
        ({"slug": "other"}, "slug"),
    ],
)
def test_what_is_no_setting_or_no_value_is_refused_by_name(
    owner: Call, body: dict[str, Any], pointer: str
) -> None:
    before = owner("GET", "settings/").json()

    refused = owner("PATCH", "settings/", {**body, "auto_extract": False})

    assert refused.status_code == 400
    assert [error["pointer"] for error in refused.json()["errors"]] == [f"#/{pointer}"]
    assert owner("GET", "settings/").json() == before


@pytest.mark.parametrize("body", [{}, [], "on", None])
def test_a_body_that_names_nothing_is_refused(owner: Call, body: Any) -> None:
    assert owner("PATCH", "settings/", body).status_code == 400


def test_nobody_writes_over_what_they_have_not_seen(owner: Call, acme: Team) -> None:
    seen = owner("GET", "settings/")["ETag"]
    first = owner("PATCH", "settings/", {"trash_days": 7}, **{"If-Match": seen})

    late = owner("PATCH", "settings/", {"trash_days": 9}, **{"If-Match": seen})
    again = owner("PATCH", "settings/", {"trash_days": 9}, **{"If-Match": first["ETag"]})

    assert (first.status_code, late.status_code, again.status_code) == (200, 412, 200)


def test_an_operators_change_is_another_version(committed_db: None, acme: Team) -> None:
    owner = caller(acme, scopes=("admin",))
    seen = owner("GET", "settings/")["ETag"]
    with operator_scope():
        Tenant.objects.filter(pk=acme.tenant.pk).update(job_days=1)

    assert owner("PATCH", "settings/", {"trash_days": 9}, **{"If-Match": seen}).status_code == 412


@pytest.mark.parametrize("scopes", [("read",), ("read", "write")])
def test_settings_are_for_admin_keys_alone(db: None, acme: Team, scopes: tuple[str, ...]) -> None:
    call = caller(acme, scopes=scopes)

    assert call("GET", "settings/").status_code == 403
    assert call("PATCH", "settings/", {"recall": False}).status_code == 403


def test_another_teams_settings_stay_as_they_are(owner: Call, rival: Team) -> None:
    theirs = caller(rival, scopes=("admin",))

    owner("PATCH", "settings/", {"recall": False, "trash_days": 1})

    assert theirs("GET", "settings/").json()["recall"] is True
    assert theirs("GET", "settings/").json()["trash_days"] == 30


def test_new_sessions_learn_nothing_once_extraction_is_off(owner: Call, acme: Team) -> None:
    owner("PATCH", "settings/", {"auto_extract": False})

    opened = owner("POST", "sessions/", {"user": "maya", "key": "k"}).json()
    asked = owner("POST", "sessions/", {"user": "maya", "key": "l", "auto_extract": True}).json()

    assert (opened["auto_extract"], asked["auto_extract"]) == (False, True)


def test_without_recall_nothing_is_brought_up_by_itself(owner: Call, acme: Team) -> None:
    converse(owner, acme)
    fresh = owner("POST", "sessions/", {"user": "maya", "key": "second"}).json()["id"]
    assert owner("POST", "users/maya/recall/", {"query": QUESTION}).json()["block"]

    owner("PATCH", "settings/", {"recall": False})

    assert context(owner, fresh)["cards"] == []
    recalled = owner("POST", "users/maya/recall/", {"query": QUESTION}).json()
    assert (recalled["block"], recalled["memories"]) == ("", [])
    assert owner("POST", "users/maya/search/", {"query": "Ilse"}).json()["results"]


def test_a_session_may_recall_otherwise_than_its_team(owner: Call, acme: Team) -> None:
    converse(owner, acme)
    without = owner("POST", "sessions/", {"user": "maya", "key": "quiet", "recall": False}).json()
    quiet = without["id"]
    assert without["recall"] is False
    assert context(owner, quiet)["cards"] == []
    assert owner("POST", "users/maya/recall/", {"query": QUESTION, "session": quiet}).json()["block"] == ""

    owner("PATCH", "settings/", {"recall": False})
    switched = owner("PATCH", f"sessions/{quiet}/", {"recall": True})

    assert switched.json()["recall"] is True
    assert switched.json()["auto_extract"] is True
    assert owner("POST", "users/maya/recall/", {"query": QUESTION, "session": quiet}).json()["block"]
    assert owner("PATCH", f"sessions/{quiet}/", {"recall": None}).json()["recall"] is None
    assert context(owner, quiet)["cards"] == []


def test_without_user_memory_agents_are_given_nothing_of_it(owner: Call, acme: Team) -> None:
    session = converse(owner, acme)
    owner("PATCH", "users/maya/", {"location": "Porto"})
    fresh = owner("POST", "sessions/", {"user": "maya", "key": "second", "recall": True}).json()["id"]
    say(owner, fresh, "Good morning.")
    assert is_told(context(owner, fresh))

    owner("PATCH", "settings/", {"user_memory": False})

    bare = context(owner, fresh)
    assert not is_told(bare) and not bare["onboarding_needed"]
    assert "Good morning." in str(bare["messages"])
    assert owner("POST", "users/maya/recall/", {"query": QUESTION}).json()["memories"] == []
    assert owner("POST", "users/maya/search/", {"query": "Ilse"}).json()["results"] == []
    for action in ("recall", "search", "list"):
        told = owner("POST", "users/maya/tool/", {"action": action, "query": "Ilse", "key": "ilse"}).json()
        assert (told["ok"], "Porto" in str(told)) == (False, False)
    assert SAID in str(context(owner, session)["messages"])

    owner("PATCH", "settings/", {"user_memory": True})

    assert is_told(context(owner, fresh))

"""The journal of compactions: what was folded and what stood then, for whoever may read it, and on the page."""

from __future__ import annotations

import pytest

from nebo.tenants.scoping import tenant_scope
from sessions.compaction.run import compact_session
from sessions.models import Session
from tests.conftest import Team
from tests.sessions.conftest import Call, caller
from tests.sessions.test_jobs import claimed, talk
from tests.visitors import text_of, visitor

pytestmark = pytest.mark.django_db
TOLD = (
    "My brother Ulf keeps goats in Visby.",
    "I'm allergic to lupins.",
    "Remind me to call the vet tomorrow.",
)


@pytest.fixture
def folded(call: Call, session_id: str, acme: Team) -> str:
    """A session that was compacted twice."""
    for number in range(2):
        talk(call, session_id, *[("user", text) for text in TOLD])
        talk(call, session_id, *[("user", f"Crate {number}{one} was counted.") for one in range(10)])
        compact_session(claim=claimed(acme, session_id, "compact"))
    return session_id


def test_each_compaction_is_listed_with_the_summary_before_and_after(call: Call, folded: str) -> None:
    newest, oldest = call("GET", f"sessions/{folded}/compactions/").json()["results"]

    assert (newest["number"], oldest["number"]) == (2, 1)
    assert newest["seq_from"] == oldest["seq_to"] + 1
    assert newest["summary_before"] == oldest["summary_after"] and "lupins" in oldest["summary_after"]
    assert newest["model"] == "rules/english-1" and newest["created_at"].endswith("Z")


def test_pages_of_the_journal_follow_each_other(call: Call, folded: str) -> None:
    for kind in ("compactions", "snapshots"):
        first = call("GET", f"sessions/{folded}/{kind}/?limit=1").json()
        second = call("GET", f"sessions/{folded}/{kind}/?limit=1&cursor={first['next']}").json()

        ids = [row["id"] for page in (first, second) for row in page["results"]]
        assert len(set(ids)) == 2 and second["next"] is None
        assert call("GET", f"sessions/{folded}/{kind}/?cursor=nonsense").status_code == 400


def test_a_snapshot_holds_what_stood_then_and_nothing_forgotten_since(call: Call, folded: str) -> None:
    newest, oldest = call("GET", f"sessions/{folded}/snapshots/").json()["results"]
    assert (newest["compaction"], oldest["compaction"]) == (2, 1)
    assert any("goats" in fact for fact in oldest["facts"]) and oldest["tasks"] == ["Call the vet"]
    (memory,) = call("GET", "users/alice/memories/?q=goats").json()["results"]

    assert call("DELETE", f"memories/{memory['id']}/").status_code in (200, 204)

    listed = call("GET", f"sessions/{folded}/snapshots/").json()["results"]
    assert "goats" not in str(listed) and "lupins" in str(listed)


def test_another_team_finds_no_journal(folded: str, rival: Team) -> None:
    stranger = caller(rival)

    for kind in ("compactions", "snapshots"):
        assert stranger("GET", f"sessions/{folded}/{kind}/").status_code == 404


def test_the_page_of_a_session_shows_what_was_folded(folded: str, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get(pk=folded)

    page = text_of(visitor(acme.owner).get(f"/t/acme/sessions/{session.pk}/"))

    assert "Folded into the summary" in page and "Messages 1–" in page
    assert "Call the vet" in page

"""The page of what lasts, and a session's page with all it was about."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from memories.models import Memory
from memories.storing.edit import delete_memory
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from sessions.models import RollingSummary, Session, SessionState, SessionSummary, Spine
from tests.conftest import Team
from tests.memories.conftest import remember, say
from tests.visitors import count_queries, join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/sessions/long-term/"
PAGE_QUERIES = 14  # with those of login and transaction
DETAIL_QUERIES = 18


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


def write_spine(team: Team, version: int, *person: str) -> None:
    sections = {"shared": {"PROFILE": list(person)}, "some-persona": {"OPEN_LOOPS": ["Run daily"]}}
    with tenant_scope(team.tenant):
        Spine.objects.for_tenant(team.tenant).create(person=team.person, version=version, sections=sections)


def roll(team: Team, *texts: str, error: dict[str, str] | None = None) -> None:
    with tenant_scope(team.tenant):
        coach = Persona.objects.for_tenant(team.tenant).create(slug="coach", name="Coach Kim")
        state = SessionState.objects.for_tenant(team.tenant).create(
            person=team.person, persona=coach, message_count=8, rolling_error=error
        )
        for text in texts:
            RollingSummary.objects.for_tenant(team.tenant).create(state=state, text=text, seq_to=4)


def test_the_newest_version_stands_open_and_those_before_below_it(acme: Team, client: Client) -> None:
    write_spine(acme, 1, "Lives in Oslo")
    write_spine(acme, 2, "Lives in Bergen")

    page = text_of(client.get(PAGE))

    assert page.index("Lives in Bergen") < page.index("Earlier versions") < page.index("Lives in Oslo")
    assert "Run daily" in page


def test_the_running_summary_says_with_whom_and_how_its_last_try_went(acme: Team, client: Client) -> None:
    roll(acme, "They plan a fence.", "They paint it green.", error={"reason": "x", "detail": "not in time"})

    page = text_of(client.get(PAGE))

    assert "Running summary · Coach Kim (coach) They paint it green." in page
    assert "Last try failed The model provider did not answer in time." in page
    assert page.index("How the running summary changed") < page.index("They plan a fence.")


def test_before_twenty_messages_it_says_what_will_stand_there(client: Client) -> None:
    assert "After twenty messages" in text_of(client.get(PAGE))


def test_nobody_else_reads_it(acme: Team, rival: Team) -> None:
    write_spine(acme, 1, "Lives in Oslo")

    assert "Oslo" not in text_of(visitor(join(acme, "bea@acme.example", person="bea")).get(PAGE))
    assert visitor(rival.owner).get(PAGE).status_code == 404


def test_it_costs_the_same_however_much_there_is(acme: Team, client: Client) -> None:
    write_spine(acme, 1, "Lives in Oslo")
    few = count_queries(client, PAGE)
    for version in range(2, 8):
        write_spine(acme, version, "Lives in Oslo")

    assert count_queries(client, PAGE) == few <= PAGE_QUERIES


def test_a_session_shows_all_it_was_about_and_what_was_said_of_it_before(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        (message,) = say(acme, "Hello")
        Session.objects.for_tenant(acme.tenant).filter(pk=message.session_id).update(ended_at=timezone.now())
        told = {
            "what_mattered": ["The colour"], "open_loops": ["Who buys brushes"], "commitments": ["Ole brings paint"],
            "people": ["Ole", "Ida"], "tone": "cheerful",
        }  # fmt: skip
        rows = SessionSummary.objects.for_tenant(acme.tenant)
        rows.create(session_id=message.session_id, one_liner="They planned the fence.")
        rows.create(session_id=message.session_id, one_liner="They painted the fence.", **told)
    address = f"/t/acme/sessions/{message.session_id}/"

    page = text_of(client.get(address))

    for words in (
        "They painted",
        "The colour",
        "Who buys",
        "Ole brings",
        "Ole, Ida",
        "cheerful",
        "1 earlier summary",
    ):
        assert words in page
    assert count_queries(client, address) <= DETAIL_QUERIES


def test_what_was_forgotten_since_is_left_out_of_what_agents_go_on_from(acme: Team, client: Client) -> None:
    kept, gone = (remember_one(acme, value) for value in ("Plays the cello.", "Owns a blue canoe."))
    write_spine(acme, 1, kept.value, gone.value)
    with tenant_scope(acme.tenant):
        delete_memory(tenant=acme.tenant, memory=gone, actor=Actor("user", str(acme.owner.pk)))

    page = text_of(client.get(PAGE))

    assert "Plays the cello." in page
    assert "canoe" not in page
    assert "1 line is left out" in page


def remember_one(team: Team, value: str) -> Memory:
    with tenant_scope(team.tenant):
        return remember(team, value).memory

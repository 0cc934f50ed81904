"""The page of what an agent sees: the very context, each line with its source, and why a memory isn't in it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.models import AuditEntry, Memory
from memories.new_memory import address_key
from memories.storing.edit import archive_memory, delete_memory, pin_memory
from memories.storing.vectors import embed_pair
from nebo.product.dashboard.vocabulary import WORDS
from nebo.tenants.actor import Actor
from nebo.tenants.ids import uuid7
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from sessions.context.left_out import Rule
from sessions.models import Session
from tests.conftest import Team
from tests.dashboard.test_queries import MOST, OF_TESTS
from tests.memories.conftest import remember, say
from tests.sessions.conftest import Call, caller
from tests.visitors import add_person, join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/context/"
ME = Actor("user", "1")
QUESTION = "Which ferry goes to the island?"
KNOWN = ("Plays the cello on Sundays", "Owns a green bicycle", "Bakes bread with rye")


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


def keep(team: Team, value: str, **fields: Any) -> Memory:
    vector = embed_pair(tenant=team.tenant, key=address_key(fields.get("key", ""), value), value=value)
    with tenant_scope(team.tenant):
        return remember(team, value, vector=vector, **{"layer": "tacit", **fields}).memory


def reasons_of(client: Client, memory: Memory, session_id: str, **wanted: Any) -> dict[str, str]:
    """By place, the rule that the page names."""
    answer = client.get(PAGE, {"session": session_id, "why": str(memory.pk), **wanted})
    assert answer.status_code == 200
    return {reason.place: str(reason.rule) for reason in answer.context_data["verdict"].reasons}


def sections_of(client: Client, memory: Memory, session_id: str, **wanted: Any) -> list[str]:
    answer = client.get(PAGE, {"session": session_id, "why": str(memory.pk), **wanted})
    return list(answer.context_data["verdict"].sections)


def test_it_is_the_context_that_an_agent_gets_to_the_letter(
    acme: Team, call: Call, client: Client, session_id: str
) -> None:
    for value in KNOWN:
        keep(acme, value)
    keep(acme, "The ferry to the island leaves at nine", layer="daily")
    body = {"query": QUESTION, "token_budget": 900}

    page = client.get(PAGE, {"session": session_id, "q": QUESTION, "budget": 900})
    given = call("POST", f"sessions/{session_id}/context/", body).json()

    made = page.context_data["made"].layout
    assert (made.stable, made.dynamic, made.tokens) == (given["stable"], given["dynamic"], given["tokens"])
    lines = [
        line.text
        for block in page.context_data["blocks"]
        for section in block.sections
        for line in section.lines
    ]
    told = [
        line
        for text in (given["stable"], given["dynamic"])
        for line in text.split("\n")
        if line not in ("", "---")
    ]
    assert lines[: len(told)] == told


def test_looking_counts_as_no_use_and_is_noted_nowhere(acme: Team, client: Client, session_id: str) -> None:
    memory = keep(acme, "The ferry to the island leaves at nine", layer="daily")
    with tenant_scope(acme.tenant):
        Session.objects.for_tenant(acme.tenant).update(recovering=True)
        before = AuditEntry.objects.for_tenant(acme.tenant).count()

    page = client.get(PAGE, {"session": session_id, "q": QUESTION})

    assert memory.value in text_of(page)
    with tenant_scope(acme.tenant):
        assert Memory.objects.for_tenant(acme.tenant).get(pk=memory.pk).access_count == 0
        assert AuditEntry.objects.for_tenant(acme.tenant).count() == before
        assert Session.objects.for_tenant(acme.tenant).get().recovering


def test_each_line_leads_to_what_it_rests_on(acme: Team, client: Client) -> None:
    known = keep(acme, "Plays the cello on Sundays")
    recalled = keep(acme, "The ferry to the island leaves at nine", layer="daily")
    with tenant_scope(acme.tenant):
        said = say(acme, "We went to the island by ferry and it rained")[0]

    page = client.get(PAGE, {"session": str(said.session_id), "q": QUESTION}).content.decode()

    assert f"/t/acme/memories/{known.pk}/" in page
    assert f"/t/acme/memories/{recalled.pk}/" in page
    assert f"/t/acme/sessions/{said.session_id}/?at={said.seq}#m-{said.pk}" in page


def test_without_a_conversation_in_the_address_the_last_one_is_shown(client: Client, session_id: str) -> None:
    answer = client.get(PAGE, {"q": QUESTION})

    assert answer.status_code == 302
    assert f"session={session_id}" in answer["Location"]


def test_who_never_talked_reads_what_to_do(client: Client) -> None:
    assert "No conversation yet" in text_of(client.get(PAGE))


def test_what_the_agent_would_be_refused_is_said(client: Client, session_id: str) -> None:
    page = client.get(PAGE, {"session": session_id, "q": "What was that stretch for my knee again?"})

    assert "The agent would get no context" in text_of(page)


# --- Why not this one? -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields, rule",
    [
        ({"status": "quarantined", "quarantine_reason": "Contradicts what is known."}, "is_quarantined"),
        ({"status": "superseded"}, "is_superseded"),
        ({"status": "wrong"}, "is_wrong"),
        ({"status": "unmentioned"}, "is_unmentioned"),
        ({"confidence": 0.4}, "not_sure"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "not_unexpired"),
    ],
)
def test_what_no_prompt_may_say_is_told_by_the_rule(
    acme: Team, client: Client, session_id: str, fields: dict[str, Any], rule: str
) -> None:
    memory = keep(acme, "The ferry to the island leaves at nine")
    with tenant_scope(acme.tenant):
        Memory.objects.for_tenant(acme.tenant).filter(pk=memory.pk).update(**fields)

    assert reasons_of(client, memory, session_id, q=QUESTION) == {"anywhere": rule}


def test_what_a_person_took_away_says_so(acme: Team, client: Client, session_id: str) -> None:
    gone, kept = keep(acme, KNOWN[0]), keep(acme, KNOWN[1])
    with tenant_scope(acme.tenant):
        delete_memory(tenant=acme.tenant, memory=gone, actor=ME)
        archive_memory(tenant=acme.tenant, memory=kept, actor=ME)

    assert reasons_of(client, gone, session_id) == {"anywhere": "is_deleted"}
    assert reasons_of(client, kept, session_id) == {"anywhere": "is_archived"}


def test_another_personas_is_left_out_unless_one_looks_through_that_persona(
    acme: Team, client: Client, session_id: str
) -> None:
    with tenant_scope(acme.tenant):
        coach = Persona.objects.for_tenant(acme.tenant).create(slug="coach", name="Coach")
    memory = keep(acme, "Wants to run a marathon", persona_id=coach.pk)

    assert reasons_of(client, memory, session_id) == {"anywhere": "not_persona"}
    assert sections_of(client, memory, session_id, persona="coach") == ["known"]


def test_another_conversations_is_left_out(acme: Team, client: Client, session_id: str) -> None:
    with tenant_scope(acme.tenant):
        other = Session.objects.for_tenant(acme.tenant).create(person=acme.person, key="other")
    memory = keep(acme, "Is on a train", scope="session", session_id=other.pk)

    assert reasons_of(client, memory, session_id) == {"anywhere": "not_session"}


def test_a_team_without_memory_says_so(acme: Team, client: Client, session_id: str) -> None:
    memory = keep(acme, KNOWN[0])
    owner = caller(acme, scopes=("read", "write", "admin"))
    assert owner("PATCH", "settings/", {"user_memory": False}).status_code == 200

    assert reasons_of(client, memory, session_id) == {"anywhere": "memory_off"}


def test_what_is_not_about_the_question_is_below_the_floor(
    acme: Team, client: Client, session_id: str
) -> None:
    memory = keep(acme, "Bakes bread with rye", layer="daily")
    keep(acme, "The ferry to the island leaves at nine", layer="daily")

    page = client.get(PAGE, {"session": session_id, "q": QUESTION, "why": str(memory.pk)})

    places = {reason.place: reason for reason in page.context_data["verdict"].reasons}
    assert places["known"].rule == "not_lasting"
    assert places["recalled"].rule == Rule.FAR
    assert places["recalled"].numbers["relevance"] < places["recalled"].numbers["best"]
    assert "below the floor of relevance" in text_of(page)
    assert [one.memory.pk for one in page.context_data["left_out"]] == []  # it is asked about itself


def test_where_nothing_is_about_the_question_it_says_of_all(
    acme: Team, client: Client, session_id: str
) -> None:
    memory = keep(acme, "Bakes bread with rye", layer="daily")

    reasons = reasons_of(client, memory, session_id, q="What is the capital of Mongolia?")

    assert reasons["recalled"] == "all_far"


def test_what_no_budget_was_left_for_says_so(acme: Team, client: Client, session_id: str) -> None:
    memories = [keep(acme, f"{value}, and much more that takes up room " * 4) for value in KNOWN]

    rules = [reasons_of(client, one, session_id, budget=200) for one in memories]

    assert {"known": "no_room", "recalled": "no_question"} in rules


def test_what_is_said_twice_is_told_once(acme: Team, client: Client, session_id: str) -> None:
    first = keep(acme, "Owns a green bicycle", key="bike")
    again = keep(acme, "Owns a green bicycle", key="vehicle", namespace="other", deduplicate=False)
    shown = [one for one in (first, again) if sections_of(client, one, session_id)]

    assert shown == [first, again]  # the words of either stand there


def test_what_the_profile_says_is_left_out_of_what_is_known(
    acme: Team, client: Client, session_id: str
) -> None:
    with tenant_scope(acme.tenant):
        acme.person.location = "Lisbon"
        acme.person.save(update_fields=["location"])
    memory = keep(acme, "Lives in Lisbon", key="location", namespace="user")

    reasons = reasons_of(client, memory, session_id)

    assert reasons["known"] == Rule.IN_PROFILE


def test_a_search_that_never_reached_it_tells_its_place(
    acme: Team, client: Client, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions.context.assembly.RECALLED", 1)
    monkeypatch.setattr("search.answers.search.LEG", 1)
    for number in range(6):
        keep(acme, f"The ferry to the island leaves at {number}", layer="daily", key=f"ferry/{number}")
    memory = keep(acme, "Keeps bees", layer="daily")

    page = client.get(PAGE, {"session": session_id, "q": QUESTION, "budget": 200, "why": str(memory.pk)})

    recalled = page.context_data["verdict"].reasons[1]
    assert (recalled.place, recalled.rule) == ("recalled", "ranked_low")
    assert recalled.numbers["rank"] == recalled.numbers["ranked"] == 7


def test_every_rule_has_its_words() -> None:
    assert {str(rule) for rule in Rule} <= set(WORDS["left_out"])


def test_a_memory_is_found_by_its_words_in_any_state(acme: Team, client: Client, session_id: str) -> None:
    memory = keep(acme, "Owns a green bicycle")
    with tenant_scope(acme.tenant):
        delete_memory(tenant=acme.tenant, memory=memory, actor=ME)

    page = client.get(PAGE, {"session": session_id, "find": "green bicy"})

    assert f"why={memory.pk}" in page.content.decode()
    assert "In the trash" in text_of(page)


# --- Whose it is -----------------------------------------------------------------------------------------


def test_nobody_elses_conversation_memory_or_persona_is_shown(
    acme: Team, rival: Team, client: Client, session_id: str
) -> None:
    bob = add_person(acme, "bob")
    with tenant_scope(acme.tenant):
        of_bob = Session.objects.for_tenant(acme.tenant).create(person=bob, key="bob").pk
        his = Memory.objects.for_tenant(acme.tenant).create(
            person=bob, key="k", namespace="n", value="His", source="agent"
        )
    with tenant_scope(rival.tenant):
        theirs = Session.objects.for_tenant(rival.tenant).create(person=rival.person, key="x").pk
        foreign = remember(rival, "Rival's secret").memory.pk

    def status(**wanted: Any) -> int:
        return client.get(PAGE, wanted).status_code

    sessions: list[UUID | str] = [of_bob, theirs, uuid7(), "no-id"]
    assert [status(session=one) for one in sessions] == [404] * 4
    assert [status(session=one, q="her") for one in sessions] == [404] * 4
    assert [status(session=session_id, why=one) for one in (his.pk, foreign, uuid7(), "x")] == [404] * 4
    assert status(session=session_id, persona="nobody") == 404


def test_two_people_of_one_login_are_kept_apart(acme: Team) -> None:
    login = join(acme, "both@acme.example", person="ann")
    add_person(acme, "zoe", login=login)
    client = visitor(login)
    with tenant_scope(acme.tenant):
        ann = UserProfile.objects.for_tenant(acme.tenant).get(external_id="ann")
        session = Session.objects.for_tenant(acme.tenant).create(person=ann, key="ann")

    assert client.get(f"/t/acme/p/ann/context/?session={session.pk}").status_code == 200
    assert client.get(f"/t/acme/p/zoe/context/?session={session.pk}").status_code == 404


def test_it_takes_ten_statements_and_one_more_for_the_rank_of_what_the_search_never_reached(
    acme: Team, client: Client, session_id: str
) -> None:
    for value in KNOWN:
        keep(acme, value, layer="daily")
    with tenant_scope(acme.tenant):
        unseen = remember(acme, "Keeps bees", layer="daily").memory
    wanted = {"session": session_id, "q": QUESTION, "find": "bread"}
    client.get(PAGE, wanted)

    usual = statements_of(client, wanted)
    asked = statements_of(client, {**wanted, "why": str(unseen.pk)})

    assert len(usual) <= MOST, "\n".join(usual)
    assert len(asked) <= MOST + 1, "\n".join(asked)


def statements_of(client: Client, wanted: dict[str, str]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(PAGE, wanted).status_code == 200
    asked = [one["sql"] or "" for one in captured]
    return [sql[:160] for sql in asked if not sql.startswith(OF_TESTS)]


def test_hostile_words_are_shown_and_do_nothing(acme: Team, client: Client, session_id: str) -> None:
    keep(acme, "Likes <script>alert(1)</script> tea")
    with tenant_scope(acme.tenant):
        say(acme, "Tea is \u202edesrever\u202c <img src=x onerror=alert(1)>", key="chat-1")

    page = client.get(PAGE, {"session": session_id}).content.decode()

    assert "<script>alert(1)" not in page
    assert "<img src=x" not in page
    assert "U+202E" in page


def test_a_pinned_memory_is_in_the_prompt(acme: Team, client: Client, session_id: str) -> None:
    memory = keep(acme, "Keeps bees", layer="daily")
    with tenant_scope(acme.tenant):
        pin_memory(tenant=acme.tenant, memory=memory, actor=ME)

    assert sections_of(client, memory, session_id) == ["known"]

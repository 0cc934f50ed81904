"""What a workspace decides about sensitive matters holds at every door by which something is learned, and in no other
workspace.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from memories.models import AuditEntry, Memory, Observation, Todo, Version
from memories.screening.personal import without_quote
from nebo.product.inbox.items import sort_of
from nebo.tenants.models import Tenant
from nebo.tenants.policy import CHOICES
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message
from sessions.summaries.text import fit_rolling, fit_summary, keep_clean, parse_session_summary
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.sessions.conftest import Call, caller
from tests.visitors import text_of, visitor

pytestmark = pytest.mark.django_db

ILL = "I have type 1 diabetes and inject insulin before meals."
HARMLESS = "My sister Ilse lives in Porto and keeps bees."
WAITS = "Is about health; this workspace asks first."
NEVER = "This workspace keeps nothing about health."


def decide(team: Team, **choices: str) -> None:
    answer = caller(team, scopes=("admin",))("PATCH", "settings/", {"sensitive_classes": choices})
    assert answer.status_code == 200, answer.content


def tell(call: Call, *texts: str, key: str = "chat") -> Any:
    session = call("POST", "sessions/", {"user": "maya", "key": key}).json()["id"]
    turn = {"messages": [{"role": "user", "content": text} for text in texts]}
    answer = call("POST", f"sessions/{session}/turns/", turn)
    assert answer.status_code == 201, answer.content
    return answer.json()


def memories(team: Team, word: str) -> list[tuple[str, str]]:
    """State and reason of each memory that has a word, in whichever state."""
    with tenant_scope(team.tenant):
        rows = Memory.objects.for_tenant(team.tenant).filter(value__icontains=word)
        return list(rows.values_list("status", "quarantine_reason"))


def kept_out(team: Team) -> list[str]:
    with tenant_scope(team.tenant):
        rows = AuditEntry.objects.for_tenant(team.tenant).filter(action="memory.kept_out")
        return [entry.detail["class"] for entry in rows]


# --- The setting --------------------------------------------------------------------------------------------------


def test_all_is_learned_until_somebody_decides(acme: Team) -> None:
    owner = caller(acme, scopes=("admin",))

    shown = owner("GET", "settings/").json()["sensitive_classes"]
    changed = owner("PATCH", "settings/", {"sensitive_classes": {"health": "never", "crime": "review"}})
    again = owner("PATCH", "settings/", {"sensitive_classes": {"crime": "learn"}}).json()["sensitive_classes"]

    assert set(shown.values()) == {"learn"}
    assert changed.json()["sensitive_classes"] == shown | {"health": "never", "crime": "review"}
    assert again == shown | {"health": "never"}
    with tenant_scope(acme.tenant):
        noted = AuditEntry.objects.for_tenant(acme.tenant).filter(action="settings.changed").order_by("at")
        details = [entry.detail["changes"]["sensitive_classes"] for entry in noted]
    assert details[0] == [{}, {"health": "never", "crime": "review"}]
    assert details[1][1] == {"health": "never"}


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ({"healt": "never"}, "sensitive_classes/healt"),
        ({"health": "sometimes"}, "sensitive_classes/health"),
        ({"health": None}, "sensitive_classes/health"),
        ({"health": True}, "sensitive_classes/health"),
        (["health"], "sensitive_classes"),
        ("never", "sensitive_classes"),
    ],
)
def test_what_is_no_class_or_no_choice_is_refused_by_name(acme: Team, given: Any, pointer: str) -> None:
    refused = caller(acme, scopes=("admin",))("PATCH", "settings/", {"sensitive_classes": given})

    assert refused.status_code == 400
    assert [error["pointer"] for error in refused.json()["errors"]] == [f"#/{pointer}"]


def test_owners_choose_on_the_page(acme: Team) -> None:
    owner = visitor(acme.owner)
    page = owner.get("/t/acme/settings/")
    shown = {field.html_name: field.value() for field in page.context["form"]}
    version = page.context["form"].version

    posted = {name: value for name, value in shown.items() if value not in (None, False)}
    saved = owner.post("/t/acme/settings/", {**posted, "version": version, "sensitive_politics": "review"})

    assert "Opinions, votes, parties, protests, trade unions." in text_of(page)
    assert saved.status_code == 302
    assert Tenant.objects.get(pk=acme.tenant.pk).sensitive_classes == {"politics": "review"}


def test_a_choice_that_is_none_is_shown_beside_its_field(acme: Team) -> None:
    owner = visitor(acme.owner)
    form = owner.get("/t/acme/settings/").context["form"]
    posted = {field.html_name: field.value() for field in form if field.value() not in (None, False)}

    refused = owner.post(
        "/t/acme/settings/", {**posted, "version": form.version, "sensitive_crime": "perhaps"}
    )

    assert refused.status_code == 422
    assert refused.content.decode().count('aria-invalid="true"') == 1


# --- Told in a turn -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", CHOICES)
def test_a_turn_is_kept_whole_and_learned_from_as_decided(acme: Team, choice: str) -> None:
    decide(acme, health=choice)
    call = caller(acme)

    told = tell(call, f"{ILL} {HARMLESS}")
    run_jobs(acme.tenant)

    expected = {"learn": [("active", "")], "review": [("quarantined", WAITS)], "never": []}
    assert memories(acme, "diabetes") == expected[choice]
    assert [status for status, _ in memories(acme, "Porto")] == ["active"]
    assert set(kept_out(acme)) == ({"health"} if choice == "never" else set())
    with tenant_scope(acme.tenant):
        assert "insulin" in Message.objects.for_tenant(acme.tenant).get(pk=told["messages"][0]["id"]).content
        log = AuditEntry.objects.for_tenant(acme.tenant).filter(action="memory.kept_out")
        assert "diabetes" not in json.dumps([entry.detail for entry in log])


def test_what_is_asked_to_be_remembered_is_no_exception(acme: Team) -> None:
    decide(acme, religion="never")

    tell(caller(acme), "Please remember that I'm a practising Catholic.")

    assert memories(acme, "Catholic") == []
    assert kept_out(acme) == ["religion"]


@pytest.mark.parametrize(("choice", "status"), [("review", "quarantined"), ("never", None)])
def test_a_thing_to_do_is_no_way_around(acme: Team, choice: str, status: str | None) -> None:
    decide(acme, health=choice)

    tell(caller(acme), "I have to pick up my HIV medication on Tuesday.")
    run_jobs(acme.tenant)

    with tenant_scope(acme.tenant):
        assert not Todo.objects.for_tenant(acme.tenant).exists()
    assert {state for state, _ in memories(acme, "HIV")} == ({status} if status else set())


def test_what_may_not_be_learned_can_be_forgotten_as_ever(acme: Team) -> None:
    decide(acme, health="never")
    call = caller(acme)

    tell(call, ILL)
    told = tell(call, "Please forget what I just said.")
    session = call("GET", "sessions/?user=maya&key=chat").json()["results"][0]["id"]
    transcript = call("GET", f"sessions/{session}/messages/").json()["results"]

    assert told["messages"]
    assert "insulin" not in transcript[0]["content"]


def test_what_ends_something_known_leaves_no_words_behind(acme: Team) -> None:
    call = caller(acme)
    tell(call, ILL)
    decide(acme, health="never")

    tell(call, "I no longer have diabetes, the new pancreas works.", key="later")
    run_jobs(acme.tenant)

    with tenant_scope(acme.tenant):
        versions = Version.objects.for_tenant(acme.tenant).filter(memory__value__contains="diabetes")
        assert all("pancreas" not in version.reason for version in versions)
        assert not Observation.objects.for_tenant(acme.tenant).filter(quote__contains="pancreas").exists()
    assert without_quote({"health": "never"}, f"Holds no longer: “{ILL}”") == "Holds no longer: “…”"
    assert without_quote({"health": "never"}, "Holds no longer: “Moved to Bonn.”").endswith(
        "“Moved to Bonn.”"
    )


def test_another_workspace_learns_as_it_decided_itself(acme: Team, rival: Team) -> None:
    decide(acme, health="never")
    decide(rival, health="learn")

    tell(caller(acme), ILL)
    tell(caller(rival), ILL)

    assert memories(acme, "diabetes") == []
    assert [status for status, _ in memories(rival, "diabetes")] == ["active"]
    assert kept_out(rival) == []


# --- Tried out ----------------------------------------------------------------------------------------------------


def test_a_preview_tells_what_would_wait_and_what_would_not_be_kept(acme: Team) -> None:
    decide(acme, health="never", religion="review")
    call = caller(acme)
    said = [{"role": "user", "content": text} for text in (HARMLESS, ILL, "I'm a practising Catholic.")]

    tried = call("POST", "extract/preview/", {"messages": said}).json()
    session = call("POST", "sessions/", {"user": "maya", "key": "chat"}).json()["id"]
    dry = call("POST", f"sessions/{session}/turns/dry-run/", {"messages": said}).json()

    assert tried["kept_out"] == dry["kept_out"] == [{"message": 1, "sensitive_class": "health"}]
    gates = {one["value"]: (one["gate"], one["quarantine_reason"]) for one in tried["learned"]}
    assert [gate for value, gate in gates.items() if "Catholic" in value] == [
        ("review", "Is about religion or belief; this workspace asks first.")
    ]
    assert kept_out(acme) == []
    assert memories(acme, "Catholic") == []


# --- Stored by an agent, and by hand ------------------------------------------------------------------------------


def test_an_agent_is_told_that_it_waits_or_is_never_kept(acme: Team) -> None:
    call = caller(acme)
    decide(acme, health="review")
    waits = call("POST", "users/maya/memories/", {"value": "Has epilepsy."})
    decide(acme, health="never")
    refused = call("POST", "users/maya/memories/", {"value": "Takes lamotrigine for her epilepsy."})
    other = call("POST", "users/maya/memories/", {"value": "Rides her bike to work."})

    assert (waits.status_code, waits.json()["status"], waits.json()["quarantine_reason"]) == (
        201,
        "quarantined",
        WAITS,
    )
    assert refused.status_code == 400
    body = refused.json()
    assert (body["code"], body["detail"], body["sensitive_class"]) == ("kept-out", NEVER, "health")
    assert body["errors"][0]["pointer"] == "#/value"
    assert other.status_code == 201
    assert memories(acme, "lamotrigine") == []


def test_the_key_and_the_tags_say_it_too(acme: Team) -> None:
    decide(acme, health="never")
    call = caller(acme)

    by_key = call("POST", "users/maya/memories/", {"key": "diagnosis", "value": "type 2 diabetes since 2015"})

    assert by_key.status_code == 400


def test_an_agent_changes_nothing_into_it(acme: Team) -> None:
    call = caller(acme)
    made = call("POST", "users/maya/memories/", {"value": "Goes to the gym on Mondays."}).json()
    decide(acme, health="never")
    refused = call("PATCH", f"memories/{made['id']}/", {"value": "Was diagnosed with leukaemia."})
    pinned = call("PATCH", f"memories/{made['id']}/", {"pinned": True})
    decide(acme, health="review")
    waits = call("PATCH", f"memories/{made['id']}/", {"value": "Was diagnosed with leukaemia."})

    assert (refused.status_code, pinned.status_code) == (400, 200)
    assert (waits.status_code, waits.json()["status"]) == (200, "quarantined")


@pytest.mark.parametrize("choice", ["review", "never"])
def test_tool_todo_and_file_say_that_they_are_not_kept(acme: Team, choice: str) -> None:
    decide(acme, health=choice)
    call = caller(acme)
    call("POST", "users/maya/memories/", {"value": "Rides her bike to work."})

    tool = call("POST", "users/maya/tool/", {"action": "store", "key": "health", "value": "Has epilepsy."})
    todo = call("POST", "users/maya/todos/", {"text": "Pick up the epilepsy medication"})
    file = call(
        "POST",
        "users/maya/memory-tool/",
        {"command": "create", "path": "/memories/a.txt", "file_text": "Maya has epilepsy."},
    )

    assert tool.json()["ok"] is False
    assert (todo.status_code, todo.json()["code"]) == (400, "kept-out")
    assert file.json()["is_error"] is True
    assert "health" in tool.json()["text"] + file.json()["content"]


def test_a_persons_own_hand_decides_for_itself(acme: Team) -> None:
    decide(acme, health="never")
    person: Client = visitor(acme.owner)

    added = person.post(
        "/t/acme/memories/add/", {"value": "I have asthma.", "layer": "tacit", "type": "profile"}
    )

    assert added.status_code == 302, text_of(added)
    assert [status for status, _ in memories(acme, "asthma")] == ["active"]


def test_what_waits_is_named_in_the_inbox(acme: Team) -> None:
    decide(acme, health="review")
    call = caller(acme, person=acme.person)
    call("POST", "users/me/memories/", {"value": "Has epilepsy."})

    page = visitor(acme.owner).get("/t/acme/inbox/")

    assert sort_of(WAITS) == "matter"
    assert WAITS in text_of(page)


# --- Summaries ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("choice", ["review", "never"])
def test_summaries_leave_such_sentences_out(choice: str) -> None:
    policy = {"health": choice}
    told = f"They plan the fence. {ILL} Ole brings the paint."
    answer = {"one_liner": ILL, "what_mattered": ["The fence is green.", ILL], "tone": "calm"}

    assert keep_clean(told, policy) == "They plan the fence. Ole brings the paint."
    assert "diabetes" not in fit_rolling(told, policy) + fit_summary([told], policy)
    fields = parse_session_summary(json.dumps(answer), policy)
    assert (fields["one_liner"], fields["what_mattered"]) == ("", ["The fence is green."])
    assert keep_clean(told) == told

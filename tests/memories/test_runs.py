"""Review and undo: what waits is applied exactly as it was shown, what a run did can be taken back as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from memories.extraction.answer import ExtractionAnswer, FoundTodo
from memories.extraction.evidence import Evidence
from memories.learning.runs import approve_run, reject_run, revert_run
from memories.models import AuditEntry, ExtractionRun, Memory, Observation, Todo, Version
from memories.new_memory import NewMemory, NewObservation
from memories.snapshot import fields_of, snapshot
from memories.storing.comparing import NO_COMPARISONS, Comparison, Mark
from memories.storing.edit import pin_memory, update_memory
from memories.todos.store import update_todo
from nebo.errors import Conflict
from nebo.llm.types import ChatMessage
from nebo.tenants.scoping import tenant_scope
from search.answers.search import SearchQuery, search
from sessions.models import Message
from tests.conftest import Team
from tests.memories.conftest import AGENT, Call, apply_run, caller, live, remember, say

pytestmark = pytest.mark.django_db


def proposal(message: Message, key: str, value: str, namespace: str = "preferences") -> NewMemory:
    seen = NewObservation(
        extractor="model", value=value, confidence=0.9, trust="user", message_id=message.pk,
        quote=message.content[:8], quote_start=0, quote_end=8, observed_at=message.created_at,
    )  # fmt: skip
    return NewMemory(
        value=value, key=key, layer="tacit", namespace=namespace, source="extraction", observations=(seen,)
    )


def promise(message: Message, text: str) -> FoundTodo:
    told = ChatMessage("user", message.content, "", str(message.pk), message.created_at)
    return FoundTodo("commitment", text, None, Evidence(told, 0, len(message.content)))


def run_over(
    team: Team,
    *,
    message: Message | None = None,
    compared: Mapping[Mark, Comparison] = NO_COMPARISONS,
    **found: Any,
) -> ExtractionRun:
    """One applied (or waiting) run, over this message alone where it is named."""
    before = set(ExtractionRun.objects.for_tenant(team.tenant).values_list("pk", flat=True))
    answer = ExtractionAnswer(provider="openai", model="gpt-x", **found)
    session_id, seqs = (message.session_id, (message.seq, message.seq)) if message else (None, (1, 6))
    apply_run(team, answer, compared=compared, session_id=session_id, seqs=seqs)
    return ExtractionRun.objects.for_tenant(team.tenant).exclude(pk__in=before).get()


def state(team: Team) -> list[dict[str, Any]]:
    """Everything that can be said of the live memories."""
    return [snapshot(memory) for memory in live(team)]


def values(team: Team) -> set[str]:
    return {memory.value for memory in live(team)}


def waiting_run(team: Team) -> ExtractionRun:
    """Ten memories of an agent, seven of them contradicted at one stroke; a todo and a style come with it."""
    for number in range(10):
        remember(team, f"Old value {number}", key=f"k{number}", layer="tacit", namespace="preferences")
    (message,) = say(team, "Everything is different now.")
    return run_over(
        team,
        facts=tuple(proposal(message, f"k{n}", f"New value {n}") for n in range(7)),
        todos=(promise(message, "Call mom"),),
        styles=(proposal(message, "style/terse", "Wants it short", "personality"),),
    )


def test_undoing_a_run_leaves_what_was_there_before(scope: Team) -> None:
    remember(scope, "Lives in Austin", key="location", layer="tacit", namespace="user")
    remember(scope, "Likes tea", key="drink", layer="tacit", namespace="preferences")
    before = state(scope)
    first, second, third = say(scope, "I moved to Denver.", "Tea is best.", "I play the cello.")
    run = run_over(
        scope,
        facts=(
            proposal(first, "location", "Lives in Denver", "user"),
            proposal(second, "drink", "Likes tea"),
            proposal(third, "music", "Plays the cello"),
        ),
        todos=(promise(third, "Tune the cello"),),
    )
    assert values(scope) == {"Lives in Denver", "Likes tea", "Plays the cello"}

    undone = revert_run(tenant=scope.tenant, run=run, actor=AGENT)

    assert state(scope) == before
    scope.person.refresh_from_db()
    assert scope.person.location == "Austin"
    outcome = undone.outcome["reverted"]
    assert {name: outcome[name] for name in ("deleted", "restored", "reset", "todos", "left")} == {
        "deleted": 2, "restored": 1, "reset": 1, "todos": 1, "left": [],
    }  # fmt: skip
    assert Todo.unscoped.get().status == "dropped"
    assert undone.status == "reverted"


def test_what_was_undone_is_no_longer_found_and_what_came_back_is(scope: Team) -> None:
    remember(scope, "Collects stamps", key="hobby", layer="tacit", namespace="preferences")
    (message,) = say(scope, "I collect coins now.")
    run = run_over(scope, facts=(proposal(message, "hobby", "Collects coins"),))

    revert_run(tenant=scope.tenant, run=run, actor=AGENT)

    query = SearchQuery(text="collects coins stamps", person_id=scope.person.pk, sources=("memory",))
    assert [hit.text for hit in search(tenant=scope.tenant, query=query, vector=None).results] == [
        "Collects stamps"
    ]


def test_undoing_twice_is_undoing_once(scope: Team) -> None:
    (message,) = say(scope, "I play the cello.")
    run = run_over(scope, facts=(proposal(message, "music", "Plays the cello"),))
    first = revert_run(tenant=scope.tenant, run=run, actor=AGENT)
    versions = Version.unscoped.count()

    again = revert_run(tenant=scope.tenant, run=run, actor=AGENT)

    assert again.outcome == first.outcome
    assert Version.unscoped.count() == versions


def test_each_step_of_undoing_goes_through_the_door(scope: Team) -> None:
    (message,) = say(scope, "I play the cello.")
    run = run_over(scope, facts=(proposal(message, "music", "Plays the cello"),))

    revert_run(tenant=scope.tenant, run=run, actor=AGENT)

    last = Version.unscoped.order_by("-number").first()
    assert last is not None
    assert (last.action, last.actor, last.reason) == (
        "deleted",
        "key:test",
        "The extraction run that did it was undone.",
    )
    actions = set(AuditEntry.unscoped.filter(actor="key:test").values_list("action", flat=True))
    assert actions == {"memory.deleted", "extraction.reverted"}


def test_what_somebody_touched_since_is_left_alone_and_named(scope: Team) -> None:
    remember(scope, "Lives in Austin", key="location", layer="tacit", namespace="user")
    messages = say(scope, "I moved to Denver.", "I play the cello.", "I run.")
    run = run_over(
        scope,
        facts=(
            proposal(messages[0], "location", "Lives in Denver", "user"),
            proposal(messages[1], "music", "Plays the cello"),
            proposal(messages[2], "sport", "Runs"),
        ),
        todos=(promise(messages[2], "Buy shoes"),),
    )
    by_value = {memory.value: memory for memory in live(scope)}
    pin_memory(tenant=scope.tenant, memory=by_value["Lives in Denver"], actor=AGENT)
    update_memory(
        tenant=scope.tenant,
        memory=by_value["Plays the cello"],
        changes={"value": "Plays the viola"},
        actor=AGENT,
    )
    update_todo(tenant=scope.tenant, todo=Todo.unscoped.get(), changes={"status": "done"}, actor=AGENT)

    outcome = revert_run(tenant=scope.tenant, run=run, actor=AGENT).outcome["reverted"]

    assert values(scope) == {"Lives in Denver", "Plays the viola"}
    old = Memory.unscoped.get(value="Lives in Austin")
    left = {row.get("memory_id", "todo"): row["reason"] for row in outcome["left"]}
    assert left == {
        str(by_value["Lives in Denver"].pk): "changed since",
        str(by_value["Plays the cello"].pk): "changed since",
        str(old.pk): "its successor was changed since",
        "todo": "changed since",
    }
    assert (outcome["deleted"], Todo.unscoped.get().status) == (1, "done")


def test_a_later_run_that_built_on_it_stays(scope: Team) -> None:
    first, second = say(scope, "I live in Austin.", "I moved to Denver.")
    early = run_over(scope, facts=(proposal(first, "location", "Lives in Austin", "user"),))
    run_over(scope, facts=(proposal(second, "location", "Lives in Denver", "user"),))

    outcome = revert_run(tenant=scope.tenant, run=early, actor=AGENT).outcome["reverted"]

    assert values(scope) == {"Lives in Denver"}
    assert [row["reason"] for row in outcome["left"]] == ["changed since"]


def test_two_runs_undone_in_turn_lead_back_to_the_beginning(scope: Team) -> None:
    remember(scope, "Lives in Oslo", key="location", layer="tacit", namespace="user")
    before = state(scope)
    first, second = say(scope, "I live in Austin.", "I moved to Denver.")
    runs = [
        run_over(scope, facts=(proposal(first, "location", "Lives in Austin", "user"),)),
        run_over(scope, facts=(proposal(second, "location", "Lives in Denver", "user"),)),
    ]

    for run in reversed(runs):
        revert_run(tenant=scope.tenant, run=run, actor=AGENT)

    assert state(scope) == before


def test_what_was_undone_does_not_come_back_with_the_same_messages(scope: Team) -> None:
    (message,) = say(scope, "I play the cello.")
    found = (proposal(message, "music", "Plays the cello"),)
    revert_run(tenant=scope.tenant, run=run_over(scope, facts=found), actor=AGENT)

    run = run_over(scope, facts=found)

    assert run.counts == {"unchanged": 1}
    assert live(scope) == []


def test_the_observation_of_a_style_is_undone_too(scope: Team) -> None:
    first, second = say(scope, "Keep it short.", "Shorter!")
    run_over(scope, styles=(proposal(first, "style/terse", "Wants it short", "personality"),))
    before = state(scope)
    run = run_over(scope, styles=(proposal(second, "style/terse", "Terse", "personality"),))
    assert live(scope)[0].reinforced_count == 2

    revert_run(tenant=scope.tenant, run=run, actor=AGENT)

    assert state(scope) == before


# --- Review -----------------------------------------------------------------------------------------------


def test_a_run_that_waits_knows_its_messages_and_holds_todos_back_with_the_facts(scope: Team) -> None:
    run = waiting_run(scope)

    assert (run.status, run.seq_from, run.seq_to) == ("review", 1, 6)
    assert run.counts == {"review": 8, "styles": 1}
    assert [row["proposal"] for row in run.proposals] == ["memory"] * 7 + ["todo"]
    assert not Todo.unscoped.exists()


def test_approving_applies_exactly_what_waited(scope: Team) -> None:
    run = waiting_run(scope)

    done = approve_run(tenant=scope.tenant, run=run, vectors={}, actor=AGENT)

    assert (done.status, done.counts) == ("applied", {"superseded": 7, "styles": 1, "todos": 1})
    assert {f"New value {n}" for n in range(7)} <= values(scope)
    memory = Memory.unscoped.get(value="New value 0", status="active")
    seen = Observation.unscoped.get(memory=memory)
    assert (seen.run_id, seen.quote, memory.source) == (run.pk, "Everythi", "extraction")
    assert Todo.unscoped.get().text == "Call mom"
    versions = Version.unscoped.count()
    assert approve_run(tenant=scope.tenant, run=run, vectors={}, actor=AGENT).outcome == done.outcome
    assert Version.unscoped.count() == versions


def test_what_was_approved_can_be_undone(scope: Team) -> None:
    run = waiting_run(scope)
    before = {memory.value for memory in live(scope) if memory.value.startswith("Old")}
    approve_run(tenant=scope.tenant, run=run, vectors={}, actor=AGENT)

    revert_run(tenant=scope.tenant, run=run, actor=AGENT)

    assert values(scope) == before


def test_approving_does_not_overrule_a_pin(scope: Team) -> None:
    run = waiting_run(scope)
    pin_memory(tenant=scope.tenant, memory=Memory.unscoped.get(key="k0"), actor=AGENT)

    done = approve_run(tenant=scope.tenant, run=run, vectors={}, actor=AGENT)

    assert done.counts["quarantined"] == 1
    assert "Old value 0" in values(scope)


def test_rejecting_drops_what_waited_and_what_came_with_it(scope: Team) -> None:
    run = waiting_run(scope)

    done = reject_run(tenant=scope.tenant, run=run, actor=AGENT)

    assert done.status == "rejected"
    assert values(scope) == {f"Old value {n}" for n in range(10)}
    assert done.outcome["rejected"]["deleted"] == 1
    assert reject_run(tenant=scope.tenant, run=run, actor=AGENT).outcome == done.outcome


def test_what_does_not_fit_the_state_is_refused(scope: Team) -> None:
    waits = waiting_run(scope)
    (message,) = say(scope, "I play the cello.")
    applied = run_over(scope, facts=(proposal(message, "music", "Plays the cello"),))

    for act, run in ((revert_run, waits), (reject_run, applied)):
        with pytest.raises(Conflict):
            act(tenant=scope.tenant, run=run, actor=AGENT)
    with pytest.raises(Conflict):
        approve_run(tenant=scope.tenant, run=applied, vectors={}, actor=AGENT)
    reject_run(tenant=scope.tenant, run=waits, actor=AGENT)
    for again in (revert_run, lambda **given: approve_run(vectors={}, **given)):
        with pytest.raises(Conflict):
            again(tenant=scope.tenant, run=waits, actor=AGENT)


def test_a_message_that_is_gone_is_no_longer_cited(scope: Team) -> None:
    run = waiting_run(scope)
    for row in run.proposals:
        for seen in row.get("observations", [row]):
            seen["message_id"] = "0190a000-0000-7000-8000-000000000000"
    run.save()

    approve_run(tenant=scope.tenant, run=run, vectors={}, actor=AGENT)

    seen = Observation.unscoped.get(memory__value="New value 0")
    assert (seen.message_id, seen.quote) == (None, "")
    assert Todo.unscoped.get().quote == ""


def test_a_snapshot_is_read_back_in_its_own_types(scope: Team) -> None:
    memory = remember(scope, "Likes tea", tags=("a",), expires_at=datetime(2030, 1, 1, tzinfo=UTC)).memory

    fields = fields_of(snapshot(memory))

    assert {name: getattr(memory, name) for name in fields} == fields
    assert "person_id" not in fields


# --- Over HTTP --------------------------------------------------------------------------------------------


@pytest.fixture
def admin(db: None, acme: Team) -> Call:
    return caller(acme, scopes=("read", "write", "admin"))


def test_runs_are_listed_with_counts_and_shown_with_proposals(call: Call, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        run = waiting_run(acme)

    listed = call("GET", "users/alice/extraction-runs/").json()["results"]
    one = call("GET", f"users/alice/extraction-runs/{run.pk}/")

    assert [(row["id"], row["status"], row["counts"]) for row in listed] == [
        (str(run.pk), "review", {"review": 8, "styles": 1})
    ]
    assert (listed[0]["seq_from"], listed[0]["seq_to"], listed[0]["model"]) == (1, 6, "openai/gpt-x")
    assert "proposals" not in listed[0]
    assert one.json()["proposals"][0]["value"] == "New value 0"
    assert call("GET", "users/alice/extraction-runs/?status=applied").json()["results"] == []
    assert call("GET", "users/alice/extraction-runs/?status=odd").status_code == 400


def test_a_run_is_approved_as_it_was_read_and_undone_again(admin: Call, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        run = waiting_run(acme)
    path = f"users/alice/extraction-runs/{run.pk}"
    tag = admin("GET", f"{path}/")["ETag"]

    stale = admin("POST", f"{path}/approve/", **{"If-Match": '"another"'})
    done = admin("POST", f"{path}/approve/", **{"If-Match": tag})
    undone = admin("POST", f"{path}/revert/")
    again = admin("POST", f"{path}/revert/")

    assert stale.status_code == 412
    assert (done.status_code, done.json()["counts"]["superseded"]) == (200, 7)
    assert (undone.status_code, undone.json()["outcome"]["reverted"]["restored"]) == (200, 7)
    assert again.json() == undone.json()
    assert admin("POST", f"{path}/reject/").status_code == 409


def test_an_agent_that_may_write_rejects_but_does_not_approve(call: Call, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        run = waiting_run(acme)

    assert call("POST", f"users/alice/extraction-runs/{run.pk}/approve/").status_code == 403
    assert call("POST", f"users/alice/extraction-runs/{run.pk}/reject/").json()["status"] == "rejected"


def test_a_run_is_found_under_its_own_person_alone(call: Call, acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        run = waiting_run(acme)
    call("POST", "users/bob/memories/", {"value": "Likes tea"})

    assert call("GET", f"users/bob/extraction-runs/{run.pk}/").status_code == 404
    assert caller(rival)("GET", f"users/alice/extraction-runs/{run.pk}/").status_code == 404

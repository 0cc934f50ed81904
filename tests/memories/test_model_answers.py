"""Answers as models really give them, each through a real HTTP server: facts right or none, and no agent harmed.

The turn is answered before any model is asked; what a model then says decides only what is learned from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from memories.models import Memory, Todo
from nebo.jobs.models import Job
from nebo.llm.providers.openai import OpenAIModel
from nebo.llm.routing import complete
from nebo.tenants.scoping import tenant_scope
from sessions.models import Session
from sessions.scheduling import schedule
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import Call
from tests.scripted_server import (
    Behaviour,
    ScriptedServer,
    garbage,
    hang_up,
    json_answer,
    raw,
    scripted_server,
    status,
    truncated,
)

pytestmark = pytest.mark.django_db
__all__ = ["scripted_server"]

CHAT = "/v1/chat/completions"
# Answers that say something only beside their questions: a sentence read by itself makes no memory of them.
TURN = [
    {"role": "assistant", "content": "Welcome, Alice! Tea or coffee?"},
    {"role": "user", "name": "Alice", "content": "Tea, always."},
    {"role": "assistant", "content": "Noted! And Sarah, is she your sister?"},
    {"role": "user", "name": "Alice", "content": "No, my wife."},
]
TEA = {
    "key": "Preference/Hot_Drink",
    "value": "Alice prefers tea over coffee.",
    "category": "preference",
    "tags": ["tea"],
    "explicit": True,
    "message": 1,
    "quote": "Tea, always",
}
SARAH = {
    "key": "person/sarah",
    "value": "Sarah is Alice's wife.",
    "category": "entity",
    "explicit": True,
    "message": 3,
    "quote": "my wife",
}
GOOD = {"preferences": [TEA], "entities": [SARAH], "decisions": [], "styles": [], "artifacts": []}
TEXT = json.dumps(GOOD)
DRINK, WIFE = "tacit/preferences:preference/hot-drink", "entity/default:person/sarah"
BOTH = {DRINK: "Alice prefers tea over coffee.", WIFE: "Sarah is Alice's wife."}
ONLY_TEA = {DRINK: BOTH[DRINK]}
BROKEN = {**BOTH, DRINK: "Alice prefers\ntea over coffee."}


@dataclass(frozen=True)
class Answer:
    """What a model says (or what comes instead), and what must be known afterwards, by namespace and key."""

    name: str
    text: str | Behaviour
    known: dict[str, str] = field(default_factory=dict)
    job: str = "succeeded"

    def __str__(self) -> str:
        return self.name


def row(
    name: str, text: str | Behaviour, known: dict[str, str] | None = None, job: str = "succeeded"
) -> Answer:
    return Answer(name, text, known or {}, job)


def tea(**fields: Any) -> str:
    return json.dumps({"preferences": [{**TEA, **fields}]})


def says(message: dict[str, Any]) -> Behaviour:
    """A chat completion."""
    return json_answer({"choices": [{"message": message}]})


def tea_is(value: str) -> dict[str, str]:
    return {DRINK: value}


NUMBERED = {"key": 7, "value": 4, "tags": "numbers", "explicit": "yes", "message": "1", "quote": "tea"}
FORTY = [
    # as asked for, or nearly
    row("plain", TEXT, BOTH),
    row("pretty", json.dumps(GOOD, indent=4), BOTH),
    row("fenced", f"```json\n{TEXT}\n```", BOTH),
    row("fenced in capitals and without an end", f"```JSON\n{TEXT}", BOTH),
    row("inline backticks", f"`{TEXT}`", BOTH),
    row("prose around", f"Sure! Here is what I found:\n\n{TEXT}\n\nAnything else?", BOTH),
    row("braces in the prose before", f"In the {{shape}} you asked for, [1]: {TEXT}", BOTH),
    row("thinking aloud first", f"<think>Maybe {{\"preferences\": []}}?</think>\n{TEXT}", BOTH),
    row("in tags", f"<json>{TEXT}</json>", BOTH),
    row("one JSON string", json.dumps(TEXT), BOTH),
    # nearly JSON
    row("single quotes", str(GOOD), BOTH),
    row("trailing commas", TEXT.replace("}]", "},],"), BOTH),
    row("comments", TEXT.replace('"entities"', '/* people */ "entities"') + " // that is all", BOTH),
    row("bare keys", TEXT.replace('"preferences"', "preferences").replace('"key"', "key"), BOTH),
    row("curly quotes", TEXT.replace('"', "\u201d"), BOTH),
    row("raw line breaks in strings", TEXT.replace("prefers tea", "prefers\ntea"), BROKEN),
    row("duplicate keys", TEXT.replace('"decisions": []', '"preferences": [], "entities": []'), BOTH),
    row("the same fact three times", json.dumps({"preferences": [TEA, TEA, TEA]}), ONLY_TEA),
    # cut off
    row("truncated in a third fact", TEXT.replace('"decisions": []', '"decisions": [{"key": "d/db", "val'), BOTH),
    row("truncated within the first fact", TEXT[:60], job="failed"),
    row("truncated after the first fact", TEXT[: TEXT.index(', "entities"')], ONLY_TEA),
    # another shape
    row("an array at the top", json.dumps([TEA, SARAH]), BOTH),
    row("a fact a line", f"{json.dumps(TEA)}\n{json.dumps(SARAH)}", BOTH),
    row("under result", json.dumps({"result": GOOD}), BOTH),
    row("deep under data", json.dumps({"ok": True, "data": {"note": "x", "memory": {"id": 1, **GOOD}}}), BOTH),
    row("under result as a string", json.dumps({"result": TEXT}), BOTH),
    row("capital names", TEXT.replace("preferences", "Preferences").replace("entities", "ENTITIES"), BOTH),
    row("one fact instead of an array", json.dumps({"preferences": TEA, "entity": SARAH}), BOTH),
    row("facts by key", json.dumps({"preferences": {TEA["key"]: {**TEA, "key": TEA["key"]}}}), ONLY_TEA),
    row("a field of another name", tea(value=None, fact="Alice prefers tea over coffee."), ONLY_TEA),
    # other kinds of values
    row("numbers for strings", json.dumps({"preferences": [NUMBERED]}), {"tacit/preferences:7": "4"}),
    row("an object for a string", tea(value={"drink": "tea", "hot": True}), tea_is("drink: tea; hot: yes")),
    row("a list for a string", tea(value=["tea", "mate"]), tea_is("tea, mate")),
    row("nulls and numbers among facts", json.dumps({"preferences": [None, 7, [], TEA], "styles": None}), ONLY_TEA),
    row("a category that does not exist", json.dumps([{**TEA, "category": "hobby"}]), ONLY_TEA),
    row("a category that contradicts its array", tea(category="decision", type="alien", fact_type=3), ONLY_TEA),
    row("another language", tea(value="アリスは紅茶が好きです。"), tea_is("アリスは紅茶が好きです。")),
    row("prose in another language", f"Gerne! Hier ist das Ergebnis:\n{TEXT}\nViele Grüße", BOTH),
    # nothing to say
    row("empty arrays", '{"preferences": [], "entities": [], "decisions": [], "styles": [], "artifacts": []}'),
    row("an empty object", "{}"),
    row("an empty array in a fence", "```json\n[]\n```"),
    row("none as a word", '{"preferences": "none", "entities": "N/A", "todos": "None."}'),
    row("none in words", '{"preferences": ["No preferences were found."], "decisions": "There were none made."}'),
    row("none as values", '{"preferences": [{"key": "user/name", "value": "unknown"}, {"key": "none", "value": 1}]}'),
    row("nichts", '{"preferences": ["keine"], "entities": ["无"], "todos": ["ninguna"]}'),
    row("null", "null"),
    row("prose alone", "This conversation holds no durable facts."),
    row("a refusal", "I'm sorry, but I can't help with extracting personal information.", job="failed"),
    row("brackets alone", "[[[[{{{{"),
    # far too much
    row("nearly two megabytes of noise", "word { " * 250_000, job="failed"),
    row("nearly two megabytes before the facts", " " * 1_900_000 + TEXT, BOTH),
    row("deep nesting", '{"a":' * 50_000 + "1" + "}" * 50_000, job="failed"),
    # no answer at all: the job will be tried again, nobody else notices
    row("a page of HTML with 200", raw(b"<html><body>Bad gateway</body></html>"), job="failed"),
    row("no JSON with 200", garbage(), job="failed"),
    row("half of a body", truncated({"choices": [{"message": {"content": TEXT}}]}), job="failed"),
    row("an empty text", "", job="failed"),
    row("no choices", json_answer({"choices": []}), job="failed"),
    row("a refusal in its own field", says({"content": None, "refusal": "No."}), job="failed"),
    row("over two megabytes", says({"content": "y" * 2_200_000}), job="failed"),
    row("a hung-up line", hang_up(), job="failed"),
    row("a server error", status(500), job="failed"),
]  # fmt: skip


def behaviour(answer: Answer) -> Behaviour:
    if not isinstance(answer.text, str):
        return answer.text
    return says({"role": "assistant", "content": answer.text})


@pytest.fixture
def model(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    """One configured model behind a real server on loopback, asked twice in quick succession."""
    chosen = (OpenAIModel("gpt-x", base_url=f"{scripted_server.url}/v1"),)
    monkeypatch.setattr("nebo.llm.registry.list_chat_models", lambda: chosen)
    monkeypatch.setitem(complete.__kwdefaults__, "backoff_s", (0.01,))
    return scripted_server


def take_turn(call: Call) -> str:
    """A turn of four messages, of which nothing is known before a model reads them; the session's id."""
    session = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]
    answer = call("POST", f"sessions/{session}/turns/", {"messages": TURN})
    assert (answer.status_code, answer.json()["signals"]) == (201, []), answer.content
    return str(session)


def learn_from(team: Team, session_id: str) -> Job:
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).get(pk=session_id)
        schedule(tenant=team.tenant, session=session, kind="extract")
    (job,) = run_jobs(team.tenant, kind="extract")
    return job


def known(team: Team) -> dict[str, str]:
    with tenant_scope(team.tenant):
        rows = Memory.objects.for_tenant(team.tenant)
        return {f"{memory.namespace}:{memory.key}": memory.value for memory in rows}


def test_there_are_at_least_forty() -> None:
    assert len({answer.name for answer in FORTY}) == len(FORTY) >= 40


def test_a_model_is_asked_for_the_arrays_and_told_what_was_said(
    call: Call, acme: Team, model: ScriptedServer
) -> None:
    session_id = take_turn(call)
    model.always(CHAT, behaviour(FORTY[0]))

    learn_from(acme, session_id)

    (request,) = model.requests
    asked = "\n".join(message["content"] for message in request.json["messages"])
    assert all(f'"{name}"' in asked for name in (*GOOD, "todos"))
    assert all(name in asked for name in TEA)
    assert all(message["content"] in asked for message in TURN)


def test_no_model_is_asked_where_nothing_is_to_be_learned(
    call: Call, acme: Team, model: ScriptedServer
) -> None:
    session_id = call("POST", "sessions/", {"user": "alice", "key": "chat", "auto_extract": False}).json()[
        "id"
    ]
    assert call("POST", f"sessions/{session_id}/turns/", {"messages": TURN}).status_code == 201
    model.always(CHAT, behaviour(FORTY[0]))

    job = learn_from(acme, session_id)

    assert (job.state, model.requests, known(acme)) == ("succeeded", [], {})


@pytest.mark.parametrize("answer", FORTY, ids=str)
def test_facts_are_right_or_none_and_the_agent_never_notices(
    call: Call, acme: Team, model: ScriptedServer, answer: Answer
) -> None:
    session_id = take_turn(call)
    model.always(CHAT, behaviour(answer))

    job = learn_from(acme, session_id)

    assert known(acme) == answer.known
    assert (job.state, "Alice" in job.error) == (answer.job, False)
    with tenant_scope(acme.tenant):
        assert not Todo.objects.for_tenant(acme.tenant).exists()
        session = Session.objects.for_tenant(acme.tenant).get(pk=session_id)
    assert session.extracted_seq == (4 if answer.job == "succeeded" else 0)
    assert call("POST", f"sessions/{session_id}/turns/", {"messages": TURN}).status_code == 201


def test_a_second_model_answers_where_the_first_one_fails(
    call: Call, acme: Team, model: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    both: Callable[[], Any] = lambda: tuple(  # noqa: E731
        OpenAIModel(name, base_url=f"{model.url}/v1") for name in ("cheap", "dear")
    )
    monkeypatch.setattr("nebo.llm.registry.list_chat_models", both)
    session_id = take_turn(call)
    model.on(CHAT, status(401), says({"content": TEXT}))

    job = learn_from(acme, session_id)

    assert job.state == "succeeded"
    assert [request.json["model"] for request in model.requests] == ["cheap", "dear"]
    assert known(acme) == BOTH


def test_what_failed_is_learned_when_the_model_is_back(call: Call, acme: Team, model: ScriptedServer) -> None:
    session_id = take_turn(call)
    model.always(CHAT, status(503))
    assert learn_from(acme, session_id).state == "failed"
    model.always(CHAT, says({"content": TEXT}))

    (job,) = run_jobs(acme.tenant, kind="extract")

    assert job.state == "succeeded"
    assert known(acme) == BOTH

"""Whatever a summary replaces is read by whoever writes it: in batches, within a run's time, and marked only then."""

from __future__ import annotations

import json
import re

import pytest

from nebo.llm.providers.openai import OpenAIModel
from nebo.llm.routing import complete
from nebo.tenants.scoping import tenant_scope
from sessions.models import Compaction, Message, RollingSummary, Session
from sessions.summaries import batches
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.scripted_server import Reply, ScriptedServer, json_answer, scripted_server, status
from tests.sessions.conftest import Call, caller

pytestmark = pytest.mark.usefixtures("committed_db")
__all__ = ["scripted_server"]

CHAT = "/v1/chat/completions"
FACTS = ("Maya is allergic to sesame", "the harbour permit is number 7741", "Ivo signs on 12 October")
FILLER = "The crates were counted and stacked again, as on every other day of that long week."


class CarefulModel:
    """Keeps every fact that it is shown, whether among the messages or in what was summarised before."""

    def __init__(self, server: ScriptedServer) -> None:
        self.server = server
        self.prompts: list[str] = []

    def __call__(self, reply: Reply) -> None:
        prompt = self.server.requests[-1].json["messages"][-1]["content"]
        self.prompts.append(prompt)
        json_answer({"choices": [{"message": {"role": "assistant", "content": self.answer(prompt)}}]})(reply)

    def answer(self, prompt: str) -> str:
        if "name the one task" in prompt:
            return "none"
        kept = ". ".join(fact for fact in FACTS if fact in prompt) or "They counted crates"
        return json.dumps({"one_liner": kept}) if '"one_liner"' in prompt else f"{kept}."


@pytest.fixture
def model(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> CarefulModel:
    chosen = (OpenAIModel("careful", base_url=f"{scripted_server.url}/v1"),)
    monkeypatch.setattr("nebo.llm.registry.list_chat_models", lambda: chosen)
    monkeypatch.setitem(complete.__kwdefaults__, "backoff_s", (0.01,))
    careful = CarefulModel(scripted_server)
    scripted_server.always(CHAT, careful)
    return careful


def talk(call: Call, *, count: int = 290) -> str:
    """A session of so many messages, the three facts in the first of them."""
    answer = call("POST", "sessions/", {"user": "alice", "key": "long", "auto_extract": False})
    session_id = str(answer.json()["id"])
    told = [f"By the way, {fact}." for fact in FACTS]
    said = [*told, *(f"Note {number}: {FILLER}" for number in range(count - len(told)))]
    messages = [
        {"role": "assistant" if number % 5 == 4 else "user", "content": text}
        for number, text in enumerate(said)
    ]
    assert call("POST", f"sessions/{session_id}/turns/", {"messages": messages}).status_code == 201
    return session_id


def work_off(team: Team, kind: str) -> None:
    """Run what waits, and what that leaves to be done."""
    while run_jobs(team.tenant, kind=kind):
        pass


def missing(text: str) -> list[str]:
    return [fact for fact in FACTS if fact not in text]


def shown(prompts: list[str]) -> set[int]:
    """The numbers of the notes that stood in prompts as messages."""
    return {int(number) for prompt in prompts for number in re.findall(r"Note (\d+):", prompt)}


@pytest.mark.slow
def test_a_compaction_reads_all_that_it_folds(acme: Team, model: CarefulModel) -> None:
    call = caller(acme)
    session_id = talk(call)
    call("POST", f"sessions/{session_id}/compact/")

    run_jobs(acme.tenant, kind="compact")

    asked = [prompt for prompt in model.prompts if "folded" in prompt]
    assert len(asked) > 1 and all(len(prompt) < 18_000 for prompt in asked)
    assert shown(asked) == set(range(277))
    session = call("GET", f"sessions/{session_id}/").json()
    assert missing(session["summary"]) == []
    listed = call("GET", f"sessions/{session_id}/compactions/").json()["results"]
    assert [(row["seq_from"], row["seq_to"], row["kept"]) for row in listed] == [(1, 280, 10)]


def test_where_nothing_that_a_model_wrote_was_said_rules_write_instead(
    acme: Team, model: CarefulModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "answer", lambda prompt: "Bob bought three horses in Ohio for 90,000 dollars.")
    call = caller(acme)
    session_id = talk(call, count=60)
    call("POST", f"sessions/{session_id}/compact/")

    run_jobs(acme.tenant, kind="compact")

    summary = call("GET", f"sessions/{session_id}/").json()["summary"]
    assert "horses" not in summary
    assert "sesame" in summary


def test_a_message_longer_than_a_line_of_the_prompt_is_read_to_its_end(
    acme: Team, model: CarefulModel
) -> None:
    call = caller(acme)
    session_id = str(call("POST", "sessions/", {"user": "alice", "key": "long"}).json()["id"])
    long = f"{FILLER * 30} By the way, {FACTS[0]}. {FILLER * 30}"
    said = [long, *(f"Note {number}." for number in range(12))]
    messages = [{"role": "user", "content": text} for text in said]
    call("POST", f"sessions/{session_id}/turns/", {"messages": messages})
    call("POST", f"sessions/{session_id}/compact/")

    run_jobs(acme.tenant, kind="compact")

    assert FACTS[0] in call("GET", f"sessions/{session_id}/").json()["summary"]


def test_what_a_model_failed_to_read_stays_live_and_is_folded_later(
    acme: Team, model: CarefulModel, scripted_server: ScriptedServer
) -> None:
    call = caller(acme)
    session_id = talk(call)
    call("POST", f"sessions/{session_id}/compact/")
    scripted_server.on(CHAT, model, status(401), model)

    work_off(acme, "compact")

    with tenant_scope(acme.tenant):
        first, *_, last = Compaction.objects.for_tenant(acme.tenant).order_by("number")
        folded = Message.objects.for_tenant(acme.tenant).filter(compacted=True)
        assert 0 < first.seq_to < 280 and first.kept == 290 - first.seq_to
        assert last.seq_to == folded.count() == 280
    assert missing(call("GET", f"sessions/{session_id}/").json()["summary"]) == []


def test_nothing_is_marked_where_the_first_batch_fails(
    acme: Team, model: CarefulModel, scripted_server: ScriptedServer
) -> None:
    call = caller(acme)
    session_id = talk(call)
    call("POST", f"sessions/{session_id}/compact/")
    scripted_server.always(CHAT, status(401))

    (job,) = run_jobs(acme.tenant, kind="compact")

    assert job.state == "failed"
    with tenant_scope(acme.tenant):
        assert not Message.objects.for_tenant(acme.tenant).filter(compacted=True).exists()


def test_a_run_without_time_left_comes_again_for_the_rest(
    acme: Team, model: CarefulModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "RUN_S", 0.0)
    call = caller(acme)
    session_id = talk(call)
    call("POST", f"sessions/{session_id}/compact/")

    work_off(acme, "compact")

    with tenant_scope(acme.tenant):
        journal = list(Compaction.objects.for_tenant(acme.tenant).order_by("number"))
    assert len(journal) > 1 and journal[-1].seq_to == 280
    assert missing(call("GET", f"sessions/{session_id}/").json()["summary"]) == []


def test_a_rolling_summary_reads_all_that_was_said_since(acme: Team, model: CarefulModel) -> None:
    call = caller(acme)
    session_id = talk(call)

    run_jobs(acme.tenant, kind="roll")

    assert shown(model.prompts) == set(range(287))
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get(pk=session_id)
        rolling = RollingSummary.objects.for_tenant(acme.tenant).get()
    assert (rolling.seq_from, rolling.seq_to, session.rolled_seq) == (1, 290, 290)
    assert missing(rolling.text) == []


def test_a_rolling_summary_that_broke_off_goes_on_where_it_was(
    acme: Team, model: CarefulModel, scripted_server: ScriptedServer
) -> None:
    call = caller(acme)
    session_id = talk(call)
    scripted_server.on(CHAT, model, status(401))

    work_off(acme, "roll")

    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get(pk=session_id)
        rows = list(RollingSummary.objects.for_tenant(acme.tenant).order_by("created_at"))
    assert [row.seq_from for row in rows] == [1, rows[0].seq_to + 1]
    assert session.rolled_seq == rows[-1].seq_to == 290
    assert missing(rows[-1].text) == []


def test_the_end_of_a_session_speaks_for_all_of_it(acme: Team, model: CarefulModel) -> None:
    call = caller(acme)
    session_id = talk(call)
    call("POST", f"sessions/{session_id}/close/")

    run_jobs(acme.tenant, kind="close")

    (told,) = call("GET", f"sessions/{session_id}/summaries/").json()["results"]
    assert missing(told["one_liner"]) == []

"""Words that are redacted at the very moment when a job writes something of them: nothing of it is kept."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from memories.models import Memory
from nebo.llm.providers.openai import OpenAIModel
from nebo.llm.routing import complete
from nebo.tenants.scoping import tenant_scope
from sessions.models import Compaction, RollingSummary, Session, SessionSummary, Spine
from sessions.scheduling import schedule
from sessions.turns.state import enqueue_spine
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import remember
from tests.scripted_server import Behaviour, Reply, ScriptedServer, json_answer, scripted_server
from tests.sessions.conftest import Call, caller
from tests.sessions.test_forgetting import begin, say
from tests.sessions.test_redaction import tables_with

pytestmark = pytest.mark.usefixtures("committed_db")
__all__ = ["scripted_server"]

CHAT = "/v1/chat/completions"
CANARY = "Zorblattine"
SAID = f"I'm allergic to {CANARY}."
LINE = f"The user is allergic to {CANARY}."
FACT = {
    "key": "allergy/it",
    "value": f"Is allergic to {CANARY}.",
    "message": 0,
    "quote": SAID,
    "explicit": True,
}
UNCLEAR = {
    "kind": "commitment",
    "text": f"Replace the {CANARY}",
    "message": 0,
    "quote": f"the {CANARY} won't last another winter",
}
WRITTEN = {
    "roll": LINE,
    "compact": LINE,
    "rewrite": LINE,
    "close": json.dumps({"one_liner": LINE, "what_mattered": [LINE]}),
    "spine": f"PROFILE\n- {LINE}",
    "extract": json.dumps({"preferences": [FACT]}),
    "directive": f"Tell {CANARY} jokes.",
    "verify": json.dumps({"1": "yes", "2": "no"}),
}
ANEW = {
    "close": json.dumps({"one_liner": "Boats need paint."}),
    "spine": "PROJECTS\n- Boat number 3 needs paint.",
    "extract": "{}",
}
MADE = (Compaction, RollingSummary, SessionSummary, Spine)
NOT_OF_WORDS = {
    "nebo/jobs/tasks.py": "an echo",
    "nebo/product/events/sending.py": "ids alone",
    "memories/tasks.py": "counts; curation compares each memory's version under the person's row",
    "personality/tasks.py": "counts",
    "search/indexing/pending.py": "vectors",
    "search/indexing/hnsw.py": "an index",
    "search/tasks.py": "counts",
    "sessions/redaction/redact.py": "takes the words away itself, and reads under the person's row",
    "nebo/product/governance/tasks.py": "counts",
    "nebo/product/governance/services/erasure.py": "erases",
    "nebo/product/governance/audit_log.py": "the log holds no words",
    "nebo/product/governance/importing/running.py": "words of a file that was sent, and of nothing that is kept",
    "nebo/product/workspace/asking_providers.py": "what a provider answered to a question of ours",
}


@pytest.fixture
def model(scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> ScriptedServer:
    chosen = (OpenAIModel("gpt-x", base_url=f"{scripted_server.url}/v1"),)
    monkeypatch.setattr("nebo.llm.registry.list_chat_models", lambda: chosen)
    monkeypatch.setitem(complete.__kwdefaults__, "backoff_s", (0.01,))
    return scripted_server


def says(text: str) -> Behaviour:
    return json_answer({"choices": [{"message": {"role": "assistant", "content": text}}]})


def after(act: Callable[[], None], text: str) -> Behaviour:
    """Answers once something was done, on connections of its own."""

    def behave(reply: Reply) -> None:
        try:
            act()
        finally:
            connections.close_all()
        says(text)(reply)

    return behave


def begin_talk(call: Call, first: str) -> tuple[str, str]:
    """A conversation that is long enough for everything, and its first message."""
    session_id = begin(call, "chat")
    message = say(call, session_id, ("user", first))["messages"][0]["id"]
    for number in range(20):
        say(call, session_id, ("user", f"Boat number {number} needs paint."), ("assistant", "It does."))
    return session_id, message


def ask_for(kind: str, team: Team, session_id: str) -> None:
    """The job, and what it needs to have something to write of."""
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).select_related("tenant").get(pk=session_id)
        if kind == "directive":
            for value in (f"Likes {CANARY} jokes", "Writes in short lines", "Wants plain words"):
                remember(team, value, key=f"style/{value[:5]}", layer="tacit", namespace="personality")
        elif kind == "spine":
            enqueue_spine(tenant=team.tenant, person_id=team.person.pk)
        elif kind != "verify":
            schedule(tenant=team.tenant, session=session, kind=kind)


def prepare(kind: str, team: Team, session_id: str, model: ScriptedServer) -> None:
    """What has to be there before: something folded whose summary is hidden, or a reading that is unclear."""
    if kind == "rewrite":
        ask_for("compact", team, session_id)
        model.on(CHAT, says(LINE), says("none"))
        run_jobs(team.tenant, kind="compact")
        with tenant_scope(team.tenant):
            Session.objects.for_tenant(team.tenant).update(summary="")
    if kind == "verify":
        ask_for("extract", team, session_id)
        model.on(CHAT, says(json.dumps({"todos": [UNCLEAR]})))
        run_jobs(team.tenant, kind="extract")


@pytest.mark.parametrize("kind", list(WRITTEN))
def test_what_was_redacted_while_it_was_written_of_is_written_of_no_more(
    acme: Team, model: ScriptedServer, settings: Any, kind: str
) -> None:
    settings.ROOT_URLCONF = "nebo.urls"
    call = caller(acme)
    first = UNCLEAR["quote"] if kind == "verify" else SAID
    session_id, message = begin_talk(call, str(first))
    prepare(kind, acme, session_id, model)
    ask_for(kind, acme, session_id)
    path = f"sessions/{session_id}/messages/{message}/redact/"
    redacted: list[int] = []
    model.on(CHAT, after(lambda: redacted.append(call("POST", path).status_code), WRITTEN[kind]))
    model.always(CHAT, says(ANEW.get(kind, "Boats need paint.")))
    asked_before = len(model.requests)

    (job, *_) = run_jobs(acme.tenant, kind=kind)
    run_jobs(acme.tenant, kind=kind)

    assert redacted == [200]
    assert CANARY in model.requests[asked_before].body.decode()
    assert (job.error, job.attempts <= 2) == ("", True)
    assert tables_with(CANARY) == set()


@pytest.mark.parametrize("kind", ["roll", "compact", "close", "spine"])
def test_a_summary_that_was_thrown_away_is_written_anew(
    acme: Team, model: ScriptedServer, settings: Any, kind: str
) -> None:
    settings.ROOT_URLCONF = "nebo.urls"
    call = caller(acme)
    session_id, message = begin_talk(call, SAID)
    ask_for(kind, acme, session_id)
    path = f"sessions/{session_id}/messages/{message}/redact/"
    model.on(CHAT, after(lambda: call("POST", path), WRITTEN[kind]))
    model.always(CHAT, says(ANEW.get(kind, "Boats need paint.")))

    for _ in range(2):
        run_jobs(acme.tenant, kind=kind)

    with tenant_scope(acme.tenant):
        made = [row for table in MADE for row in table.objects.for_tenant(acme.tenant)]
    assert len(made) == 1
    assert CANARY not in model.requests[-1].body.decode()
    assert "paint" in json.dumps(made[0].__dict__, default=str)


def test_words_that_are_forgotten_while_a_model_reads_them_are_not_learned_from(
    acme: Team, model: ScriptedServer
) -> None:
    call = caller(acme)
    session_id, _ = begin_talk(call, SAID)
    ask_for("extract", acme, session_id)
    known = [m for m in call("GET", "users/alice/memories/").json()["results"] if CANARY in m["value"]]

    def forget() -> None:
        for memory in known:
            call("DELETE", f"memories/{memory['id']}/")

    model.on(CHAT, after(forget, json.dumps({"preferences": [FACT]})))
    model.always(CHAT, says("{}"))

    for _ in range(2):
        run_jobs(acme.tenant, kind="extract")

    assert known
    assert CANARY not in model.requests[-1].body.decode()
    with tenant_scope(acme.tenant):
        live = Memory.objects.for_tenant(acme.tenant).filter(status=Memory.Status.ACTIVE)
        assert not live.filter(value__icontains=CANARY).exists()


def test_whoever_publishes_what_it_made_of_words_holds_them() -> None:
    """A job that writes compares the count of words taken away; others say why they need not."""
    careless = [
        str(path)
        for folder in ("memories", "nebo", "personality", "search", "sessions")
        for path in sorted(Path(folder).rglob("*.py"))
        if calls(path, "publish") - calls(path, "hold_words") and str(path) not in NOT_OF_WORDS
    ]
    assert careless == []


def calls(path: Path, name: str) -> set[str]:
    """`{"claim"}` where a module calls a claim's method of this name."""
    tree = ast.parse(path.read_text())
    return {
        "claim"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name
    }

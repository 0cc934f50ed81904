"""Three hundred messages through the API: compactions, flushes, one summary chain; nothing lost, nothing twice.

Once without a model, once with one behind HTTP that words every fact in its own way.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from uuid import UUID

import pytest

from memories.models import ExtractionRun, Memory, Observation
from nebo.jobs.models import Job
from nebo.jobs.worker.running import run_job
from nebo.llm.providers.openai import OpenAIModel
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import operator_scope, tenant_scope
from search.answers.search import SearchQuery, search
from sessions.models import Compaction, Message, Session
from tests.conftest import Team
from tests.scripted_server import Reply, ScriptedServer, json_answer, scripted_server
from tests.sessions.conftest import Call, caller

__all__ = ["scripted_server"]

MESSAGES = 300
TOGETHER = 6  # messages of a turn
LIMIT = 1_200  # tokens, so that a few dozen messages fill the session
WORDS = ("anchor", "bakery", "candle", "donkey", "engine", "falcon", "garden", "harbour", "island", "jacket")
NAMES = ("Amos", "Beate", "Carl", "Dora", "Emil", "Frida", "Gerd", "Hedda", "Ivar", "Jonna")


def line(number: int) -> str:
    """Chatter with a word that stands in no other line, and a fact now and then."""
    if number % 20 == 0:
        return f"I adopted a cat called {NAMES[number // 20 % 10]}{number} this week, marker{number}x."
    return f"The {WORDS[number % 10]} was next to the {WORDS[number // 10 % 10]} again, marker{number}x, as before."


@pytest.fixture
def small_session(committed_db: None, acme: Team) -> str:
    with operator_scope():
        Tenant.objects.filter(pk=acme.tenant.pk).update(compaction_tokens=LIMIT)
    answer = caller(acme)("POST", "sessions/", {"user": "alice", "key": "long"})
    return str(answer.json()["id"])


class WordyModel:
    """Answers each kind of prompt: facts in its own words, quoted from the numbered lines; summaries; no task."""

    def __init__(self, server: ScriptedServer) -> None:
        self.server = server
        self.read: list[str] = []  # the numbered lines it was shown to learn from

    def __call__(self, reply: Reply) -> None:
        system, prompt = (message["content"] for message in self.server.requests[-1].json["messages"])
        text = self.extract(prompt) if "one JSON object" in system else self.summarize(prompt)
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        json_answer({"choices": [choice], "usage": {}})(reply)

    def extract(self, prompt: str) -> str:
        lines = re.findall(r"^\[(\d+)\] (.*)$", prompt, re.MULTILINE)
        self.read += [line for _, line in lines]
        facts = [
            {
                "key": f"pet/{name.lower()}", "value": f"Alice has a pet cat named {name}.", "message": int(number),
                "quote": f"I adopted a cat called {name}", "explicit": True,
                "entity": {"label": name, "type": "animal"},
            }
            for number, said in lines
            for name in re.findall(r"a cat called (\w+)", said)
        ]  # fmt: skip
        return f"Here you are:\n```json\n{json.dumps({'entities': facts})}\n```"

    def summarize(self, prompt: str) -> str:
        if "none" in prompt and "working on" in prompt:
            return "none"
        markers = re.findall(r"marker\d+x", prompt)
        return f"They talked from {markers[0]} to {markers[-1]}." if markers else "They talked."


@pytest.fixture(params=["alone", "model"])
def model(
    request: pytest.FixtureRequest, scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> WordyModel | None:
    """The model that reads along, or none."""
    if request.param == "alone":
        return None
    chat_model = OpenAIModel("wordy", base_url=f"{scripted_server.url}/v1")
    monkeypatch.setattr("nebo.llm.registry.list_chat_models", lambda: (chat_model,))
    wordy = WordyModel(scripted_server)
    scripted_server.always("/v1/chat/completions", wordy)
    return wordy


def work_off(team: Team, *kinds: str) -> None:
    """Do the waiting jobs of these kinds, as a worker would once they are due."""
    while waiting := _list_waiting(team, kinds):
        for job_id in waiting:
            run_job(str(team.tenant.pk), str(job_id))


def _list_waiting(team: Team, kinds: tuple[str, ...]) -> list[UUID]:
    """Made due; a job that has read a part waits for its next turn."""
    with tenant_scope(team.tenant):
        rows = Job.objects.for_tenant(team.tenant).filter(state="queued", kind__in=kinds)
        rows.update(due_at="2020-01-01T00:00:00Z")
        return list(rows.order_by("created_at").values_list("pk", flat=True))


def talk(call: Call, team: Team, session_id: str) -> None:
    for first in range(0, MESSAGES, TOGETHER):
        messages = [
            {"role": "assistant", "content": line(number)}
            if number % 2
            else {"role": "user", "name": "Alice", "content": line(number)}
            for number in range(first, first + TOGETHER)
        ]
        assert call("POST", f"sessions/{session_id}/turns/", {"messages": messages}).status_code == 201
        work_off(team, "flush", "compact")
    work_off(team, "extract")


@pytest.mark.timeout(240)
def test_three_hundred_messages_lose_nothing_and_learn_nothing_twice(
    acme: Team, small_session: str, model: WordyModel | None
) -> None:
    talk(caller(acme), acme, small_session)

    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get(pk=small_session)
        journal = list(Compaction.objects.for_tenant(acme.tenant).order_by("number"))
        messages = list(Message.objects.for_tenant(acme.tenant).order_by("seq"))
        values = list(
            Memory.objects.for_tenant(acme.tenant).filter(status="active").values_list("value", flat=True)
        )
        runs = ExtractionRun.objects.for_tenant(acme.tenant).filter(trigger="flush").count()
        jobs = Counter(Job.objects.for_tenant(acme.tenant).values_list("kind", "state"))

    assert len(messages) == MESSAGES
    assert session.extracted_seq == MESSAGES
    assert session.live_tokens <= LIMIT
    check_chain(session, journal)
    flushes = jobs["flush", "succeeded"]
    assert 1 <= flushes <= len(journal) + 1
    assert (1 <= runs <= flushes) if model else runs == 0
    assert not [kind for kind, state in jobs if state in ("failed", "dead")]
    assert max(Counter(values).values()) == 1
    assert sum("cat called" in value for value in values) == len(range(0, MESSAGES, 20))
    check_findable(acme, messages)
    if model:
        check_model(acme, model, journal, values)


def check_model(team: Team, model: WordyModel, journal: list[Compaction], values: list[str]) -> None:
    """It read every message once and wrote every summary; its wordings stand beside the first ones, no new facts."""
    shown = Counter(itertools.chain.from_iterable(re.findall(r"marker\d+x", line) for line in model.read))
    assert shown == Counter({f"marker{number}x": 1 for number in range(MESSAGES)})
    assert all("They talked from marker" in entry.summary_after for entry in journal)
    assert {entry.model for entry in journal} == {"openai/wordy"}
    assert not [value for value in values if "pet cat named" in value]
    with tenant_scope(team.tenant):
        seen = Observation.objects.for_tenant(team.tenant).filter(extractor="model")
        assert seen.filter(value__contains="pet cat named").count() == len(range(0, MESSAGES, 20))


def check_chain(session: Session, journal: list[Compaction]) -> None:
    """Every compaction begins where the one before ended, with the summary that one left."""
    assert len(journal) >= 5
    assert [entry.number for entry in journal] == list(range(1, session.compaction_count + 1))
    assert journal[0].seq_from == 1
    for before, after in itertools.pairwise(journal):
        assert after.seq_from == before.seq_to + 1
        assert after.summary_before == before.summary_after
    assert session.summary == journal[-1].summary_after


def check_findable(team: Team, messages: list[Message]) -> None:
    """A folded message is found by its own word; a live one stands in the context."""
    folded = [message for message in messages if message.compacted]
    assert len(folded) > MESSAGES * 0.8
    with tenant_scope(team.tenant):
        for message in folded:
            query = SearchQuery(f"marker{message.seq - 1}x", team.person.pk, sources=("session",))
            best = search(tenant=team.tenant, query=query, vector=None).results[0]
            assert best.messages[0].id == message.pk

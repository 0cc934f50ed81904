"""Three hundred messages through the API: compactions, flushes, one summary chain; nothing lost, nothing twice."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from memories.models import ExtractionRun, Memory
from nebo.jobs.models import Job
from nebo.jobs.running import run_job
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import operator_scope, tenant_scope
from search.selectors import SearchQuery, search
from sessions.models import Compaction, Message, Session
from tests.conftest import Team
from tests.sessions.conftest import Call, caller

MESSAGES = 300
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


def work_off(team: Team, *kinds: str) -> None:
    """Do the waiting jobs of these kinds, as a worker would once they are due."""
    with tenant_scope(team.tenant):
        rows = Job.objects.for_tenant(team.tenant).filter(state="queued", kind__in=kinds)
        rows.update(due_at="2020-01-01T00:00:00Z")
        waiting = list(rows.order_by("created_at").values_list("pk", flat=True))
    for job_id in waiting:
        run_job(str(team.tenant.pk), str(job_id))


def talk(call: Call, team: Team, session_id: str) -> None:
    for number in range(0, MESSAGES, 2):
        messages = [
            {"role": "user", "name": "Alice", "content": line(number)},
            {"role": "assistant", "content": line(number + 1)},
        ]
        assert call("POST", f"sessions/{session_id}/turns/", {"messages": messages}).status_code == 201
        work_off(team, "flush", "compact")
    work_off(team, "extract")


def test_three_hundred_messages_lose_nothing_and_learn_nothing_twice(acme: Team, small_session: str) -> None:
    talk(caller(acme), acme, small_session)

    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get(pk=small_session)
        journal = list(Compaction.objects.for_tenant(acme.tenant).order_by("number"))
        messages = list(Message.objects.for_tenant(acme.tenant).order_by("seq"))
        values = list(
            Memory.objects.for_tenant(acme.tenant).filter(status="active").values_list("value", flat=True)
        )
        flushes = ExtractionRun.objects.for_tenant(acme.tenant).filter(trigger="flush").count()
        jobs = Counter(Job.objects.for_tenant(acme.tenant).values_list("kind", "state"))

    assert len(messages) == MESSAGES
    assert session.extracted_seq == MESSAGES
    assert session.live_tokens <= LIMIT
    check_chain(session, journal)
    assert 1 <= flushes <= len(journal) + 1
    assert not [kind for kind, state in jobs if state in ("failed", "dead")]
    assert max(Counter(values).values()) == 1
    assert sum("cat called" in value for value in values) == len(range(0, MESSAGES, 20))
    check_findable(acme, messages)


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
        for message in folded[::7]:
            query = SearchQuery(f"marker{message.seq - 1}x", team.person.pk, sources=("session",))
            best = search(tenant=team.tenant, query=query, vector=None).results[0]
            assert best.messages[0].id == message.pk

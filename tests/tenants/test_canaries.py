"""Words of one team are nowhere in what another gets or the server says: answers, pages, mails, metrics, the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from nebo.api.usage import add_counts
from nebo.product.operations.database_figures import DatabaseFigures
from tests.conftest import Team
from tests.dashboard.test_access import PAGES, ask
from tests.dashboard.things import things_of
from tests.documented import take_faults
from tests.jobs.inline import run_jobs
from tests.memories.conftest import caller
from tests.sessions.every_route import read_every_route
from tests.visitors import visitor

CANARY = "Quokkabridge"  # in everything that rival says, stores, names and asks
OWN = "Lisbon"  # in everything that acme does
QUESTIONS = ("Where do I live?", f"Who is {CANARY}?")

Call = Callable[..., Any]


def live(call: Call, word: str) -> str:
    """What an agent does in a day, with that word in each text; the session."""
    session = call("POST", "sessions/", {"user": "alice", "key": f"chat-{word}"}).json()["id"]
    for text in (
        f"I live in {word}.",
        f"Remind me to call {word} on Friday.",
        f"My sister is called {word}.",
    ):
        body = {"messages": [{"role": "user", "content": text, "external_id": f"{word}-{len(text)}"}]}
        assert call("POST", f"sessions/{session}/turns/", body).status_code == 201
    call("POST", "users/alice/memories/", {"key": f"likes_{word}", "value": f"Likes {word} best."})
    call("POST", "users/alice/todos/", {"text": f"Write to {word}."})
    call("PATCH", "users/alice/", {"location": word, "goals": f"See {word}."})
    call("PUT", f"sessions/{session}/active-task/", {"text": f"Plan a journey to {word}."})
    call("POST", "personas/", {"slug": word.lower(), "name": word, "role": f"Knows {word}."})
    call("POST", "webhooks/", {"url": f"https://{word.lower()}.example/", "events": ["memory.created"]})
    for path in ("users/alice/search/", "users/alice/recall/", f"sessions/{session}/context/"):
        call("POST", path, {"query": f"What of {word}?"})
    call("POST", "users/alice/tool/", {"action": "search", "query": word})
    return str(session)


def err(call: Call, session: str, word: str) -> None:
    """Whatever is refused, with the word in it."""
    call("POST", "sessions/", {"user": "alice", word: word})
    call("POST", f"sessions/{session}/turns/", {"messages": [{"role": word, "content": word}]})
    call("POST", "users/alice/memories/", {"key": word * 40, "value": word})
    call("POST", "users/alice/search/", {"query": word, "sources": [word]})
    call("POST", "users/alice/search/", f'{{"query": "{word}'.encode())
    call("GET", "memories/01890000-0000-7000-8000-000000000000/", **{"X-Word": word})
    call("POST", "users/alice/memories/", {"key": word, "value": word}, **{"Idempotency-Key": "one"})
    call("POST", "users/alice/memories/", {"key": word, "value": f"{word}!"}, **{"Idempotency-Key": "one"})
    with suppress(KeyError):
        take_faults()


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], str]]:
    """Everything that is logged, as the server's own handler writes it."""
    handler = logging.getLogger().handlers[0]
    with caplog.at_level(logging.DEBUG):
        yield lambda: "\n".join(handler.format(record) for record in caplog.get_records("setup"))


@pytest.fixture
def lived(committed_db: None, rival: Team, acme: Team, log: Callable[[], str]) -> Call:
    """Both teams have had their day, and the worker has done what came of it; a key of acme."""
    for team, word in ((rival, CANARY), (acme, OWN)):
        call = caller(team, scopes=["admin"])
        session = live(call, word)
        err(call, session, word)
        for action in ("extract", "close"):
            call("POST", f"sessions/{session}/{action}/")
        run_jobs(team.tenant)
    return caller(acme, scopes=["admin"])


def test_each_answer_is_free_of_the_other_teams_words(lived: Call, rival: Team) -> None:
    own = caller(rival, scopes=["admin"])
    shown = read_every_route(own, QUESTIONS[:1])

    told = read_every_route(lived, QUESTIONS)

    asked_for = f"Who is {CANARY}?"
    assert any(CANARY in text for text in shown.values())
    assert any(OWN in text for text in told.values())
    assert [
        name for name, text in told.items() if CANARY.lower() in text.replace(asked_for, "").lower()
    ] == []


def test_each_page_is_free_of_the_other_teams_words(lived: Call, acme: Team) -> None:
    client, things = visitor(acme.owner), things_of(acme)

    pages = {
        name: ask(client, name, "acme", things) for name, (method, _) in PAGES.items() if method == "get"
    }

    texts = {
        name: (b"".join(page.streaming_content) if page.streaming else page.content).decode(errors="replace")
        for name, page in pages.items()
    }
    assert any(OWN in text for text in texts.values())
    assert [name for name, text in texts.items() if CANARY.lower() in text.lower()] == []


def test_mails_hold_nobodys_words(lived: Call) -> None:
    Client().post("/accounts/password/reset/", {"email": "owner@acme.example"})
    Client().post("/accounts/password/reset/", {"email": "owner@rival.example"})

    sent = [f"{one.subject} {one.body} {one.to} {one.alternatives}" for one in mail.outbox]

    assert len(sent) == 2
    assert [text for text in sent if CANARY in text or OWN in text] == []
    assert "rival" not in sent[0]


def test_metrics_hold_nobodys_words(lived: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nebo.product.operations.metrics.DATABASE", DatabaseFigures())
    add_counts()

    text = Client().get("/metrics").content.decode()

    assert "nebo_tenant_memories" in text
    assert [word for word in (CANARY, OWN, "alice", "acme", "rival") if word.lower() in text.lower()] == []


def test_the_log_holds_nobodys_words(lived: Call, log: Callable[[], str]) -> None:
    written = log()

    assert "job_succeeded" in written
    assert [line for line in written.splitlines() if CANARY.lower() in line.lower() or OWN in line] == []

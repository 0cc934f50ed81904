"""Forgotten words are told to no agent by any route, in the old conversation and in a new one, until it is undone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import reverse

from nebo.jobs.models import Job
from nebo.tenants.scoping import tenant_scope
from sessions.models import Session
from sessions.scheduling import schedule
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.routes import list_routes
from tests.sessions.conftest import Call, caller

pytestmark = pytest.mark.usefixtures("committed_db")


@dataclass(frozen=True)
class Case:
    """What somebody says, what an agent makes of it, how they take it back, and the word that must be gone."""

    said: str
    repeated: str
    asked: str
    word: str
    question: str
    corrected: str


CASES = {
    "en": Case(
        "I'm allergic to penicillin.",
        "Noted. Since you are allergic to penicillin, tell every doctor.",
        "Please forget that I said I'm allergic to penicillin.",
        "penicillin",
        "Which medicine am I allergic to?",
        "Is allergic to aspirin",
    ),
    "de": Case(
        "Ich bin allergisch gegen Penicillin.",
        "Gut zu wissen: Weil du allergisch gegen Penicillin bist, sag es jedem Arzt.",
        "Vergiss bitte, was ich über Penicillin gesagt habe.",
        "penicillin",
        "Wogegen bin ich allergisch?",
        "Ist allergisch gegen Aspirin",
    ),
    "es": Case(
        "Soy alérgica a la penicilina.",
        "Entendido: como eres alérgica a la penicilina, díselo a cada médico.",
        "Por favor olvida que soy alérgica a la penicilina.",
        "penicilina",
        "¿A qué soy alérgica?",
        "Es alérgica a la aspirina",
    ),
}
# Asked for by id or by name, for undoing and for "why do you know this": the record of what was forgotten itself.
RECORDS = {"memory", "memory-history", "memory-provenance", "run", "run-list", "forget-list", "export-file"}
# Answers that hold nothing anybody said of themselves: of jobs, personas, exports and settings as such.
NO_WORDS = {
    "job-list", "job", "persona-list", "persona", "persona-revisions", "persona-candidates", "persona-file",
    "personality-revisions", "personality-candidates", "export-list", "settings", "preset-list", "schema", "todo",
    "person", "personality", "proposal-list", "curation", "fold-list", "webhook-list", "webhook", "delivery-list",
    "delivery", "event-stream", "key", "provider-list", "provider", "import-list", "import-one",
    "person-pause", "session-pause", "person-key-pause", "key-pause", "pause-list",
}  # fmt: skip
# Enough of it for what was said before to be folded.
CHATTER = [
    message
    for number in range(11)
    for message in (("user", f"The boat number {number} needs paint."), ("assistant", "It does."))
]
ASKED = ("session-context", "search", "recall", "tool")


READ = {
    "session-list": "?user=alice",
    "session": "",
    "session-messages": "",
    "session-summaries": "",
    "session-compactions": "",
    "session-snapshots": "",
    "memory-list": "",
    "entity-list": "",
    "todo-list": "?status=all",
    "state-list": "",
    "rolling-list": "",
    "spine": "",
    "spine-versions": "",
}


def answers(call: Call, case: Case, session_ids: list[str]) -> dict[str, str]:
    """What every route tells an agent, by its name."""
    told: dict[str, str] = {}
    for session_id in session_ids:
        names = {"session_id": session_id, "user": "alice"}
        for name, query in READ.items():
            pattern = {
                k: names[k] for k in (["user"] if "list" in name or "spine" in name else ["session_id"])
            }
            if name == "session-list":
                pattern = {}
            path = reverse(name, kwargs=pattern, urlconf="nebo.urls") + query
            told[f"{name} {session_id}"] = call("GET", path.removeprefix("/api/v1/")).content.decode()
        for words in (case.question, case.word):
            for format in ("sections", "text"):
                context = {"query": words, "format": format, "token_budget": 16_000}
                found = call("POST", f"sessions/{session_id}/context/", context)
                told[f"context {format} {words} {session_id}"] = found.content.decode()
    for words in (case.question, case.word):
        body = {"query": words, "limit": 50}
        told[f"search {words}"] = call("POST", "users/alice/search/", body).content.decode()
        told[f"recall {words}"] = call("POST", "users/alice/recall/", {"query": words}).content.decode()
        told[f"tool {words}"] = call(
            "POST", "users/alice/tool/", {"action": "search", "query": words}
        ).content.decode()
    told["tool list"] = call("POST", "users/alice/tool/", {"action": "list"}).content.decode()
    return {
        name: json.dumps(json.loads(text), ensure_ascii=False) if text else "" for name, text in told.items()
    }


def saying(told: dict[str, str], word: str) -> list[str]:
    """Which of the answers have the word, but for an answer that only names what was asked."""
    asked = f"found for “{word}”"
    return sorted(name for name, text in told.items() if word in text.replace(asked, "").lower())


def begin(call: Call, key: str) -> str:
    return str(call("POST", "sessions/", {"user": "alice", "key": key}).json()["id"])


def say(call: Call, session_id: str, *said: tuple[str, str]) -> Any:
    messages = [{"role": role, "content": content} for role, content in said]
    answer = call("POST", f"sessions/{session_id}/turns/", {"messages": messages})
    assert answer.status_code == 201, answer.content
    return answer.json()


def work(team: Team, *, rounds: int = 4) -> None:
    """All that waits, and what comes of it."""
    for _ in range(rounds):
        done = run_jobs(team.tenant)
        if not done:
            return
        assert not [job.error for job in done if job.state == Job.State.DEAD]


def fold_and_close(team: Team, session_id: str) -> None:
    """Summaries of every sort."""
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).select_related("tenant").get(pk=session_id)
        for kind in ("compact", "roll", "close"):
            schedule(tenant=team.tenant, session=session, kind=kind)
    work(team, rounds=2)


@pytest.fixture
def call(acme: Team, settings: Any) -> Call:
    settings.ROOT_URLCONF = "nebo.urls"
    return caller(acme, scopes=["read", "write", "admin"])


def tell(call: Call, acme: Team, case: Case) -> list[str]:
    """An old conversation with summaries, in which it was said and repeated, and a new one."""
    old = begin(call, "old")
    say(call, old, ("user", case.said), ("assistant", case.repeated))
    say(call, old, *CHATTER)
    call(
        "POST",
        "users/alice/memories/",
        {"value": case.corrected.replace("aspirin", case.word), "key": "allergy"},
    )
    work(acme)
    fold_and_close(acme, old)
    new = begin(call, "new")
    say(call, new, ("user", "Hello again."), ("assistant", "Hello."))
    return [old, new]


def ids_saying(call: Call, word: str) -> list[str]:
    rows = call("GET", "users/alice/memories/?limit=100").json()["results"]
    return [row["id"] for row in rows if word in f"{row['key']} {row['value']}".lower()]


def test_every_route_that_reads_is_looked_at() -> None:
    assert set(list_routes("get")) - RECORDS - NO_WORDS == set(READ)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_deleted_memory_takes_its_words_along_until_it_is_restored(
    call: Call, acme: Team, language: str
) -> None:
    case = CASES[language]
    sessions = tell(call, acme, case)
    before = saying(answers(call, case, sessions), case.word)
    known = ids_saying(call, case.word)

    for memory_id in known:
        assert call("DELETE", f"memories/{memory_id}/").status_code == 204
    at_once = saying(answers(call, case, sessions), case.word)
    work(acme)
    later = saying(answers(call, case, sessions), case.word)
    for memory_id in known:
        assert call("POST", f"memories/{memory_id}/restore/").status_code == 200
    work(acme)

    assert known
    assert len(before) > 8
    assert (at_once, later) == ([], [])
    assert saying(answers(call, case, sessions), case.word) == before


@pytest.mark.slow
def test_a_corrected_memory_takes_the_old_words_along_until_it_is_put_back(call: Call, acme: Team) -> None:
    case = CASES["en"]
    sessions = tell(call, acme, case)
    known = ids_saying(call, case.word)
    values = {pk: call("GET", f"memories/{pk}/").json() for pk in known}

    for number, memory_id in enumerate(known):
        changes = {"value": f"{case.corrected} ({number})", "key": f"corrected-{number}"}
        assert call("PATCH", f"memories/{memory_id}/", changes).status_code == 200
    at_once = saying(answers(call, case, sessions), case.word)
    work(acme)
    later = saying(answers(call, case, sessions), case.word)
    for memory_id, before in values.items():
        call("PATCH", f"memories/{memory_id}/", {"value": before["value"], "key": before["key"]})
    work(acme)

    assert (at_once, later) == ([], [])
    assert len(saying(answers(call, case, sessions), case.word)) > 8


def test_forget_that_i_said_takes_the_words_along_and_itself(call: Call, acme: Team) -> None:
    case = CASES["en"]
    old = begin(call, "old")
    say(call, old, ("user", case.said), ("assistant", case.repeated))
    work(acme)

    told = say(call, old, ("user", case.asked))
    for request in told["forget_requests"]:
        call("POST", f"users/alice/forget-requests/{request['id']}/confirm/")
    at_once = saying(answers(call, case, [old]), case.word)
    say(call, old, ("assistant", case.repeated.replace("Noted", "Forgotten")))
    work(acme)
    sessions = [old, begin(call, "new")]
    say(call, sessions[1], ("user", "Hello again."))
    later = saying(answers(call, case, sessions), case.word)
    trash = call("GET", "users/alice/memories/?status=deleted").json()["results"]
    restored = [call("POST", f"memories/{memory['id']}/restore/").status_code for memory in trash]
    work(acme)

    assert (at_once, later) == ([], [])
    assert restored
    assert saying(answers(call, case, sessions), case.word)


def test_what_was_never_learned_is_forgotten_all_the_same(call: Call, acme: Team) -> None:
    case = CASES["en"]
    old = begin(call, "old")
    call("PATCH", f"sessions/{old}/", {"auto_extract": False})
    say(call, old, ("user", "The plumber charged 450 for the penicillin fridge."), ("assistant", "OK."))
    call("PATCH", f"sessions/{old}/", {"auto_extract": True})

    say(call, old, ("user", "Please forget what I said about the penicillin fridge."))

    assert saying(answers(call, case, [old]), "penicillin") == []
    (trashed,) = call("GET", "users/alice/memories/?status=deleted").json()["results"]
    assert call("POST", f"memories/{trashed['id']}/restore/").status_code == 200
    assert saying(answers(call, case, [old]), "penicillin")


def test_what_has_the_words_and_is_about_somebody_else_is_shown_again(call: Call, acme: Team) -> None:
    old = begin(call, "old")
    say(call, old, ("user", "I'm allergic to penicillin."), ("user", "My sister is allergic to penicillin."))
    known = call("POST", "users/alice/memories/", {"value": "Is allergic to penicillin", "key": "own"}).json()

    call("DELETE", f"memories/{known['id']}/")
    at_once = [m["content"] for m in call("GET", f"sessions/{old}/messages/").json()["results"]]
    run_jobs(acme.tenant, kind="forget-elsewhere")
    later = [m["content"] for m in call("GET", f"sessions/{old}/messages/").json()["results"]]

    assert at_once == ["[withheld]", "[withheld]"]
    assert later == ["[withheld]", "My sister is allergic to penicillin."]

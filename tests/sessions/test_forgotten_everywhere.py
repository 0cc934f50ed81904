"""Six ways to forget, three languages: no route tells the words, in an old conversation or a new one, until undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.conftest import Team
from tests.routes import list_routes
from tests.sessions.conftest import Call, caller
from tests.sessions.every_route import DOING, NOTES, OWN, TELLING, read_every_route, saying
from tests.sessions.test_forgetting import CHATTER, begin, fold_and_close, say, work
from tests.sessions.test_redaction import tables_with

pytestmark = [pytest.mark.usefixtures("committed_db"), pytest.mark.slow]

ENOUGH = 12  # answers, at least, that say it before
BACK = {
    "context",
    "search",
    "recall",
    "session-messages",
    "memory-list",
    "memory",
    "memory-tool",
}  # that say it again afterwards


@dataclass(frozen=True)
class Matter:
    """What somebody tells in several sentences, what an agent says to it, and all its telling words."""

    said: str
    later: str
    task: str
    reply: str
    asked: str
    words: tuple[str, ...]
    question: str
    corrected: str


MATTERS = {
    "en": Matter(
        "I'm allergic to penicillin.",
        "Penicillin gives me a terrible rash.",
        "Remind me to tell the dentist about my penicillin allergy tomorrow.",
        "I see: since you are allergic to penicillin, tell every doctor.",
        "Please forget that I said I'm allergic to penicillin.",
        ("penicillin",),
        "Which medicine am I allergic to?",
        "Is allergic to aspirin",
    ),
    "de": Matter(
        "Ich bin allergisch gegen Penicillin.",
        "Von Penicillin bekomme ich einen schlimmen Ausschlag.",
        "Erinnere mich morgen an den Zahnarzt.",
        "Gut zu wissen: Weil du allergisch gegen Penicillin bist, sag es jedem Arzt.",
        "Vergiss bitte, dass ich allergisch gegen Penicillin bin.",
        ("penicillin",),
        "Wogegen bin ich allergisch?",
        "Ist allergisch gegen Aspirin",
    ),
    "es": Matter(
        "Soy alérgica a la penicilina.",
        "La penicilina me da un sarpullido terrible.",
        "Recuérdame mañana decirle al dentista lo de mi alergia a la penicilina.",
        "Entendido: como eres alérgica a la penicilina, díselo a cada médico.",
        "Por favor olvida que soy alérgica a la penicilina.",
        ("penicilina",),
        "¿A qué soy alérgica?",
        "Es alérgica a la aspirina",
    ),
}


@pytest.fixture
def call(acme: Team, settings: Any) -> Call:
    settings.ROOT_URLCONF = "nebo.urls"
    return caller(acme, scopes=["read", "write", "admin"])


def tell(call: Call, acme: Team, matter: Matter) -> str:
    """A conversation with memories, a todo, replies and summaries of every sort."""
    old = begin(call, "old")
    say(call, old, ("user", matter.said), ("assistant", matter.reply))
    say(call, old, ("user", matter.later))
    say(call, old, ("user", matter.task))
    say(call, old, *CHATTER)
    value = re.sub("aspirina?", matter.words[0], matter.corrected, flags=re.IGNORECASE)
    call("POST", "users/alice/memories/", {"value": value, "key": "allergy"})
    work(acme)
    fold_and_close(acme, old)
    new = begin(call, "new")
    say(call, new, ("user", "Hello again."), ("assistant", "Hello."))
    work(acme)
    return old


def note_down(call: Call, matter: Matter) -> None:
    """What an assistant writes in a file."""
    note = {"command": "create", "path": NOTES[1], "file_text": f"# Notes\n{matter.said}\n- {matter.later}\n"}
    assert not call("POST", "users/alice/memory-tool/", note).json()["is_error"]


def known(call: Call, matter: Matter, path: str = "memories/") -> list[dict[str, Any]]:
    rows = call("GET", f"users/alice/{path}{'&' if '?' in path else '?'}limit=100").json()["results"]
    return [row for row in rows if matter.words[0] in str(row).lower()]


def everywhere(call: Call, matter: Matter) -> list[str]:
    return saying(read_every_route(call, [matter.question, matter.words[0]]), matter.words)


def at_once(call: Call, matter: Matter) -> list[str]:
    """Answers with the very sentences; the same in other words is looked for by a job."""
    sentences = [text.lower().rstrip(".") for text in (matter.said, matter.asked)]
    return saying(read_every_route(call, [matter.question]), sentences)


def delete(call: Call, matter: Matter, old: str) -> None:
    for row in known(call, matter):
        assert call("DELETE", f"memories/{row['id']}/").status_code == 204


def correct(call: Call, matter: Matter, old: str) -> None:
    for number, row in enumerate(known(call, matter)):
        changes = {"value": f"{matter.corrected} ({number})", "key": f"corrected-{number}"}
        assert call("PATCH", f"memories/{row['id']}/", changes).status_code == 200


def mark_wrong(call: Call, matter: Matter, old: str) -> None:
    for row in known(call, matter):
        assert call("POST", f"memories/{row['id']}/wrong/").status_code == 200


def never_mention(call: Call, matter: Matter, old: str) -> None:
    for row in known(call, matter):
        assert call("POST", f"memories/{row['id']}/never-mention/").status_code == 200


def forget_that(call: Call, matter: Matter, old: str) -> None:
    told = say(call, old, ("user", matter.asked))
    for request in told["forget_requests"]:
        call("POST", f"users/alice/forget-requests/{request['id']}/confirm/")
    delete(call, matter, old)  # what an agent wrote by hand is another memory


def redact(call: Call, matter: Matter, old: str) -> None:
    delete(call, matter, old)
    assert call("POST", f"sessions/{old}/redact/").status_code == 200
    for status in ("deleted", "superseded", "quarantined"):
        for row in known(call, matter, f"memories/?status={status}"):
            assert call("DELETE", f"memories/{row['id']}/?purge=true").status_code == 204


WAYS: dict[str, Callable[[Call, Matter, str], None]] = {
    "deleted": delete,
    "corrected": correct,
    "wrong": mark_wrong,
    "never mentioned": never_mention,
    "forget that": forget_that,
}


def undo(call: Call, values: dict[str, Any]) -> None:
    for status in ("deleted", "wrong", "unmentioned"):
        for row in call("GET", f"users/alice/memories/?status={status}&limit=100").json()["results"]:
            call("POST", f"memories/{row['id']}/restore/")
    for memory_id, before in values.items():
        if call("GET", f"memories/{memory_id}/").json()["status"] == "active":
            call("PATCH", f"memories/{memory_id}/", {"value": before["value"], "key": before["key"]})


def test_every_route_is_looked_at() -> None:
    assert set(list_routes("post")) == TELLING | DOING
    assert not OWN - set(list_routes("get"))


# Each way, and each language where one asks for it in words, or corrects what was said.
FORGOTTEN = [("en", way) for way in WAYS]
FORGOTTEN += [(language, way) for language in ("de", "es") for way in ("forget that", "corrected")]


@pytest.mark.parametrize(("language", "way"), FORGOTTEN)
def test_what_is_forgotten_is_told_by_no_route_until_it_is_undone(
    call: Call, acme: Team, language: str, way: str
) -> None:
    matter = MATTERS[language]
    old = tell(call, acme, matter)
    note_down(call, matter)
    before, values = everywhere(call, matter), {row["id"]: row for row in known(call, matter)}

    WAYS[way](call, matter, old)
    before_jobs = at_once(call, matter)
    work(acme)
    later = everywhere(call, matter)
    undo(call, values)
    work(acme)
    back = everywhere(call, matter)

    assert len(before) >= ENOUGH
    assert before_jobs == []
    assert later == []
    assert {name.split()[0] for name in back} >= BACK


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_redacted_stands_in_no_route_and_no_table(call: Call, acme: Team, language: str) -> None:
    matter = MATTERS[language]
    old = tell(call, acme, matter)
    assert tables_with(matter.words[0])

    redact(call, matter, old)
    work(acme)

    assert everywhere(call, matter) == []
    assert tables_with(matter.words[0]) == set()

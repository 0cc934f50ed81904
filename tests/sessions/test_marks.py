"""What a person marks as wrong, or never to be mentioned, is told to no agent and not learned again, until undone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Team
from tests.sessions.conftest import Call, caller
from tests.sessions.test_forgetting import CASES, answers, begin, ids_saying, say, saying, tell, work

pytestmark = pytest.mark.usefixtures("committed_db")

MARKS = {"wrong": "wrong", "never-mention": "unmentioned"}


@pytest.fixture
def call(acme: Team, settings: Any) -> Call:
    settings.ROOT_URLCONF = "nebo.urls"
    return caller(acme, scopes=["read", "write", "admin"])


@pytest.mark.parametrize(
    ("language", "mark"), [("en", "wrong"), ("de", "never-mention"), ("es", "never-mention")]
)
def test_a_mark_takes_the_words_and_all_that_says_the_same_along_until_it_is_undone(
    call: Call, acme: Team, language: str, mark: str
) -> None:
    case = CASES[language]
    sessions = tell(call, acme, case)
    before = saying(answers(call, case, sessions), case.word)
    known = ids_saying(call, case.word)

    for memory_id in known:
        answer = call("POST", f"memories/{memory_id}/{mark}/")
        assert answer.json()["status"] == MARKS[mark]
    at_once = saying(answers(call, case, sessions), case.word)
    work(acme)
    later = saying(answers(call, case, sessions), case.word)
    for memory_id in known:
        assert call("POST", f"memories/{memory_id}/restore/").json()["status"] == "active"
    work(acme)

    assert known
    assert (at_once, later) == ([], [])
    assert saying(answers(call, case, sessions), case.word) == before


def test_other_memories_that_say_the_same_go_and_come_back_with_it(call: Call, acme: Team) -> None:
    first = store(call, "Is allergic to penicillin", "allergy")
    again = store(call, "Has an allergy to penicillin", "health/drugs", deduplicate=False)
    other = store(call, "Collects old penicillin ads", "hobby")

    call("POST", f"memories/{first}/never-mention/")
    work(acme)
    marked = [status_of(call, one) for one in (first, again, other)]
    call("POST", f"memories/{first}/restore/")

    assert marked == ["unmentioned", "unmentioned", "active"]
    assert [status_of(call, one) for one in (first, again, other)] == ["active"] * 3


@pytest.mark.parametrize(
    ("said", "again", "word"),
    [
        ("I'm allergic to penicillin.", "I have an allergy to penicillin.", "penicillin"),
        ("Ich bin allergisch gegen Penicillin.", "Ich habe eine Penicillinallergie.", "penicillin"),
        ("Soy alérgica a la penicilina.", "Tengo alergia a la penicilina.", "penicilina"),
    ],
)
def test_what_is_never_mentioned_isnt_learned_anew_in_other_words(
    call: Call, acme: Team, said: str, again: str, word: str
) -> None:
    old = begin(call, "old")
    say(call, old, ("user", said))
    work(acme)
    for memory_id in ids_saying(call, word):
        call("POST", f"memories/{memory_id}/never-mention/")
    work(acme)

    new = begin(call, "new")
    signals = say(call, new, ("user", said), ("assistant", "I see."), ("user", again))["signals"]
    call("POST", "users/alice/memories/", {"value": said, "key": "noted"})
    work(acme)
    case = next(one for one in CASES.values() if one.word == word)

    assert [one["value"] for one in signals if word in one["value"].lower()] == []
    assert saying(answers(call, case, [old, new]), word) == []
    for status in ("quarantined", "archived", "superseded"):
        assert word not in call("GET", f"users/alice/memories/?status={status}").content.decode().lower()


def test_what_was_marked_wrong_is_doubted_when_it_is_said_again_and_not_read_again(
    call: Call, acme: Team
) -> None:
    session_id = begin(call, "chat")
    say(call, session_id, ("user", "I'm allergic to penicillin."))
    work(acme)
    (memory_id, *_) = ids_saying(call, "penicillin")
    call("POST", f"memories/{memory_id}/wrong/")

    assert call("POST", f"sessions/{session_id}/extract/").status_code == 202
    work(acme)
    read_again = ids_saying(call, "penicillin")
    say(call, session_id, ("user", "I'm allergic to penicillin."))
    waits = call("GET", "users/alice/memories/?status=quarantined").json()["results"]

    assert read_again == ids_saying(call, "penicillin") == []
    assert [one["quarantine_reason"] for one in waits] == ["Says what was marked as wrong."]


def test_what_is_never_mentioned_speaks_to_admins_alone(call: Call, acme: Team) -> None:
    memory_id = store(call, "Is allergic to penicillin", "allergy")
    call("POST", f"memories/{memory_id}/never-mention/")
    agent = caller(acme, scopes=["read", "write"])

    paths = [f"memories/{memory_id}/", "users/alice/memories/?status=unmentioned"]
    told = [agent("GET", path).content.decode() for path in paths]
    refused = [
        agent("GET", f"memories/{memory_id}/history/"),
        agent("GET", f"memories/{memory_id}/provenance/"),
        agent("GET", "users/alice/memories/?status=unmentioned&q=peni"),
        agent("POST", f"users/alice/memories/{memory_id}/explain/", {"query": "penicillin"}),
    ]
    again = agent("POST", "users/alice/memories/", {"value": "Is allergic to penicillin", "key": "allergy"})

    assert all("[withheld]" in one and "penicillin" not in one and "allergy" not in one for one in told)
    assert [one.status_code for one in refused] == [403] * 4
    assert (again.status_code, again.json()["value"]) == (200, "[withheld]")
    assert call("GET", f"memories/{memory_id}/").json()["value"] == "Is allergic to penicillin"


def test_a_mark_is_undone_to_how_it_stood_and_the_trash_is_none_of_it(call: Call) -> None:
    archived, deleted = store(call, "Plays chess", "chess"), store(call, "Plays go", "go")
    call("POST", f"memories/{archived}/archive/")
    call("DELETE", f"memories/{deleted}/")

    call("POST", f"memories/{archived}/wrong/")
    once = call("GET", f"memories/{archived}/").json()
    call("POST", f"memories/{archived}/wrong/")
    call("POST", f"memories/{archived}/never-mention/")
    refused = call("POST", f"memories/{deleted}/wrong/")
    edited = call("PATCH", f"memories/{archived}/", {"value": "Plays bridge"})
    restored = call("POST", f"memories/{archived}/restore/").json()

    assert once["valid_to"] is not None
    assert (refused.status_code, edited.status_code) == (409, 409)
    assert (restored["status"], restored["valid_to"]) == ("archived", None)


def test_a_wording_that_was_marked_is_no_correction(call: Call) -> None:
    wrong, silent = store(call, "Lives in Porto", "home"), store(call, "Is in therapy", "health")
    other = store(call, "Collects stamps", "hobby")
    call("POST", f"memories/{wrong}/wrong/")
    call("POST", f"memories/{silent}/never-mention/")

    refused = call("PATCH", f"memories/{other}/", {"value": "is in therapy."})
    doubted = call("PATCH", f"memories/{other}/", {"value": "Lives in Porto."}).json()

    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (409, "#/value")
    assert (doubted["status"], doubted["quarantine_reason"]) == (
        "quarantined",
        "Says what was marked as wrong.",
    )


def store(call: Call, value: str, key: str, **fields: Any) -> str:
    answer = call("POST", "users/alice/memories/", {"value": value, "key": key, **fields})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def status_of(call: Call, memory_id: str) -> str:
    return str(call("GET", f"memories/{memory_id}/").json()["status"])

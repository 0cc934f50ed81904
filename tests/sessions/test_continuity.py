"""Fail closed: nothing behind a session, or behind a cue, is no ground to go on."""

from __future__ import annotations

import pytest

from sessions.continuity import judge_continuity
from sessions.cues import is_continuation

CUES = [
    "As we discussed, ship it on Friday",
    "As discussed, ship it on Friday",
    "As I already mentioned, the budget is fixed",
    "As agreed earlier, we use Postgres",
    "Just like we talked about, keep it short",
    "pick up where we left off",
    "Let's carry on where we stopped",
    "Continue from where you were",
    "Where were we?",
    "Where did we leave it?",
    "What did we decide in our last meeting?",
    "Which pooler did we settle on?",
    "When did we agree to ship?",
    "Like you said earlier, blue is better",
    "What you said yesterday about the roof worries me",
    "The plan we talked about last week, is it ready?",
    "You told me last time that the key is blue",
    "You recommended a book before, which one?",
    "Continue our previous conversation",
    "Let's get back to that discussion",
    "In our last chat you named three options",
    "last time we talked you promised a draft",
    "Remind me what we said about the boat",
    "Do you remember our plan for the garden?",
    "Can you recap what we did?",
    "You were saying something about taxes",
    "Same as last time, please",
    "Wie besprochen, nehmen wir den Zug",
    "Wo waren wir stehengeblieben?",
    "Was hatten wir über die Miete vereinbart?",
    "In unserem letzten Gespräch ging es um das Dach",
    "Como hablamos, lo hacemos el viernes",
    "¿En qué quedamos?",
    "La última vez que hablamos me dijiste otra cosa",
]
NO_CUES = [
    "What is the capital of Norway?",
    "We left the house at nine",
    "I said hello to the neighbours",
    "Where did we get this sofa from?",
    "What did the board decide about rent control?",
    "How do I continue a numbered list in Word?",
    "Remember that I like tea",
    "Remember to call the dentist",
    "Discuss the causes of the French revolution",
    "As an engineer, I prefer Go",
    "As I said hello, he turned round",
    "They discussed it earlier in parliament",
    "Write a scene in which two people pick up a hitchhiker",
    "My last conversation with my father was sad",
    "Resume this paused container",
    "How do you resume a paused download?",
    "Before we start: what is your name?",
    "Wie bespricht man ein Mikrofon richtig?",
    "Wo liegt Bern?",
    "¿Qué hora es?",
    "Last time was great weather in Rome",
    "",
]


@pytest.mark.parametrize("query", CUES)
def test_continuation_cues_are_seen(query: str) -> None:
    assert is_continuation(query)


@pytest.mark.parametrize("query", NO_CUES)
def test_ordinary_queries_are_not_cues(query: str) -> None:
    assert not is_continuation(query)


def test_a_new_session_is_never_blocked_by_an_ordinary_query() -> None:
    assert judge_continuity(existing=False, query="Hello", history=0, summary=False, recalled=0).ok


def test_an_existing_session_with_nothing_left_fails_closed() -> None:
    verdict = judge_continuity(existing=True, query="Hello", history=0, summary=False, recalled=0)

    assert not verdict.ok
    assert "all empty" in verdict.reason


@pytest.mark.parametrize(("history", "summary", "recalled"), [(1, False, 0), (0, True, 0), (0, False, 1)])
def test_any_one_artifact_is_enough(history: int, summary: bool, recalled: int) -> None:
    assert judge_continuity(
        existing=True, query="as we discussed", history=history, summary=summary, recalled=recalled
    ).ok


def test_a_cue_with_nothing_behind_it_fails_closed_even_in_a_new_session() -> None:
    assert not judge_continuity(existing=False, query=CUES[0], history=0, summary=False, recalled=0).ok

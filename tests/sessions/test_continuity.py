"""Fail closed: nothing behind a session, or behind a query that asks back, is no ground to go on."""

from __future__ import annotations

import pytest

from sessions.context.continuity import asks_back, judge_continuity

ASKING_BACK = [
    "What was the name of that stretch you showed me for my knee?",
    "can u send me again the list u made on sunday",
    "And the recipe we worked out, how many eggs was it?",
    "You had an idea for the title the other day, go with that.",
    "As we discussed, ship it on Friday.",
    "Wie hieß nochmal das Buch, das du mir empfohlen hast?",
    "weißt du noch was wir zum urlaub ausgemacht hatten",
    "¿Cuál era el plan que me propusiste para ahorrar?",
    "¿Te acuerdas de lo que hablamos sobre el piso?",
    "Tu m'avais conseillé une crème, c'était laquelle ?",
    "Tu te souviens de ce qu'on avait décidé pour le budget ?",
    "Mi avevi suggerito un vino per il pesce, quale?",
    "Ti ricordi cosa avevamo deciso per il viaggio?",
]
ORDINARY = [
    "What is the capital of Norway?",
    "Remind me how photosynthesis works.",
    "As I said to my boss, I'm done.",
    "My doctor recommended an exercise for my knee, is it safe?",
    "How do I restore the last session in Firefox?",
    "Write a story in which two friends carry on where they left off.",
    "Where did I leave my keys?",
    "Remember that I like tea.",
    "Hello!",
    "Wie hieß nochmal der Sänger von Queen?",
    "Was hat der Vorstand gestern beschlossen?",
    "¿Qué dijo el profesor en la última clase?",
    "Mon frère adore ce vin, tu le connais ?",
    "Come si riprende un download interrotto?",
    "",
]


@pytest.mark.parametrize("query", ASKING_BACK)
def test_asking_back_is_heard_in_any_words_and_language(query: str) -> None:
    assert asks_back(query)


@pytest.mark.parametrize("query", ORDINARY)
def test_an_ordinary_query_asks_nothing_back(query: str) -> None:
    assert not asks_back(query)


def test_a_question_behind_pasted_text_is_read() -> None:
    pasted = "The harbour was quiet and the boats lay still. " * 200

    assert asks_back(f"{pasted}\n{ASKING_BACK[0]}")
    assert not asks_back(pasted)


def test_a_new_session_is_never_blocked_by_an_ordinary_query() -> None:
    assert judge_continuity(existing=False, query="Hello", history=0, summary=False, recalled=0).ok


def test_an_existing_session_with_nothing_left_fails_closed() -> None:
    verdict = judge_continuity(existing=True, query="Hello", history=0, summary=False, recalled=0)

    assert not verdict.ok
    assert "all empty" in verdict.reason


@pytest.mark.parametrize(("history", "summary", "near"), [(1, False, 0), (0, True, 0), (0, False, 1)])
def test_any_one_artifact_is_enough(history: int, summary: bool, near: int) -> None:
    assert judge_continuity(
        existing=True, query=ASKING_BACK[0], history=history, summary=summary, recalled=near
    ).ok


def test_asking_back_with_nothing_about_the_same_fails_closed_even_in_a_new_session() -> None:
    def verdict(query: str) -> bool:
        return judge_continuity(existing=False, query=query, history=0, summary=False, recalled=0).ok

    assert not verdict(ASKING_BACK[0])
    assert verdict("What is the capital of Norway?")

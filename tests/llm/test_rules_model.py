from __future__ import annotations

import json
from datetime import UTC, datetime

from nebo.llm.providers.rules import RulesModel
from nebo.llm.types import ChatMessage, ChatReply, ChatRequest, Task

AT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
TALK = (
    ChatMessage("system", "I like rules.", created_at=AT),
    ChatMessage("user", "Hey! I live in Oslo and my wife Sarah works at Google.", created_at=AT),
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


def test_extraction_has_the_shape_the_prompt_asks_for() -> None:
    answer = json.loads(ask("extract").text)

    assert list(answer) == ["preferences", "entities", "decisions", "styles", "artifacts", "todos"]
    keys = {name: [row["key"] for row in rows] for name, rows in answer.items() if name != "todos"}
    assert keys == {
        "preferences": ["user/location"],
        "entities": ["person/sarah/occupation", "person/sarah", "project/beekeeping-app"],
        "decisions": ["decision/use-postgres-hive-data"],
        "styles": ["style/short-replies"],
        "artifacts": [],
    }


def test_each_fact_cites_its_message_and_quotes_it_verbatim() -> None:
    answer = json.loads(ask("extract").text)
    rows = [row for rows in answer.values() for row in rows]

    assert all(row["quote"] and row["quote"] in TALK[row["message"]].content for row in rows)
    assert {row["message"] for row in rows} == {1, 4, 5}


def test_a_task_becomes_a_commitment_with_its_day() -> None:
    (todo,) = json.loads(ask("extract").text)["todos"]

    assert (todo["kind"], todo["text"], todo["due"], todo["done"]) == (
        "commitment",
        "Call the vet (9 May 2023)",
        "2023-05-09",
        False,
    )


def test_two_named_people_do_not_share_their_slots() -> None:
    material = (
        ChatMessage("user", "I live in Oslo", name="Caroline"),
        ChatMessage("user", "I live in Rome", name="Melanie"),
    )

    rows = json.loads(ask("extract", material).text)["preferences"]

    assert [row["key"] for row in rows] == ["caroline/user/location", "melanie/user/location"]


def test_a_summary_keeps_what_was_told_and_fits() -> None:
    text = ask("summarize").text

    assert "Oslo" in text
    assert "Postgres" in text
    assert len(text) <= 2_400


def test_a_session_summary_has_its_six_parts() -> None:
    summary = json.loads(ask("session_summary").text)

    assert list(summary) == ["one_liner", "what_mattered", "open_loops", "commitments", "people", "tone"]
    assert summary["commitments"] == ["Call the vet (9 May 2023)"]
    assert "Which vet do you go to?" in summary["open_loops"]
    assert "Sarah" in summary["people"]


def test_a_spine_has_its_four_sections() -> None:
    spine = ask("spine").text

    assert [line for line in spine.splitlines() if line.isupper()] == [
        "PROFILE",
        "PROJECTS",
        "PEOPLE",
        "OPEN_LOOPS",
    ]
    assert "- Lives in Oslo" in spine
    assert "- Sarah is the user's wife" in spine


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
        "You speak with someone who prefers dry wit over overt humor and wants short replies"
    )
    assert 3 <= text.count(".") <= 5
    assert "observed" not in text


def test_nothing_to_read_gives_nothing() -> None:
    assert ask("summarize", ()).text == ""
    assert ask("directive", ()).text == ""
    assert all(rows == [] for rows in json.loads(ask("extract", ()).text).values())


def test_the_reply_names_its_provider_and_costs_nothing() -> None:
    reply = ask("extract")

    assert (reply.provider, reply.model, reply.input_tokens, reply.output_tokens) == (
        "rules",
        "english-1",
        0,
        0,
    )

"""A context within its budget: nothing over it, nothing lost that the budget cuts, no fact twice."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.models import Todo
from nebo.tenants.models import Tenant, UserProfile
from personality.models import Persona
from sessions.context.background import Background
from sessions.context.cards import Card
from sessions.context.inputs import ContextInputs
from sessions.context.layout import Layout, LayoutRequest, lay_out
from sessions.context.stable import KnownMemory
from sessions.context.steering import COMPACTION_RECOVERY, SteeringMessage
from sessions.models import Message, Session, SessionSummary, Snapshot
from sessions.tokens import message_tokens

NOW = datetime(2031, 5, 10, 12, 0, tzinfo=UTC)
LONG = "A word about nothing in particular, said at some length and to no great end. " * 30


def ground(**parts: Any) -> ContextInputs:
    given_parts = {
        "tenant": Tenant(),
        "session": Session(),
        "person": UserProfile(display_name="Ruth", location="Uppsala"),
        "shared": UserProfile(),
        "persona": Persona(name="Nova"),
        "own_rules": (),
        "files": (),
        "directive": "",
        "known": (),
        "messages": (),
        "background": Background(),
        "snapshot": None,
        "todos": (),
    }
    return ContextInputs(**{**given_parts, **parts})


def folded(summary: str, task: str) -> Session:
    session = Session(summary=summary, active_task=task)
    session.__dict__ |= {"summary_withheld": False, "task_withheld": False}
    return session


def message(content: str, role: str = "user") -> Message:
    return Message(role=role, content=content, tokens=message_tokens(content), created_at=NOW)


def known(number: int, value: str) -> KnownMemory:
    return KnownMemory(str(number), "tacit/facts", f"fact-{number}", value)


def lay(budget: int, *, question: str = "", cards: tuple[Card, ...] = (), **parts: Any) -> Layout:
    hints = parts.pop("hints", ())
    people = parts.pop("people", ())
    return lay_out(LayoutRequest(ground(**parts), question, budget, cards, people, hints=hints))


words = st.text(st.sampled_from("ab cd. ü漢?\n"), max_size=400)
lists = st.lists(words, max_size=8)


@settings(max_examples=60, deadline=None)
@given(
    budget=st.integers(200, 4_000),
    summary=words,
    task=words,
    rules=words,
    spoken=st.lists(words, max_size=12),
    facts=lists,
    carded=lists,
    loops=lists,
    repeats=st.integers(1, 40),
)
def test_no_context_is_larger_than_its_budget(
    budget: int, summary: str, task: str, rules: str, spoken: list[str], facts: list[str],
    carded: list[str], loops: list[str], repeats: int,
) -> None:  # fmt: skip
    layout = lay(
        budget,
        question="ab cd",
        cards=tuple(
            Card(text * repeats, 0.5, message_ids=(str(n),), bare=text) for n, text in enumerate(carded)
        ),
        people=[("person:ab", facts)],
        hints=[SteeringMessage("compactionRecovery", COMPACTION_RECOVERY)],
        session=folded(summary * repeats, task[:200]),
        persona=Persona(name="Nova", rules=rules * repeats, custom_personality=task * repeats),
        known=[known(number, fact * repeats) for number, fact in enumerate(facts)],
        messages=[message(content * repeats) for content in spoken],
        background=Background(rolling=summary, spine={"PROFILE": facts}),
        snapshot=Snapshot(created_at=NOW, facts=facts, tasks=loops),
        todos=[Todo(kind="thread", text=text) for text in loops],
    )

    assert layout.tokens["total"] <= budget
    assert bool(layout.messages) == bool(spoken)


@pytest.mark.parametrize("budget", [1_000, 2_000, 8_000, 16_000])
def test_what_the_budget_cuts_from_the_messages_is_on_a_card(budget: int) -> None:
    said = [message(f"Remark {number}. {LONG}") for number in range(80)]
    said[4] = message(f"{LONG} The spare key hangs behind the boiler. {LONG}")
    card = Card(
        f"[3 May 2031] User: {said[4].content}", 0.9, message_ids=(str(said[4].pk),), bare=said[4].content
    )

    layout = lay(budget, question="Where does the spare key hang?", cards=(card,), messages=said)

    assert "The spare key hangs behind the boiler." in layout.dynamic
    assert layout.tokens["total"] <= budget


def test_a_message_that_is_shown_is_on_no_card() -> None:
    said = message("The spare key hangs behind the boiler.")
    card = Card(f"[3 May 2031] User: {said.content}", 0.9, message_ids=(str(said.pk),), bare=said.content)

    layout = lay(2_000, question="Where is the key?", cards=(card,), messages=[said])

    assert layout.cards == []
    assert [shown["content"] for shown in layout.messages] == [said.content]


def test_what_is_cut_from_what_you_know_is_recalled_or_takes_what_is_left_over() -> None:
    facts = [
        known(number, f"Ruth owns kettle number {number} from the market at Gamla torget")
        for number in range(60)
    ]
    asked = Card(facts[29].value, 0.9, memory_id="29", bare=facts[29].value)

    layout = lay(1_200, question="Which is kettle number 29?", cards=(asked,), known=facts)

    text = layout.stable + layout.dynamic
    assert [card.memory_id for card in layout.cards] == ["29"]
    assert "## Also Known" in layout.dynamic
    assert layout.tokens["total"] > 1_100
    assert all(text.count(f"number {number} from") <= 1 for number in range(60))


def test_a_fact_stands_once_wherever_it_comes_from() -> None:
    allergy = "Ruth is allergic to penicillin"
    layout = lay(
        4_000,
        cards=(
            Card(allergy, 0.9, memory_id="7", bare=allergy),
            Card(
                "[3 May 2031] User: I'm allergic to penicillin.",
                0.8,
                message_ids=("m",),
                bare="I'm allergic to penicillin.",
            ),
        ),
        known=[known(1, allergy), known(2, "Ruth is allergic to penicillin.")],
        people=[("person:ruth", [allergy])],
        background=Background(spine={"PROFILE": [allergy]}),
        snapshot=Snapshot(created_at=NOW, facts=[allergy]),
    )

    assert (layout.stable + layout.dynamic).count("penicillin") == 1


def test_what_stands_beside_a_name_is_no_card_as_well() -> None:
    kitten = "The kitten's here. She's called Blodwen and she's tabby."

    layout = lay(
        4_000, cards=(Card(kitten, 0.9, memory_id="7", bare=kitten),), people=[("person:blodwen", [kitten])]
    )

    assert layout.dynamic.count("tabby") == 1


def test_what_the_profile_says_is_not_said_again() -> None:
    home = KnownMemory("1", "tacit/user", "location", "Ruth lives in Uppsala")
    more = KnownMemory("2", "tacit/user", "occupation", "Ruth runs a small bakery in Uppsala")

    layout = lay(4_000, known=[home, more])

    assert "lives in Uppsala" not in layout.stable
    assert "runs a small bakery" in layout.stable


def test_a_newest_message_that_is_too_long_keeps_its_beginning_and_its_end() -> None:
    layout = lay(600, messages=[message(f"Dear Nova, {LONG} What do you say?")])

    (shown,) = layout.messages
    assert shown["content"].startswith("Dear Nova")
    assert shown["content"].endswith("What do you say?")


def test_the_snapshot_of_a_compaction_is_served() -> None:
    layout = lay(
        4_000, snapshot=Snapshot(created_at=NOW, facts=["Ruth has two ovens"], tasks=["Send the VAT return"])
    )

    assert "## Session Snapshot" in layout.dynamic
    assert "- Fact: Ruth has two ovens" in layout.dynamic
    assert "- Task: Send the VAT return" in layout.dynamic


def test_the_last_conversation_is_told_before_the_spine() -> None:
    last = SessionSummary(one_liner="They planned the fence.", created_at=NOW)
    layout = lay(4_000, background=Background(last_summary=last, spine={"PROJECTS": ["Builds a fence"]}))

    assert layout.dynamic.index("## Long-Term Summary") < layout.dynamic.index("## Last Conversation")

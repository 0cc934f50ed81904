"""What a context recalls: nothing in lean mode, more with a larger budget, and grounds for going on."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memories.models import Memory
from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit
from sessions.context.cards import list_cards
from sessions.context.recall import Recalled
from sessions.models import Message
from tests.conftest import Team
from tests.sessions.conftest import Call

pytestmark = pytest.mark.django_db


NOTHING = "nothing was found about this in what was said or learned before."


def talk(call: Call, session_id: str, *contents: str, role: str = "user") -> dict[str, Any]:
    messages = [{"role": role, "content": content} for content in contents]
    answer = call("POST", f"sessions/{session_id}/turns/", {"messages": messages})
    assert answer.status_code == 201, answer.content
    return answer.json()


def context(call: Call, session_id: str, **body: Any) -> Any:
    return call("POST", f"sessions/{session_id}/context/", body)


def open_another(call: Call, key: str, **body: Any) -> str:
    return str(call("POST", "sessions/", {"user": "alice", "key": key, **body}).json()["id"])


def store(call: Call, value: str, **body: Any) -> dict[str, Any]:
    answer = call("POST", "users/alice/memories/", {"value": value, **body})
    assert answer.status_code == 201, answer.content
    return answer.json()


def archive_messages(team: Team) -> None:
    with tenant_scope(team.tenant):
        Message.objects.for_tenant(team.tenant).update(archived_at=timezone.now())


def test_a_lean_context_recalls_nothing_and_searches_for_nothing(call: Call, session_id: str) -> None:
    store(call, "The boat is moored in Bergen", layer="entity")
    talk(call, session_id, "Good morning.")

    full = context(call, session_id, query="Where is the boat moored?").json()
    with CaptureQueriesContext(connection) as captured:
        lean = context(call, session_id, query="Where is the boat moored?", lean=True).json()

    assert "Bergen" in full["dynamic"]
    assert lean["cards"] == []
    assert "Bergen" not in lean["dynamic"]
    assert [message["content"] for message in lean["messages"]] == ["Good morning."]
    looked_up = re.compile(r"search_(?:chunk|posting|corpus|embedding)\b")
    assert not any(looked_up.search(query["sql"]) for query in captured.captured_queries)


def test_a_call_may_do_without_recall(call: Call, session_id: str) -> None:
    store(call, "The boat is moored in Bergen", layer="entity")

    on = context(call, session_id, query="Where is the boat moored?").json()
    off = context(call, session_id, query="Where is the boat moored?", recall=False).json()

    assert ["Bergen" in answer["dynamic"] for answer in (on, off)] == [True, False]
    assert off["cards"] == []


def test_a_greeting_brings_up_nothing_and_a_strange_question_says_so(call: Call, session_id: str) -> None:
    store(call, "The boat is moored in Bergen", layer="entity")
    other = open_another(call, "before", auto_extract=False)
    talk(call, other, "Hello!", "The boat has a leak at the bow.")

    greeted = context(call, session_id, query="Hello!").json()
    thanked = context(call, session_id, query="Thanks, that helps!").json()
    asked = context(call, session_id, query="Which cheese melts best?").json()

    assert NOTHING not in thanked["dynamic"].lower()
    assert (greeted["cards"], asked["cards"]) == ([], [])
    assert NOTHING not in greeted["dynamic"].lower()
    assert NOTHING in asked["dynamic"].lower()


def test_a_greeting_by_name_is_no_question(call: Call, session_id: str) -> None:
    call("PATCH", "users/alice/", {"display_name": "Maya Lind"})
    store(call, "Maya Lind keeps her boat in Bergen", layer="entity")

    greeted = context(call, session_id, query="Good evening, Maya Lind here!").json()
    asked = context(call, session_id, query="Where does Maya keep her boat?").json()

    assert greeted["cards"] == [] and NOTHING not in greeted["dynamic"].lower()
    assert "Bergen" in asked["cards"][0]["text"]


def test_a_forgotten_sentence_leaves_no_mark_and_no_card_of_what_it_left() -> None:
    def turn(text: str) -> Hit:
        return Hit("session", None, "", "", UUID(int=7), (), text, 1.0, None, None, timezone.now(), "User")

    turns = [turn("ok now. [withheld]"), turn("The boat has a leak at the bow. [withheld]")]

    cards = list_cards(turns, {}, before={}, known=())

    assert [card.bare for card in cards] == ["The boat has a leak at the bow."]


@pytest.mark.parametrize(
    ("speaker", "text", "is_card"),
    [
        ("Assistant", "That's a lot of chairs. Who makes them?", False),
        ("Assistant", "Congratulations to all of you!", False),
        ("Assistant", "Beech chairs last thirty years. Who makes them?", True),
        ("User", "which chairs did we take again?", False),
        ("User", "Can you plan the trip to Riga in May with Anna and the dog?", True),
        ("User", "We took the beech chairs.", True),
        ("Joan", "which chairs did we take again?", True),
    ],
)
def test_what_says_little_to_an_agent_is_no_card(speaker: str, text: str, is_card: bool) -> None:
    turn = Hit("session", None, "", "", UUID(int=7), (), text, 1.0, None, None, timezone.now(), speaker)

    assert bool(list_cards([turn], {}, before={}, known=())) is is_card


def test_a_mood_is_no_card_unless_the_question_is_about_it(call: Call, session_id: str) -> None:
    talk(
        call, open_another(call, "before"), "ugh it's raining again", "The tin of rain paint is in the shed."
    )

    asked, close = (
        [card["text"] for card in context(call, session_id, query=query).json()["cards"]]
        for query in ("Where is the paint for rain?", "raining again, ugh?")
    )

    assert any("shed" in text for text in asked) and not any("ugh" in text for text in asked)
    assert any("ugh" in text for text in close)


@pytest.mark.parametrize(
    ("speaker", "text", "passes"),
    [
        ("Assistant", "Good that it worked out.", True),
        ("Assistant", "Wonderful! How was the first week at work?", True),
        ("Assistant", "Rain paint needs two dry days before it holds.", False),
        ("User", "How was the first week at the mill?", False),
    ],
)
def test_what_the_assistant_only_asks_or_remarks_is_passing(speaker: str, text: str, passes: bool) -> None:
    hit = Hit(
        source="turn",
        memory_id=None,
        namespace="",
        key="",
        session_id=None,
        messages=(),
        text=text,
        score=1.0,
        vector_score=None,
        text_score=None,
        created_at=timezone.now(),
        speaker=speaker,
    )

    assert Recalled().is_passing(hit) == passes


def test_nothing_is_said_to_be_unknown_that_stands_above(call: Call, session_id: str) -> None:
    talk(call, open_another(call, "before"), "We live in York now.", "I have to renew my passport by Friday.")
    assert "York" in context(call, session_id, query="Hello!").json()["stable"]

    home, tasks, strange = (
        context(call, session_id, query=query).json()["dynamic"].lower()
        for query in (
            "Where do I live and what should I not eat?",
            "Was muss ich noch erledigen?",
            "Which cheese melts best?",
        )
    )

    assert (NOTHING in home, NOTHING in tasks) == (False, False)
    assert f"beyond what stands above, {NOTHING}" in strange


@pytest.mark.parametrize("budget", [1_000, 2_000, 8_000, 16_000])
def test_a_message_that_the_budget_cuts_is_found_again(call: Call, budget: int) -> None:
    long = open_another(call, "long", auto_extract=False)
    filler = (
        "We went over the plan for the harbour festival once more, stall by stall and hour by hour. " * 12
    )
    said = [f"{filler}That was point {number}." for number in range(80)]
    said[4] = f"{filler}By the way, the fuse box is behind the blue cupboard."
    talk(call, long, *said)

    answer = context(call, long, query="Where is the fuse box?", token_budget=budget).json()

    assert "the fuse box is behind the blue cupboard" in answer["dynamic"]
    assert all("fuse box" not in message["content"] for message in answer["messages"])
    assert answer["tokens"]["total"] <= budget


def test_a_bare_answer_comes_with_its_question_and_courtesy_never(call: Call, session_id: str) -> None:
    other = open_another(call, "before", auto_extract=False)
    talk(call, other, "Where did you buy the brass lantern?", role="assistant")
    talk(call, other, "In Ghent.")
    talk(call, other, "Noted.", role="assistant")

    cards = context(call, session_id, query="Where is the brass lantern from?").json()["cards"]

    texts = [card["text"].partition("] ")[2] for card in cards]
    assert texts == ["Assistant: Where did you buy the brass lantern? – User: In Ghent."]
    assert len(cards[0]["message_ids"]) == 2


def test_what_a_context_showed_for_its_question_counts_as_used_and_a_search_does_not(
    call: Call, session_id: str
) -> None:
    boat = store(call, "The boat is moored in Bergen", layer="entity")
    store(call, "Prefers tea", layer="tacit", namespace="preferences")
    call("POST", "users/alice/search/", {"query": "Where is the boat moored?"})

    for _ in range(2):
        context(call, session_id, query="Where is the boat moored?")

    used = {
        memory["value"]: memory["access_count"]
        for memory in call("GET", "users/alice/memories/").json()["results"]
    }
    assert used == {boat["value"]: 2, "Prefers tea": 0}


def test_an_agent_that_stores_through_nebo_needs_no_reminder(call: Call, session_id: str) -> None:
    for number in range(11):
        talk(call, session_id, f"I like harbour number {number}.")
        talk(call, session_id, "A fine harbour.", role="assistant")
    before = context(call, session_id, query="Hello").json()

    call("POST", "users/alice/tool/", {"action": "store", "value": "Likes harbours", "session": session_id})
    after = context(call, session_id, query="Hello").json()

    assert [hint["name"] for hint in before["steering"]] == ["memoryNudge"]
    assert after["steering"] == []


def test_the_recalled_block_grows_with_the_budget(call: Call, session_id: str) -> None:
    other = open_another(call, "before", auto_extract=False)
    talk(call, other, *(f"Lighthouse number {n} stands on a rock in the sea." for n in range(120)))

    small = context(call, session_id, query="lighthouse rock", token_budget=4_000).json()
    large = context(call, session_id, query="lighthouse rock", token_budget=20_000).json()

    assert len(small["cards"]) < 50
    assert len(large["cards"]) >= 99, "one of the hundred stands among the last words"
    assert large["tokens"]["total"] <= 20_000


def test_asking_is_no_sign_of_an_earlier_talk(call: Call, session_id: str) -> None:
    talk(call, session_id, "As we discussed, book the usual place.")

    asked = context(call, session_id, query="As we discussed, book the usual place.")
    unasked = context(call, session_id)

    assert (asked.status_code, unasked.status_code) == (409, 409)
    assert asked.json()["code"] == "continuity-missing"
    assert "Tell me in a sentence" in asked.json()["recovery"]


def test_what_was_learnt_from_the_question_itself_is_no_ground_for_it(call: Call, session_id: str) -> None:
    said = "I prefer dark mode. What did we say about it the other day?"
    assert talk(call, session_id, said)["signals"] != []

    assert context(call, session_id, query=said).status_code == 409


def test_a_cue_needs_something_about_the_same(call: Call, session_id: str) -> None:
    store(call, "The boat is moored in Bergen", layer="entity")

    about_it = context(call, session_id, query="As we discussed: is the boat moored in Bergen?")
    about_else = context(call, session_id, query="As agreed earlier, file the quarterly tax return")

    assert about_it.status_code == 200
    assert about_else.status_code == 409


def test_an_earlier_answer_in_the_session_is_ground_enough(call: Call, session_id: str) -> None:
    talk(call, session_id, "Which place?")
    talk(call, session_id, "The one by the harbour.", role="assistant")
    talk(call, session_id, "As we discussed, book it.")

    assert context(call, session_id, query="As we discussed, book it.").status_code == 200


@pytest.mark.parametrize("query", ["Hello!", "What is the capital of Norway?", ""])
def test_a_new_session_is_never_blocked_by_an_ordinary_question(
    call: Call, session_id: str, query: str
) -> None:
    assert context(call, session_id, query=query).status_code == 200


def test_the_first_turn_of_a_new_session_is_answered(call: Call, session_id: str) -> None:
    talk(call, session_id, "What is the capital of Norway?")

    assert context(call, session_id, query="What is the capital of Norway?").status_code == 200


def test_an_existing_session_goes_on_from_what_it_recalls(call: Call, session_id: str, acme: Team) -> None:
    talk(call, session_id, "The launch is in May.")
    store(call, "The launch party is in Oslo", layer="entity")
    archive_messages(acme)

    assert context(call, session_id, query="Where is the launch party?").status_code == 200


def test_a_lean_context_of_an_existing_session_with_nothing_left_fails_closed(
    call: Call, session_id: str, acme: Team
) -> None:
    talk(call, session_id, "The launch is in May.")
    store(call, "The launch party is in Oslo", layer="entity")
    archive_messages(acme)

    answer = context(call, session_id, query="Where is the launch party?", lean=True)

    assert answer.status_code == 409


def count_memories(team: Team) -> int:
    with tenant_scope(team.tenant):
        return Memory.objects.for_tenant(team.tenant).filter(source="signal").count()


def test_nothing_is_learnt_where_extraction_is_off_until_it_is_switched_on(call: Call, acme: Team) -> None:
    quiet = open_another(call, "quiet", auto_extract=False)

    silent = talk(call, quiet, "My name is Sam and I live in Oslo.")
    switched = call("PATCH", f"sessions/{quiet}/", {"auto_extract": True})
    heard = talk(call, quiet, "I prefer dark mode.")

    assert (silent["signals"], silent["extraction"]) == ([], None)
    assert switched.json()["auto_extract"] is True
    assert [memory["value"] for memory in heard["signals"]] != []
    assert heard["extraction"] is not None
    assert count_memories(acme) == len(heard["signals"])


def test_what_was_said_while_it_was_off_is_not_read_afterwards(call: Call, acme: Team) -> None:
    quiet = open_another(call, "quiet", auto_extract=False)
    talk(call, quiet, "My name is Sam.", "I live in Oslo.")

    call("PATCH", f"sessions/{quiet}/", {"auto_extract": True})

    with tenant_scope(acme.tenant):
        from_here = Message.objects.for_tenant(acme.tenant).get(seq=2).session
    assert from_here.extracted_seq == 2


def test_switching_it_off_ends_the_learning(call: Call, session_id: str, acme: Team) -> None:
    switched = call("PATCH", f"sessions/{session_id}/", {"auto_extract": False})

    silent = talk(call, session_id, "My name is Sam.")

    assert switched.json()["auto_extract"] is False
    assert (silent["signals"], silent["extraction"], count_memories(acme)) == ([], None, 0)


@pytest.mark.parametrize("body", [{}, {"auto_extract": "maybe"}, {"key": "other"}])
def test_a_bad_change_of_a_session_is_refused(call: Call, session_id: str, body: dict[str, Any]) -> None:
    assert call("PATCH", f"sessions/{session_id}/", body).status_code == 400


def test_a_global_memo_is_kept_though_nothing_else_is_to_be_extracted(call: Call) -> None:
    quiet = open_another(call, "quiet", auto_extract=False)

    heard = talk(call, quiet, "My name is Sam.", "remember globally: the spare key is under the third pot")

    (memory,) = heard["signals"]
    assert (memory["value"], memory["scope"]) == ("the spare key is under the third pot", "user")


def test_a_turn_names_what_it_asks_to_forget_and_the_agent_decides(call: Call, session_id: str) -> None:
    rex, ida = (store(call, f"Has a dog called {name}", key=f"dog-{name}") for name in ("Rex", "Ida"))

    (asked,) = talk(call, session_id, "Please delete what you know about my dog.")["forget_requests"]
    listed = call("GET", "users/alice/forget-requests/").json()["results"]
    done = call("POST", f"users/alice/forget-requests/{asked['id']}/confirm/", {"memories": [rex["id"]]})

    assert {memory["id"] for memory in asked["memories"]} == {rex["id"], ida["id"]}
    assert [row["id"] for row in listed] == [asked["id"]]
    assert (done.status_code, done.json()["status"]) == (200, "forgotten")
    left = call("GET", "users/alice/memories/").json()["results"]
    assert [memory["id"] for memory in left if "dog" in memory["value"]] == [ida["id"]]
    again = call("POST", f"users/alice/forget-requests/{asked['id']}/keep/")
    assert again.status_code == 409

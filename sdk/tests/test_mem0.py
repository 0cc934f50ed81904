"""mem0's own client, synchronous and asynchronous, with nothing changed but its host and key."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import Place
from documented import example, run

os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=tempfile.mkdtemp())  # it reads them when it is imported

from mem0 import AsyncMemoryClient, MemoryClient
from mem0.exceptions import MemoryError as Mem0Error

Call = Callable[..., Any]  # a method's name, and what it takes


@pytest.fixture
def user() -> str:
    return f"alex-{uuid.uuid4().hex[:8]}"


@pytest.fixture(scope="module")
def admin_key(place: Place) -> str:
    return place.issue("--scopes", "read,write,admin")


@pytest.fixture(params=["sync", "async"])
def call(request: pytest.FixtureRequest, place: Place, admin_key: str) -> Iterator[Call]:
    """The same methods of either client."""
    if request.param == "sync":
        client = MemoryClient(host=place.url, api_key=admin_key)
        yield lambda name, *args, **kwargs: getattr(client, name)(*args, **kwargs)
        return
    loop = asyncio.new_event_loop()
    awaited = AsyncMemoryClient(host=place.url, api_key=admin_key)
    yield lambda name, *args, **kwargs: loop.run_until_complete(getattr(awaited, name)(*args, **kwargs))
    loop.run_until_complete(awaited.async_client.aclose())
    loop.close()


def words(answer: dict[str, Any]) -> list[str]:
    return [one["memory"] for one in answer["results"]]


def note(call: Call, text: str, **fields: Any) -> str:
    return str(call("add", text, infer=False, **fields)["results"][0]["id"])


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not what():
        time.sleep(0.2)
    assert what()


def test_the_quick_start(call: Call, user: str) -> None:
    """mem0's own. Whether a compound sentence is learned from is up to what reads it: the test after this one says
    what is learned without a chat model.
    """
    messages = [
        {"role": "user", "content": "I'm a vegetarian and allergic to nuts."},
        {"role": "assistant", "content": "Got it! I'll remember your dietary preferences."},
    ]
    call("add", messages, user_id=user)

    results = call("search", "What are my dietary restrictions?", filters={"user_id": user})

    assert {one["user_id"] for one in results["results"]} <= {user}


def test_the_quick_start_with_plain_sentences(call: Call, user: str) -> None:
    messages = [
        {"role": "user", "content": "I'm a vegetarian. I moved to Austin last month."},
        {"role": "assistant", "content": "Got it! I'll remember that."},
    ]
    call("add", messages, user_id=user)

    eats = words(call("search", "Is the user a vegetarian?", filters={"user_id": user}))
    lives = words(call("search", "Where does the user live?", filters={"user_id": user}))

    assert any("vegetarian" in text for text in eats)
    assert any("Austin" in text for text in lives)


def test_a_chat_that_searches_before_it_adds(call: Call, user: str) -> None:
    for message in ("My sister Ottilie lives in Porto.", "When can I visit Ottilie?"):
        known = words(call("search", message, filters={"user_id": user}, top_k=3))
        turn = [{"role": "user", "content": message}, {"role": "assistant", "content": "I see."}]
        call("add", turn, user_id=user, run_id="chat-1", metadata={"from": "chat"})

    assert any("Porto" in text for text in known)


def test_what_is_learned_is_told_and_its_event_ends(call: Call, user: str, place: Place) -> None:
    answer = call("add", "I moved to Lisbon in March.", user_id=user)

    assert any("Lisbon" in text for text in words(answer))
    client = MemoryClient(host=place.url, api_key=place.key).client
    path = f"/v1/event/{answer['event_id']}/"
    wait_for(lambda: client.get(path).json()["status"] == "SUCCEEDED")


def test_filters(call: Call, user: str) -> None:
    note(call, "Prefers trains to planes", user_id=user, metadata={"topic": "travel"}, run_id="r1")
    note(call, "Eats no meat at all", user_id=user, metadata={"topic": "food"}, agent_id="cook")

    of_topic = {"AND": [{"user_id": user}, {"metadata": {"topic": "food"}}]}
    of_run = {"user_id": user, "OR": [{"run_id": "r1"}, {"run_id": "r2"}]}
    of_others = {"AND": [{"user_id": user}, {"NOT": {"agent_id": "cook"}}]}
    lately = {"user_id": user, "created_at": {"gte": "2024-07-01"}}

    assert words(call("search", "anything at all", filters=of_topic)) == ["Eats no meat at all"]
    assert words(call("get_all", filters=of_run)) == ["Prefers trains to planes"]
    assert words(call("get_all", filters=of_others)) == ["Prefers trains to planes"]
    assert len(words(call("get_all", filters=lately))) == 2


def test_pages(call: Call, user: str) -> None:
    for text in ("Owns a red canoe", "Plays the oboe on Mondays", "Eats no meat at all"):
        note(call, text, user_id=user)

    first = call("get_all", filters={"user_id": user}, page=1, page_size=2)
    last = call("get_all", filters={"user_id": user}, page=2, page_size=2)

    assert (first["count"], len(first["results"]), len(last["results"])) == (3, 2, 1)


def test_one_memory_from_its_beginning_to_its_end(call: Call, user: str) -> None:
    memory = note(call, "Lives in Porto", user_id=user, metadata={"from": "form"})

    assert call("get", memory)["metadata"] == {"from": "form"}
    assert call("update", memory, text="Lives in Lisbon")["memory"] == "Lives in Lisbon"
    steps = call("history", memory)
    assert [one["new_memory"] for one in steps] == ["Lives in Porto", "Lives in Lisbon"]
    assert "deleted" in call("delete", memory)["message"]
    with pytest.raises(Mem0Error):
        call("get", memory)


def test_batches(call: Call, user: str) -> None:
    one, two = note(call, "Owns a red canoe", user_id=user), note(call, "Plays the oboe", user_id=user)

    call("batch_update", [{"memory_id": one, "text": "Owns a green canoe"}])
    changed = words(call("get_all", filters={"user_id": user}))
    call("batch_delete", [{"memory_id": one}, {"memory_id": two}])

    assert sorted(changed) == ["Owns a green canoe", "Plays the oboe"]
    assert words(call("get_all", filters={"user_id": user})) == []


def test_deleting_all_of_a_user(call: Call, user: str) -> None:
    note(call, "Owns a red canoe", user_id=user)
    note(call, "Owns a blue canoe", user_id=f"{user}-2")

    call("delete_all", user_id=user)

    assert words(call("get_all", filters={"user_id": user})) == []
    assert words(call("get_all", filters={"user_id": f"{user}-2"})) == ["Owns a blue canoe"]


def test_users(call: Call, user: str) -> None:
    note(call, "Owns a red canoe", user_id=user)
    names = [one["name"] for one in call("users")["results"]]

    call("delete_users", user_id=user)

    assert user in names
    assert user not in [one["name"] for one in call("users")["results"]]
    assert words(call("get_all", filters={"user_id": user})) == []


def test_two_people_never_see_each_other(call: Call, user: str, place: Place) -> None:
    memory = note(call, "Owns a red canoe", user_id=user)
    bob = MemoryClient(host=place.url, api_key=place.issue("--user", f"{user}-bob"))
    bob.add("Owns a blue canoe", infer=False)

    assert words(bob.search("canoe")) == ["Owns a blue canoe"]
    assert words(bob.get_all()) == ["Owns a blue canoe"]
    assert [one["name"] for one in bob.users()["results"]] == [f"{user}-bob"]
    for ask in (bob.get, bob.history, bob.delete):
        with pytest.raises(Mem0Error) as foreign:
            ask(memory)
        with pytest.raises(Mem0Error) as unknown:
            ask(str(uuid.uuid4()))
        assert str(foreign.value) == str(unknown.value)
    assert words(call("get_all", filters={"user_id": user})) == ["Owns a red canoe"]


def test_what_is_not_supported_says_so(call: Call, user: str) -> None:
    memory = note(call, "Owns a red canoe", user_id=user)

    for name, given in (
        ("feedback", {"memory_id": memory, "feedback": "POSITIVE"}),
        ("create_memory_export", {"schema": "{}"}),
        ("get_summary", {}),
    ):
        with pytest.raises(Mem0Error, match="Nebo doesn't support"):
            call(name, **given)


def test_a_key_that_opens_nothing(place: Place) -> None:
    with pytest.raises(ValueError, match="valid key"):
        MemoryClient(host=place.url, api_key="nebo_nonsense")


def test_the_pages_example_runs(place: Place, admin_key: str, user: str) -> None:
    code = example("mem0.md").replace("http://127.0.0.1:8000", place.url).replace("nebo_…", admin_key)
    client = run(code.replace("alex", user))["client"]

    assert any("Austin" in one for one in words(client.get_all(filters={"user_id": user})))

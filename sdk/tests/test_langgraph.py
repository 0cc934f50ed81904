"""LangGraph's store over Nebo does what LangGraph's own does."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

import pytest
from langgraph.graph import START, StateGraph
from langgraph.store.base import BaseStore, GetOp, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from nebo_client import AsyncNebo, Nebo, User
from nebo_client.adapters.addresses import address_of, read_key, read_namespace
from nebo_client.adapters.langgraph import NeboStore
from nebo_client.adapters.values import parse, render

ITEMS: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
    (("docs",), "Tea_1", {"text": "Green tea", "rank": 1, "tags": ["a"], "of": {"kind": "drink"}}),
    (("docs",), "tea-1", {"text": "Black tea", "rank": 2}),
    (("docs", "sub"), "x", {"text": "Coffee", "rank": 3, "ünï": "ö"}),
    (("docsother",), "x", {"text": "Elsewhere", "rank": 4}),
    (("users", "Ann Lee", "prefs"), "k", {"text": "Short answers", "rank": 5}),
]
FILTERS: list[dict[str, Any]] = [
    {"rank": 2}, {"rank": {"$gt": 1}}, {"rank": {"$gte": 1, "$lt": 3}}, {"rank": {"$ne": 2}}, {"tags": ["a"]},
    {"of": {"kind": "drink"}}, {"text": {"$eq": "Coffee"}}, {"rank": 9},
]  # fmt: skip


@pytest.fixture
def store(annie: User) -> NeboStore:
    return NeboStore(annie.nebo, annie.id)


def filled(store: BaseStore) -> BaseStore:
    for namespace, key, value in ITEMS:
        store.put(namespace, key, value)
    return store


def names(found: list[Any]) -> set[tuple[Any, ...]]:
    return {(one.namespace, one.key, str(one.value)) for one in found}


def test_it_reads_writes_and_lists_as_langgraphs_own_does(store: NeboStore) -> None:
    assert store.get(("docs",), "x") is None
    assert store.search(("docs",)) == []
    ours, theirs = filled(store), filled(InMemoryStore())

    for namespace, key, value in ITEMS:
        item = ours.get(namespace, key)
        assert item is not None
        assert (item.namespace, item.key, item.value) == (namespace, key, value)
        assert item.created_at <= item.updated_at
    assert ours.get(("docs",), "TEA_1") is None
    for prefix in ((), ("docs",), ("docs", "sub"), ("nothing",)):
        assert names(ours.search(prefix)) == names(theirs.search(prefix)), prefix
        for wanted in FILTERS:
            found, same = (one.search(prefix, filter=wanted) for one in (ours, theirs))
            assert names(found) == names(same), (prefix, wanted)
    for asked in (
        {}, {"prefix": ("docs",)}, {"suffix": ("prefs",)}, {"prefix": ("users", "*")}, {"max_depth": 1},
        {"prefix": ("docs",), "suffix": ("sub",)}, {"limit": 2}, {"limit": 2, "offset": 2},
    ):  # fmt: skip
        assert ours.list_namespaces(**asked) == theirs.list_namespaces(**asked), asked


def test_pages_of_a_search_hold_each_item_once(store: NeboStore) -> None:
    for number in range(7):
        store.put(("n",), str(number), {"number": number})

    pages = [store.search(("n",), limit=3, offset=offset) for offset in (0, 3, 6)]

    assert [len(page) for page in pages] == [3, 3, 1]
    assert {one.key for page in pages for one in page} == {str(number) for number in range(7)}


def test_a_question_finds_by_meaning_with_filters(store: NeboStore) -> None:
    store.put(("facts",), "a", {"text": "She is allergic to walnuts", "sure": True})
    store.put(("facts",), "b", {"text": "He rides a bicycle to work", "sure": True})
    store.put(("facts",), "c", {"text": "She is allergic to pollen", "sure": False})
    store.put(("other",), "a", {"text": "She is allergic to walnuts", "sure": True})

    found = store.search(("facts",), query="Which allergies does she have?", limit=2)
    sure = store.search(("facts",), query="Which allergies does she have?", filter={"sure": True}, limit=1)

    assert {one.key for one in found} == {"a", "c"}
    assert all(one.score for one in found)
    assert [(one.namespace, one.key) for one in sure] == [(("facts",), "a")]


def test_the_same_key_is_replaced_and_its_history_stays(store: NeboStore, annie: User) -> None:
    store.put(("a",), "k", {"text": "one"})
    store.put(("a",), "k", {"text": "two"})
    store.put(("a",), "other", {"text": "two"})

    (memory,) = [one for one in annie.memories() if one["key"] == "k"]

    assert len(store.search(("a",))) == 2
    assert len(list(annie.nebo.history(memory["id"]))) == 2
    store.delete(("a",), "k")
    store.delete(("a",), "k")
    assert [one.key for one in store.search(("a",))] == ["other"]


def test_a_batch_reads_first_and_writes_the_last_word(store: NeboStore) -> None:
    ops = [
        PutOp(("a",), "k", {"v": 1}), GetOp(("a",), "k"), PutOp(("a",), "k", {"v": 2}), SearchOp(("a",)),
    ]  # fmt: skip

    assert store.batch(ops) == InMemoryStore().batch(ops) == [None, None, None, []]
    item = store.get(("a",), "k")
    assert item is not None and item.value == {"v": 2}


def test_the_same_with_an_event_loop(annie: User, elsewhere: AsyncNebo) -> None:
    async def use() -> list[Any]:
        async with elsewhere as nebo:
            store = NeboStore(nebo, annie.id)
            await store.aput(("a",), "k", {"text": "tea"})
            in_a_thread = await NeboStore(annie.nebo, annie.id).aget(("a",), "k")
            with pytest.raises(TypeError, match="AsyncNebo"):
                store.get(("a",), "k")
            found = await store.asearch(("a",), query="tea")
            spaces = await store.alist_namespaces()
            await store.adelete(("a",), "k")
            return [in_a_thread.value, found[0].value, spaces, await store.aget(("a",), "k")]  # type: ignore[union-attr]

    assert asyncio.run(use()) == [{"text": "tea"}, {"text": "tea"}, [("a",)], None]


def test_a_namespace_may_name_the_person(annie: User, place: Any) -> None:
    store = NeboStore(Nebo(place.key, place.url), lambda namespace: f"{annie.id}-{namespace[1]}")
    store.put(("memories", "ann"), "k", {"text": "tea"})
    store.put(("memories", "bob"), "k", {"text": "beer"})

    assert [one.value for one in store.search(("memories", "bob"))] == [{"text": "beer"}]
    assert [one["value"] for one in annie.nebo.user(f"{annie.id}-ann").memories()] == ["text: tea"]
    with pytest.raises(ValueError, match="doesn't say whose"):
        store.search(("memories",))


def test_a_graph_uses_it(store: NeboStore) -> None:
    class State(TypedDict):
        said: str
        known: str

    def remember(state: State, *, store: BaseStore) -> dict[str, str]:
        store.put(("said",), "last", {"text": state["said"]})
        return {"known": store.search(("said",))[0].value["text"]}

    builder = StateGraph(State)
    builder.add_node("remember", remember)
    builder.add_edge(START, "remember")

    assert builder.compile(store=store).invoke({"said": "I like tea.", "known": ""})["known"] == "I like tea."


@pytest.mark.parametrize(
    "text", ["a", "A b", "a-b", "a--b", "-a", "a-", "a_b", "a/b", "=61", "ünï", "漢字", "a.b@c", " "]
)
def test_every_name_has_an_address_of_its_own_and_is_read_back(text: str) -> None:
    namespace, key = address_of((text, text), text)

    assert (read_namespace(namespace), read_key(key)) == ((text, text), text)
    assert key == key.lower() and "--" not in key and " " not in key


def test_a_name_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        address_of(("a",), "k" * 129)


@pytest.mark.parametrize(
    "value",
    [{"text": "She likes tea"}, {"a": 1, "b": None, "c": [1, {"d": "e"}], "f": True, "g": 1.5}, {}, {"a": ""},
     {"a": "null", "b": "1", "c": '"x"'}, {"a": "one\ntwo: three"}, {"a: b": "c"}, {"a\nb": "c"}, {"": "x"},
     {"a": " x "}, {"a": "x:"}, {"a": {"b": {"c": "d"}}}, {"a": "ü 漢 \u2028 x"}, {"a": "\u200bx\x07", "b": "y"}],
)  # fmt: skip
def test_every_value_is_read_back(value: dict[str, Any]) -> None:
    stored = render(value)

    assert parse(stored.strip()) == value
    assert stored.replace("\n", "").isprintable(), "Nebo drops what can't be seen"


def test_values_are_words_where_they_can_be() -> None:
    assert render({"text": "She likes tea", "sure": True}) == "text: She likes tea\nsure: true"
    assert parse("What somebody wrote by hand") == {"text": "What somebody wrote by hand"}

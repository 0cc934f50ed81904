"""What a memory is called by: keys, memory keys, names as they were said, and what is embedded of it."""

from __future__ import annotations

from typing import Any

import pytest

from memories.models import Entity, Memory
from memories.new_memory import embedding_text, make_key
from memories.storing.edit import unpin_memory
from memories.storing.vectors import embed_pair
from search.models import Chunk
from tests.conftest import Team
from tests.memories.conftest import AGENT, Call, remember
from tests.memories.test_memory_api import pointers, store

pytestmark = pytest.mark.django_db

BERTA = {"type": "people", "entity_refs": ["person:Berta Koch"]}


def test_a_memory_without_a_key_is_embedded_by_its_words_alone() -> None:
    value = "Plays the oboe"

    assert embedding_text(make_key(value), value) == value
    assert embedding_text(f"hobby/{make_key(value)}", value) == value
    assert embedding_text(make_key("Plays the bassoon"), value) == value  # reworded since
    assert embedding_text(f"{make_key(value)}-2", value) == value


@pytest.mark.parametrize("key", ["user/location", "invoice-20240101", "oboe"])
def test_a_key_of_its_own_is_embedded_before_the_value(key: str) -> None:
    assert embedding_text(key, "Lisbon") == f"{key}: Lisbon"


def test_a_made_key_is_not_indexed(scope: Team) -> None:
    made = remember(scope, "Plays the oboe").memory
    own = remember(scope, "Lisbon", key="favourite-city").memory

    assert Chunk.unscoped.get(memory=made).heading == ""
    assert Chunk.unscoped.get(memory=own).heading == "favourite-city:"


def test_the_vector_given_with_a_keyless_memory_is_kept(scope: Team) -> None:
    vector = embed_pair(tenant=scope.tenant, key=make_key("Has two kids"), value="Has two kids")

    first = remember(scope, "Has two kids", vector=vector)
    again = remember(scope, "has two kids.", vector=vector)

    assert again.memory.pk == first.memory.pk
    assert again.deduplicated


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        (BERTA, "people|person|berta_koch|fact"),
        ({**BERTA, "fact_type": "habit"}, "people|person|berta_koch|habit"),
        ({"entity_refs": ["project:Kestrel"], "type": "project"}, "project|project|kestrel|fact"),
        ({}, ""),
        ({**BERTA, "memory_key": "My|Own"}, "my|own"),
    ],
)
def test_every_memory_has_the_key_of_what_it_is_about(call: Call, fields: dict[str, Any], key: str) -> None:
    assert store(call, "Somebody", **fields)["memory_key"] == key


def test_a_memory_is_found_by_its_memory_key(call: Call) -> None:
    berta = store(call, "Berta cooks on Sundays", **BERTA)
    store(call, "Prefers tea")

    for query in ("memory_key=People|person|berta_koch|fact", "q=berta_koch|fact"):
        results = call("GET", f"users/alice/memories/?{query}").json()["results"]
        assert [memory["id"] for memory in results] == [berta["id"]]


def test_stating_the_kind_of_fact_of_somebody_means_the_one_memory_of_it(call: Call) -> None:
    first = store(call, "Berta Koch is a neighbour", **BERTA, fact_type="relationship")

    second = call(
        "POST",
        "users/alice/memories/",
        {"value": "Berta Koch is the landlady", **BERTA, "fact_type": "relationship"},
    )

    assert second.status_code == 200
    assert (second.json()["id"], second.json()["value"]) == (first["id"], "Berta Koch is the landlady")


def test_several_facts_about_somebody_stand_beside_each_other_where_their_kind_is_not_stated(
    call: Call,
) -> None:
    first = store(call, "Berta cooks on Sundays", **BERTA)
    second = store(call, "Berta owns a bicycle shop", **BERTA)

    assert first["id"] != second["id"]
    assert first["memory_key"] == second["memory_key"]


def test_a_derived_memory_key_follows_a_change_and_a_stated_one_stays(call: Call) -> None:
    derived = store(call, "Berta cooks on Sundays", **BERTA)
    stated = store(call, "Berta owns a bicycle shop", **BERTA, memory_key="mine")
    change = {"entity_refs": ["org:Koch & Co"], "fact_type": "habit"}

    moved = call("PATCH", f"memories/{derived['id']}/", change).json()
    kept = call("PATCH", f"memories/{stated['id']}/", change).json()

    assert (moved["memory_key"], moved["entity_label"], moved["entity_type"]) == (
        "people|org|koch_co|habit",
        "Koch & Co",
        "org",
    )
    assert kept["memory_key"] == "mine"
    assert call("PATCH", f"memories/{stated['id']}/", {"memory_key": "yours"}).json()["memory_key"] == "yours"


@pytest.mark.parametrize(
    ("reference", "label"),
    [
        ("place:Austin, Texas", "Austin, Texas"),
        ("person:O'Brien", "O'Brien"),
        ("org:Koch & Söhne", "Koch & Söhne"),
        ("person:john_doe", "John Doe"),
        ("person:zoë", "Zoë"),
    ],
)
def test_a_name_stays_as_it_was_said(call: Call, reference: str, label: str) -> None:
    memory = store(call, "Somebody or something", entity_refs=[reference])

    assert memory["entity_label"] == label


def test_further_references_keep_their_names_too(scope: Team) -> None:
    remember(scope, "Met in Austin", entity_refs=("person:O'Brien", "place:Austin, Texas"))

    labels = Entity.unscoped.order_by("ref").values_list("label", flat=True)
    assert list(labels) == ["O'Brien", "Austin, Texas"]


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("nobody", "names its type and its name"),
        ("mood:happy", "must be one of person, place, org, project"),
        ("person: !?", "needs a name"),
    ],
)
def test_a_bad_reference_is_named_by_its_place_and_why(call: Call, reference: str, why: str) -> None:
    body = {"value": "ok", "entity_refs": ["person:berta", reference]}

    answer = call("POST", "users/alice/memories/", body)

    assert answer.status_code == 400
    assert pointers(answer) == ["#/entity_refs/1"]
    assert why in answer.json()["errors"][0]["detail"]


@pytest.mark.parametrize("importance", [0, 1, 2, 3])
def test_a_memory_born_pinned_gets_its_own_importance_back(scope: Team, importance: int) -> None:
    memory = remember(scope, "Has a dog", pinned=True, importance=importance).memory
    assert (memory.pinned, memory.importance) == (True, 3)

    unpinned = unpin_memory(tenant=scope.tenant, memory=memory, actor=AGENT)

    assert (unpinned.pinned, unpinned.importance) == (False, importance)


def test_the_profile_seeds_memories_that_count_most(call: Call) -> None:
    call("PATCH", "users/alice/", {"display_name": "Lena", "occupation": "glazier"})

    rows = call("GET", "users/alice/memories/?namespace=tacit/user").json()["results"]
    assert {(row["key"], row["source"], row["importance"]) for row in rows} == {
        ("name", "seeded_profile", 3),
        ("occupation", "seeded_profile", 3),
    }


def test_deleting_one_source_of_a_column_leaves_what_another_says(call: Call) -> None:
    older = store(call, "Ghent", layer="tacit", namespace="user", key="location")
    newer = store(call, "Bruges", layer="tacit", key="user/location")
    assert call("GET", "users/alice/").json()["location"] == "Bruges"

    call("DELETE", f"memories/{newer['id']}/")
    assert call("GET", "users/alice/").json()["location"] == "Ghent"

    call("DELETE", f"memories/{older['id']}/")
    assert call("GET", "users/alice/").json()["location"] == ""


def said_of_work(team: Team, value: str, job: str) -> Memory:
    """A fact about the person's work, as it is read in a turn."""
    about = {"slot": "work", "detail": job}
    stored = remember(
        team, value, layer="tacit", namespace="user", key="occupation", source="signal", metadata=about
    )
    return stored.memory


def test_what_was_brought_along_says_so(call: Call) -> None:
    memory = store(call, "Keeps three hives", source="import")

    assert (memory["source"], memory["status"]) == ("import", "active")
    refused = call("POST", "users/alice/memories/", {"value": "Keeps bees", "source": "signal"})
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == "#/source"


def test_deleting_the_fuller_of_two_answers_alone_brings_the_plainer_back(scope: Team, call: Call) -> None:
    plain = said_of_work(scope, "The user is a welder.", "welder")
    fuller = said_of_work(scope, "The user works as a welder at the shipyard.", "welder")
    assert call("GET", f"memories/{plain.pk}/").json()["status"] == "superseded"

    call("DELETE", f"memories/{fuller.pk}/?keep_words=true")

    assert call("GET", f"memories/{plain.pk}/").json()["status"] == "active"
    assert call("GET", "users/alice/").json()["occupation"] == "welder"


def test_deleting_another_answer_alone_brings_nothing_back(scope: Team, call: Call) -> None:
    plain = said_of_work(scope, "The user is a welder.", "welder")
    other = said_of_work(scope, "The user works as a diver.", "diver")

    call("DELETE", f"memories/{other.pk}/?keep_words=true")

    assert call("GET", f"memories/{plain.pk}/").json()["status"] == "superseded"
    assert call("GET", "users/alice/").json()["occupation"] == ""

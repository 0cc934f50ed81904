"""Lists, searches and their filters, and one memory with its history."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.models import Memory
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.mem0.conftest import Mem0, key_of

JULY = 1_719_840_000  # 1 July 2024, 13:20 UTC, in seconds since 1970


@pytest.fixture
def ana(mem0: Mem0) -> Mem0:
    """Four memories of Ana, and one of Bob."""
    mem0.note("Prefers trains to planes", user_id="ana", metadata={"topic": "travel", "weight": 3})
    mem0.note("Eats no meat at all", user_id="ana", metadata={"topic": "food"}, agent_id="cook", run_id="r1")
    mem0.note("Plays the oboe on Mondays", user_id="ana", app_id="calendar", timestamp=JULY)
    mem0.note("Owns a red canoe", user_id="ana", run_id="r2")
    mem0.note("Prefers planes to trains", user_id="bob", metadata={"topic": "travel"})
    return mem0


TRAINS, MEAT, OBOE, CANOE = "trains", "meat", "oboe", "canoe"
FILTERS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "the user alone": ({"user_id": "ana"}, {TRAINS, MEAT, OBOE, CANOE}),
    "AND": ({"AND": [{"user_id": "ana"}, {"run_id": "r1"}]}, {MEAT}),
    "OR": ({"user_id": "ana", "OR": [{"run_id": "r1"}, {"app_id": "calendar"}]}, {MEAT, OBOE}),
    "NOT": ({"AND": [{"user_id": "ana"}, {"NOT": {"run_id": "r1"}}]}, {TRAINS, OBOE, CANOE}),
    "NOT of several": ({"user_id": "ana", "NOT": [{"run_id": "r1"}, {"run_id": "r2"}]}, {TRAINS, OBOE}),
    "any run": ({"AND": [{"user_id": "ana"}, {"run_id": "*"}]}, {MEAT, CANOE}),
    "one of several": ({"user_id": "ana", "run_id": {"in": ["r1", "r2"]}}, {MEAT, CANOE}),
    "another agent": ({"user_id": "ana", "agent_id": {"ne": "cook"}}, {TRAINS, OBOE, CANOE}),
    "metadata": ({"user_id": "ana", "metadata": {"topic": "travel"}}, {TRAINS}),
    "metadata with": ({"user_id": "ana", "metadata": {"topic": {"contains": "oo"}}}, {MEAT}),
    "metadata above": ({"user_id": "ana", "metadata": {"weight": {"gte": 3}}}, {TRAINS}),
    "metadata below": ({"user_id": "ana", "metadata": {"weight": {"lt": 3}}}, set()),
    "metadata not": ({"user_id": "ana", "metadata": {"topic": {"ne": "food"}}}, {TRAINS, OBOE, CANOE}),
    "metadata in": ({"user_id": "ana", "metadata": {"topic": {"in": ["food", "travel"]}}}, {TRAINS, MEAT}),
    "said before": ({"user_id": "ana", "created_at": {"lt": "2024-07-02"}}, {OBOE}),
    "said on a day": ({"user_id": "ana", "created_at": {"gte": "2024-07-01", "lte": "2024-07-01"}}, {OBOE}),
    "said since": ({"user_id": "ana", "created_at": {"gt": "2024-07-01"}}, {TRAINS, MEAT, CANOE}),
    "no category": ({"user_id": "ana", "categories": {"in": ["travel"]}}, set()),
    "words": ({"user_id": "ana", "keywords": {"contains": "CANOE"}}, {CANOE}),
    "all there are": ({"user_id": "*", "AND": [{"user_id": "ana"}]}, {TRAINS, MEAT, OBOE, CANOE}),
}


def test_filters_let_through_what_they_say(ana: Mem0) -> None:
    kept = {name: ana.list(filters=filters) for name, (filters, _) in FILTERS.items()}

    for name, (_, expected) in FILTERS.items():
        found = {word for word in (TRAINS, MEAT, OBOE, CANOE) if any(word in text for text in kept[name])}
        assert (name, found, len(kept[name])) == (name, expected, len(expected))


SENSELESS: list[dict[str, Any]] = [
    {},
    {"nonsense": 1},
    {"user_id": 7},
    {"user_id": "ana", "OR": []},
    {"user_id": "ana", "AND": "x"},
    {"user_id": {"in": ["ana", "bob"]}},
    {"user_id": "ana", "created_at": {"gte": "yesterday"}},
    {"user_id": "ana", "run_id": {"gt": "r1"}},
    {"user_id": "ana", "run_id": {"is": "r1"}},
    {"user_id": "ana", "metadata": {"weight": {"gte": [3]}}},
    {"user_id": "ana", "metadata": "travel"},
    {"user_id": "ana", "memory_ids": {"contains": "x"}},
    {"user_id": "ana", "AND": [{"AND": [{"AND": [{"AND": [{"AND": [{"AND": [{"run_id": "x"}]}]}]}]}]}]},
    {"user_id": "ana", "OR": [{"run_id": str(number)} for number in range(51)]},
]


def test_a_filter_that_makes_no_sense_is_refused(ana: Mem0) -> None:
    for filters in SENSELESS:
        for path, body in (("/v3/memories/", {}), ("/v3/memories/search/", {"query": "trains"})):
            response = ana.send("POST", path, {**body, "filters": filters})

            assert response.status_code == 400, (filters, response.content)
            assert set(response.json()) == {"detail", "code", "errors"}


def test_a_memory_reads_as_mem0s_do(ana: Mem0) -> None:
    (found,) = ana.ask("POST", "/v3/memories/", {"filters": {"user_id": "ana", "run_id": "r1"}})["results"]

    whole = ana.ask("GET", f"/v1/memories/{found['id']}/")

    assert whole == found
    assert (found["memory"], found["user_id"]) == ("Eats no meat at all", "ana")
    assert (found["agent_id"], found["app_id"], found["run_id"]) == ("cook", None, "r1")
    assert found["metadata"] == {"topic": "food"}
    assert found["categories"] == []


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_search_finds_by_what_is_asked(ana: Mem0, version: int) -> None:
    found = ana.search("trains or planes?", version, filters={"user_id": "ana"})

    assert found[0]["memory"] == "Prefers trains to planes"
    assert 0 <= found[0]["score"] <= 1
    assert {one["user_id"] for one in found} == {"ana"}


def test_a_search_heeds_filters_number_and_threshold(ana: Mem0) -> None:
    for_run = ana.search("what does she eat?", filters={"AND": [{"user_id": "ana"}, {"run_id": "r1"}]})
    one = ana.search("trains canoe oboe meat", filters={"user_id": "ana"}, top_k=1)
    sure = ana.search("trains canoe oboe meat", filters={"user_id": "ana"}, threshold=1.0)

    assert [found["memory"] for found in for_run] == ["Eats no meat at all"]
    assert len(one) == 1
    assert {found["score"] for found in sure} <= {1.0}


def test_the_first_versions_name_the_user_beside_the_query(ana: Mem0) -> None:
    body = {"query": "trains", "user_id": "ana", "limit": 3, "output_format": "v1.0"}

    found = ana.ask("POST", "/v1/memories/search/", body)

    assert found[0]["memory"] == "Prefers trains to planes"


def test_only_the_fields_that_are_asked_for_are_shown(ana: Mem0) -> None:
    found = ana.search("trains", filters={"user_id": "ana"}, fields=["memory", "score"])

    assert set(found[0]) == {"id", "memory", "score"}


def test_of_somebody_new_nothing_is_known(mem0: Mem0) -> None:
    assert mem0.list(user_id="nobody-yet") == []
    assert mem0.search("anything", filters={"user_id": "nobody-yet"}) == []
    assert mem0.forget(user_id="nobody-yet")["deleted"] == 0


def test_lists_come_in_pages(ana: Mem0) -> None:
    body = {"filters": {"user_id": "ana"}}

    first = ana.ask("POST", "/v3/memories/?page=1&page_size=3", body)
    last = ana.ask("POST", "/v3/memories/?page=2&page_size=3", body)

    assert (first["count"], len(first["results"]), len(last["results"])) == (4, 3, 1)
    assert "page=2" in first["next"] and first["previous"] is None
    assert last["next"] is None and "page=1" in last["previous"]
    assert not {one["id"] for one in first["results"]} & {one["id"] for one in last["results"]}


def test_the_first_version_lists_by_its_address(ana: Mem0) -> None:
    bare = ana.ask("GET", "/v1/memories/?user_id=ana&run_id=r1")
    wrapped = ana.ask("GET", "/v1/memories/?user_id=ana&output_format=v1.1&page_size=2")

    assert [one["memory"] for one in bare] == ["Eats no meat at all"]
    assert (wrapped["count"], len(wrapped["results"])) == (4, 2)


def test_a_history_tells_how_the_words_came_about(mem0: Mem0) -> None:
    memory = mem0.note("Lives in Porto", user_id="ana")
    mem0.ask("PUT", f"/v1/memories/{memory}/", {"text": "Lives in Lisbon"})

    steps = mem0.ask("GET", f"/v1/memories/{memory}/history/")

    assert [(one["event"], one["old_memory"], one["new_memory"]) for one in steps] == [
        ("ADD", None, "Lives in Porto"),
        ("UPDATE", "Lives in Porto", "Lives in Lisbon"),
    ]
    assert {one["memory_id"] for one in steps} == {memory}


def test_what_has_expired_is_not_shown(mem0: Mem0) -> None:
    mem0.note("Has a visitor this week", user_id="ana", expiration_date="2020-01-01")

    assert mem0.list(user_id="ana") == []
    shown = mem0.ask("POST", "/v3/memories/", {"filters": {"user_id": "ana"}, "show_expired": True})
    assert [one["memory"] for one in shown["results"]] == ["Has a visitor this week"]


def test_a_replaced_memory_is_no_longer_there(mem0: Mem0, acme: Team) -> None:
    memory = mem0.note("Lives in Porto", user_id="ana")
    with tenant_scope(acme.tenant):
        Memory.objects.for_tenant(acme.tenant).filter(pk=memory).update(status="superseded")

    assert mem0.send("GET", f"/v1/memories/{memory}/").status_code == 404
    assert mem0.list(user_id="ana") == []


def count(mem0: Mem0, path: str, body: dict[str, Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        mem0.ask("POST", path, body)
    return len(queries)


@pytest.mark.parametrize("path", ["/v3/memories/", "/v3/memories/search/"])
def test_the_number_of_questions_does_not_grow(mem0: Mem0, path: str) -> None:
    body = {"filters": {"AND": [{"user_id": "ana"}, {"metadata": {"a": 1}}, {"NOT": {"run_id": "x"}}]}}
    body |= {"query": "canoe"} if "search" in path else {}
    mem0.note("Owns a red canoe", user_id="ana", metadata={"a": 1})
    mem0.add("I keep a canoe in Lisbon.", user_id="ana", metadata={"a": 1})
    count(mem0, path, body)
    few = count(mem0, path, {**body, "fields": ["id"]})
    for place in ("lake", "river", "fjord", "harbour"):
        mem0.note(f"Keeps a canoe at the {place}", user_id="ana", metadata={"a": 1})
    mem0.add("I bought a canoe in Porto.", user_id="ana", metadata={"a": 1})

    many = count(mem0, path, {**body, "fields": ["id", "memory"]})

    assert many <= few


@pytest.mark.timeout(240)
def test_a_filtered_search_is_exact_however_much_else_there_is(mem0: Mem0) -> None:
    for part in range(3):
        talk = [
            {"role": "user", "content": f"Takes train {part}-{number} to the office"} for number in range(50)
        ]
        mem0.add(talk, user_id="ana", run_id="daily", infer=False)
    mem0.note("Once took a train through the Alps", user_id="ana", run_id="holiday", metadata={"year": 2019})
    near = "Which train does she take to the office?"

    found = {
        "run": mem0.search(near, filters={"AND": [{"user_id": "ana"}, {"run_id": "holiday"}]}),
        "metadata": mem0.search(near, filters={"user_id": "ana", "metadata": {"year": 2019}}),
        "not": mem0.search(near, filters={"user_id": "ana", "NOT": {"run_id": "daily"}}),
        "nothing": mem0.search(near, filters={"user_id": "ana", "run_id": "none"}),
        "another's": mem0.search(near, filters={"user_id": "bob", "run_id": "holiday"}),
    }

    alps = ["Once took a train through the Alps"]
    assert {name: [one["memory"] for one in hits] for name, hits in found.items()} == {
        "run": alps, "metadata": alps, "not": alps, "nothing": [], "another's": [],
    }  # fmt: skip
    assert len(mem0.search(near, filters={"user_id": "ana", "run_id": "daily"}, top_k=1000)) == 100


def test_events_list_what_was_added_the_newest_first(ana: Mem0) -> None:
    page = ana.ask("GET", "/v1/events/?page_size=2")
    last = ana.ask("GET", "/v1/events/?page_size=2&page=3&org_id=acme&project_id=acme")

    assert (page["count"], len(page["results"]), page["previous"]) == (5, 2, None)
    assert page["next"].endswith("/v1/events/?page_size=2&page=2")
    assert (len(last["results"]), last["next"]) == (1, None)
    for event in page["results"]:
        assert set(event) == {"id", "event_type", "status", "created_at", "updated_at"}
        whole = ana.ask("GET", f"/v1/event/{event['id']}/")
        assert event.items() <= whole.items()
    assert page["results"] == sorted(page["results"], key=lambda event: event["created_at"], reverse=True)


def test_events_can_be_narrowed_down(ana: Mem0) -> None:
    assert ana.ask("GET", "/v1/events/?event_type=ADD")["count"] == 5
    assert ana.ask("GET", "/v1/events/?event_type=SEARCH")["count"] == 0
    assert ana.ask("GET", "/v1/events/?start_date=2999-01-01")["count"] == 0
    assert ana.ask("GET", "/v1/events/?end_date=2999-01-01T00:00:00Z")["count"] == 5
    assert ana.send("GET", "/v1/events/?start_date=yesterday").status_code == 400
    assert ana.send("GET", "/v1/events/?nonsense=1").status_code == 400


def test_a_bound_key_and_another_team_see_their_own_events_alone(ana: Mem0, acme: Team, rival: Team) -> None:
    bob = Mem0(key_of(acme, "bob"))

    assert bob.ask("GET", "/v1/events/")["count"] == 1
    assert Mem0(key_of(acme, "carla")).ask("GET", "/v1/events/")["results"] == []
    assert Mem0(key_of(rival, scopes=("read", "write", "admin"))).ask("GET", "/v1/events/")["count"] == 0


def test_the_project_is_the_workspace_that_the_ping_names(mem0: Mem0) -> None:
    ping = mem0.ask("GET", "/v1/ping/")
    address = f"/api/v1/orgs/organizations/{ping['org_id']}/projects/{ping['project_id']}/"

    whole = mem0.ask("GET", f"{address}?org_id=acme&project_id=acme")
    part = mem0.ask("GET", f"{address}?fields=name&fields=custom_categories&fields=secrets")

    assert (whole["org_id"], whole["project_id"], whole["name"]) == ("acme", "acme", "Acme")
    assert part == {"name": "Acme", "custom_categories": []}


@pytest.mark.parametrize(
    "names", ["rival/projects/rival", "acme/projects/rival", "rival/projects/acme", "x/projects/y"]
)
def test_another_teams_project_is_nobodys(mem0: Mem0, names: str) -> None:
    answer = mem0.send("GET", f"/api/v1/orgs/organizations/{names}/")

    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")

"""`events/`: what happened, in order, and nothing missed by whoever reads on."""

from __future__ import annotations

import json
import re
import threading
import time
from typing import Any

import pytest
from django.db import connections

from memories.models import ForgetRequest
from nebo.product.events.models import EventStream
from nebo.product.events.stream import Position, read_position
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.events.conftest import types_of
from tests.memories.conftest import Call, caller, remember
from tests.visitors import add_person

pytestmark = pytest.mark.usefixtures("committed_db")


@pytest.fixture
def call(acme: Team) -> Call:
    return caller(acme)


def read(call: Call, after: str = "") -> tuple[list[tuple[str, Any]], str]:
    """What is told, as a client of server-sent events takes it, and from where it would go on."""
    headers = {"Last-Event-ID": after} if after else {}
    answer = call("GET", "events/", **headers)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/event-stream; charset=utf-8"
    text = b"".join(answer.streaming_content).decode()
    assert text.startswith("retry: 3000\n\n")
    told = re.findall(r"^event: (.+)\ndata: (.+)\n$", text, re.MULTILINE)
    return [(kind, json.loads(data)["data"]) for kind, data in told], re.findall(r"^id: (.+)$", text, re.M)[
        -1
    ]


def read_on(call: Call, after: str, count: int) -> tuple[list[tuple[str, Any]], str]:
    """So many events at the least. An older transaction, also in another database, holds younger ones back."""
    told: list[tuple[str, Any]] = []
    deadline = time.monotonic() + 60
    while len(told) < count and time.monotonic() < deadline:
        more, after = read(call, after)
        told += more
    return told, after


def know(team: Team, value: str) -> str:
    with tenant_scope(team.tenant):
        return str(remember(team, value).memory.pk)


def test_a_reader_is_told_what_happens_from_now_on_and_goes_on_where_it_was(call: Call, acme: Team) -> None:
    know(acme, "Plays the harp")
    first, place = read(call)
    memory = know(acme, "Owns a green bicycle")
    second, place = read_on(call, place, 1)
    again, _ = read(call, place)
    know(acme, "Has two daughters")
    third, _ = read_on(call, place, 1)

    assert first == again == []
    assert second == [("memory.created", {"user": "alice", "memory": memory, "version": 1})]
    assert [kind for kind, _ in third] == ["memory.created"]


def test_nothing_is_noted_before_somebody_reads_nor_a_day_after(call: Call, acme: Team) -> None:
    know(acme, "Plays the harp")
    assert types_of(acme) == []

    read(call)
    know(acme, "Owns a green bicycle")
    assert types_of(acme) == ["memory.created"]

    with tenant_scope(acme.tenant):
        stream = EventStream.objects.for_tenant(acme.tenant)
        stream.update(read_at=stream.get().read_at.replace(year=2020))
    know(acme, "Has two daughters")
    assert types_of(acme) == ["memory.created"]


def test_a_transaction_that_ends_later_than_a_younger_one_is_not_missed(call: Call, acme: Team) -> None:
    _, place = read(call)
    bob, began, may_end = add_person(acme, "bob"), threading.Event(), threading.Event()

    def be_slow() -> None:
        try:
            with tenant_scope(acme.tenant):
                rows = ForgetRequest.objects.for_tenant(acme.tenant)
                rows.create(person=bob, what="the stamps", memory_ids=[])
                began.set()
                assert may_end.wait(60)
        finally:
            connections.close_all()

    slow = threading.Thread(target=be_slow)
    slow.start()
    assert began.wait(60)
    know(acme, "Owns a green bicycle")
    meanwhile, place = read(call, place)
    may_end.set()
    slow.join()
    after, _ = read_on(call, place, 2)

    assert meanwhile == []
    assert [data["user"] for _, data in after] == ["bob", "alice"]


def test_a_place_of_before_a_restored_backup_begins_with_what_is_there(call: Call, acme: Team) -> None:
    read(call)
    know(acme, "Owns a green bicycle")

    told, place = read_on(call, str(Position(10**15)), 1)
    know(acme, "Has two daughters")

    assert [kind for kind, _ in told] == ["memory.created"]
    assert len(read_on(call, place, 1)[0]) == 1


def test_a_key_of_one_person_is_told_of_that_person_alone(call: Call, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        bound = caller(acme, person=acme.person)
    bob = add_person(acme, "bob")
    _, own_place = read(bound)

    know(acme, "Owns a green bicycle")
    with tenant_scope(acme.tenant):
        remember(Team(acme.tenant, acme.owner, bob, acme.shared), "Collects stamps")

    told, _ = read_on(bound, own_place, 1)
    both, _ = read_on(call, own_place, 2)
    assert [data["user"] for _, data in told] == ["alice"]
    assert [data["user"] for _, data in both] == ["alice", "bob"]


def test_another_team_is_told_nothing(call: Call, acme: Team, rival: Team) -> None:
    stranger = caller(rival)
    _, place = read(stranger)
    read(call)

    know(acme, "Owns a green bicycle")

    assert read(stranger, place)[0] == []


@pytest.mark.parametrize(
    "place", ["5", "a.b.c", "1.2.xyz", "1" * 19 + ".1." + "0" * 32, "1." + "9" * 18 + "." + "0" * 32]
)
def test_a_place_of_no_stream_is_refused(call: Call, place: str) -> None:
    assert call("GET", "events/", **{"Last-Event-ID": place}).status_code == 400


def test_a_place_is_read_as_it_was_written() -> None:
    place = Position(7, 1_764_000_000_000_001)

    assert read_position(str(place)) == place
    assert read_position("") is None

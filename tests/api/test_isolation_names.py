"""Names of others' things in a body or a query, in a cursor and an idempotency key: like names of nothing at all.

The fields are those that the product's own operations take; one that is new is asked at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, reverse
from rest_framework import serializers

from memories.models import ForgetRequest
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import get_person
from tests.api.test_isolation_table import TABLE, _whole_api, client_of, make, memory_of, things
from tests.conftest import Team
from tests.routes import _walk

NAMING = ("persona", "session", "user")  # fields that name a thing, beside all that take ids
NOBODY = "0190a000-0000-7000-8000-000000000000"
WORD = "curtain"  # in whatever is ours

__all__ = ["_whole_api", "things"]  # fixtures


@dataclass(frozen=True)
class Field:
    """Where an operation takes the name of a thing."""

    method: str
    route: str
    where: str
    name: str
    many: bool

    def __str__(self) -> str:
        return f"{self.method} {self.route} {self.where}.{self.name}"


def list_fields() -> Iterator[Field]:
    """Every field of every operation that names a thing."""
    api = next(one for one in get_resolver("nebo.urls").url_patterns if str(one.pattern) == "api/v1/")
    for pattern in _walk(api.url_patterns):
        for method, operation in getattr(pattern.callback.cls, "operations", {}).items():
            for where in ("body", "query"):
                taken = getattr(operation, where, None)
                for name, field in taken().fields.items() if taken else ():
                    one = getattr(field, "child", field)
                    if isinstance(one, serializers.UUIDField) or name in NAMING:
                        yield Field(method, pattern.name or "", where, name, one is not field)


def own_things(client: Client, user: str, team: Team) -> dict[str, str]:
    """A session, a memory, a todo and a request to forget of the stranger's own, to ask about."""
    session = make(client, "session-list", {"user": user, "key": "own"})["id"]
    memory = make(client, "memory-list", {"value": "Likes rain.", "key": "rain"}, user=user)["id"]
    todo = make(client, "todo-list", {"text": "Buy rye bread"}, user=user)["id"]
    with tenant_scope(team.tenant):
        person = get_person(tenant=team.tenant, external_id=user)
        asked = ForgetRequest.objects.for_tenant(team.tenant).create(
            person=person, what="rain", memory_ids=[memory]
        )
    named = {"session_id": session, "memory_id": memory, "todo_id": todo, "request_id": str(asked.pk)}
    return {**named, "user": user, "slug": "default"}


def foreign_of(field: Field, things: dict[str, str]) -> str:
    """One of ours that the field could name."""
    kinds = {
        "persona": "slug",
        "session": "session_id",
        "user": "user",
        "memories": "memory_id",
        "todos": "todo_id",
    }
    return things[kinds.get(field.name, "memory_id")]


def ask(client: Client, field: Field, own: dict[str, str], value: str) -> HttpResponse:
    """The operation on the stranger's own things, with this name in the field."""
    row = next(one for one in TABLE if (one.method, one.name) == (field.method, field.route))
    path = reverse(row.name, kwargs={name: own.get(name, NOBODY) for name in row.names})
    named: Any = [value] if field.many else value
    if field.where == "query":
        path, body = f"{path}?{field.name}={value}", row.body
    else:
        body = {**row.body, field.name: named}
        if field.name == "session" and "memory" in row.name:
            body["scope"] = "session"
    sent = {} if row.method == "GET" else {"data": body, "content_type": "application/json"}
    return getattr(client, row.method.lower())(path, **sent)


def told(response: HttpResponse, value: str) -> Any:
    """A refusal word by word but for the name itself; of what succeeds, that it does, and how it looks."""
    text = response.content.decode().replace(value, "…")
    document = json.loads(text)
    if response.status_code >= 400:
        return response.status_code, {**document, "request_id": ""}
    return response.status_code, sorted(document)


def find_faults(client: Client, own: dict[str, str], things: dict[str, str], *, team: bool) -> dict[str, Any]:
    """Fields in which a name of ours is answered otherwise than a name of nothing, or shows what is ours."""
    faults: dict[str, Any] = {}
    for field in list_fields():
        if team and field.name == "persona":  # which belong to the whole team
            continue
        foreign = foreign_of(field, things)
        nothing = "nobody-here" if field.name in ("persona", "user") else NOBODY
        theirs, none = ask(client, field, own, foreign), ask(client, field, own, nothing)
        if told(theirs, foreign) != told(none, nothing):
            faults[str(field)] = (theirs.content, none.content)
        elif WORD in theirs.content.decode():
            faults[str(field)] = "shows what is ours"
    return faults


def test_there_are_fields_that_name_things() -> None:
    assert {str(field) for field in list_fields()} >= {
        "POST search body.session",
        "POST forget-confirm body.memories",
        "GET session-list query.user",
        "PATCH memory body.session",
    }


def test_another_teams_names_are_names_of_nothing(things: dict[str, str], acme: Team, rival: Team) -> None:
    before, stranger = memory_of(acme, things), client_of(rival)

    faults = find_faults(stranger, own_things(stranger, "dan", rival), things, team=False)

    assert faults == {}
    assert memory_of(acme, things) == before


def test_another_persons_names_are_names_of_nothing(things: dict[str, str], acme: Team) -> None:
    before, neighbour = memory_of(acme, things), client_of(acme, person="carol")

    faults = find_faults(neighbour, own_things(neighbour, "carol", acme), things, team=True)

    assert faults == {}
    assert memory_of(acme, things) == before


@pytest.mark.parametrize("name", ["memory-list", "todo-list", "session-list"])
def test_another_teams_cursor_leads_nowhere(
    things: dict[str, str], acme: Team, rival: Team, name: str
) -> None:
    ours, stranger = client_of(acme), client_of(rival)
    for number in range(2):
        make(ours, "memory-list", {"value": f"The curtain has {number + 2} folds."}, user="bob")
        make(ours, "todo-list", {"text": f"Wash curtain {number}"}, user="bob")
        make(ours, "session-list", {"user": "bob", "key": f"curtain-{number}"})
    own_things(stranger, "bob", rival)
    path = reverse(name, kwargs={} if name == "session-list" else {"user": "bob"})
    path += "?limit=1" + ("&user=bob" if name == "session-list" else "")
    cursor = ours.get(path).json()["next"]

    answer = stranger.get(f"{path}&cursor={cursor}")

    assert cursor
    assert answer.status_code in (200, 400)
    assert WORD not in answer.content.decode()


def test_another_teams_idempotency_key_is_nobodys(things: dict[str, str], acme: Team, rival: Team) -> None:
    path = reverse("memory-list", kwargs={"user": "bob"})
    sent = {"data": {"value": "Has a parrot."}, "content_type": "application/json"}
    headers = {"Idempotency-Key": "the-same-for-all"}
    first = client_of(acme).post(path, **sent, headers=headers)

    others = [client_of(rival), client_of(acme, person="carol")]
    foreign, bound = (client.post(path, **sent, headers=headers) for client in others)

    assert first.status_code == foreign.status_code == 201
    assert foreign.json()["id"] != first.json()["id"]
    assert "Idempotent-Replayed" not in foreign.headers
    assert bound.status_code == 404

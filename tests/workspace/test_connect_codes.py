"""Connecting an agent: a page shows a code, a command exchanges it once for a key of that person."""

from __future__ import annotations

import json
import re
import secrets
import threading
from contextlib import suppress
from datetime import timedelta
from ipaddress import ip_address
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from memories.models import AuditEntry
from nebo.api.throttles import read_rate
from nebo.errors import InvalidInput
from nebo.product.workspace.connect_codes import ALPHABET, exchange, make_code, remove_codes
from nebo.product.workspace.exchange import TRIES_OF_ONE
from nebo.product.workspace.models import ConnectCode
from nebo.tenants.models import ApiKey, Membership, Tenant
from nebo.tenants.scoping import operator_scope, tenant_scope
from nebo.tenants.selectors import find_caller
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import caller
from tests.visitors import count_queries, join, refetch, text_of, visitor

PAGE = "/t/acme/connect/"
CODE = re.compile(rf"[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}")
SENDER: dict[str, str] = {}  # of what is sent in a test
MOST_QUERIES = 13  # with those of login and transaction


@pytest.fixture(autouse=True)
def _from_an_address_that_has_not_tried_yet() -> None:
    SENDER["REMOTE_ADDR"] = str(ip_address(0x0A000000 + secrets.randbelow(1 << 24)))


def code_of(client: Client) -> str:
    (code,) = set(CODE.findall(client.post(PAGE).content.decode()))
    return code


def give(code: object, **fields: Any) -> Any:
    """As the command sends it: with no key and no login."""
    asked = {"code": code, **fields}
    return send(json.dumps(asked).encode())


def send(body: bytes) -> Any:
    client = Client(enforce_csrf_checks=True, **SENDER)
    return client.post("/connect/", body, content_type="application/json")


def change_codes(team: Team, **fields: Any) -> None:
    with tenant_scope(team.tenant):
        ConnectCode.objects.for_tenant(team.tenant).update(**fields)


def keys_of(team: Team) -> list[ApiKey]:
    with tenant_scope(team.tenant):
        return list(ApiKey.objects.for_tenant(team.tenant))


@pytest.mark.django_db
def test_a_code_gives_a_key_for_its_person_alone(acme: Team) -> None:
    member = join(acme, "bob@acme.example", person="bob")

    given = give(code_of(visitor(member)), name="claude-code on laptop")

    assert given.status_code == 201
    answer = given.json()
    caller = find_caller(answer["key"])
    (key,) = keys_of(acme)
    assert caller is not None
    assert (caller.key_id, caller.person_id, caller.scopes) == (key.pk, key.person_id, {"read", "write"})
    assert (answer["user"], answer["workspace"], answer["scopes"]) == ("bob", "acme", ["read", "write"])
    assert (key.name, key.created_by_id) == ("claude-code on laptop", member.pk)
    assert given["Cache-Control"] == "no-store"
    with tenant_scope(acme.tenant):
        entry = AuditEntry.objects.for_tenant(acme.tenant).get(action="key.created")
        assert (entry.actor, entry.detail["by_code"]) == (f"user:{member.pk}", True)


@pytest.mark.django_db
def test_it_is_understood_however_it_is_typed(acme: Team) -> None:
    client = visitor(acme.owner)

    assert give(code_of(client).lower()).status_code == 201
    assert give(f"  {code_of(client).replace('-', '')} ").status_code == 201


@pytest.mark.django_db
def test_what_opens_nothing_is_refused_alike(acme: Team) -> None:
    client = visitor(acme.owner)
    used, replaced, old = code_of(client), "", ""
    assert give(used).status_code == 201
    replaced = code_of(client)
    old = code_of(client)
    change_codes(acme, expires_at=timezone.now() - timedelta(seconds=1))

    refusals = [give(code) for code in (used, replaced, old, "BCDF-GHJK-LMNP", "nonsense", "ÄÖÜ")]

    assert {answer.status_code for answer in refusals} == {400}
    told = [{**answer.json(), "request_id": ""} for answer in refusals]
    assert all(one == told[0] for one in told)
    assert told[0]["errors"][0]["pointer"] == "#/code"
    assert len(keys_of(acme)) == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body", ["", "[]", "{}", '{"code": 5}', '{"code": "x", "scope": "admin"}', '{"code": "x', "\xff"]
)
def test_what_is_no_request_is_refused(body: str) -> None:
    answer = send(body.encode("latin-1"))

    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
def test_a_large_body_and_a_name_without_end_are_refused(acme: Team) -> None:
    code = code_of(visitor(acme.owner))

    assert give(code, name="x" * 201).status_code == 400
    assert give(code, name="x" * 5_000).status_code == 413
    assert Client().get("/connect/").status_code == 405
    assert give(code).status_code == 201


@pytest.mark.django_db
def test_whoever_tries_often_has_to_wait(acme: Team) -> None:
    code = code_of(visitor(acme.owner))
    for _ in range(read_rate(TRIES_OF_ONE)[0]):
        assert give("BCDF-GHJK-LMNP").status_code == 400

    refused = give(code)

    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert keys_of(acme) == []


@pytest.mark.django_db
def test_a_code_ends_when_its_maker_leaves(acme: Team) -> None:
    member = join(acme, "bob@acme.example", person="bob")
    code = code_of(visitor(member))
    with tenant_scope(acme.tenant):
        place = Membership.objects.for_tenant(acme.tenant).get(user=member)

    visitor(acme.owner).post(f"/t/acme/members/{place.pk}/remove/")

    assert give(code).status_code == 400
    assert keys_of(acme) == []


def test_a_suspended_teams_code_opens_nothing(committed_db: None, acme: Team) -> None:
    code = code_of(visitor(acme.owner))
    with operator_scope():
        Tenant.objects.filter(pk=acme.tenant.pk).update(is_active=False)

    assert give(code).status_code == 400

    with operator_scope():
        Tenant.objects.filter(pk=acme.tenant.pk).update(is_active=True)
    assert give(code).status_code == 201


def test_a_code_goes_with_its_person(committed_db: None, acme: Team) -> None:
    member = join(acme, "bob@acme.example", person="bob")
    code = code_of(visitor(member))
    call = caller(acme, scopes=("admin",))

    call("DELETE", "users/bob/")
    assert give(code).status_code == 400
    run_jobs(acme.tenant, kind="erase-person")

    assert call("DELETE", "users/bob/").json()["receipt"]["counts"]["workspace_connectcode"] == 1


@pytest.mark.django_db
def test_only_a_digest_is_kept(acme: Team) -> None:
    code = code_of(visitor(acme.owner))

    with tenant_scope(acme.tenant):
        (row,) = ConnectCode.objects.for_tenant(acme.tenant).values()
    assert code not in str(row) and code.replace("-", "") not in str(row)


@pytest.mark.django_db
def test_what_is_connected_is_listed_and_disconnected(acme: Team) -> None:
    client = visitor(acme.owner)
    secret = give(code_of(client), name="cursor on desk").json()["key"]

    part = client.get(PAGE, **refetch())
    assert "cursor on desk" in text_of(part) and "<h1" not in part.content.decode()
    ended = client.post(f"{PAGE}{keys_of(acme)[0].pk}/end/", follow=True)

    assert "opens nothing any more" in text_of(ended)
    assert find_caller(secret) is None
    assert "Nothing connected yet" in text_of(client.get(PAGE))


@pytest.mark.django_db
def test_a_colleagues_agents_are_not_on_the_page(acme: Team) -> None:
    give(code_of(visitor(acme.owner)), name="cursor on desk")
    (key,) = keys_of(acme)
    colleague = visitor(join(acme, "bob@acme.example", role="admin", person="bob"))

    assert "cursor on desk" not in text_of(colleague.get(PAGE))
    assert colleague.post(f"{PAGE}{key.pk}/end/").status_code == 404
    assert keys_of(acme)[0].revoked_at is None


@pytest.mark.django_db
def test_a_key_reads_itself_and_ends_itself(acme: Team) -> None:
    secret = give(code_of(visitor(acme.owner)), name="cursor on desk").json()["key"]
    client = Client(headers={"Authorization": f"Bearer {secret}"})

    read, ended, after = (getattr(client, verb)("/api/v1/key/") for verb in ("get", "delete", "get"))

    assert (read.json()["name"], read.json()["user"], read.json()["revoked_at"]) == (
        "cursor on desk",
        "alice",
        None,
    )
    assert ended.json()["revoked_at"] is not None
    assert after.status_code == 401


@pytest.mark.django_db
def test_old_codes_go(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        make_code(tenant=acme.tenant, person=acme.person, user=acme.owner)
    change_codes(acme, expires_at=timezone.now() - timedelta(days=2))
    with tenant_scope(acme.tenant):
        make_code(tenant=acme.tenant, person=acme.person, user=acme.owner)

        assert remove_codes(tenant=acme.tenant) == 1
        assert ConnectCode.objects.for_tenant(acme.tenant).count() == 1


@pytest.mark.django_db
def test_the_page_costs_the_same_however_much_is_connected(acme: Team) -> None:
    client = visitor(acme.owner)
    give(code_of(client))
    few = count_queries(client, PAGE)
    for _ in range(4):
        give(code_of(client))

    assert count_queries(client, PAGE) == few <= MOST_QUERIES


def test_of_two_who_have_a_code_one_gets_a_key(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        code = make_code(tenant=acme.tenant, person=acme.person, user=acme.owner)
    given: list[str] = []
    at_once = threading.Barrier(4)

    def try_it() -> None:
        at_once.wait()
        with suppress(InvalidInput):
            given.append(exchange(code=code, name="").secret)
        connections.close_all()

    threads = [threading.Thread(target=try_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(given) == 1
    assert len(keys_of(acme)) == 1

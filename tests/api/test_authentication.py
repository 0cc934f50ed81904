"""Who may call: keys in three headers, and one answer for every kind of wrong one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from nebo.tenants.models import ApiKey, Tenant
from nebo.tenants.scoping import operator_scope, tenant_scope
from nebo.tenants.services import issue_key, revoke_key
from tests.api.conftest import Agent, agent_of, assert_problem
from tests.conftest import Team

SECRET = "x" * 43


def get(**headers: str) -> Any:
    return Client().get("/api/v1/people/", headers=headers)


@pytest.mark.parametrize(
    "header",
    [
        ("Authorization", "Bearer {}"),
        ("Authorization", "bearer {}"),
        ("Authorization", "Token {}"),
        ("Authorization", "Bearer   {} "),
        ("X-API-Key", "{}"),
    ],
)
def test_a_key_opens_in_each_of_three_headers(agent: Agent, header: tuple[str, str]) -> None:
    name, value = header

    assert get(**{name: value.format(agent.secret)}).status_code == 200


def test_a_gateways_own_credentials_do_not_hide_the_key(agent: Agent) -> None:
    assert get(Authorization="Basic YTpi", X_API_Key=agent.secret).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": "Basic YTpi"},
        {"Authorization": f"Bearer nebo_abcdefghijkl_{SECRET}"},
        {"Authorization": "Bearer nebo_abcdefghijkl_short"},
        {"Authorization": "Bearer nebo_\x00\xff"},
        {"Authorization": "Bearer " + "n" * 10_000},
        {"X-API-Key": ""},
        {"X-API-Key": "' OR 1=1 --"},
    ],
)
def test_no_key_or_a_made_up_one_is_a_401(agent: Agent, headers: dict[str, str]) -> None:
    response = get(**headers)

    assert_problem(response, 401, "unauthenticated")
    assert response["WWW-Authenticate"] == 'Bearer realm="nebo"'


def test_wrong_revoked_expired_and_suspended_read_the_same(db: None, acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        wrong = issue_key(tenant=acme.tenant).secret[:-43] + SECRET
        revoked = issue_key(tenant=acme.tenant)
        revoke_key(tenant=acme.tenant, key=revoked.key)
        expired = issue_key(tenant=acme.tenant)
        past = timezone.now() - timedelta(seconds=1)
        ApiKey.objects.for_tenant(acme.tenant).filter(pk=expired.key.pk).update(expires_at=past)

    answers = {
        (response.status_code, response.content, response["WWW-Authenticate"])
        for secret in ("nonsense", wrong, revoked.secret, expired.secret)
        for response in [get(Authorization=f"Bearer {secret}", X_Request_ID="1")]
    }

    assert len(answers) == 1
    assert answers.pop()[0] == 401


def test_a_key_of_a_tenant_that_is_switched_off_is_refused(committed_db: None, acme: Team) -> None:
    agent = agent_of(acme)
    Tenant.objects.using("operator").filter(pk=acme.tenant.pk).update(is_active=False)

    assert_problem(agent.get("people/"), 401, "unauthenticated")


def test_a_revoked_key_ends_at_once(db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        issued = issue_key(tenant=acme.tenant)
    agent = Agent(issued.secret)
    assert agent.get("people/").status_code == 200

    with tenant_scope(acme.tenant):
        revoke_key(tenant=acme.tenant, key=issued.key)

    assert_problem(agent.get("people/"), 401, "unauthenticated")


def test_only_a_digest_is_kept(db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        issued = issue_key(tenant=acme.tenant)
        with connection.cursor() as cursor:
            cursor.execute("SELECT row_to_json(k)::text FROM tenants_apikey k WHERE id = %s", [issued.key.pk])
            (row,) = cursor.fetchone()

    assert issued.secret.rpartition("_")[2] not in row
    assert issued.secret.rpartition("_")[2] not in repr(issued)


def test_a_use_is_noted_once_a_minute_and_the_first_call_once(agent: Agent, acme: Team) -> None:
    def noted() -> tuple[Any, Any]:
        tenant = Tenant.objects.get(pk=acme.tenant.pk)
        with tenant_scope(acme.tenant):
            return ApiKey.objects.for_tenant(acme.tenant).get().last_used_at, tenant.first_call_at

    assert noted() == (None, None)

    agent.get("people/")
    first_use, first_call = noted()
    agent.get("people/")

    assert first_use is not None
    assert first_call is not None
    assert noted() == (first_use, first_call)

    with tenant_scope(acme.tenant):
        long_ago = timezone.now() - timedelta(minutes=2)
        ApiKey.objects.for_tenant(acme.tenant).update(last_used_at=long_ago)
    agent.get("people/")

    assert noted()[0] > long_ago
    assert noted()[1] == first_call


def test_the_scopes_imply_each_other(db: None, acme: Team) -> None:
    tried = {
        scope: tuple(
            agent_of(acme, scopes=[scope]).call(method, "people/", {"name": scope}).status_code
            for method in ("GET", "HEAD", "POST", "DELETE")
        )
        for scope in ("read", "write", "admin")
    }

    assert tried == {
        "read": (200, 200, 403, 403),
        "write": (200, 200, 201, 403),
        "admin": (200, 200, 201, 204),
    }
    refused = agent_of(acme, scopes=["read"]).call("DELETE", "people/")
    assert assert_problem(refused, 403, "forbidden")["detail"] == "This needs a key with the scope admin."


def test_a_method_without_a_scope_is_closed_even_to_admin(db: None, acme: Team) -> None:
    assert_problem(agent_of(acme, scopes=["admin"]).get("things/"), 403, "forbidden")


def test_a_bound_key_names_its_person_only(db: None, acme: Team) -> None:
    agent = agent_of(acme, person=acme.person)

    assert agent.get("people/me/").json() == agent.get("people/alice/").json()
    assert agent.get("people/me/").json() == {"user": "alice", "tenant": "acme"}
    assert_problem(agent.get("people/bob/"), 404, "not-found")
    assert_problem(agent.call("PATCH", "people/bob/", {}), 404, "not-found")


def test_a_person_is_made_on_the_first_write(agent: Agent) -> None:
    assert_problem(agent.get("people/bob/"), 404, "not-found")

    assert agent.call("PATCH", "people/bob/", {}).json() == {"user": "bob"}

    assert agent.get("people/bob/").status_code == 200


def test_two_tenants_never_see_each_other(db: None, acme: Team, rival: Team) -> None:
    ours, theirs = agent_of(acme), agent_of(rival)

    assert ours.post("people/", {"name": "bob"}).status_code == 201

    assert ours.get("people/").json()["results"].count("bob") == 1
    assert "bob" not in theirs.get("people/").json()["results"]
    assert theirs.get("people/alice/").json()["tenant"] == "rival"
    assert_problem(theirs.get("people/bob/"), 404, "not-found")


def test_a_call_over_the_rate_is_a_429_that_says_when(db: None, acme: Team, settings: Any) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"key": "3/hour"}}
    one, other = agent_of(acme), agent_of(acme)

    statuses = [one.get("people/").status_code for _ in range(4)]

    assert statuses == [200, 200, 200, 429]
    refused = one.get("people/")
    assert_problem(refused, 429, "too-many-requests")
    assert 1 <= int(refused["Retry-After"]) <= 3600
    assert refused["RateLimit-Policy"] == '"key";q=3;w=3600'
    assert refused["RateLimit"].startswith('"key";r=0;t=')
    first = other.get("people/")
    assert first.status_code == 200
    assert first["RateLimit"].startswith('"key";r=2;t=')


def test_all_keys_of_a_tenant_share_its_rate(db: None, acme: Team, rival: Team, settings: Any) -> None:
    rates = {"key": "100/hour", "tenant": "3/hour"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    one, other, theirs = agent_of(acme), agent_of(acme), agent_of(rival)

    statuses = [agent.get("people/").status_code for agent in (one, other, one, other)]

    assert statuses == [200, 200, 200, 429]
    assert one.get("people/")["RateLimit-Policy"] == '"tenant";q=3;w=3600'
    assert theirs.get("people/").status_code == 200


def test_a_tenant_may_have_a_rate_of_its_own(
    committed_db: None, acme: Team, rival: Team, settings: Any
) -> None:
    rates = {"key": "100/hour", "tenant": "1/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    with operator_scope():
        Tenant.objects.using("operator").filter(pk=acme.tenant.pk).update(calls_per_minute=3)
    one, other, theirs = agent_of(acme), agent_of(acme), agent_of(rival)

    statuses = [agent.get("people/").status_code for agent in (one, other, one, other)]

    assert statuses == [200, 200, 200, 429]
    assert one.get("people/")["RateLimit-Policy"] == '"tenant";q=3;w=60'
    assert [theirs.get("people/").status_code for _ in range(2)] == [200, 429]


def test_a_call_costs_few_queries(agent: Agent) -> None:
    agent.get("people/")

    with CaptureQueriesContext(connection) as queries:
        agent.get("people/")

    # find the key; savepoint, set the tenant, the page, release, unset (a commit outside of tests)
    assert len([q for q in queries if "set_config" in q["sql"] or "SELECT" in q["sql"]]) <= 5


def test_without_a_database_the_answer_is_a_503(settings: Any, agent: Agent) -> None:
    with connections["default"].execute_wrapper(lost_connection):
        response = agent.get("people/")

    assert_problem(response, 503, "unavailable")
    assert response["Retry-After"] == "1"


def lost_connection(execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    from django.db import OperationalError

    raise OperationalError("server at 10.0.0.1 closed the connection")

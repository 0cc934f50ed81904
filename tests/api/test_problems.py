"""Whatever goes wrong under /api/ is a problem document that says what, where, and no more."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.api.conftest import Agent, agent_of, assert_problem
from tests.conftest import Team

DEEP = b'{"metadata": ' + b'{"a":' * 70 + b"1" + b"}" * 71
BAD_BODIES = [
    (b"{", "Expecting property name", "#"),
    (b'{"name": "x",}', "line 1, column", "#"),
    (b'{\n"name" 3}', "line 2, column 8", "#"),
    (b"{} {}", "Extra data", "#"),
    (b"[]", "must be a JSON object", "#"),
    (b'"name"', "must be a JSON object", "#"),
    (b"null", "must be a JSON object", "#"),
    (b'\xef\xbb\xbf{"name": "x"}', "not JSON", "#"),
    (b'{"name": "\xff"}', "not UTF-8: byte 10", "#"),
    ('{"name": "x"}'.encode("utf-16"), "not UTF-8", "#"),
    (b'{"weight": NaN}', "NaN is no number", "#"),
    (b'{"weight": -Infinity}', "-Infinity is no number", "#"),
    (b'{"weight": 1e999}', "too large", "#"),
    (b'{"count": ' + b"9" * 5000 + b"}", "too large", "#"),
    (b'{"name": "a", "name": "b"}', "stands twice", "#/name"),
    (b'{"parts": [{"role": "user", "role": "user"}]}', "stands twice", "#/parts/0/role"),
    (b'{"name": "a\\u0000b"}', "NUL", "#/name"),
    (b'{"parts": [{"content": "\\u0000"}]}', "NUL", "#/parts/0/content"),
    (b'{"metadata": {"a/b~c": "\\u0000"}}', "NUL", "#/metadata/a~1b~0c"),
    (b'{"metadata": {"\\u0000": 1}}', "NUL", "#/metadata"),
    (b'{"name": "\\ud800"}', "surrogate", "#/name"),
    (b'{"metadata": {"\\udc00": 1}}', "surrogate", "#/metadata"),
    (DEEP, "64 levels", "#"),
    (b'{"name": ' + b"[" * 100_000, "64 levels", "#"),
    (b'{"name": ' + b"[" * 65 + b"]" * 65 + b"}", "64 levels", "#"),
    (b'{"nmae": "x", "name": "x"}', "no such field", "#/nmae"),
    (b'{"name": "x", "made_at": "2026-01-01T00:00:00Z"}', "no such field", "#/made_at"),
    (b"", "required", "#/name"),
    (b"{}", "required", "#/name"),
    (b'{"name": null}', "null", "#/name"),
    (b'{"name": ""}', "blank", "#/name"),
    (b'{"name": 7}', "Must be a text", "#/name"),
    (b'{"name": ["x"]}', "Must be a text", "#/name"),
    (b'{"name": "xxxxxxxxxxxxxxxxxxxxx"}', "20 characters", "#/name"),
    (b'{"name": "x", "count": "3"}', "whole number", "#/count"),
    (b'{"name": "x", "count": 3.0}', "whole number", "#/count"),
    (b'{"name": "x", "count": true}', "whole number", "#/count"),
    (b'{"name": "x", "count": -1}', "greater than or equal to 0", "#/count"),
    (b'{"name": "x", "weight": "1"}', "Must be a number", "#/weight"),
    (b'{"name": "x", "pinned": 1}', "true or false", "#/pinned"),
    (b'{"name": "x", "pinned": "true"}', "true or false", "#/pinned"),
    (b'{"name": "x", "due": 5}', "date and time", "#/due"),
    (b'{"name": "x", "due": "yesterday"}', "wrong format", "#/due"),
    (b'{"name": "x", "thing": 1}', "UUID", "#/thing"),
    (b'{"name": "x", "thing": "1"}', "valid UUID", "#/thing"),
    (b'{"name": "x", "tags": "a"}', "Must be a list", "#/tags"),
    (b'{"name": "x", "tags": {"0": "a"}}', "Must be a list", "#/tags"),
    (b'{"name": "x", "tags": ["a", 1]}', "Must be a text", "#/tags/1"),
    (b'{"name": "x", "metadata": []}', "Must be an object", "#/metadata"),
    (b'{"name": "x", "parts": {}}', "Must be a list", "#/parts"),
    (b'{"name": "x", "parts": [7]}', "dictionary", "#/parts/0"),
    (b'{"name": "x", "parts": [{"role": "user", "content": "a"}, {"role": "god", "content": "b"}]}',
     "not a valid choice", "#/parts/1/role"),
    (b'{"name": "x", "parts": [{"role": "user", "content": "a", "to": "b"}]}', "no such field", "#/parts/0/to"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "says", "pointer"), BAD_BODIES)
def test_a_bad_body_is_a_400_that_names_the_place(agent: Agent, body: bytes, says: str, pointer: str) -> None:
    response = agent.post("things/", body)

    document = assert_problem(response, 400, "invalid-input")
    found = [error for error in document["errors"] if error["pointer"] == pointer]
    assert found, document
    assert says in found[0]["detail"]


def test_a_good_body_passes(agent: Agent) -> None:
    thing = {
        "name": "x",
        "count": 2**31,
        "weight": 1,
        "pinned": True,
        "due": "2026-01-01T00:00:00Z",
        "thing": "0190a000-0000-7000-8000-000000000000",
        "tags": ["a", "😀"],
        "metadata": {"deep": {"er": [1, None, -0.5]}},
        "parts": [{"role": "user", "content": "  kept as it is\n"}],
    }

    response = agent.post("things/", thing)

    assert response.status_code == 201
    assert response.json() == {**thing, "weight": 1.0}
    assert response["Cache-Control"] == "no-store"


def test_every_fault_of_a_body_is_named_at_once(agent: Agent) -> None:
    response = agent.post("things/", {"count": -1, "due": "never"})

    document = assert_problem(response, 400, "invalid-input")
    assert {error["pointer"] for error in document["errors"]} == {"#/name", "#/count", "#/due"}


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "code"),
    [
        ("GET", "nowhere/", {}, 404, "not-found"),
        ("POST", "nowhere/", {}, 404, "not-found"),
        ("GET", "by-id/not-a-uuid/", {}, 404, "not-found"),
        ("GET", "people/nobody/", {}, 404, "not-found"),
        ("GET", "people/%00/", {}, 404, "not-found"),
        ("GET", "people/" + "x" * 300 + "/", {}, 404, "not-found"),
        ("GET", "people/me/", {}, 404, "not-found"),
        ("PATCH", "people/" + "x" * 300 + "/", {}, 400, "invalid-input"),
        ("PATCH", "people/%20/", {}, 400, "invalid-input"),
        ("PATCH", "people/%00/", {}, 400, "invalid-input"),
        ("PUT", "people/", {}, 405, "method-not-allowed"),
        ("OPTIONS", "people/", {}, 405, "method-not-allowed"),
        ("TRACE", "people/", {}, 405, "method-not-allowed"),
        ("GET", "things/", {}, 403, "forbidden"),
        ("DELETE", "people/", {}, 403, "forbidden"),
        ("POST", "things/", {"content_type": "text/plain"}, 415, "unsupported-media-type"),
        (
            "POST",
            "things/",
            {"content_type": "application/x-www-form-urlencoded"},
            415,
            "unsupported-media-type",
        ),
        (
            "POST",
            "things/",
            {"content_type": "multipart/form-data; boundary=x"},
            415,
            "unsupported-media-type",
        ),
        ("POST", "things/", {"content_type": ""}, 415, "unsupported-media-type"),
    ],
)
def test_a_refusal_is_a_problem(
    agent: Agent, method: str, path: str, headers: dict[str, str], status: int, code: str
) -> None:
    response = agent.call(method, path, {"name": "x"}, **headers)

    assert_problem(response, status, code)


def test_missing_and_forbidden_read_the_same(agent: Agent, acme: Team, rival: Team) -> None:
    with tenant_scope(rival.tenant):
        UserProfile.objects.for_tenant(rival.tenant).create(external_id="bob")

    answers = [agent.get(f"people/{name}/", X_Request_ID="1").content for name in ("bob", "nobody")]
    answers.append(agent_of(acme, person=acme.shared).get("people/alice/", X_Request_ID="1").content)

    assert len(set(answers)) == 1


def test_a_405_names_the_methods(agent: Agent) -> None:
    assert agent.call("PUT", "people/")["Allow"] == "GET, POST, DELETE, HEAD"


def test_a_missing_slash_is_said(agent: Agent) -> None:
    document = assert_problem(agent.post("things", {"name": "x"}), 404, "not-found")

    assert "/api/v1/things/" in document["detail"]


@pytest.mark.parametrize("path", ["/api/", "/api/v2/", "/api/v1", "/api/%00", "/api/%0A/"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_unknown_address_is_a_404_without_a_key(method: str, path: str) -> None:
    assert_problem(Client(enforce_csrf_checks=True).generic(method, path), 404, "not-found")


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("conflict", 409, "conflict"),
        ("continuity", 409, "continuity-missing"),
        ("missing", 404, "not-found"),
        ("field", 400, "invalid-input"),
        ("data", 400, "invalid-input"),
        ("unique", 409, "conflict"),
        ("defect", 500, "server-error"),
    ],
)
def test_a_failure_inside_rolls_back_and_does_not_leak(
    agent: Agent, acme: Team, kind: str, status: int, code: str
) -> None:
    response = agent.post(f"faults/{kind}/", {})

    assert_problem(response, status, code)
    assert b"secret text" not in response.content
    with tenant_scope(acme.tenant):
        assert not UserProfile.objects.for_tenant(acme.tenant).filter(external_id__startswith="half").exists()


def test_a_body_over_the_limit_is_a_413(agent: Agent, settings: pytest.FixtureRequest) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000

    response = agent.post("things/", {"name": "x" * 1000})

    assert_problem(response, 413, "too-large")


def test_a_body_without_a_length_is_a_411(agent: Agent) -> None:
    response = agent.post("things/", Transfer_Encoding="chunked")

    assert_problem(response, 411, "length-required")


def test_an_unknown_host_is_a_400(agent: Agent) -> None:
    assert_problem(agent.get("people/", Host="evil.example"), 400, "invalid-input")


def test_the_request_id_goes_in_and_out(agent: Agent) -> None:
    response = agent.get("nowhere/", X_Request_ID="abc-1")

    assert json.loads(response.content)["request_id"] == response["X-Request-ID"] == "abc-1"


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "application/problem+json", "nonsense"])
def test_whatever_is_accepted_json_is_the_answer(agent: Agent, accept: str) -> None:
    response = agent.get("people/?limit=1", Accept=accept)

    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"


def test_a_stale_if_match_is_a_412(agent: Agent) -> None:
    assert agent.call("PATCH", "people/alice/", {})["ETag"] == '"0"'
    assert agent.call("PATCH", "people/alice/", {}, If_Match='"0"').status_code == 200
    assert agent.call("PATCH", "people/alice/", {}, If_Match='"7", "0"').status_code == 200
    assert agent.call("PATCH", "people/alice/", {}, If_Match="*").status_code == 200
    for stale in ('"1"', 'W/"0"', "0", ""):
        assert_problem(agent.call("PATCH", "people/alice/", {}, If_Match=stale), 412, "stale")

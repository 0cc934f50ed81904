"""The OpenAPI document: whole, valid, and quiet to make. `tests/documented.py` holds answers to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from nebo.api.schema import list_operations
from tests.api.conftest import assert_problem
from tests.documented import document, find_misfits

ANY_CONTENT = {  # objects whose members depend on something else, each told in its description or its name
    "Job.result", "Tool.data", "Run.outcome", "ReviewedRun.outcome", "ReviewedRun.proposals", "Proposal.evidence",
    "Version.before", "Version.after", "Revision.before", "Revision.after", "Anthropic.system",
    "NewMemoryInput.metadata", "PatchedChangedMemoryInput.metadata", "ToolInput.metadata",
}  # fmt: skip


def read_document(capsys: Any, urlconf: str) -> dict[str, Any]:
    out = StringIO()
    call_command("spectacular", "--validate", "--format", "openapi-json", urlconf=urlconf, stdout=out)
    assert capsys.readouterr().err == ""
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def operations() -> list[tuple[str, dict[str, Any]]]:
    return [(f"{method} {path}", operation) for path, method, operation in list_operations(document())]


def answers(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Status and content of each answer of ours that is JSON."""
    for status, said in operation["responses"].items():
        if "application/json" in said.get("content", {}):
            yield status, said["content"]["application/json"]


def test_an_endpoint_shows_scope_input_problems_and_key(capsys: Any) -> None:
    found = read_document(capsys, "tests.api.urls")
    operation = found["paths"]["/api/v1/things/"]["post"]

    assert "Scope: write" in operation["description"]
    assert operation["security"] == [{"key": ["write"]}]
    assert "ThingInput" in json.dumps(operation["requestBody"])
    assert operation["responses"]["400"] == {"$ref": "#/components/responses/InvalidInput"}
    problem = found["components"]["responses"]["InvalidInput"]["content"]
    assert problem["application/problem+json"]["example"]["code"] == "invalid-input"
    assert [parameter["name"] for parameter in operation["parameters"]] == ["Idempotency-Key"]


def test_the_document_is_open_and_its_errors_are_problems(db: None) -> None:
    assert Client().get("/api/v1/schema/").status_code == 200

    wrong = Client().get("/api/v1/schema/", headers={"X-API-Key": "nonsense"})
    assert_problem(wrong, 401, "unauthenticated")


def test_it_is_json_unless_yaml_is_asked_for(db: None) -> None:
    plain = Client().get("/api/v1/schema/")
    yaml = Client().get("/api/v1/schema/", headers={"Accept": "application/vnd.oai.openapi"})

    assert json.loads(plain.content)["openapi"] == "3.1.1"
    assert yaml.content.startswith(b"openapi: 3.1.1\n")


def test_every_endpoint_of_ours_is_in_it_under_a_name_of_its_own(capsys: Any) -> None:
    found = read_document(capsys, "nebo.urls")

    names = [operation["operationId"] for _, _, operation in list_operations(found)]
    assert len(names) == len(set(names)) > 10


def test_every_operation_has_a_title_a_subject_and_a_scope() -> None:
    titles: dict[str, list[str]] = {}
    for name, operation in operations():
        titles.setdefault(operation["summary"], []).append(name)

        assert operation["tags"][0][0].isupper(), name
        assert operation["security"][0]["key"][0] in ("read", "write", "admin"), name
    assert {title: names for title, names in titles.items() if len(names) > 1 or not title} == {}


def test_every_answer_is_typed_and_has_an_example_that_fits_it() -> None:
    faults = []
    for name, operation in operations():
        good = [status for status in operation["responses"] if status < "400"]
        faults += [] if good else [f"{name}: no answer"]
        for status, content in answers(operation):
            reference = content["schema"].get("$ref", "")
            typed = reference.startswith("#/components/schemas/")
            faults += [] if typed else [f"{name} {status}: {content['schema']}"]
            faults += [
                f"{name} {status}: {misfit}" for misfit in find_misfits(content["schema"], content["example"])
            ]

    assert faults == []


def test_every_body_has_an_example_that_fits_it() -> None:
    bodies = [
        (name, one["requestBody"]["content"]["application/json"])
        for name, one in operations()
        if "application/json" in one.get("requestBody", {}).get("content", {})
    ]

    assert {name for name, body in bodies if not body.get("example")} == set()
    assert {name: list(find_misfits(body["schema"], body["example"])) for name, body in bodies} == {
        name: [] for name, _ in bodies
    }


def test_every_operation_tells_its_problems() -> None:
    wanted = {"400", "401", "403", "429", "503"}

    for name, operation in operations():
        responses = operation["responses"]
        assert wanted <= set(responses), name
        assert ("{" not in name) or "404" in responses, name
        assert all(
            responses[status] == {"$ref": responses[status]["$ref"]}
            for status in responses
            if status >= "400"
        )
    for problem in document()["components"]["responses"].values():
        content = problem["content"]["application/problem+json"]
        assert list(find_misfits(content["schema"], content["example"])) == []


def test_no_object_says_nothing_of_its_members() -> None:
    def list_bare(schema: Any) -> Iterator[Any]:
        if isinstance(schema, dict):
            kinds = schema.get("type", ())
            is_object = kinds == "object" or (isinstance(kinds, list) and "object" in kinds)
            if is_object and not schema.get("properties") and not schema.get("additionalProperties"):
                yield schema
            for inner in schema.values():
                yield from list_bare(inner)
        elif isinstance(schema, list):
            for inner in schema:
                yield from list_bare(inner)

    bare = {
        f"{name}.{field}"
        for name, schema in document()["components"]["schemas"].items()
        for field, inner in schema.get("properties", {}).items()
        if list(list_bare(inner))
    }
    empty = [
        name for name, schema in document()["components"]["schemas"].items() if not schema.get("properties")
    ]

    assert bare == ANY_CONTENT
    assert empty == []


@pytest.mark.parametrize("value", ["not an object", {"id": 3}, {}])
def test_an_answer_that_is_otherwise_is_noticed(value: Any) -> None:
    assert list(find_misfits({"$ref": "#/components/schemas/Memory"}, value)) != []

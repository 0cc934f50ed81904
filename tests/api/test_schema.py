"""The OpenAPI document: whole, valid, and quiet to make."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

from django.core.management import call_command
from django.test import Client

from tests.api.conftest import assert_problem


def document(capsys: Any, urlconf: str) -> dict[str, Any]:
    out = StringIO()
    call_command("spectacular", "--validate", "--format", "openapi-json", urlconf=urlconf, stdout=out)
    assert capsys.readouterr().err == ""
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def test_an_endpoint_shows_scope_input_problems_and_key(capsys: Any) -> None:
    operation = document(capsys, "tests.api.urls")["paths"]["/api/v1/things/"]["post"]

    assert "Scope: write" in operation["description"]
    assert operation["security"] == [{"key": []}]
    assert "ThingInput" in json.dumps(operation["requestBody"])
    assert "application/problem+json" in operation["responses"]["4XX"]["content"]
    assert [parameter["name"] for parameter in operation["parameters"]] == ["Idempotency-Key"]


def test_the_document_is_open_and_its_errors_are_problems(db: None) -> None:
    assert Client().get("/api/v1/schema/").status_code == 200

    wrong = Client().get("/api/v1/schema/", headers={"X-API-Key": "nonsense"})
    assert_problem(wrong, 401, "unauthenticated")


def test_every_endpoint_of_ours_is_in_it_under_a_name_of_its_own(capsys: Any) -> None:
    paths = document(capsys, "nebo.urls")["paths"]

    names = [operation["operationId"] for methods in paths.values() for operation in methods.values()]
    assert len(names) == len(set(names)) > 10

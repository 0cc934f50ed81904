"""The pages of the API: each operation of the OpenAPI document, for everyone, with nothing from elsewhere."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from nebo.product.dashboard.api_pages import get_subjects
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from tests.conftest import Team
from tests.documented import document


def test_every_operation_stands_on_a_page_with_its_address_scope_and_call(db: None) -> None:
    shown = {(one.method.lower(), one.address) for subject in get_subjects() for one in subject.operations}

    assert shown == {(method, path) for path, methods in document()["paths"].items() for method in methods}
    page = Client().get(reverse("dashboard:api_subject", args=["memories"])).content.decode()
    assert "/api/v1/users/{user}/memories/" in page
    assert "scope write" in page
    assert re.search(r"curl -X POST \S+/api/v1/users/ana/memories/", page)


def test_whoever_asks_sees_the_overview_without_a_login(db: None) -> None:
    page = Client().get(reverse("dashboard:api"))

    assert page.status_code == 200
    assert "Append a turn" in page.content.decode()


def test_a_subject_there_is_none_of_is_not_found(db: None) -> None:
    assert Client().get(reverse("dashboard:api_subject", args=["nothing"])).status_code == 404


@pytest.mark.parametrize("subject", [one.slug for one in get_subjects()])
def test_a_page_has_no_script_style_or_address_from_elsewhere(db: None, subject: str) -> None:
    page = Client().get(reverse("dashboard:api_subject", args=[subject])).content.decode()

    assert " style=" not in page
    assert re.findall(r"<script(?![^>]*\ssrc=)", page) == []
    assert re.findall(r"(?:src|href)=\"https?://", page) == []
    assert "&lt;code&gt;" not in page
    assert " or time<" not in page, "null is no time"
    anchors = re.findall(r'id="([^"]+)"', page)
    assert len(anchors) == len(set(anchors))


def test_the_text_for_models_links_each_subject_and_its_calls_work(db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        secret = issue_key(tenant=acme.tenant).secret
    client = Client(headers={"Authorization": f"Bearer {secret}"})

    answer = client.get("/llms.txt")

    text = answer.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert text.startswith("# Nebo\n\n> ")
    links = re.findall(r"^- \[[^\]]+\]\(https?://[^/]+(/[^)]*)\)", text, re.MULTILINE)
    assert len(links) == len(get_subjects()) + 2
    assert {path: client.get(path).status_code for path in links if path != "/mcp"} == dict.fromkeys(
        (path for path in links if path != "/mcp"), 200
    )
    calls = re.findall(r"^\d\. `POST https?://[^/]+(/\S+)` with `(\{.*\})`", text, re.MULTILINE)
    assert len(calls) == 3
    session = ""
    for path, body in calls:
        sent = client.post(path.replace("ID", session), json.loads(body), content_type="application/json")
        assert sent.status_code in (200, 201), sent.content
        session = session or sent.json()["id"]

"""A form whose token counts no more is offered again; never one that another site sent."""

from __future__ import annotations

import pytest
from django.http import HttpResponse

from memories.models import Memory
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.visitors import text_of, visitor

pytestmark = pytest.mark.django_db

ADD = "/t/acme/memories/add/"
HERE = "http://testserver"


def send(team: Team, address: str = ADD, **headers: str) -> HttpResponse:
    """With a token that was never given."""
    browser = visitor(team.owner, enforce_csrf_checks=True)
    typed = {"value": "Has a cat called Miso", "tags": "", "csrfmiddlewaretoken": "x" * 64}
    return browser.post(address, typed, headers=headers)  # type: ignore[return-value]


def test_what_was_typed_is_shown_and_nothing_was_done(acme: Team) -> None:
    answer = send(acme, origin=HERE)

    assert answer.status_code == 403
    assert "Has a cat called Miso" in text_of(answer)
    assert 'name="value" value="Has a cat called Miso"' in answer.content.decode()
    assert "x" * 64 not in answer.content.decode()
    with tenant_scope(acme.tenant):
        assert not Memory.objects.for_tenant(acme.tenant).exists()


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "http://testserver:81", "null", ""])
def test_a_form_from_elsewhere_comes_to_no_button(acme: Team, origin: str) -> None:
    answer = send(acme, origin=origin)

    assert answer.status_code == 403
    assert "Miso" not in answer.content.decode()
    assert "<form" not in answer.content.decode()


def test_no_password_is_shown(acme: Team) -> None:
    assert "<form" not in send(acme, "/accounts/password/change/", origin=HERE).content.decode()


def test_within_a_page_that_page_is_fetched_anew(acme: Team) -> None:
    answer = send(acme, **{"origin": HERE, "HX-Request": "true"})

    assert (answer.status_code, answer.headers["HX-Refresh"]) == (403, "true")

"""Choosing on a page how a persona speaks with oneself, and what the page says of learned styles."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memories.models import AuditEntry
from memories.storing.edit import pin_memory
from nebo.tenants.scoping import tenant_scope
from personality.models import PersonaOverlay, PersonaRevision
from personality.personas.editing import create_persona, ensure_default_persona, update_persona
from tests.conftest import Team
from tests.memories.conftest import AGENT, remember
from tests.visitors import text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/personality/"
MANNER = f"{PAGE}manner/"


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


def choose(client: Client, version: int = 0, **chosen: str) -> Any:
    return client.post(MANNER, {"persona": "default", "version": str(version), **chosen}, follow=True)


def overlay_of(team: Team) -> dict[str, Any]:
    with tenant_scope(team.tenant):
        found = PersonaOverlay.objects.for_tenant(team.tenant).filter(person=team.person).first()
    return found.fields if found else {}


def test_what_is_chosen_holds_for_oneself_and_can_be_taken_back(acme: Team, client: Client) -> None:
    saved = choose(client, response_length="short", emoji_usage="none")

    assert overlay_of(acme) == {"response_length": "short", "emoji_usage": "none"}
    assert "Short Your wish" in text_of(saved)
    assert "Chosen on the page" in text_of(saved)
    with tenant_scope(acme.tenant):
        assert ensure_default_persona(tenant=acme.tenant).response_length == "adaptive"
        assert AuditEntry.objects.for_tenant(acme.tenant).filter(action="persona.manner_chosen").count() == 1
    choose(client, version=1, response_length="", emoji_usage="none")
    assert overlay_of(acme) == {"emoji_usage": "none"}
    client.post(f"{PAGE}rollback/", {"persona": "default", "to": "1"})
    assert overlay_of(acme) == {"response_length": "short", "emoji_usage": "none"}


def test_choosing_nothing_new_leaves_no_trace(acme: Team, client: Client) -> None:
    choose(client)

    with tenant_scope(acme.tenant):
        assert not PersonaRevision.objects.for_tenant(acme.tenant).filter(person=acme.person).exists()


def test_a_page_that_is_out_of_date_says_so(acme: Team, client: Client) -> None:
    choose(client, response_length="short")

    late = client.post(MANNER, {"persona": "default", "version": "0", "response_length": "detailed"})

    assert late.status_code == 422
    assert "changed in the meantime" in text_of(late)
    assert overlay_of(acme) == {"response_length": "short"}


def test_what_is_no_choice_is_refused(acme: Team, client: Client) -> None:
    assert client.post(MANNER, {"persona": "default", "version": "0", "formality": "rude"}).status_code == 422
    assert overlay_of(acme) == {}


def test_a_value_that_was_said_stands_among_the_choices(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        persona = ensure_default_persona(tenant=acme.tenant)
        changes = {"voice_style": "like a pirate", "formality": "formal"}
        update_persona(tenant=acme.tenant, persona=persona, changes=changes, actor=AGENT)

    own, team = client.get(MANNER), client.get(f"{PAGE}personas/default/")

    assert "As the team made it: like a pirate" in text_of(own)
    assert "As the team made it: Formal" in text_of(own)
    assert "As it is: like a pirate" in text_of(team)


def test_what_the_team_has_locked_is_no_choice(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        persona = ensure_default_persona(tenant=acme.tenant)
        update_persona(tenant=acme.tenant, persona=persona, changes={"locked": ["formality"]}, actor=AGENT)

    assert "Your team keeps these as they are: Formality." in text_of(client.get(MANNER))
    choose(client, formality="casual")
    assert overlay_of(acme) == {}


def test_another_persona_has_choices_of_its_own(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        create_persona(tenant=acme.tenant, slug="coach", fields={"name": "Coach"}, actor=AGENT)

    client.post(MANNER, {"persona": "coach", "version": "0", "proactivity": "high"})

    assert "Thinks ahead" in text_of(client.get(f"{PAGE}?persona=coach"))
    assert "Thinks ahead" not in text_of(client.get(PAGE))
    assert client.get(f"{MANNER}?persona=nobody").status_code == 404


def test_a_style_says_how_strong_it_is_and_when_it_fades(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        for _ in range(2):
            remember(acme, "Prefers dry wit", key="style/humor-dry", layer="tacit", namespace="personality")
        pinned = remember(
            acme, "Likes lists", key="style/lists", layer="tacit", namespace="personality"
        ).memory
        pin_memory(tenant=acme.tenant, memory=pinned, actor=AGENT)
    fades = timezone.localdate() + timedelta(days=28)

    page = text_of(client.get(PAGE))

    assert f"fades on {fades:%-d %b %Y} unless seen again" in page
    assert "seen 2 times" in page
    assert "stays" in page[page.index("Likes lists") :]


def test_a_revision_shows_what_changed_word_by_word(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        persona = ensure_default_persona(tenant=acme.tenant)
        for rules in ("Always cite your sources.", "Always cite three sources."):
            update_persona(tenant=acme.tenant, persona=persona, changes={"rules": rules}, actor=AGENT)

    html = client.get(f"{PAGE}personas/default/").content.decode()

    assert '<del><span class="visually-hidden">Gone: </span>your</del>' in html
    assert '<ins><span class="visually-hidden">New: </span>three</ins>' in html

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
from tests.memories.conftest import AGENT, caller, remember
from tests.visitors import join, refetch, text_of, visitor

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

    assert "like a pirate (the team’s choice)" in text_of(own)
    assert "Formal (the team’s choice)" in text_of(own)
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


# --- What would come of it ---------------------------------------------------------------------------


def preview(client: Client, **chosen: str) -> Any:
    return client.post(
        f"{MANNER}preview/", {"persona": "default", "version": "0", **chosen}, **refetch("preview")
    )


def test_a_preview_is_what_the_next_prompt_says_and_keeps_nothing(acme: Team, client: Client) -> None:
    shown = preview(client, response_length="short", language="German")

    assert "<html" not in shown.content.decode()
    sections = {section.title: section for section in shown.context["sections"]}
    assert sections["Communication Style"].changed
    assert not sections["Who it is"].changed
    assert overlay_of(acme) == {}
    choose(client, response_length="short", language="German")
    session = caller(acme)("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]
    prompt = caller(acme)("POST", f"sessions/{session}/context/", {}).json()["stable"]
    assert sections["Communication Style"].after in prompt
    assert sections["Communication Style"].before not in prompt


def test_a_preview_of_the_teams_form_takes_what_is_right_of_it(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        persona = ensure_default_persona(tenant=acme.tenant)
    posted = {
        "name": "Ada",
        "role": "a running coach",
        "rules": "Be kind.",
        "formality": "rude",
        "version": "1",
    }

    shown = client.post(f"{PAGE}personas/default/preview/", posted, **refetch("preview"))

    sections = {section.title: section.after for section in shown.context["sections"]}
    assert "You are Ada" in sections["Who it is"]
    assert "a running coach" in sections["Character"]
    assert sections["Rules"] == "Be kind."
    assert "Formality: adaptive" in sections["Communication Style"]
    with tenant_scope(acme.tenant):
        persona.refresh_from_db()
    assert (persona.name, persona.version) == ("Nebo", 1)


def test_a_directive_about_what_is_chosen_is_no_longer_told(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        remember(
            acme, "Keep it short.", key="directive", layer="tacit", namespace="personality",
            metadata={"answered_questions": ["length"]},
        )  # fmt: skip

    sections = {
        section.title: section for section in preview(client, response_length="detailed").context["sections"]
    }

    assert sections["Personality (Learned)"].before == "Keep it short."
    assert sections["Personality (Learned)"].after == ""


def test_without_javascript_the_preview_is_a_page(client: Client) -> None:
    page = client.post(f"{MANNER}preview/", {"persona": "default", "version": "0", "formality": "formal"})

    assert "What the prompt would say" in text_of(page)
    assert client.get(f"{MANNER}preview/").status_code == 405


def test_only_those_who_manage_preview_the_teams_form(acme: Team) -> None:
    member = visitor(join(acme, "member@acme.example", person="bob"))

    assert member.post(f"{PAGE}personas/default/preview/", {"name": "Ada"}).status_code == 404
    assert member.post(f"{MANNER}preview/", {"persona": "default"}).status_code == 200

"""Pages on who the agent is: to oneself, and for the team."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Case, When
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse

from nebo.errors import Conflict, NotFound
from nebo.tenants.pages import PageRequest, TenantPage, is_refetch
from personality.models import Persona, PersonaCandidate, PersonaRevision
from personality.overlays.overlay import overlaid, own_rules
from personality.overlays.selectors import find_overlay
from personality.pages.presentation import Difference, list_differences, list_traits
from personality.personas.editing import ensure_default_persona
from personality.personas.selectors import DEFAULT_SLUG, get_persona, list_personas, list_revisions
from personality.styles.selectors import find_directive, list_styles
from personality.wishes.candidates import accept_candidate, reject_candidate, undo_candidate
from personality.wishes.rollback import roll_back_overlay
from personality.wishes.selectors import get_candidate, list_candidates

STYLES_SHOWN = 15  # as many as the paragraph is written from
DECISIONS_SHOWN = 50
REVISIONS_SHOWN = 30
Story = list[tuple[PersonaRevision, list[Difference]]]


class PersonalPage(TenantPage):
    """A page about one persona as it is to the person shown: the one of `?persona=`, or the default one."""

    def get_persona(self, slug: str) -> Persona:
        """The persona; raises NotFound."""
        if slug in ("", DEFAULT_SLUG):
            return ensure_default_persona(tenant=self.access.tenant)
        return get_persona(tenant=self.access.tenant, slug=slug)

    def show(self, request: PageRequest, persona: Persona, *, toasts: bool = False) -> HttpResponse:
        """The whole page, or the part of it that its buttons exchange."""
        part = is_refetch(request, "personality")
        template = "personality/_personality.html" if part else "personality/page.html"
        return TemplateResponse(request, template, {**self.context(persona), "toasts": toasts})

    def context(self, persona: Persona) -> dict[str, Any]:
        """What page.html shows."""
        tenant, person = self.access.tenant, self.person
        overlay = find_overlay(tenant=tenant, persona=persona, person_id=person.pk)
        fields = overlay.fields if overlay else {}
        waits = Case(When(decision=PersonaCandidate.Decision.DEFERRED, then=0), default=1)
        candidates = list_candidates(tenant=tenant, persona=persona, person_id=person.pk)
        asked = list(candidates.order_by(waits, "-updated_at")[:DECISIONS_SHOWN])
        shown = overlaid(persona, fields)
        return {
            "persona": persona,
            "personas": list_personas(tenant=tenant).order_by("slug"),
            "shown": shown,
            "renamed": shown.name != persona.name,
            "changed": bool(fields),
            "traits": list_traits(shown, fields),
            "rules": own_rules(persona, fields),
            "directive": find_directive(tenant=tenant, person_id=person.pk, persona_id=persona.pk),
            "styles": list_styles(tenant=tenant, person_id=person.pk, persona_id=persona.pk)[:STYLES_SHOWN],
            "waiting": [one for one in asked if one.decision == PersonaCandidate.Decision.DEFERRED],
            "decided": [one for one in asked if one.decision != PersonaCandidate.Decision.DEFERRED],
            "story": read_story(self, persona, person_id=person.pk),
            "version": overlay.version if overlay else 0,
        }


class PersonalityPage(PersonalPage):
    """Who the agent is to me, what it learned of my style, and what came of my wishes."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.show(request, self.get_persona(request.GET.get("persona", "")))


class PersonalActionPage(PersonalPage):
    """A button on that page."""

    http_method_names = ["post"]

    def answer(self, request: PageRequest, persona: Persona) -> HttpResponseBase:
        """The part that changed for htmx; else back to the page."""
        if is_refetch(request):
            return self.show(request, persona, toasts=True)
        address = resolve_url("personality:page", self.access.place)
        return redirect(f"{address}?persona={persona.slug}")


class CandidatePage(PersonalActionPage):
    """Accept or reject a wish that waits, or undo one that was fulfilled."""

    acts = {
        "accept": (accept_candidate, "Done. It applies from now on."),
        "reject": (reject_candidate, "Left as it is."),
        "undo": (undo_candidate, "Taken back."),
    }
    act = ""

    def post(self, request: PageRequest, candidate_id: UUID) -> HttpResponseBase:
        persona = self.get_persona(request.POST.get("persona", ""))
        candidate = get_candidate(
            tenant=self.access.tenant, persona=persona, candidate_id=candidate_id, person_id=self.person.pk
        )
        act, notice = self.acts[self.act]
        try:
            with transaction.atomic():
                act(tenant=self.access.tenant, candidate=candidate, actor=self.access.actor)
        except Conflict as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, notice)
        return self.answer(request, persona)


class OwnRollbackPage(PersonalActionPage):
    """Back to what one's wishes had made of it at a revision; 0 is as the team made it."""

    def post(self, request: PageRequest) -> HttpResponseBase:
        persona = self.get_persona(request.POST.get("persona", ""))
        roll_back_overlay(
            tenant=self.access.tenant,
            persona=persona,
            person=self.person,
            to=read_number(request.POST.get("to", "")),
            actor=self.access.actor,
        )
        messages.success(request, "Done. You can go forward again in the history.")
        return self.answer(request, persona)


def read_story(page: TenantPage, persona: Persona, person_id: UUID | None = None) -> Story:
    """The last revisions with what each changed."""
    rows = list_revisions(tenant=page.access.tenant, persona=persona, person_id=person_id)
    return [(revision, list_differences(revision)) for revision in rows[:REVISIONS_SHOWN]]


def read_number(text: str) -> int:
    """A revision's number; raises NotFound for anything else."""
    if not text.isdecimal() or len(text) > 9:
        raise NotFound
    return int(text)

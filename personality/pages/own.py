"""Pages on who the agent is: to oneself, and for the team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.translation import gettext

from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.tenants.pages import PageRequest, TenantPage, is_refetch
from personality.models import Persona, PersonaRevision
from personality.overlays.overlay import overlaid, own_rules
from personality.overlays.selectors import find_overlay
from personality.pages.own_form import OwnMannerForm
from personality.pages.presentation import Difference, list_differences, list_traits
from personality.pages.reads import REVISIONS_SHOWN, read_personality
from personality.personas.editing import ensure_default_persona
from personality.personas.selectors import DEFAULT_SLUG, list_personas, list_revisions
from personality.wishes.candidates import undo_candidate
from personality.wishes.choosing import choose_manner
from personality.wishes.rollback import roll_back_overlay
from personality.wishes.selectors import get_candidate

Story = list[tuple[PersonaRevision, list[Difference]]]


class PersonalPage(TenantPage):
    """A page about one persona as it is to the person shown: the one of `?persona=`, or the default one."""

    def get_persona(self, slug: str) -> Persona:
        """The persona; raises NotFound."""
        return self.choose_persona(list(list_personas(tenant=self.access.tenant)), slug)

    def choose_persona(self, personas: Sequence[Persona], slug: str) -> Persona:
        """One of those that speak; raises NotFound. The default one is made on first use."""
        wanted = slug or DEFAULT_SLUG
        found = next((one for one in personas if one.slug == wanted), None)
        if found is None and wanted != DEFAULT_SLUG:
            raise NotFound
        return found or ensure_default_persona(tenant=self.access.tenant)

    def show(self, request: PageRequest, slug: str, *, toasts: bool = False) -> HttpResponse:
        """The whole page, or the part of it that its buttons exchange."""
        part = is_refetch(request, "personality")
        template = "personality/_personality.html" if part else "personality/page.html"
        personas = list(list_personas(tenant=self.access.tenant).order_by("slug"))
        shown = self.context(self.choose_persona(personas, slug))
        return TemplateResponse(request, template, {**shown, "personas": personas, "toasts": toasts})

    def context(self, persona: Persona) -> dict[str, Any]:
        """What page.html shows."""
        found = read_personality(tenant=self.access.tenant, persona=persona, person_id=self.person.pk)
        fields = found.overlay.fields if found.overlay else {}
        shown = overlaid(persona, fields)
        return {
            "persona": persona,
            "shown": shown,
            "renamed": shown.name != persona.name,
            "changed": bool(fields),
            "traits": list_traits(shown, fields),
            "rules": own_rules(persona, fields),
            "directive": found.directive,
            "styles": found.styles,
            "waiting": found.waiting,
            "decided": found.decided,
            "story": [(revision, list_differences(revision)) for revision in found.revisions],
            "version": found.overlay.version if found.overlay else 0,
        }


class PersonalityPage(PersonalPage):
    """Who the agent is to me, what it learned of my style, and what came of my wishes."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.show(request, request.GET.get("persona", ""))


class OwnMannerPage(PersonalPage):
    """Choosing how the persona speaks with oneself alone."""

    def get(self, request: PageRequest) -> HttpResponse:
        persona = self.get_persona(request.GET.get("persona", ""))
        return self.show_form(request, self.form(persona))

    def post(self, request: PageRequest) -> HttpResponseBase:
        persona = self.get_persona(request.POST.get("persona", ""))
        form = self.form(persona, request.POST)
        if not (form.is_valid() and self.save(form)):
            return self.show_form(request, form, status=422)
        messages.success(request, gettext("Saved. It applies from the next answer on, to you alone."))
        return redirect(f"{resolve_url('personality:page', self.access.place)}?persona={persona.slug}")

    def form(self, persona: Persona, data: Any = None) -> OwnMannerForm:
        """As it stands, or as it was filled in."""
        overlay = find_overlay(tenant=self.access.tenant, persona=persona, person_id=self.person.pk)
        return OwnMannerForm(data, persona=persona, overlay=overlay)

    def save(self, form: OwnMannerForm) -> bool:
        """Whether it could be kept; the form says why not."""
        try:
            with transaction.atomic():
                choose_manner(
                    tenant=self.access.tenant,
                    persona=form.persona,
                    person=self.person,
                    chosen=form.chosen,
                    actor=self.access.actor,
                )
        except InvalidInput as error:
            form.add_error(error.field if error.field in form.fields else None, error.detail)
        return form.is_valid()

    def show_form(self, request: PageRequest, form: OwnMannerForm, status: int = 200) -> HttpResponse:
        """The page of the form."""
        shown = {"persona": form.persona, "form": form}
        return TemplateResponse(request, "personality/manner.html", shown, status=status)


class PersonalActionPage(PersonalPage):
    """A button on that page."""

    http_method_names = ["post"]

    def answer(self, request: PageRequest, persona: Persona) -> HttpResponseBase:
        """The part that changed for htmx; else back to the page."""
        if is_refetch(request):
            return self.show(request, persona.slug, toasts=True)
        address = resolve_url("personality:page", self.access.place)
        return redirect(f"{address}?persona={persona.slug}")


class UndoWishPage(PersonalActionPage):
    """Undo a wish that was fulfilled; one that waits is decided in the inbox."""

    def post(self, request: PageRequest, candidate_id: UUID) -> HttpResponseBase:
        persona = self.get_persona(request.POST.get("persona", ""))
        candidate = get_candidate(
            tenant=self.access.tenant, persona=persona, candidate_id=candidate_id, person_id=self.person.pk
        )
        try:
            with transaction.atomic():
                undo_candidate(tenant=self.access.tenant, candidate=candidate, actor=self.access.actor)
        except Conflict as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, gettext("Taken back."))
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
        messages.success(request, gettext("Done. You can go forward again in the history."))
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

"""Pages on which owners and admins say who their agents are. To everyone else they don't exist."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from nebo.errors import Conflict, InvalidInput
from nebo.tenants.pages import PageRequest, TenantPage
from personality.models import Persona
from personality.pages.forms import NewPersonaForm, PersonaForm
from personality.pages.own import read_number, read_story
from personality.personas.editing import (
    archive_persona,
    create_persona,
    ensure_default_persona,
    restore_persona,
    update_persona,
)
from personality.personas.files import FILE_NAMES
from personality.personas.rollback import roll_back_persona
from personality.personas.selectors import DEFAULT_SLUG, get_persona, list_personas


class TeamPage(TenantPage):
    """For owners and admins."""

    needs_person = False
    needs_manager = True

    def get_persona(self, slug: str) -> Persona:
        """A persona of the team, archived or not; raises NotFound."""
        if slug == DEFAULT_SLUG:
            return ensure_default_persona(tenant=self.access.tenant)
        return get_persona(tenant=self.access.tenant, slug=slug, archived=True)

    def address(self, persona: Persona) -> str:
        """Where its page is."""
        return resolve_url("personality:persona", self.access.place, persona.slug)


class PersonaListPage(TeamPage):
    """Every persona, and a new one."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.show(request, NewPersonaForm())

    def post(self, request: PageRequest) -> HttpResponseBase:
        form = NewPersonaForm(request.POST)
        if not form.is_valid():
            return self.show(request, form, status=422)
        fields = {"name": form.cleaned_data["name"]}
        try:
            with transaction.atomic():
                persona = create_persona(
                    tenant=self.access.tenant,
                    slug=form.cleaned_data["slug"],
                    fields=fields,
                    actor=self.access.actor,
                )
        except Conflict as error:
            form.add_error("slug", error.detail)
            return self.show(request, form, status=422)
        return redirect(self.address(persona))

    def show(self, request: PageRequest, form: NewPersonaForm, status: int = 200) -> HttpResponse:
        """The list with the form."""
        tenant = self.access.tenant
        ensure_default_persona(tenant=tenant)
        shown = {
            "personas": list_personas(tenant=tenant).order_by("slug"),
            "archived": list_personas(tenant=tenant, archived=True).order_by("slug"),
            "form": form,
        }
        return TemplateResponse(request, "personality/list.html", shown, status=status)


class PersonaPage(TeamPage):
    """One persona: its fields, and what it was."""

    def get(self, request: PageRequest, slug: str) -> HttpResponse:
        persona = self.get_persona(slug)
        return self.show(request, persona, PersonaForm(persona=persona))

    def post(self, request: PageRequest, slug: str) -> HttpResponseBase:
        persona = self.get_persona(slug)
        form = PersonaForm(request.POST, persona=persona)
        if not (form.is_valid() and self.save(form)):
            return self.show(request, persona, form, status=422)
        messages.success(request, _("Saved. It applies from the next answer on."))
        return redirect(self.address(persona))

    def save(self, form: PersonaForm) -> bool:
        """Whether it could be kept; the form says why not."""
        try:
            with transaction.atomic():
                update_persona(
                    tenant=self.access.tenant,
                    persona=form.persona,
                    changes=form.cleaned_data,
                    actor=self.access.actor,
                )
        except InvalidInput as error:
            form.add_error(error.field if error.field in form.fields else None, error.detail)
        return form.is_valid()

    def show(
        self, request: PageRequest, persona: Persona, form: PersonaForm, status: int = 200
    ) -> HttpResponse:
        """The form beside the history."""
        shown = {
            "persona": persona,
            "form": form,
            "files": [name.removesuffix(".md") for name in FILE_NAMES],
            "story": read_story(self, persona),
            "is_default": persona.slug == DEFAULT_SLUG,
        }
        return TemplateResponse(request, "personality/edit.html", shown, status=status)


class PersonaActionPage(TeamPage):
    """A button on a persona's page."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, slug: str) -> HttpResponseBase:
        persona = self.get_persona(slug)
        try:
            with transaction.atomic():
                notice = self.act(request, persona)
        except Conflict as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, notice)
        return redirect(self.address(persona))

    def act(self, request: PageRequest, persona: Persona) -> str:
        """Do it; what to say afterwards. Raises Conflict and NotFound."""
        raise NotImplementedError


class RollbackPage(PersonaActionPage):
    """Bring back what the persona was at a version."""

    def act(self, request: PageRequest, persona: Persona) -> str:
        to = read_number(request.POST.get("to", ""))
        roll_back_persona(tenant=self.access.tenant, persona=persona, to=to, actor=self.access.actor)
        return _("Back to version %(number)s, as a new version.") % {"number": to}


class ArchivePage(PersonaActionPage):
    """Nobody opens a conversation with it any more."""

    def act(self, request: PageRequest, persona: Persona) -> str:
        archive_persona(tenant=self.access.tenant, persona=persona, actor=self.access.actor)
        return _("Archived. Nobody opens a conversation with it any more.")


class RestorePage(PersonaActionPage):
    """It speaks again."""

    def act(self, request: PageRequest, persona: Persona) -> str:
        restore_persona(tenant=self.access.tenant, persona=persona, actor=self.access.actor)
        return _("Back from the archive.")

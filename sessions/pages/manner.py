"""What a prompt would say of a persona before that is saved, by the code that writes prompts."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.template.response import TemplateResponse

from nebo.tenants.models import UserProfile
from nebo.tenants.pages import PageRequest, TenantPage
from personality.models import Persona
from personality.overlays.overlay import decided_about, overlaid, own_rules
from personality.pages.forms import PersonaForm
from personality.pages.own import OwnMannerPage
from personality.pages.team import PersonaPage
from personality.personas.editing import EDITABLE
from personality.personas.selectors import list_files, render_prompt_files
from personality.styles.selectors import find_directive
from sessions.context.knowledge import speaks_of
from sessions.context.stable import SEPARATOR, TOOL_GUIDE, render_stable

SECTION_CHARS = 4_000  # of a section that a page shows
UNTITLED = "Who it is"  # the first section has no heading


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the prompt as it stands, and as it would be."""

    title: str
    before: str
    after: str

    @property
    def changed(self) -> bool:
        """Whether it would be another."""
        return self.before != self.after


def compare_prompts(before: str, after: str) -> list[Section]:
    """Section by section; those that would go come last."""
    old, new = _sections_of(before), _sections_of(after)
    titles = [*new, *(title for title in old if title not in new)]
    return [Section(title, old.get(title, ""), new.get(title, "")) for title in titles]


def _sections_of(prompt: str) -> dict[str, str]:
    """By title; what a prompt says of its tools is the same for all, and left out."""
    sections: dict[str, str] = {}
    for text in prompt.split(SEPARATOR):
        first, _, rest = text.partition("\n")
        title, body = (first.lstrip("# "), rest) if first.startswith("#") else (UNTITLED, text)
        if text != TOOL_GUIDE:
            sections[title] = body.strip()[:SECTION_CHARS]
    return sections


class PreviewPage(TenantPage):
    """The part of a form's page that says what would come of it. Nothing is kept."""

    http_method_names = ["post"]

    def preview(self, request: PageRequest, before: str, after: str) -> HttpResponse:
        """The part that htmx puts beside the form; a page of its own to whoever has no JavaScript."""
        shown = {"sections": compare_prompts(before, after)}
        template = "personality/_preview.html" if request.htmx else "personality/preview.html"
        return TemplateResponse(request, template, shown)

    def prompt(self, persona: Persona, fields: Mapping[str, Any], topics: Mapping[str, str]) -> str:
        """What a prompt begins with where the persona has these fields to the person; without what is known of them."""
        tenant = self.access.tenant
        directive = None
        if self.access.person is not None:
            person_id = self.access.person.pk
            directive = find_directive(tenant=tenant, person_id=person_id, persona_id=persona.pk)
        told = directive is not None and not speaks_of(directive, decided_about(persona, fields, topics))
        return render_stable(
            persona=overlaid(persona, fields),
            person=UserProfile(),
            directive=directive.value if directive is not None and told else "",
            known=(),
            own_rules=own_rules(persona, fields),
            files=render_prompt_files(persona, list_files(tenant=tenant, persona_id=persona.pk)),
        )


class PersonaPreviewPage(PreviewPage, PersonaPage):
    """Of the team's form, as whoever looks at it meets the persona without wishes of their own."""

    def post(self, request: PageRequest, slug: str) -> HttpResponse:
        persona = self.get_persona(slug)
        form = PersonaForm(request.POST, persona=persona)
        form.is_valid()
        changed = copy(persona)
        for name, value in form.cleaned_data.items():
            if name in EDITABLE:
                setattr(changed, name, value)
        return self.preview(request, self.prompt(persona, {}, {}), self.prompt(changed, {}, {}))


class OwnPreviewPage(PreviewPage, OwnMannerPage):
    """Of a person's own form, as they meet the persona."""

    def post(self, request: PageRequest) -> HttpResponse:
        persona = self.get_persona(request.POST.get("persona", ""))
        form = self.form(persona, request.POST)
        form.is_valid()
        held = {**form.own}
        wished = {name: value for name, value in {**held, **form.chosen}.items() if value}
        topics = form.topics
        return self.preview(request, self.prompt(persona, held, topics), self.prompt(persona, wished, topics))

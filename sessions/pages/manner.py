"""What a prompt would say of a persona before that is saved, by the code that writes prompts."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

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
from sessions.context.stable import render_sections

SECTION_CHARS = 4_000  # of a section that a page shows
TOOLS = "tool_guide"  # the name of a section
UNTITLED = _("Who it is")  # the first section has no heading


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


def compare_prompts(before: Mapping[str, str], after: Mapping[str, str]) -> list[Section]:
    """Section by section, those that would go last; without the one about tools, which is the same for all."""
    names = [*after, *(name for name in before if name not in after)]
    return [_section(before.get(name, ""), after.get(name, "")) for name in names if name != TOOLS]


def _section(before: str, after: str) -> Section:
    """With its heading as the title."""
    first = (after or before).partition("\n")[0]
    if not first.startswith("#"):
        return Section(gettext(UNTITLED), before[:SECTION_CHARS], after[:SECTION_CHARS])
    old, new = (text.partition("\n")[2].strip()[:SECTION_CHARS] for text in (before, after))
    return Section(first.lstrip("# "), old, new)


class PreviewPage(TenantPage):
    """The part of a form's page that says what would come of it. Nothing is kept."""

    http_method_names = ["post"]

    def preview(
        self, request: PageRequest, before: Mapping[str, str], after: Mapping[str, str]
    ) -> HttpResponse:
        """The part that htmx puts beside the form; a page of its own to whoever has no JavaScript."""
        shown = {"sections": compare_prompts(before, after)}
        template = "personality/_preview.html" if request.htmx else "personality/preview.html"
        return TemplateResponse(request, template, shown)

    def prompt(
        self, persona: Persona, fields: Mapping[str, Any], topics: Mapping[str, str]
    ) -> dict[str, str]:
        """What a prompt begins with where the persona has these fields to the person; without what is known of them."""
        tenant = self.access.tenant
        directive = None
        if self.access.person is not None:
            person_id = self.access.person.pk
            directive = find_directive(tenant=tenant, person_id=person_id, persona_id=persona.pk)
        told = directive is not None and not speaks_of(directive, decided_about(persona, fields, topics))
        return render_sections(
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

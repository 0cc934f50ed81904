"""The page of one of a persona's files: what it says, writing it, and what it said before."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.tenants.pages import PageRequest
from personality.models import Persona
from personality.pages.file_form import FileForm
from personality.pages.own import read_number
from personality.pages.team import TeamPage
from personality.personas.file_writing import write_files
from personality.personas.files import FileText
from personality.personas.selectors import get_file, list_file_revisions

VERSIONS_SHOWN = 20


class FilePage(TeamPage):
    """One file. A persona whose files are switched off says so, and has no form."""

    def get(self, request: PageRequest, slug: str, name: str) -> HttpResponse:
        persona = self.get_persona(slug)
        file = self.find_file(persona, name)
        return self.show(request, persona, file, name, FileForm(held=file) if file else None)

    def post(self, request: PageRequest, slug: str, name: str) -> HttpResponseBase:
        persona = self.get_persona(slug)
        file = self.find_file(persona, name)
        if file is None:
            return self.show(request, persona, file, name, None, status=422)
        if "to" in request.POST:
            return self.bring_back(request, persona, name)
        form = FileForm(request.POST, request.FILES, held=file)
        if not (form.is_valid() and self.save(form, persona, name)):
            return self.show(request, persona, file, name, form, status=422)
        messages.success(request, _("Saved. It applies from the next answer on."))
        return redirect(self.file_address(persona, name))

    def bring_back(self, request: PageRequest, persona: Persona, name: str) -> HttpResponseBase:
        """What the file said after a revision, as a new one."""
        number = read_number(request.POST["to"])
        revision = list_file_revisions(tenant=self.access.tenant, persona=persona, name=f"{name}.md")
        found = revision.filter(number=number).first()
        if found is None:
            raise NotFound
        try:
            self.write(persona, name, found.after["files"][f"{name}.md"])
        except (Conflict, InvalidInput) as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, _("Back to version %(number)s, as a new version.") % {"number": number})
        return redirect(self.file_address(persona, name))

    def save(self, form: FileForm, persona: Persona, name: str) -> bool:
        """Whether it could be kept; the form says why not."""
        try:
            self.write(persona, name, form.text)
        except (Conflict, InvalidInput) as error:
            form.add_error("content" if isinstance(error, InvalidInput) else None, error.detail)
        return form.is_valid()

    def write(self, persona: Persona, name: str, content: str) -> None:
        """All or nothing. Raises Conflict and InvalidInput."""
        with transaction.atomic():
            write_files(
                tenant=self.access.tenant,
                persona=persona,
                contents={f"{name}.md": content},
                actor=self.access.actor,
            )

    def find_file(self, persona: Persona, name: str) -> FileText | None:
        """None where the persona's files are switched off; raises NotFound for another name."""
        try:
            return get_file(tenant=self.access.tenant, persona=persona, name=f"{name}.md")
        except Conflict:
            return None

    def file_address(self, persona: Persona, name: str) -> str:
        """Where the page is."""
        return resolve_url("personality:file", self.access.place, persona.slug, name)

    def show(
        self,
        request: PageRequest,
        persona: Persona,
        file: FileText | None,
        name: str,
        form: FileForm | None,
        status: int = 200,
    ) -> HttpResponse:
        """The page; without a form where nothing can be written."""
        can_write = persona.file_sync == Persona.FileSync.IMPORT_EXPORT
        revisions = list_file_revisions(tenant=self.access.tenant, persona=persona, name=f"{name}.md")
        shown = {
            "persona": persona,
            "file": file,
            "name": f"{name}.md",
            "form": form if can_write else None,
            "versions": [(one, one.after["files"][f"{name}.md"]) for one in revisions[:VERSIONS_SHOWN]],
        }
        return TemplateResponse(request, "personality/file.html", shown, status=status)

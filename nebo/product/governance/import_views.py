"""Bring along what others know: choose a file, look first or bring it in, see how far it is, stop it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from nebo.errors import NeboError, NotFound
from nebo.product.governance.import_form import ImportForm
from nebo.product.governance.importing.requests import Upload, cancel_import, list_imports, request_import
from nebo.tenants.pages import PageRequest, TenantPage, is_refetch

SHOWN = 20  # imports, the newest


class ImportPage(TenantPage):
    """The form, and what is on its way; the list fetches itself again while something is."""

    def get(self, request: PageRequest) -> HttpResponse:
        if is_refetch(request, "imports"):
            return TemplateResponse(request, "governance/_imports.html", self.imports())
        return self.draw(request, ImportForm())

    def post(self, request: PageRequest) -> HttpResponse:
        form = ImportForm(request.POST, request.FILES)
        if not form.is_valid():
            return self.draw(request, form, status=422)
        try:
            self.bring_in(form, dry_run="look" in request.POST)
        except NeboError as error:
            form.add_error(None, error.detail)
            return self.draw(request, form, status=422)
        return redirect("governance:import", self.access.place)

    def bring_in(self, form: ImportForm, *, dry_run: bool) -> None:
        """Keep the file for the job. Raises NeboError."""
        data, name = form.brought
        upload = Upload(
            source=form.cleaned_data["source"],
            data=data,
            name=name,
            dry_run=dry_run,
            manages=self.access.manages,
            after_erasure=True,  # it is their own
        )
        request_import(tenant=self.access.tenant, person=self.person, upload=upload, actor=self.access.actor)

    def imports(self) -> dict[str, Any]:
        """The newest, and whether one is on its way."""
        rows = list_imports(tenant=self.access.tenant, person_id=self.person.pk)
        found = list(rows.order_by("-requested_at")[:SHOWN])
        return {"imports": found, "in_work": any(not one.outcome for one in found)}

    def draw(self, request: PageRequest, form: ImportForm, status: int = 200) -> HttpResponse:
        """The page, again with what was wrong."""
        shown = {**self.imports(), "form": form}
        return TemplateResponse(request, "governance/import.html", shown, status=status)


class StopImportPage(TenantPage):
    """Stop one; what has come in stays."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, import_id: UUID) -> HttpResponse:
        try:
            cancel_import(
                tenant=self.access.tenant,
                person_id=self.person.pk,
                import_id=import_id,
                actor=self.access.actor,
            )
        except NotFound:
            raise
        except NeboError as error:
            messages.info(request, error.detail)
        return redirect("governance:import", self.access.place)

"""A person's own data: take it along, read who did what with it, delete all of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from nebo.errors import Conflict, NotFound
from nebo.product.governance.activity import describe, list_activity
from nebo.product.governance.download import as_download
from nebo.product.governance.forms import EraseForm
from nebo.product.governance.receipt_words import list_what_went
from nebo.product.governance.services.erasure import get_erasure, request_erasure
from nebo.product.governance.services.exporting import get_export, list_exports, note_download, request_export
from nebo.product.workspace.confirming import confirm_address, has_confirmed
from nebo.tenants.pages import PageRequest, TenantPage, get_page, go, is_refetch

PAGE_SIZE = 50  # entries of the log
LATELY = 5  # entries on the page of one's data
KINDS = ("reads", "changes")


class DataPage(TenantPage):
    """What one can do with one's data; the exports fetch themselves again while one is being made."""

    def get(self, request: PageRequest) -> HttpResponse:
        part = is_refetch(request, "exports")
        shown = self.exports() if part else {**self.exports(), "lines": self.lately()}
        template = "governance/_exports.html" if part else "governance/data.html"
        return TemplateResponse(request, template, shown)

    def exports(self) -> dict[str, Any]:
        """Those that can be had, and whether one is being made."""
        rows = list_exports(tenant=self.access.tenant, person_id=self.person.pk)
        exports = list(rows.order_by("-requested_at"))
        return {"exports": exports, "in_work": any(export.ready_at is None for export in exports)}

    def lately(self) -> list[Any]:
        """The newest of the log."""
        rows = list_activity(tenant=self.access.tenant, person_id=self.person.pk)
        return describe(tenant=self.access.tenant, person_id=self.person.pk, entries=list(rows[:LATELY]))


class ExportPage(TenantPage):
    """Have a file made."""

    http_method_names = ["post"]

    def post(self, request: PageRequest) -> HttpResponse:
        request_export(tenant=self.access.tenant, person=self.person, actor=self.access.actor)
        return redirect("governance:data", self.access.place)


class DownloadPage(TenantPage):
    """The file."""

    def get(self, request: PageRequest, export_id: UUID) -> HttpResponseBase:
        tenant = self.access.tenant
        try:
            export = get_export(tenant=tenant, person_id=self.person.pk, export_id=export_id)
        except Conflict as error:
            raise NotFound from error
        note_download(tenant=tenant, export=export, actor=self.access.actor)
        return as_download(export)


class ErasePage(TenantPage):
    """What would go, and the form that asks for the name; only for who has shown just now that it is really they."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.draw(request, EraseForm(person=self.person))

    def post(self, request: PageRequest) -> HttpResponseBase:
        if not has_confirmed(request):
            return go(request, confirm_address(request))
        form = EraseForm(request.POST, person=self.person)
        if not form.is_valid():
            return self.draw(request, form, status=422)
        erasure = request_erasure(tenant=self.access.tenant, person=self.person, actor=self.access.actor)
        return redirect("governance:receipt", self.membership.slug, erasure.pk)

    def draw(self, request: PageRequest, form: EraseForm, status: int = 200) -> HttpResponse:
        """The page, again with what was wrong."""
        shown = {
            "form": form,
            "confirmed": has_confirmed(request),
            "confirm_address": confirm_address(request),
        }
        return TemplateResponse(request, "governance/erase.html", shown, status=status)


class ReceiptPage(TenantPage):
    """What an erasure removed, for whoever asked for it, and for owners and admins; the person is no more."""

    needs_person = False

    def get(self, request: PageRequest, erasure_id: UUID) -> HttpResponse:
        asked_by = None if self.access.manages else self.access.actor
        erasure = get_erasure(tenant=self.access.tenant, erasure_id=erasure_id, asked_by=asked_by)
        shown = {
            "erasure": erasure,
            "own": erasure.requested_by == str(self.access.actor),
            "went": list_what_went(erasure.receipt.get("counts", {})),
        }
        template = "governance/_receipt.html" if is_refetch(request, "receipt") else "governance/receipt.html"
        return TemplateResponse(request, template, shown)


class ActivityPage(TenantPage):
    """The whole log about the person, page by page."""

    reads = False  # a replica may not have the lines about reading yet

    def get(self, request: PageRequest) -> HttpResponse:
        wanted = request.GET.get("kind", "")
        kind = wanted if wanted in KINDS else ""
        tenant, person = self.access.tenant, self.person
        rows = list_activity(tenant=tenant, person_id=person.pk, kind=kind)
        page = get_page(rows, request, size=PAGE_SIZE)
        lines = describe(tenant=tenant, person_id=person.pk, entries=list(page.object_list))
        return TemplateResponse(
            request, "governance/activity.html", {"page": page, "lines": lines, "kind": kind}
        )

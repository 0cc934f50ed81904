"""The page of a team's settings, for its owners and admins. To everyone else it doesn't exist."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from nebo.product.governance.services.tenant_settings import change_settings
from nebo.product.governance.settings_form import SettingsForm
from nebo.tenants.pages import PageRequest, TenantPage


class SettingsPage(TenantPage):
    """What holds for all people of a team."""

    needs_person = False
    needs_manager = True

    def get(self, request: PageRequest) -> HttpResponse:
        return self.show(request, SettingsForm(tenant=self.access.tenant))

    def post(self, request: PageRequest) -> HttpResponseBase:
        form = SettingsForm(request.POST, tenant=self.access.tenant)
        if not form.is_valid():
            return self.show(request, form, status=422)
        change_settings(tenant=self.access.tenant, changes=form.changes, actor=self.access.actor)
        messages.success(request, _("Saved. It applies from now on."))
        return redirect("workspace:settings", self.access.place)

    def show(self, request: PageRequest, form: SettingsForm, status: int = 200) -> HttpResponse:
        """The form, again with what was wrong."""
        return TemplateResponse(request, "governance/settings.html", {"form": form}, status=status)

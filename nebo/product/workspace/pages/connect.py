"""The page on which somebody connects their own agents: a code to exchange, and what is connected."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from nebo.product.workspace.connect_codes import disconnect, list_connected, make_code
from nebo.tenants.models import ApiKey
from nebo.tenants.pages import PageRequest, TenantPage, is_refetch

MOST_SHOWN = 50


class ConnectPage(TenantPage):
    """For every member, for the person shown."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.draw(request)

    def post(self, request: PageRequest) -> HttpResponse:
        """A new code, which is shown this once."""
        return self.draw(request, make_code(tenant=self.access.tenant, person=self.person, user=request.user))

    def draw(self, request: PageRequest, code: str = "") -> HttpResponse:
        """The page, or the list on it, which fetches itself again while a code waits."""
        shown = {"code": code, "base_url": settings.BASE_URL, "connected": self.list_connected(request)}
        template = "workspace/_connected.html" if is_refetch(request) else "workspace/connect.html"
        return TemplateResponse(request, template, shown)

    def list_connected(self, request: PageRequest) -> list[ApiKey]:
        """Of the person shown alone."""
        own = list_connected(tenant=self.access.tenant, people_ids=[self.person.pk], user=request.user)
        return list(own[:MOST_SHOWN])


class DisconnectPage(TenantPage):
    """End the key of an agent."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, key_id: UUID) -> HttpResponseBase:
        key = disconnect(
            tenant=self.access.tenant,
            people_ids=self.access.people_ids,
            user=request.user,
            key_id=key_id,
            actor=self.access.actor,
        )
        messages.success(
            request, _("%(key)s is disconnected. Its key opens nothing any more.") % {"key": key}
        )
        return redirect("connect:page", self.access.place)

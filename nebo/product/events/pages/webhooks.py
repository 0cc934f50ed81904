"""The pages of a team's webhooks, for owners and admins. To everyone else they don't exist."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from nebo.errors import Conflict, InvalidInput
from nebo.product.events.deliveries import list_deliveries, redeliver
from nebo.product.events.endpoints import (
    IssuedSecret,
    NewEndpoint,
    change_endpoint,
    create_endpoint,
    delete_endpoint,
    get_endpoint,
    list_endpoints,
    rotate_secret,
    send_test,
)
from nebo.product.events.forms import EndpointForm, RotateSecretForm
from nebo.product.events.models import Endpoint
from nebo.tenants.pages import PageRequest, TenantPage, get_page, is_refetch

PAGE_SIZE = 25  # deliveries
LIST = "webhooks:list"
DETAIL = "webhooks:detail"


class EventsPage(TenantPage):
    """What all of them share."""

    needs_person = False
    needs_manager = True

    def show_once(self, request: PageRequest, issued: IssuedSecret) -> HttpResponse:
        """The page that has the secret; it is never drawn again."""
        shown = {"endpoint": issued.endpoint, "secret": issued.secret}
        return TemplateResponse(request, "events/secret.html", shown)

    def back(self, webhook_id: UUID) -> HttpResponseBase:
        return redirect(DETAIL, self.access.place, webhook_id)


class WebhooksPage(EventsPage):
    """All of them, and the form for a new one."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.draw(request, EndpointForm(label_suffix=""))

    def post(self, request: PageRequest) -> HttpResponseBase:
        form = EndpointForm(request.POST, label_suffix="")
        if form.is_valid():
            try:
                new = NewEndpoint(**form.cleaned_data)
                issued = create_endpoint(tenant=self.access.tenant, new=new, actor=self.access.actor)
            except (InvalidInput, Conflict) as refused:
                form.add_error("url", refused.detail)
            else:
                return self.show_once(request, issued)
        return self.draw(request, form, status=422)

    def draw(self, request: PageRequest, form: EndpointForm, status: int = 200) -> HttpResponse:
        """The list with the form, again with what was wrong."""
        shown = {"form": form, "endpoints": list_endpoints(tenant=self.access.tenant)}
        return TemplateResponse(request, "events/list.html", shown, status=status)


class WebhookPage(EventsPage):
    """One of them with the log of its deliveries, which fetches itself again."""

    def get(self, request: PageRequest, webhook_id: UUID) -> HttpResponse:
        return self.draw(request, webhook_id)

    def draw(self, request: PageRequest, webhook_id: UUID, status: int = 200, **forms: Any) -> HttpResponse:
        """The page, again with what was wrong."""
        endpoint = get_endpoint(tenant=self.access.tenant, endpoint_id=webhook_id)
        rows = list_deliveries(tenant=self.access.tenant, endpoint_id=webhook_id)
        page = get_page(rows, request, size=PAGE_SIZE)
        shown = {
            "endpoint": endpoint,
            "page": page,
            "entries": [(one, one.log[-1] if one.log else None) for one in page.object_list],
            "edit_form": EndpointForm(initial=_initial(endpoint), label_suffix=""),
            "rotate_form": RotateSecretForm(label_suffix=""),
            **forms,
        }
        template = "events/_deliveries.html" if is_refetch(request, "deliveries") else "events/detail.html"
        return TemplateResponse(request, template, shown, status=status)


def _initial(endpoint: Endpoint) -> dict[str, Any]:
    return {"url": endpoint.url, "description": endpoint.description, "events": endpoint.events}


class EditPage(WebhookPage):
    """Another address, or another choice of events."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, webhook_id: UUID) -> HttpResponseBase:
        get_endpoint(tenant=self.access.tenant, endpoint_id=webhook_id)
        form = EndpointForm(request.POST, label_suffix="")
        if form.is_valid():
            try:
                self.change(webhook_id, **form.cleaned_data)
            except InvalidInput as refused:
                form.add_error("url", refused.detail)
            else:
                messages.success(request, _("Saved."))
                return self.back(webhook_id)
        return self.draw(request, webhook_id, status=422, edit_form=form)

    def change(self, webhook_id: UUID, **changes: Any) -> None:
        """As the API does it."""
        change_endpoint(
            tenant=self.access.tenant, endpoint_id=webhook_id, changes=changes, actor=self.access.actor
        )


class PausePage(EditPage):
    """Send nothing for now; what happens meanwhile is kept."""

    def post(self, request: PageRequest, webhook_id: UUID) -> HttpResponseBase:
        self.change(webhook_id, state=Endpoint.State.PAUSED)
        messages.success(request, _("Paused. What happens meanwhile is sent when you resume."))
        return self.back(webhook_id)


class ResumePage(EditPage):
    """Send again, from what waits on."""

    def post(self, request: PageRequest, webhook_id: UUID) -> HttpResponseBase:
        self.change(webhook_id, state=Endpoint.State.ACTIVE)
        messages.success(request, _("Switched on. What waited is sent now."))
        return self.back(webhook_id)


class TestPage(EventsPage):
    """Send an event that says nothing but that it is one."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, webhook_id: UUID) -> HttpResponseBase:
        try:
            send_test(tenant=self.access.tenant, endpoint_id=webhook_id)
        except Conflict as refused:
            messages.error(request, refused.detail)
        else:
            messages.success(
                request, _("A test is on its way. What came of it appears below within seconds.")
            )
        return self.back(webhook_id)


class RotatePage(WebhookPage):
    """A new secret in the place of the old one."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, webhook_id: UUID) -> HttpResponseBase:
        get_endpoint(tenant=self.access.tenant, endpoint_id=webhook_id)
        form = RotateSecretForm(request.POST, label_suffix="")
        if not form.is_valid():
            return self.draw(request, webhook_id, status=422, rotate_form=form)
        issued = rotate_secret(
            tenant=self.access.tenant,
            endpoint_id=webhook_id,
            hours=form.cleaned_data["hours"],
            actor=self.access.actor,
        )
        return self.show_once(request, issued)


class DeletePage(EventsPage):
    """Remove it with its log."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, webhook_id: UUID) -> HttpResponseBase:
        delete_endpoint(tenant=self.access.tenant, endpoint_id=webhook_id, actor=self.access.actor)
        messages.success(request, _("Removed. Nothing is sent there any more."))
        return redirect(LIST, self.access.place)


class RedeliverPage(EventsPage):
    """Send one delivery once more."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, webhook_id: UUID, delivery_id: UUID) -> HttpResponseBase:
        try:
            redeliver(tenant=self.access.tenant, endpoint_id=webhook_id, delivery_id=delivery_id)
        except Conflict as refused:
            messages.error(request, refused.detail)
        else:
            messages.success(request, _("On its way once more."))
        return self.back(webhook_id)

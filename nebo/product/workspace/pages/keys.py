"""The pages of a team's keys, for owners and admins. To everyone else they don't exist."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from nebo.errors import Conflict
from nebo.product.workspace.forms import KeyForm, RotateForm
from nebo.product.workspace.keys import KeyTerms, end_key, get_key, list_keys, make_team_key, rotate_key
from nebo.tenants.keys import SCOPES
from nebo.tenants.models import ApiKey
from nebo.tenants.pages import PageRequest, TenantPage, get_page
from nebo.tenants.pause_form import PauseForm
from nebo.tenants.pauses import Thing, get_standing
from nebo.tenants.services import IssuedKey

PAGE_SIZE = 50
LIST = "keys:list"


def is_usable(key: ApiKey) -> bool:
    """Whether it still opens the door."""
    return key.revoked_at is None and (key.expires_at is None or key.expires_at > timezone.now())


class KeyPage(TenantPage):
    """What all of them share."""

    needs_person = False
    needs_manager = True

    def shown(self, key: ApiKey, form: RotateForm) -> dict[str, Any]:
        """What the page of a key has: its rotation, and its pause for everybody."""
        thing = Thing(key_id=key.pk)
        pause = get_standing(tenant=self.access.tenant, thing=thing) if key.is_paused else None  # type: ignore[attr-defined]
        return {
            "key": key,
            "usable": is_usable(key),
            "form": form,
            "pause": pause,
            "pause_form": PauseForm(pause=pause),
        }

    def show_once(self, request: PageRequest, issued: IssuedKey, **more: Any) -> HttpResponse:
        """The page that has the key's text; it is never drawn again."""
        shown = {"key": issued.key, "secret": issued.secret, "base_url": settings.BASE_URL, **more}
        return TemplateResponse(request, "workspace/key_made.html", shown)


class KeysPage(KeyPage):
    """All keys, and the form for a new one."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.draw(request, KeyForm(label_suffix=""))

    def post(self, request: PageRequest) -> HttpResponseBase:
        form = KeyForm(request.POST, label_suffix="")
        if not form.is_valid():
            return self.draw(request, form, status=422)
        asked = form.cleaned_data
        issued = make_team_key(
            tenant=self.access.tenant,
            name=asked["name"],
            scopes=SCOPES[: SCOPES.index(asked["scope"]) + 1],
            person=asked["person"],
            terms=KeyTerms(asked["days"], asked["trust"]),
            actor=self.access.actor,
            created_by=request.user,
        )
        return self.show_once(request, issued)

    def draw(self, request: PageRequest, form: KeyForm, status: int = 200) -> HttpResponse:
        """The list with the form, again with what was wrong."""
        page = get_page(list_keys(tenant=self.access.tenant), request, size=PAGE_SIZE)
        rows = [(key, is_usable(key)) for key in page.object_list]
        shown = {"form": form, "page": page, "rows": rows}
        return TemplateResponse(request, "workspace/keys.html", shown, status=status)


class KeyDetailPage(KeyPage):
    """One key: what it may, who made it, when it was used; exchange and end it."""

    def get(self, request: PageRequest, key_id: UUID) -> HttpResponse:
        key = get_key(tenant=self.access.tenant, key_id=key_id)
        shown = self.shown(key, RotateForm(label_suffix=""))
        return TemplateResponse(request, "workspace/key.html", shown)


class RotatePage(KeyPage):
    """A new key in the place of an old one."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, key_id: UUID) -> HttpResponseBase:
        old = get_key(tenant=self.access.tenant, key_id=key_id)
        form = RotateForm(request.POST, label_suffix="")
        if not form.is_valid():
            shown = self.shown(old, form)
            return TemplateResponse(request, "workspace/key.html", shown, status=422)
        try:
            issued = rotate_key(
                tenant=self.access.tenant,
                key_id=key_id,
                hours=form.cleaned_data["hours"],
                actor=self.access.actor,
                created_by=request.user,
            )
        except Conflict as error:
            messages.error(request, error.detail)
            return redirect(LIST, self.access.place)
        return self.show_once(request, issued, old=get_key(tenant=self.access.tenant, key_id=key_id))


class RevokePage(KeyPage):
    """End a key."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, key_id: UUID) -> HttpResponseBase:
        try:
            key = end_key(tenant=self.access.tenant, key_id=key_id, actor=self.access.actor)
        except Conflict as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, _("%(key)s is revoked. It opens nothing any more.") % {"key": key})
        return redirect(LIST, self.access.place)

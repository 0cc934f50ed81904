"""The way in: which tenant, its home, the first call, and whose memories one looks at."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.cache import patch_cache_control
from django.views import View

from memories.pages.finder import list_visible
from nebo.product.dashboard.shell import Shell
from nebo.product.dashboard.start_lines import StartLines, start_lines
from nebo.tenants.access import choose_person
from nebo.tenants.pages import HOME, PageRequest, TenantPage, is_own, sign_in
from nebo.tenants.selectors import find_newest_key, list_memberships
from sessions.selectors import list_seen_sessions

RECENT_MEMORIES = 6
RECENT_SESSIONS = 4


class StartPage(View):
    """`/`: to the first of the login's tenants."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        page_request = cast(PageRequest, request)
        if not request.user.is_authenticated:
            return sign_in(page_request)
        memberships = list_memberships(page_request.user)
        if memberships:
            return redirect(HOME, memberships[0].slug)
        response = TemplateResponse(request, "dashboard/no_team.html")
        patch_cache_control(response, private=True, no_store=True)
        return response


class HomePage(TenantPage):
    """What is known and what happened last; before that, how to begin."""

    needs_person = False

    def get(self, request: PageRequest) -> HttpResponse:
        if self.access.person is None:
            return TemplateResponse(request, "dashboard/nobody.html")
        return TemplateResponse(request, "dashboard/home.html", self.context())

    def context(self) -> dict[str, Any]:
        """What home.html shows."""
        tenant, person, shell = self.access.tenant, self.person, Shell(self.access)
        memories = list_visible(tenant=tenant, person_id=person.pk)
        sessions = list_seen_sessions(tenant=tenant, person_id=person.pk)
        return {
            "shell": shell,
            "first_call_at": tenant.first_call_at,
            "recent": memories.order_by("-updated_at", "-id")[:RECENT_MEMORIES],
            "recent_sessions": sessions[:RECENT_SESSIONS],
            "figures": {
                "memories": memories.count(),
                "sessions": sessions.count(),
                "in_review": shell.in_review,
                "given_up": shell.given_up,
            },
            "start": self.start_lines(),
        }

    def start_lines(self) -> StartLines:
        """With the newest key, for those who may know of it."""
        tenant = self.access.tenant
        key = find_newest_key(tenant=tenant) if self.access.manages else None
        user = self.person.external_id
        return start_lines(base_url=settings.BASE_URL, slug=tenant.slug, user=user, key=key)


class FirstCallPage(TenantPage):
    """The part of home that waits for the first call, and turns green."""

    needs_person = False

    def get(self, request: PageRequest) -> HttpResponse:
        shown = {"first_call_at": self.access.tenant.first_call_at}
        return TemplateResponse(request, "dashboard/_first_call.html", shown)


class ChoosePersonPage(TenantPage):
    """Look at the memories of another of one's own people."""

    http_method_names = ["post"]

    def post(self, request: PageRequest) -> HttpResponse:
        choose_person(session=request.session, access=self.access, person_id=request.POST.get("person", ""))
        back = request.POST.get("next", "")
        return redirect(back if is_own(request, back) else resolve_url(HOME, self.membership.slug))

"""The way in: which tenant, its home, the first call, and whose memories one looks at."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views import View

from memories.pages.finder import list_visible
from nebo.product.dashboard.shell import Shell
from nebo.product.dashboard.start_lines import StartLines, start_lines
from nebo.product.governance.services.erasure import list_erasures
from nebo.product.workspace.forms import StandForForm
from nebo.product.workspace.keys import make_team_key
from nebo.product.workspace.members import get_own_id
from nebo.product.workspace.signing_up import FOUNDED
from nebo.tenants.pages import HOME, PageRequest, TenantPage, sign_in
from nebo.tenants.pauses import with_session_pause
from nebo.tenants.selectors import count_together, find_newest_key, list_memberships
from nebo.tenants.services import IssuedKey
from sessions.selectors import list_spoken_sessions

RECENT_MEMORIES = 6
RECENT_SESSIONS = 4
FIRST_KEY_NAME = _("First key")
FIRST_MEMORIES = 3
RECEIPTS = 3  # of erasures, shown to whoever asked for them
LAST_TEAM = "nebo.team"  # in the browser's session: the slug of the team looked at last


class StartPage(View):
    """`/`: to the team looked at last, else the first of the login's."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        page_request = cast(PageRequest, request)
        if not request.user.is_authenticated:
            return sign_in(page_request)
        memberships = list_memberships(page_request.user)
        if memberships:
            wanted = request.session.get(LAST_TEAM)
            places = sorted(memberships, key=lambda one: (not one.is_active, one.slug != wanted, one.name))
            return redirect(HOME, places[0].slug)
        response = TemplateResponse(request, "dashboard/no_team.html")
        patch_cache_control(response, private=True, no_store=True)
        return response


class HomePage(TenantPage):
    """What is known and what happened last; before that, how to begin."""

    needs_person = False

    def get(self, request: PageRequest) -> HttpResponse:
        several = len(self.access.memberships) > 1
        if several and request.session.get(LAST_TEAM) != self.membership.slug:
            request.session[LAST_TEAM] = self.membership.slug
        if self.access.person is None:
            return TemplateResponse(request, "dashboard/nobody.html", self.to_be_linked(request))
        return TemplateResponse(request, "dashboard/home.html", self.context())

    def to_be_linked(self, request: PageRequest) -> dict[str, Any]:
        """What nobody.html shows: those who may, link a person themselves."""
        asked = list_erasures(tenant=self.access.tenant, asked_by=self.access.actor)[:RECEIPTS]
        if not self.access.manages:
            return {"erasures": asked}
        own = get_own_id(tenant=self.access.tenant, user=request.user)
        return {"erasures": asked, "own_membership": own, "form": StandForForm(label_suffix="")}

    def context(self) -> dict[str, Any]:
        """What home.html shows."""
        tenant, person, shell = self.access.tenant, self.person, Shell(self.access, self.request)
        memories = list_visible(tenant=tenant, person_id=person.pk)
        sessions = list_spoken_sessions(tenant=tenant, person_id=person.pk)
        known, talks = count_together(tenant, memories, sessions)
        return {
            "shell": shell,
            "first_call_at": tenant.first_call_at,
            "recent": memories.order_by("-created_at", "-id")[:RECENT_MEMORIES],
            "recent_sessions": with_session_pause(sessions, tenant=tenant)[:RECENT_SESSIONS],
            "figures": {
                "memories": known,
                "sessions": talks,
                "in_review": shell.in_review,
                "given_up": shell.given_up,
            },
            "start": self.start_lines(),
        }

    def start_lines(self, issued: IssuedKey | None = None) -> StartLines:
        """With the key that was just made, or the newest one for those who may know of it."""
        tenant = self.access.tenant
        newest = find_newest_key(tenant=tenant) if self.access.manages and not issued else None
        return start_lines(
            base_url=settings.BASE_URL,
            user=self.person.external_id,
            key=issued.key if issued else newest,
            secret=issued.secret if issued else "",
        )


class FirstKeyPage(HomePage):
    """Make a key, and show it in the lines to copy; like every key it is shown once."""

    http_method_names = ["get", "post"]
    needs_person = True
    needs_manager = True

    def get(self, request: PageRequest) -> HttpResponse:
        """Once, for whoever has just made the team; then the key is shown no more."""
        if request.session.pop(FOUNDED, "") != self.membership.slug:
            return redirect("dashboard:home", self.access.place)
        return self.post(request)

    def post(self, request: PageRequest) -> HttpResponse:
        issued = make_team_key(
            tenant=self.access.tenant,
            name=gettext(FIRST_KEY_NAME),
            scopes=("read", "write"),
            actor=self.access.actor,
            created_by=request.user,
        )
        shown = {
            "first_call_at": self.access.tenant.first_call_at,
            "start": self.start_lines(issued),
        }
        return TemplateResponse(request, "dashboard/start.html", shown)


class FirstCallPage(TenantPage):
    """The part of home that waits for the first call, and turns green."""

    needs_person = False

    def get(self, request: PageRequest) -> HttpResponse:
        tenant, person = self.access.tenant, self.access.person
        arrived = tenant.first_call_at is not None and person is not None
        rows = list_visible(tenant=tenant, person_id=person.pk) if person and arrived else None
        learned = list(rows.order_by("-created_at")[:FIRST_MEMORIES]) if rows is not None else []
        shown = {
            "first_call_at": tenant.first_call_at,
            "learned": learned,
            "waits_for_memory": arrived and not learned,
        }
        return TemplateResponse(request, "dashboard/_first_call.html", shown)


class LivePage(TenantPage):
    """What an open page asks now and then: 304 while nothing is new, else the figures that stand in every page."""

    needs_person = False

    def get(self, request: PageRequest) -> HttpResponse:
        shell = Shell(self.access)
        tag = shell.live_tag
        if request.headers.get("If-None-Match") == tag:
            return HttpResponse(status=304, headers={"ETag": tag})
        return TemplateResponse(request, "dashboard/_counts.html", {"shell": shell}, headers={"ETag": tag})

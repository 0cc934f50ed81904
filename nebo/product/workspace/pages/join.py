"""`/join/`: where the link of an invitation leads.

The secret stands behind the # of the address, so the browser does not send it. A script puts it into the form; without
scripts one pastes it. Once it was right, the session remembers which invitation it was, never the secret.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views import View

from nebo.errors import Conflict, NotFound
from nebo.middleware import request_id_of
from nebo.product.workspace.invitations import accept, find_held_invitation, find_invitation
from nebo.product.workspace.signing_up import HELD, may_sign_up
from nebo.tenants.pages import HOME

GONE = _("This invitation opens nothing. It was used, has expired or was taken back. Ask for a new one.")


class JoinPage(View):
    """The invitation one holds, or the form that takes one; `post` with a code holds it, without one accepts it."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        patch_cache_control(response, private=True, no_store=True)
        return response

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.draw(request)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        if "code" in request.POST:
            return self.hold(request, request.POST["code"])
        return self.accept(request)

    def hold(self, request: HttpRequest, code: str) -> HttpResponseBase:
        """Remember the invitation until its holder has signed in or up."""
        found = find_invitation(code.rpartition("#")[2])
        if found is None:
            request.session.pop(HELD, None)
            return self.draw(request, problem=gettext(GONE), status=422)
        request.session[HELD] = found.public_id
        return redirect("join")

    def accept(self, request: HttpRequest) -> HttpResponseBase:
        """Join, and go home there."""
        found = find_held_invitation(request.session.get(HELD, ""))
        if not request.user.is_authenticated:
            return redirect("join")
        if found is None:
            return self.draw(request, problem=gettext(GONE), status=422)
        try:
            accept(found=found, user=request.user, request_id=request_id_of(request))
        except NotFound:
            return self.draw(request, problem=gettext(GONE), status=422)
        except Conflict as known:
            messages.info(request, known.detail)
        request.session.pop(HELD, None)
        return redirect(HOME, found.slug)

    def draw(self, request: HttpRequest, problem: str = "", status: int = 200) -> HttpResponse:
        """The page; what is no invitation looks the same whatever it was."""
        found = None if problem else find_held_invitation(request.session.get(HELD, ""))
        shown = {"found": found, "problem": problem, "may_sign_up": may_sign_up(is_invited=True)}
        return TemplateResponse(request, "workspace/join.html", shown, status=status)

"""A form whose token counts no more, since its page stood open while somebody signed in anew: nothing was done.

What was typed is shown again, and can be sent with a new token. Only for a form that this very site's page sent: one
from elsewhere must not come to a button here.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

from nebo.tenants.selectors import is_id

TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the name of a field


def refuse(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403, as Django calls it (`CSRF_FAILURE_VIEW`). In the middle of a page, that page is fetched anew; its script
    then fills in what was typed (`drafts.js`).
    """
    if not _is_ours(request):
        return render(request, "403_csrf.html", status=403)
    if request.headers.get("HX-Request"):
        response = HttpResponseClientRefresh()
        response.status_code = 403
        return response
    typed = [(name, value) for name in request.POST for value in request.POST.getlist(name) if name != TOKEN]
    shown = {
        "typed": typed,
        "words": [(name, value) for name, value in typed if not _is_for_programs(value)],
        "again": request.get_full_path(),
        "files": bool(request.FILES),
    }
    return render(request, "403_csrf.html", shown, status=403)


def _is_for_programs(value: str) -> bool:
    """Whether it tells people nothing: an id, alone or with a version, or a number."""
    return not value.strip() or value.isdecimal() or is_id(value.partition(".")[0])


def _is_ours(request: HttpRequest) -> bool:
    """Sent by a page below `/t/`, to one, by somebody who is signed in."""
    origin = f"{request.scheme}://{request.get_host()}"
    return (
        request.user.is_authenticated
        and request.path.startswith("/t/")
        and request.headers.get("Origin") == origin
    )

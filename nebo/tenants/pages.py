"""Pages of a tenant: only for its members, drawn inside its scope, never kept by a cache in between."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar, cast

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views import View
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from nebo.errors import NotFound
from nebo.tenants.access import TenantAccess, get_membership, open_access
from nebo.tenants.models import TenantModel, User, UserProfile
from nebo.tenants.places import split_place
from nebo.tenants.reading import read_in_scope
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import MembershipInfo, list_memberships
from nebo.time_zones import in_zone

M = TypeVar("M", bound=TenantModel)
SAFE = ("GET", "HEAD")
PAGE_DIGITS = 6  # of the number of a page; a longer one names none
HOME = "dashboard:home"  # by name: the dashboard stands above everything


class PageRequest(HttpRequest):
    """A request as the middleware leaves it for somebody who is signed in."""

    htmx: HtmxDetails
    user: User


class TenantPage(View):
    """A page below `/t/<place:tenant>/`.

    `prepare` runs first, with no transaction open: models are asked there. Then `get` or `post` runs, and its
    template is rendered, inside the tenant's scope. NotFound becomes the same 404 for missing and forbidden.
    Where a login stands for several people and the address names none, a page is led to the first of them, and what
    would act on somebody is not found.
    """

    needs_person = True  # a login without one is led home, where it reads how to be linked
    reads = True  # a GET may be answered by a replica
    needs_manager = False  # to everyone but owners and admins it doesn't exist
    membership: MembershipInfo
    access: TenantAccess

    @property
    def person(self) -> UserProfile:
        """Whose memories are shown; raises NotFound where the login stands for nobody."""
        if self.access.person is None:
            raise NotFound
        return self.access.person

    def prepare(self, request: PageRequest) -> None:
        """What must happen outside the transaction; results are kept on the page."""

    def dispatch(self, request: HttpRequest, *args: Any, tenant: str, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            response = self._access(cast(PageRequest, request), tenant, kwargs)
        else:
            response = sign_in(cast(PageRequest, request))
        patch_vary_headers(response, ["HX-Request"])
        patch_cache_control(response, private=True, no_store=True)
        return response

    def _access(self, request: PageRequest, place: str, kwargs: dict[str, Any]) -> HttpResponseBase:
        slug, handle = split_place(place)
        try:
            memberships = list_memberships(request.user)
            self.membership = get_membership(memberships=memberships, slug=slug)
            if not self.membership.is_active:
                return show_suspended(request, self.membership, memberships)
            self.prepare(request)
            act = partial(self._open, request, memberships, handle, kwargs)
            if self.reads and request.method in SAFE:
                return read_in_scope(self.membership.tenant_id, act)
            with tenant_scope(self.membership.tenant_id):
                return act()
        except NotFound as error:
            raise Http404 from error

    def _open(
        self,
        request: PageRequest,
        memberships: Sequence[MembershipInfo],
        handle: str,
        kwargs: dict[str, Any],
    ) -> HttpResponseBase:
        self.access = open_access(
            request=request,
            user=request.user,
            membership=self.membership,
            memberships=memberships,
            handle=handle,
        )
        with in_zone(self.access.person.timezone if self.access.person else ""):
            return self._draw(request, kwargs)

    def _draw(self, request: PageRequest, kwargs: dict[str, Any]) -> HttpResponseBase:
        if self.needs_manager and not self.access.manages:
            raise NotFound
        if len(self.access.people) > 1 and not self.access.is_named:
            if request.method == "GET" and not request.htmx:
                return redirect(self._with_person(request))
            if self.needs_person:
                raise NotFound
        if self.needs_person and self.access.person is None:
            return go(request, resolve_url(HOME, self.membership.slug))
        response = super().dispatch(request, **kwargs)
        return response.render() if isinstance(response, TemplateResponse) else response

    def _with_person(self, request: PageRequest) -> str:
        """The address asked for, with the person it is about."""
        slug = self.membership.slug
        return request.get_full_path().replace(f"/t/{slug}/", f"/t/{self.access.place}/", 1)


def show_suspended(
    request: PageRequest, membership: MembershipInfo, memberships: Sequence[MembershipInfo]
) -> HttpResponse:
    """To its members, a suspended team says what it is; to everyone else it doesn't exist."""
    others = [one for one in memberships if one.is_active]
    shown = {"team": membership, "others": others}
    return TemplateResponse(request, "dashboard/suspended.html", shown, status=403).render()


def sign_in(request: PageRequest) -> HttpResponse:
    """To the login page and back again: to a page, never to a fragment or an action."""
    is_page = request.method == "GET" and not request.htmx
    back = request.get_full_path() if is_page else way_back(request, default="")
    address = resolve_url(settings.LOGIN_URL)
    return go(request, f"{address}?{urlencode({'next': back})}" if back else address)


def go(request: PageRequest, address: str) -> HttpResponse:
    """Send the browser to another page, also from the middle of one: htmx must not swap it into a fragment."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def way_back(request: PageRequest, *, default: str) -> str:
    """The page of ours that sent this request, else `default`."""
    came_from = request.htmx.current_url_abs_path or request.headers.get("Referer", "")
    return came_from if is_own(request, came_from) else default


def is_own(request: HttpRequest, address: str) -> bool:
    """Whether an address leads to this very site."""
    hosts = {request.get_host()}
    return url_has_allowed_host_and_scheme(address, hosts, require_https=request.is_secure())


def is_refetch(request: PageRequest, target: str = "") -> bool:
    """Whether htmx asks for a part of the page (the one with the id `target`, if named), not for all of it."""
    htmx = request.htmx
    return bool(htmx) and not htmx.history_restore_request and target in ("", htmx.target)


def get_page(rows: QuerySet[M], request: HttpRequest, *, size: int, count: int | None = None) -> Page[M]:
    """The page that `?page=` names, or the nearest there is. Rows that carry their number as `total` are found and
    counted by one statement; `count` is their number where it is known.
    """
    asked = request.GET.get("page", "")
    pages = Paginator(rows, size)
    if count is not None:
        pages.__dict__["count"] = count
    if "total" not in rows.query.annotations or len(asked) > PAGE_DIGITS:
        return pages.get_page(asked)
    number = max(int(asked), 1) if asked.isdecimal() else 1
    found = list(rows[(number - 1) * size : number * size])
    if not found and number > 1:
        return pages.get_page(asked)
    pages.__dict__["count"] = found[0].total if found else 0  # type: ignore[attr-defined]  # annotated
    return Page(found, number, pages)

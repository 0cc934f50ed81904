"""The admin site works on the operator's connection; what browsers write past a team's pages is noted for replicas."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from nebo.postgres.replica import has_replica
from nebo.tenants.positions import note_position
from nebo.tenants.scoping import operator_scope

ADMIN_PREFIX = "/admin/"
NOTED_ELSEWHERE = ("/api/", "/t/")  # by the scopes that they write in
SAFE = ("GET", "HEAD", "OPTIONS")


class OperatorMiddleware:
    """Opens `operator_scope` for staff inside /admin/, and for nobody else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not (
            request.path.startswith(ADMIN_PREFIX) and request.user.is_authenticated and request.user.is_staff
        ):
            return self.get_response(request)
        with operator_scope():
            return self.get_response(request)


class PositionMiddleware:
    """Logins, invitations and the admin site write to no tenant's scope: a replica must have it before it shows anybody
    anything.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        of_browser = bool(request.COOKIES) and not request.path.startswith(NOTED_ELSEWHERE)
        if has_replica() and of_browser and request.method not in SAFE:
            note_position()
        return response

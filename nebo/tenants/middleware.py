"""The admin site works on the operator's connection."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from nebo.tenants.scoping import operator_scope

ADMIN_PREFIX = "/admin/"


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

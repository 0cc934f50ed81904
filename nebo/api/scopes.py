"""What a key may call: each method of a view names the scope it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from nebo.errors import Forbidden
from nebo.tenants.selectors import Caller

if TYPE_CHECKING:  # REST framework reads this module while it is being imported itself
    from rest_framework.views import APIView


class HasScope(BasePermission):
    """A method without a scope is closed to every key; one the view does not have goes on to its 405."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not isinstance(request.user, Caller):
            raise NotAuthenticated
        method = "GET" if request.method == "HEAD" else str(request.method)
        if request.method not in view.allowed_methods:
            return True
        needed = getattr(view, "scopes", {}).get(method)
        if needed not in request.user.scopes:
            raise Forbidden(f"This needs a key with the scope {needed}." if needed else "")
        return True

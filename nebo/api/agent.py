"""The API for what speaks another protocol: its views, called within this process, with their own checks and
transactions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.problems import field_errors, problem
from nebo.api.serializers import StrictSerializer, parse
from nebo.api.views import TenantView
from nebo.errors import InvalidInput, NeboError, NotFound
from nebo.middleware import request_id_of
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import Caller, get_person
from nebo.tenants.services import ME

CALLER = "nebo.caller"  # where a request within this process carries whose key it is
CARRIED = ("SERVER_NAME", "SERVER_PORT", "HTTP_HOST", "REMOTE_ADDR", "wsgi.url_scheme", "nebo.request_id")
NOBODY = UUID(int=0)  # no person has this id


class Refused(Exception):
    """The API says no: its problem document."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.problem = problem
        super().__init__(problem["detail"])


class NoPerson(Exception):
    """Nobody was named whom the call could be about."""


class Known(BaseAuthentication):
    """The key has been looked at, at the door."""

    def authenticate(self, request: Request) -> tuple[Caller, None]:
        return request._request.META[CALLER], None


@dataclass(frozen=True, slots=True)
class Agent:
    """A key as it is used for one person.

    `caller` is bound to that person, so that everything of others is hidden from it; `maker`, of somebody who isn't
    there yet, may make them.
    """

    request: HttpRequest
    user: str
    caller: Caller
    maker: Caller

    @property
    def is_new(self) -> bool:
        """Whether nobody of this name has been heard of."""
        return self.caller.person_id == NOBODY

    def ask(
        self,
        view: type[TenantView],
        method: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        making: bool = False,
        **names: Any,
    ) -> Any:
        """What the API answers; raises Refused. `making` is for what makes somebody new, as the API does it."""
        inner = _request_like(self.request, method, body, query)
        inner.META[CALLER] = self.maker if making else self.caller
        answer = _entrance(view)(inner, **names)
        if answer.status_code >= 400:
            raise Refused(answer.data)
        return answer.data

    def check(self, takes: type[StrictSerializer], given: Mapping[str, Any]) -> dict[str, Any]:
        """The values as a serializer has them; raises Refused."""
        try:
            return parse(takes, given)
        except ValidationError as error:
            raise self.refuse(InvalidInput(errors=tuple(field_errors(error.detail)))) from error

    def refuse(self, error: NeboError) -> Refused:
        """An error as the API would have told it."""
        return Refused(problem(error, request_id_of(self.request)))

    def find_slug(self) -> str:
        """Of the team, as addresses of pages name it."""
        with tenant_scope(self.caller.tenant_id):
            return Tenant.objects.get(pk=self.caller.tenant_id).slug


def agent_for(request: HttpRequest, caller: Caller, user: str) -> Agent:
    """Raises NoPerson where neither the key nor the request names one."""
    if caller.person_id is not None:
        return Agent(request, user or ME, caller, caller)
    if not user:
        raise NoPerson
    try:
        with tenant_scope(caller.tenant_id):
            person_id = get_person(tenant=caller.tenant_id, external_id=user).pk
    except NotFound:
        return Agent(request, user, replace(caller, person_id=NOBODY), caller)
    bound = replace(caller, person_id=person_id)
    return Agent(request, user, bound, bound)


def _entrance(view: type[TenantView]) -> Callable[..., Response]:
    """The view, which counts no call: that was done at the door."""
    entrance: Callable[..., Response] = view.as_view(authentication_classes=[Known], throttle_classes=[])
    return entrance


def _request_like(
    outer: HttpRequest, method: str, body: Mapping[str, Any] | None, query: Mapping[str, Any] | None
) -> WSGIRequest:
    """Of the same request id and address, with nothing else of the client's: no header of its own reaches a view."""
    sent = b"" if body is None else json.dumps(body).encode()
    carried = {name: outer.META[name] for name in CARRIED if name in outer.META}
    return WSGIRequest(
        {
            **carried,
            "REQUEST_METHOD": method,
            "PATH_INFO": outer.path,
            "QUERY_STRING": urlencode(query or {}),
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(sent)),
            "wsgi.input": BytesIO(sent),
        }
    )

"""`POST /connect/`: a code for a key. Whoever calls has no key, so it stands beside the API; few tries are let in."""

from __future__ import annotations

import json
import math
from typing import Any

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, JsonResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from nebo.api.problems import CONTENT_TYPE, TooManyRequests, problem
from nebo.api.throttles import count_call
from nebo.errors import InvalidInput, NeboError, TooLarge
from nebo.middleware import request_id_of
from nebo.product.workspace.connect_codes import exchange

MOST_BYTES = 4_096
NAME_LENGTH = 200
TRIES_OF_ONE = "10/min"  # of one address
TRIES_OF_ALL = "300/min"


@method_decorator(csrf_exempt, name="dispatch")  # a command, not a browser
class ExchangeView(View):
    """`{"code", "name"}` in; the key, once, out."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest) -> JsonResponse:
        wait = seconds_to_wait(request)
        if wait:
            return refuse(request, TooManyRequests(), {"Retry-After": str(math.ceil(wait))})
        try:
            asked = read(request)
            made = exchange(code=asked["code"], name=asked["name"], request_id=request_id_of(request))
        except NeboError as error:
            return refuse(request, error)
        answer = {
            "key": made.secret,
            "key_id": str(made.key.pk),
            "scopes": made.key.scopes,
            "user": made.user,
            "workspace": made.workspace,
        }
        return JsonResponse(answer, status=201, headers={"Cache-Control": "no-store"})


def seconds_to_wait(request: HttpRequest) -> float:
    """0.0 where one more try is allowed; each counts, the good ones too."""
    address = get_adapter(request).get_client_ip(request)
    counted = (
        count_call("connect", str(address), TRIES_OF_ONE),
        count_call("connect-all", "", TRIES_OF_ALL),
    )
    return max(allowance.wait_s for allowance in counted if allowance)


def read(request: HttpRequest) -> dict[str, str]:
    """The body; raises InvalidInput, TooLarge."""
    if int(request.headers.get("Content-Length") or 0) > MOST_BYTES:
        raise TooLarge
    try:
        given = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The body is no JSON.") from error
    if not isinstance(given, dict) or set(given) - {"code", "name"}:
        raise InvalidInput("The body is an object with a code, and perhaps a name.")
    return {"code": _text(given, "code"), "name": _text({"name": "", **given}, "name")}


def _text(given: dict[str, Any], field: str) -> str:
    value = given.get(field)
    if not isinstance(value, str) or len(value) > NAME_LENGTH or not value.isprintable():
        raise InvalidInput(f"Must be a text of at most {NAME_LENGTH} characters.", field=field)
    return value


def refuse(request: HttpRequest, error: NeboError, headers: dict[str, str] | None = None) -> JsonResponse:
    """As the API says it."""
    body = problem(error, request_id_of(request))
    return JsonResponse(body, status=error.status, content_type=CONTENT_TYPE, headers=headers)

"""`/mcp` and `/mcp/u/{user}/`: one POST, one answer; nothing is kept between two of them.

There is no stream, since Nebo asks nothing of a client: GET and DELETE get 405.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from nebo.product.mcp.envelope import check_envelope, version_of
from nebo.product.mcp.methods import Exchange, answer
from nebo.product.mcp.protocol import (
    BATCH_VERSIONS,
    HTTP_STATUS,
    INVALID_REQUEST,
    MAX_BATCH,
    Json,
    RpcError,
    answer_json,
    id_of,
    read_message,
)
from nebo.product.mcp.transport import Unheard, check_form, count_message, open_door, read_json
from nebo.tenants.keys import SCOPES

PERSON_HEADER = "Nebo-User"


@method_decorator(csrf_exempt, name="dispatch")
class McpView(View):
    """The endpoint. A browser sends no key by itself, so that there is nothing for it to forge."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, user: str = "") -> HttpResponseBase:
        try:
            response: HttpResponse = respond(request, user)
        except RpcError as error:
            headers = error.headers if isinstance(error, Unheard) else {}
            response = _json(error.as_json(None), error.status or 400, headers)
        response["Cache-Control"] = "no-store"
        return response


def respond(request: HttpRequest, user: str) -> HttpResponse:
    """The whole answer; raises RpcError where no message could be answer from the body."""
    check_form(request)
    caller = open_door(request)
    value = read_json(request.body)
    version = version_of(request.headers)
    named = frozenset(name for name in (user, unquote(request.headers.get(PERSON_HEADER, ""))) if name)
    exchange = Exchange(request, caller, version, named)
    if isinstance(value, list):
        return _respond_to_batch(exchange, value)
    count_message(caller)
    answer = respond_to(exchange, value)
    return HttpResponse(status=202) if answer is None else _json(answer, _status_of(exchange, answer))


def _respond_to_batch(exchange: Exchange, values: list[Any]) -> HttpResponse:
    if exchange.version not in BATCH_VERSIONS:
        raise RpcError(INVALID_REQUEST, "Send one message at a time: this version has no batches.")
    if not 1 <= len(values) <= MAX_BATCH:
        raise RpcError(INVALID_REQUEST, f"A batch has 1 to {MAX_BATCH} messages.")
    for _ in values:
        count_message(exchange.caller)
    answers = [answer for answer in (respond_to(exchange, value) for value in values) if answer is not None]
    return _json(answers, 200) if answers else HttpResponse(status=202)


def respond_to(exchange: Exchange, value: Any) -> Json | None:
    """The answer to one message, which may be an error; None to what wants none."""
    try:
        message = read_message(value)
        if message is None or not message.is_request:
            return None
        check_envelope(message, exchange.version, exchange.request.headers)
        return answer_json(message, answer(exchange, message))
    except RpcError as error:
        return error.as_json(id_of(value))


def _status_of(exchange: Exchange, answer: Json) -> int:
    """Before 2026-07-28, an error is an answer like any other, unless it answers nothing that was asked."""
    if "error" not in answer:
        return 200
    if exchange.is_stateless:
        return HTTP_STATUS.get(answer["error"]["code"], 400)
    return 400 if answer["id"] is None else 200


def _json(value: Any, status: int, headers: Mapping[str, str] | None = None) -> JsonResponse:
    return JsonResponse(value, status=status, safe=False, encoder=DjangoJSONEncoder, headers=headers)


def show_metadata(request: HttpRequest, resource: str = "/mcp") -> HttpResponse:
    """What clients look for after a 401 (RFC 9728). No authorization server is named, as there is none: keys are
    issued in Nebo.
    """
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    return JsonResponse(
        {
            "resource": request.build_absolute_uri(resource),
            "resource_name": "Nebo",
            "bearer_methods_supported": ["header"],
            "scopes_supported": list(SCOPES),
        }
    )

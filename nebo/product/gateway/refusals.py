"""What the gateway itself refuses: a problem document, with the member in which clients of both providers look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse

from nebo.api.authentication import CHALLENGE
from nebo.api.problems import CONTENT_TYPE, Unauthenticated, problem
from nebo.errors import NeboError
from nebo.middleware import request_id_of

NO_KEY = (
    "Send a key of Nebo in the header X-Nebo-Key, or before the provider's key and a colon where only one key can be "
    "sent: nebo_…:sk-…. The provider's own key stays where it always is."
)
NO_PERSON = (
    "Whose memory? Send the header X-Nebo-User, use the address /gateway/u/ID/v1/…, or take a key that is bound to "
    "one person."
)


class ProviderUnreachable(NeboError):
    code = "provider-unreachable"
    title = "The provider can't be reached"
    status = 502


class ProviderTimeout(NeboError):
    code = "provider-timeout"
    title = "The provider didn't answer in time"
    status = 504


class TooManyAtOnce(NeboError):
    code = "too-many-at-once"
    title = "Too many completions at once"
    status = 503


def refuse(request: HttpRequest, error: NeboError, headers: Mapping[str, str] | None = None) -> JsonResponse:
    """The answer."""
    sent = dict(headers or {})
    if isinstance(error, Unauthenticated):
        sent["WWW-Authenticate"] = CHALLENGE
    return refuse_as(problem(error, request_id_of(request)), sent)


def refuse_as(document: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> JsonResponse:
    """The same of a problem document."""
    detail = "; ".join([str(document["detail"]), *(one["detail"] for one in document["errors"])])
    error = {"type": document["code"], "code": document["code"], "message": f"Nebo: {detail}"}
    sent = {"Cache-Control": "no-store", **(headers or {})}
    return JsonResponse(
        {**document, "error": error}, status=document["status"], content_type=CONTENT_TYPE, headers=sent
    )

"""Every error under /api/ as `application/problem+json` (RFC 9457), and nothing more than the caller may know."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, NotRequired, TypedDict

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation, ValidationError
from django.db import DatabaseError, DataError, IntegrityError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import UnreadablePostError
from django.urls import Resolver404, resolve
from django.views import defaults
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from nebo.api.pausing import PausedFields
from nebo.api.shapes import like, one_of
from nebo.errors import (
    Conflict,
    FieldError,
    Forbidden,
    InvalidInput,
    NeboError,
    NotFound,
    TooLarge,
    json_pointer,
)
from nebo.languages import language_for
from nebo.middleware import request_id_of
from nebo.reading.sensitive.kinds import CLASSES

log = structlog.get_logger(__name__)

CONTENT_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:nebo:problem:"
API_PREFIXES = (
    "/api/",
    "/mcp/",
    "/v1/",
    "/v2/",
    "/v3/",
    "/gateway/",
)  # below which an error is a problem document
RETRY_SECONDS = 1  # after a lost race or a lost connection
FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION = "23503", "23505"  # PostgreSQL, appendix A
ANSWERED = (  # exceptions that can have an answer of their own; all others are defects
    NeboError,
    exceptions.APIException,
    DatabaseError,
    Http404,
    PermissionDenied,
    SuspiciousOperation,
    ValidationError,
    UnreadablePostError,
)


class Unauthenticated(NeboError):
    """The same for an unknown, wrong, revoked or expired key, and for none at all."""

    code = "unauthenticated"
    title = "A valid key is needed"
    status = 401


class MethodNotAllowed(NeboError):
    code = "method-not-allowed"
    title = "This address does not answer that method"
    status = 405


class LengthRequired(NeboError):
    code = "length-required"
    title = "A body needs a Content-Length"
    status = 411


class UnsupportedMediaType(NeboError):
    code = "unsupported-media-type"
    title = "Send application/json"
    status = 415


class TooManyRequests(NeboError):
    code = "too-many-requests"
    title = "Too many requests"
    status = 429


class ServerError(NeboError):
    code = "server-error"
    title = "Something went wrong on our side"


class Unavailable(NeboError):
    code = "unavailable"
    title = "Not available at the moment"
    status = 503


class FieldProblemFields(TypedDict):
    """Where, and what."""

    pointer: Annotated[str, like("#/value", "Of the body, or `?name` of the query.")]
    detail: Annotated[str, like("This field may not be blank.")]


class ProblemFields(TypedDict):
    """RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    code: Annotated[str, like("", "What a program tells problems apart by; it stays.")]
    request_id: str
    errors: list[FieldProblemFields]
    paused: NotRequired[
        Annotated[PausedFields, like({"scope": "person", "until": None}, "Of `collection-paused`.")]
    ]
    sensitive_class: NotRequired[
        Annotated[str, one_of(CLASSES, about="Of `kept-out`: what the workspace keeps nothing of.")]
    ]
    recovery: NotRequired[Annotated[str, like("", "Of `continuity-missing`: what an agent may say instead.")]]


def problem(error: NeboError, request_id: str) -> dict[str, Any]:
    """The members of the answer."""
    members: ProblemFields = {
        "type": TYPE_PREFIX + error.code,
        "title": error.title,
        "status": error.status,
        "detail": error.detail,
        "code": error.code,
        "request_id": request_id,
        "errors": [{"pointer": one.pointer, "detail": one.detail} for one in error.errors],
    }
    return {**members, **error.extensions}


def problem_response(error: NeboError, request: HttpRequest, headers: Mapping[str, str]) -> Response:
    """The answer, for REST framework to render."""
    body = problem(error, request_id_of(request))
    return Response(body, error.status, headers=dict(headers), content_type=CONTENT_TYPE)


def problem_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler; what it does not know becomes a 500 without details."""
    error = to_nebo_error(exc)
    if error is None:
        return None
    if isinstance(exc, DatabaseError):
        log.warning("api.database_error", error=type(exc).__name__, sqlstate=_sqlstate(exc))
    request = context["request"]
    request.accepted_renderer, request.accepted_media_type = JSONRenderer(), CONTENT_TYPE
    return problem_response(error, request._request, _headers(exc, error))


def _headers(exc: Exception, error: NeboError) -> dict[str, str]:
    headers: dict[str, str] = {}
    if challenge := getattr(exc, "auth_header", ""):
        headers["WWW-Authenticate"] = challenge
    wait = getattr(exc, "wait", None) or (RETRY_SECONDS if error.status == Unavailable.status else 0)
    if wait:
        headers["Retry-After"] = str(math.ceil(wait))
    return headers | getattr(exc, "headers", {})


def to_nebo_error(exc: Exception) -> NeboError | None:
    """The caller's view of an exception; None when it is a defect of ours."""
    if isinstance(exc, NeboError):
        return exc
    if isinstance(exc, exceptions.ValidationError):
        return InvalidInput("The input is not valid.", errors=tuple(field_errors(exc.detail)))
    if isinstance(exc, exceptions.APIException):
        return _of_framework(exc)
    if isinstance(exc, DatabaseError):
        return _of_database(exc)
    return _of_django(exc)


def _of_framework(exc: exceptions.APIException) -> NeboError:
    match exc:
        case exceptions.AuthenticationFailed() | exceptions.NotAuthenticated():
            return Unauthenticated()
        case exceptions.PermissionDenied():
            return Forbidden()
        case exceptions.NotFound():
            return NotFound()
        case exceptions.MethodNotAllowed():
            return MethodNotAllowed()
        case exceptions.UnsupportedMediaType():
            return UnsupportedMediaType()
        case exceptions.Throttled():
            return TooManyRequests()
    return InvalidInput() if exc.status_code < HTTPStatus.INTERNAL_SERVER_ERROR else ServerError()


def _of_database(exc: DatabaseError) -> NeboError | None:
    """A value that slipped through, a lost race, or a lost connection; the database's own words stay here."""
    if isinstance(exc, IntegrityError):
        return _of_constraint(_sqlstate(exc))
    if isinstance(exc, DataError):
        return InvalidInput("A value does not fit where it should be stored.")
    if isinstance(exc, OperationalError):
        return Unavailable()
    return None


def _of_constraint(sqlstate: str) -> NeboError:
    """A missing row and another tenant's are the same to a foreign key, and to the caller."""
    if sqlstate == FOREIGN_KEY_VIOLATION:
        return NotFound()
    if sqlstate == UNIQUE_VIOLATION:
        return Conflict("There is one like this already.")
    return InvalidInput("A value breaks a rule of what is stored.")


def _sqlstate(exc: DatabaseError) -> str:
    return str(getattr(exc.__cause__, "sqlstate", "") or "")


def _of_django(exc: Exception) -> NeboError | None:
    match exc:
        case Http404():
            return NotFound()
        case PermissionDenied():
            return Forbidden()
        case RequestDataTooBig():
            return TooLarge()
        case SuspiciousOperation() | ValidationError() | UnreadablePostError():
            return InvalidInput()
    return None


def field_errors(detail: Any, path: str = "") -> Iterator[FieldError]:
    """Flatten a serializer's errors into a pointer and a sentence each."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from field_errors(inner, _step(path, str(name)))
    elif isinstance(detail, Sequence) and not isinstance(detail, str):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, Mapping)
            yield from field_errors(inner, _step(path, str(index)) if nested else path)
    else:
        yield FieldError(json_pointer(path) or "#", str(detail))


def _step(path: str, name: str) -> str:
    """One level down; errors of the whole object stay with the object. Escaped as RFC 6901 §3 says."""
    if name == "non_field_errors":
        return path
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"


# --- Outside REST framework: unknown addresses, hosts we do not serve, and defects ----------------------


@csrf_exempt
def unknown_route(request: HttpRequest, **_: Any) -> HttpResponse:
    """The last route under /api/: a 404 that says so when only the slash at the end is missing."""
    slashed = f"{request.path_info}/"
    if not request.path_info.endswith("/") and _leads_somewhere(slashed):
        return _problem_page(request, NotFound(f"Addresses end with a slash: {slashed}"))
    return _problem_page(request, NotFound())


def _leads_somewhere(path: str) -> bool:
    try:
        return resolve(path).func is not unknown_route
    except Resolver404:
        return False


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400."""
    if not _is_api(request):
        return defaults.bad_request(request, exception)
    return _problem_page(request, to_nebo_error(exception) or InvalidInput())


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403."""
    if not _is_api(request):
        return defaults.permission_denied(request, exception)
    return _problem_page(request, Forbidden())


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404."""
    if not _is_api(request):
        with language_for(request):
            return defaults.page_not_found(request, exception)
    return _problem_page(request, NotFound())


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500."""
    return _problem_page(request, ServerError()) if _is_api(request) else defaults.server_error(request)


def _is_api(request: HttpRequest) -> bool:
    return f"{request.path_info}/".startswith(API_PREFIXES)


def _problem_page(request: HttpRequest, error: NeboError) -> JsonResponse:
    return JsonResponse(
        problem(error, request_id_of(request)), status=error.status, content_type=CONTENT_TYPE
    )

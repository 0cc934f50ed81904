"""What every request passes: an id in and out, its timing told, and a strict content security policy."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from nebo.languages import is_page, language_for
from nebo.metrics import REQUEST_SECONDS, RETRIEVALS
from nebo.time_zones import COOKIE, in_zone
from nebo.timing import collect_timings, span

GetResponse = Callable[[HttpRequest], HttpResponse]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action {form_action}; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)


class RequestIdMiddleware:
    """Takes `X-Request-ID` if it is well-formed, makes one otherwise, and gives it back; a provider's answer that is
    passed on keeps its own.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        request.META["nebo.request_id"] = request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        response = self.get_response(request)
        response.setdefault("X-Request-ID", request_id)
        return response


class ServerTimingMiddleware:
    """Tells an agent where its call's time went (`Server-Timing`): the database, the embedding, the ranking."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/api/"):
            return self.get_response(request)
        with collect_timings() as timings, connection.execute_wrapper(_time_statement):
            response = self.get_response(request)
        if response.status_code < 400 and timings.parts:
            response["Server-Timing"] = timings.as_header()
        return response


def _time_statement(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    with span("sql"):
        return execute(sql, params, many, context)


class TimeZoneMiddleware:
    """Pages tell times in the zone that the browser has said; the API tells them in UTC."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith("/api/"):
            return self.get_response(request)
        with in_zone(request.COOKIES.get(COOKIE, "")):
            return self.get_response(request)


class LanguageMiddleware:
    """Pages speak the language of whoever reads them; what programs read is English."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_page(request.path_info):
            return self.get_response(request)
        with language_for(request) as code:
            response = self.get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        response.setdefault("Content-Language", code)
        return response


class MetricsMiddleware:
    """Counts requests and their time by the pattern of their route, for `/metrics`."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        route = request.resolver_match.route if request.resolver_match else "none"
        method = request.method if request.method in METHODS else "other"
        labels = (method, route, str(response.status_code))
        REQUEST_SECONDS.labels(*labels).observe(time.perf_counter() - began)
        if source := response.get("Nebo-Retrieval"):
            RETRIEVALS.labels(source).inc()
        return response


class ContentSecurityPolicyMiddleware:
    """No inline script or style, nothing from elsewhere. Forms lead to Nebo or to the sign-in server."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        form_action = " ".join(filter(None, ("'self'", settings.SSO_ORIGIN)))
        self.policy = CONTENT_SECURITY_POLICY.format(form_action=form_action)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", self.policy)
        return response


def request_id_of(request: HttpRequest) -> str:
    """The id this request was given."""
    return str(request.META.get("nebo.request_id", ""))


class CompressPagesMiddleware(GZipMiddleware):
    """Pages alone are compressed: not what agents get, which may come piece by piece, nor what a page asks for with the
    tag of what it has. Their secrets are masked anew in each answer, and padding hides the lengths.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Gzip, where the browser takes it and it is shorter."""
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if not is_page or response.streaming or response.has_header("ETag"):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed

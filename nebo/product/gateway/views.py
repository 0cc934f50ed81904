"""The addresses of the gateway. A browser sends no key by itself, so that there is nothing for it to forge."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from nebo.api.problems import MethodNotAllowed
from nebo.errors import InvalidInput, NeboError, NotFound
from nebo.product.gateway.completion import NotLetIn, complete, respond
from nebo.product.gateway.dialects.dialect import Dialect
from nebo.product.gateway.door import TooOften, let_caller_in, read_body
from nebo.product.gateway.refusals import TooManyAtOnce, refuse, refuse_as
from nebo.product.gateway.relayed import Relayed, enter, leave
from nebo.product.gateway.upstream import address_of, send

ASK_AGAIN_S = 1  # where all places are taken


class GatewayView(View):
    """What all have in common: refusals."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return super().dispatch(request, *args, **kwargs)
        except NotLetIn as refused:
            return refuse_as(refused.problem)
        except TooOften as error:
            return refuse(request, error, {"Retry-After": str(error.wait_s)})
        except TooManyAtOnce as error:
            return refuse(request, error, {"Retry-After": str(ASK_AGAIN_S)})
        except NeboError as error:
            return refuse(request, error)

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        allowed = ", ".join(name.upper() for name in self.http_method_names)
        return refuse(request, MethodNotAllowed(), {"Allow": allowed})


@method_decorator(csrf_exempt, name="dispatch")
class CompletionView(GatewayView):
    """A completion, with what is known."""

    http_method_names = ["post"]
    dialect: Dialect | None = None

    def post(self, request: HttpRequest, user: str = "") -> HttpResponseBase:
        if self.dialect is None:
            raise NotFound
        return complete(request, self.dialect, user)


@method_decorator(csrf_exempt, name="dispatch")
class PassView(GatewayView):
    """Whatever else an agent asks its provider, passed on as it is: models, tokens, embeddings."""

    http_method_names = ["get", "post"]
    provider = ""
    path = ""

    def get(self, request: HttpRequest, user: str = "", model: str = "") -> HttpResponseBase:
        return self._pass(request, b"", model)

    def post(self, request: HttpRequest, user: str = "", model: str = "") -> HttpResponseBase:
        return self._pass(request, read_body(request), model)

    def _pass(self, request: HttpRequest, body: bytes, model: str) -> HttpResponseBase:
        if model in (".", ".."):
            raise InvalidInput("A model has a name.")
        _, sent = let_caller_in(request, "read")
        path = f"{self.path}/{quote(model, safe=':@')}" if model else self.path
        url = address_of(
            self.provider or _provider_meant(request), path, request.META.get("QUERY_STRING", "")
        )
        enter()
        try:
            response = send(str(request.method), url, sent.passed, body)
        except NeboError:
            leave()
            raise
        return respond(request, response, Relayed(response))


def _provider_meant(request: HttpRequest) -> str:
    """Both have models at the same address; Anthropic's clients always name a version of their API."""
    return "anthropic" if "anthropic-version" in request.headers else "openai"

"""What all of mem0's addresses have in common: the shape of errors, and whom a call is about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, ClassVar, cast

from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.permissions import check_global
from memories.models import Memory
from nebo.api.operations import Operation
from nebo.api.problems import problem_handler
from nebo.api.serializers import check_parameters
from nebo.api.views import TenantView
from nebo.errors import InvalidInput
from nebo.product.mcp.refusals import field_of
from nebo.product.mem0.filters.conditions import find_id
from nebo.product.mem0.keeping import get_held
from nebo.product.mem0.whom import name_person
from nebo.tenants.models import UserProfile
from nebo.tenants.services import ME

Handler = Callable[[Exception, dict[str, Any]], Response | None]


class NotSupported(InvalidInput):
    """mem0 has it, Nebo doesn't, or has it elsewhere."""

    code = "not-supported"
    title = "Nebo doesn't support this"


def mem0_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler: mem0's clients read `detail`; `code` and `errors` are Nebo's."""
    answer = problem_handler(exc, context)
    if answer is None:
        return None
    request = context["request"]
    request.accepted_renderer, request.accepted_media_type = JSONRenderer(), "application/json"
    told = answer.data
    fields = [f"{field_of(one['pointer'])}: {one['detail']}" for one in told["errors"] if one["pointer"]]
    body = {
        "detail": "; ".join(fields) or told["detail"],
        "code": told["code"],
        "errors": told["errors"],
    }
    headers = {name: value for name, value in answer.headers.items() if name != "Content-Type"}
    return Response(body, answer.status_code, headers=headers)


def body_of(request: Request) -> dict[str, Any]:
    """The body, which the parser has made sure is an object."""
    return cast(dict[str, Any], request.data)


def counted(**summaries: str) -> dict[str, Operation]:
    """By method, under what a call is counted."""
    return {method: Operation(f"mem0: {summary}", {}) for method, summary in summaries.items()}


class Mem0View(TenantView):
    """Not part of Nebo's own document: its shapes are mem0's."""

    schema = None  # type: ignore[assignment]  # as drf-spectacular wants it for what it leaves out

    # What may stand in a query string, by method, besides ids of mem0's own service.
    parameters: ClassVar[Mapping[str, Collection[str]]] = {}

    def get_exception_handler(self) -> Handler:
        return mem0_handler

    def _check_parameters(self, request: Request) -> None:
        check_parameters(request, {*self.parameters.get(str(request.method), ()), "org_id", "project_id"})

    def name_person(self, ids: Mapping[str, Iterable[str]]) -> str:
        """The person's name, or `me`. Raises InvalidInput where nobody is named."""
        return name_person(ids, is_bound=self.caller.person_id is not None)

    def find_named(self, name: str) -> UserProfile | None:
        """The person; None where nobody is called that yet. Raises NotFound for another than the key's own."""
        return self.find_person(name)

    def get_held(self, *texts: str, write: bool = False) -> list[Memory]:
        """The live memories of these ids; raises NotFound if the key can't see one of them."""
        found = get_held(caller=self.caller, ids=[find_id(text) for text in texts])
        for memory in found:
            if write:
                check_global(self, memory.scope)
        return found


def user_of(name: str, person: UserProfile) -> str:
    """What a filter on the user is compared with."""
    return person.external_id if name == ME else name


def only_these(rows: list[dict[str, Any]], fields: list[str]) -> list[dict[str, Any]]:
    """Rows with the fields that were asked for; with all where none was."""
    if not fields:
        return rows
    return [{name: value for name, value in row.items() if name in (*fields, "id")} for row in rows]

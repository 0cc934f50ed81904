"""The key itself, entities, events, and what isn't supported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.noting import note_memories
from nebo.api.serializers import parse_query
from nebo.errors import NotFound
from nebo.product.governance.api.views import check_entitled
from nebo.product.governance.services.erasure import request_erasure
from nebo.product.mem0.adding import list_added, list_additions
from nebo.product.mem0.api.answers import ADD, entity_json, event_brief, event_json
from nebo.product.mem0.api.base import Mem0View, NotSupported, counted
from nebo.product.mem0.api.inputs import MAX_PAGE, MAX_PAGES, PAGE_NAMES
from nebo.product.mem0.filters.conditions import find_id
from nebo.product.mem0.keeping import list_people
from nebo.product.mem0.whom import external_id_of

EVENT_FILTERS = ("event_type", "start_date", "end_date")
LEARNED_AT_MOST = 100  # memories that an event shows
INSTEAD = {
    "exports": "Nebo exports a person's data at POST /api/v1/users/{user}/export/.",
    "summary": "Nebo summarises sessions by itself: GET /api/v1/users/{user}/spine/.",
    "feedback": "Correct, pin or mark a memory as wrong in Nebo: POST /api/v1/memories/{id}/wrong/.",
    "profiles": "Nebo's profile of a person is at GET /api/v1/users/{user}/.",
    "webhooks": "Nebo's webhooks are at /api/v1/webhooks/.",
    "projects": "A key of Nebo belongs to one workspace: settings are at /api/v1/settings/, members on its pages.",
    "reset": "Delete entities one by one: DELETE /v2/entities/user/{user}/.",
    "configure": "Nebo's models are set by its operator: docs/operations.md.",
}


class PageQuery(serializers.Serializer[Any]):
    org_id = serializers.CharField(required=False)
    project_id = serializers.CharField(required=False)
    page = serializers.IntegerField(min_value=1, max_value=MAX_PAGES, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=MAX_PAGE, default=MAX_PAGE)


class EventQuery(PageQuery):
    event_type = serializers.CharField(max_length=40, required=False, default="")
    start_date = serializers.DateTimeField(required=False, default_timezone=UTC)
    end_date = serializers.DateTimeField(required=False, default_timezone=UTC)


def paged(
    request: Request,
    rows: QuerySet[Any],
    asked: Mapping[str, Any],
    serialize: Callable[[Any], dict[str, Any]],
) -> dict[str, Any]:
    """A page as mem0 has it: two statements, and links to those before and after it."""
    number, size = asked["page"], asked["page_size"]
    count = rows.count()

    def link(page: int) -> str:
        query = urlencode({**request._request.GET.dict(), "page_size": size, "page": page})
        return f"{request.build_absolute_uri(request.path)}?{query}"

    return {
        "count": count,
        "next": link(number + 1) if number * size < count else None,
        "previous": link(number - 1) if number > 1 else None,
        "results": [serialize(one) for one in rows[(number - 1) * size : number * size]],
    }


class PingView(Mem0View):
    """`v1/ping/`: a client asks when it is made, and wants an organisation and a project: both are the team."""

    scopes = {"GET": "read"}
    operations = counted(GET="ping")

    def get(self, request: Request, prepared: None) -> Response:
        return Response(
            {"status": "ok", "org_id": self.tenant.slug, "project_id": self.tenant.slug, "user_email": None}
        )


class EntityListView(Mem0View):
    """`v1/entities/`: everyone the key may know of."""

    scopes = {"GET": "read"}
    operations = counted(GET="list entities")
    parameters = {"GET": PAGE_NAMES}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_query(PageQuery, request)

    def get(self, request: Request, prepared: dict[str, Any]) -> Response:
        rows = list_people(tenant=self.caller.tenant_id, person_id=self.caller.person_id)
        return Response(paged(request, rows, prepared, entity_json))


class EntityView(Mem0View):
    """`v2/entities/{type}/{name}/`: deleting erases the person, for good."""

    scopes = {"GET": "read", "DELETE": "write"}
    operations = counted(GET="read an entity", DELETE="delete an entity")

    def prepare(self, request: Request, **kwargs: Any) -> str:
        return external_id_of(kwargs["entity_type"], kwargs["entity_id"])

    def get(self, request: Request, prepared: str, **kwargs: Any) -> Response:
        person = self.get_person(prepared)
        rows = list_people(tenant=self.caller.tenant_id, person_id=person.pk)
        return Response(entity_json(rows.get()))

    def delete(self, request: Request, prepared: str, **kwargs: Any) -> Response:
        check_entitled(self)
        person = self.get_person(prepared)
        request_erasure(tenant=self.caller.tenant_id, person=person, actor=self.actor)
        return Response({"message": "Entity deleted successfully!"})


class EventView(Mem0View):
    """`v1/event/{id}/`: whether messages were learned from, and what came of them."""

    scopes = {"GET": "read"}
    operations = counted(GET="read an event")

    def get(self, request: Request, prepared: None, event_id: str) -> Response:
        found = find_id(event_id)
        addition = list_additions(caller=self.caller).filter(pk=found).first() if found else None
        if addition is None:
            raise NotFound
        self.check_person(addition.person_id)
        added = list_added(tenant=self.caller.tenant_id, addition=addition, limit=LEARNED_AT_MOST)
        note_memories(self, "memory.listed", addition.person_id, [memory.pk for memory in added])
        return Response(event_json(addition, added=added))


class EventListView(Mem0View):
    """`v1/events/`: what was added, the newest first. What came of one is told by `v1/event/{id}/`."""

    scopes = {"GET": "read"}
    operations = counted(GET="list events")
    parameters = {"GET": (*PAGE_NAMES, *EVENT_FILTERS)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_query(EventQuery, request)

    def get(self, request: Request, prepared: dict[str, Any]) -> Response:
        rows = list_additions(caller=self.caller)
        if prepared["event_type"] not in ("", ADD):
            rows = rows.none()
        if since := prepared.get("start_date"):
            rows = rows.filter(created_at__gte=since)
        if until := prepared.get("end_date"):
            rows = rows.filter(created_at__lte=until)
        return Response(paged(request, rows, prepared, event_brief))


class UnsupportedView(Mem0View):
    """What Nebo has elsewhere, or not at all: a 400 that says where."""

    scopes = dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), "read")
    what = ""

    def _check_parameters(self, request: Request) -> None:
        """Whatever it is asked with."""

    def prepare(self, request: Request, **kwargs: Any) -> None:
        raise NotSupported(f"Nebo doesn't support this call of mem0. {INSTEAD[self.what]}")

    def _never(self, request: Request, prepared: None, **kwargs: Any) -> Response:
        raise NotSupported

    get = post = put = patch = delete = _never

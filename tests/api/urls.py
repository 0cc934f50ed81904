"""Small endpoints on the API's furniture, for the tests of the furniture itself."""

from __future__ import annotations

import threading
from typing import Annotated, Any, TypedDict

from django.db import connection
from django.urls import path, re_path
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.etags import check_if_match, etag
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.problems import unknown_route
from nebo.api.schema import SchemaView
from nebo.api.serializers import StrictSerializer, parse, parse_query
from nebo.api.shapes import like
from nebo.api.views import TenantView
from nebo.errors import Conflict, ContinuityMissing, InvalidInput, NotFound
from nebo.tenants.models import UserProfile

handler400 = "nebo.api.problems.bad_request"
handler403 = "nebo.api.problems.permission_denied"
handler404 = "nebo.api.problems.page_not_found"
handler500 = "nebo.api.problems.server_error"

NO_TENANT_YET = "SELECT coalesce(current_setting('nebo.tenant_id', true), '')"


class PartInput(StrictSerializer):
    role = serializers.ChoiceField(choices=["user", "assistant"])
    content = serializers.CharField(max_length=100, trim_whitespace=False)


class ThingInput(StrictSerializer):
    name = serializers.CharField(max_length=20)
    count = serializers.IntegerField(required=False, min_value=0)
    weight = serializers.FloatField(required=False)
    pinned = serializers.BooleanField(required=False)
    due = serializers.DateTimeField(required=False)
    thing = serializers.UUIDField(required=False)
    tags = serializers.ListField(child=serializers.CharField(), required=False)
    metadata = serializers.DictField(required=False)
    parts = PartInput(many=True, required=False)
    made_at = serializers.DateTimeField(read_only=True)


class ThingFields(TypedDict):
    """A thing."""

    name: Annotated[str, like("box")]


class PeopleQuery(serializers.Serializer[Any]):
    external_id = serializers.CharField(required=False)
    ordering = serializers.CharField(default="-memory_version")


class ThingsView(TenantView):
    """POST checks a thing; GET has no scope."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Check a thing", {201: ThingFields}, body=ThingInput)}

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        return parse(ThingInput, request.data)

    def post(self, request: Request, prepared: dict[str, Any], **kwargs: Any) -> Response:
        return Response(prepared, 201)

    def get(self, request: Request, prepared: Any, **kwargs: Any) -> Response:
        return Response({})


class PeopleView(TenantView):
    """A real list, and a POST whose effect can be counted."""

    scopes = {"GET": "read", "POST": "write", "DELETE": "admin"}

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(NO_TENANT_YET)
            assert cursor.fetchone() == ("",)
        return parse_query(PeopleQuery, request) if request.method in ("GET", "HEAD") else request.data

    def get(self, request: Request, prepared: dict[str, Any], **kwargs: Any) -> Response:
        ordering = prepared.pop("ordering").split(",")
        rows = UserProfile.objects.for_tenant(self.caller.tenant_id).filter(**prepared)
        return paginate(rows, request, ordering=ordering, serialize=lambda row: row.external_id)

    def post(self, request: Request, prepared: dict[str, Any], **kwargs: Any) -> Response:
        UserProfile.objects.for_tenant(self.caller.tenant_id).create(external_id=prepared["name"])
        return Response({"z": prepared["name"], "a": str(self.actor)}, 201, headers={"ETag": etag(1)})

    def delete(self, request: Request, prepared: Any, **kwargs: Any) -> Response:
        return Response(status=204)

    def follow_up(self, request: Request, response: Response, prepared: Any, **kwargs: Any) -> Response:
        if request.method == "POST":
            response.data["followed"] = True
        return response


class PersonView(TenantView):
    scopes = {"GET": "read", "PATCH": "write"}

    def get(self, request: Request, prepared: Any, user: str) -> Response:
        return Response({"user": self.get_person(user).external_id, "tenant": self.tenant.slug})

    def patch(self, request: Request, prepared: Any, user: str) -> Response:
        person = self.get_person(user, create=True)
        check_if_match(request, person.memory_version)
        return Response({"user": person.external_id}, headers={"ETag": etag(person.memory_version)})


class FaultView(TenantView):
    """Writes a person, then fails in the way asked for."""

    scopes = {"POST": "write"}

    def post(self, request: Request, prepared: Any, kind: str) -> Response:
        UserProfile.objects.for_tenant(self.caller.tenant_id).create(external_id=f"half-{kind}")
        FAULTS[kind]()
        return Response({})


def _raise(error: Exception) -> None:
    raise error


def _sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


FAULTS = {
    "conflict": lambda: _raise(Conflict("no")),
    "continuity": lambda: _raise(ContinuityMissing(recovery="Say so.")),
    "missing": lambda: _raise(NotFound()),
    "field": lambda: _raise(InvalidInput("Too odd.", field="messages/0/content")),
    "data": lambda: _sql("SELECT 'secret text'::int"),
    "unique": lambda: _sql("INSERT INTO tenants_userprofile SELECT * FROM tenants_userprofile"),
    "defect": lambda: _raise(RuntimeError("secret text")),
}


class SlowView(TenantView):
    """Holds its transaction open until it is let go."""

    scopes = {"POST": "write"}
    entered = threading.Event()
    release = threading.Event()

    def post(self, request: Request, prepared: Any, **kwargs: Any) -> Response:
        UserProfile.objects.for_tenant(self.caller.tenant_id).create(external_id="slow")
        self.entered.set()
        assert self.release.wait(30)
        return Response({"done": True}, 201)


urlpatterns = [
    path("api/v1/schema/", SchemaView.as_view()),
    path("api/v1/things/", ThingsView.as_view()),
    path("api/v1/people/", PeopleView.as_view()),
    path("api/v1/people/<str:user>/", PersonView.as_view()),
    path("api/v1/by-id/<uuid:thing>/", PersonView.as_view()),
    path("api/v1/faults/<str:kind>/", FaultView.as_view()),
    path("api/v1/slow/", SlowView.as_view()),
    re_path(r"^api/", unknown_route),
]

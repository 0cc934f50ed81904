"""`webhooks/`: which systems are told what happens in a team, and the log of what they were told."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict, cast
from uuid import UUID

from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.operations import File, Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import StrictSerializer, parse, parse_changes
from nebo.api.shapes import Id, Moment, Page, like, one_of
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import NotFound
from nebo.outbound.addresses import URL_LENGTH
from nebo.product.events.deliveries import PayloadFields, get_delivery, list_deliveries, payload_of, redeliver
from nebo.product.events.endpoints import (
    NewEndpoint,
    change_endpoint,
    create_endpoint,
    delete_endpoint,
    get_endpoint,
    list_endpoints,
    rotate_secret,
    send_test,
)
from nebo.product.events.kinds import EVENTS
from nebo.product.events.models import Delivery, Endpoint
from nebo.product.events.stream import Position, read_position, read_stream, render_stream

EXAMPLE_URL = "https://hooks.example/nebo"
LONGEST_OVERLAP_H = 168
BY_HAND = (Endpoint.State.ACTIVE, Endpoint.State.PAUSED)


class WebhookFields(TypedDict):
    """An address that is told what happens; no `events` are all of them."""

    id: Id
    url: Annotated[str, like(EXAMPLE_URL)]
    description: Annotated[str, like("Our search index")]
    events: Annotated[list[str], like(["memory.created"], "Empty: all.")]
    state: Annotated[str, one_of(Endpoint.State, about="`disabled`: Nebo gave it up; see `disabled_reason`.")]
    disabled_reason: Annotated[str, like("")]
    failing_since: Moment | None
    delivered_at: Moment | None
    created_at: Moment


class IssuedWebhookFields(WebhookFields):
    """A webhook with its secret, which is shown this once."""

    secret: Annotated[str, like("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwwQbJkl9S0Ow=")]


class AttemptFields(TypedDict):
    """One attempt at a delivery; `status` is null where there was no answer, and `error` says why."""

    at: Moment
    status: int | None
    milliseconds: int
    error: Annotated[str, like("")]
    answer: Annotated[str, like("ok", "How its body began.")]


class DeliveryFields(TypedDict):
    """An event on its way; `event` is the `webhook-id`, `payload` the body."""

    id: Id
    event: Id
    state: Annotated[str, one_of(Delivery.State)]
    attempts: Annotated[int, like(1)]
    status: Annotated[int | None, like(200)]
    payload: PayloadFields
    log: list[AttemptFields]
    due_at: Moment
    created_at: Moment
    finished_at: Moment | None


class WebhookInput(StrictSerializer):
    example = {"url": EXAMPLE_URL, "events": ["memory.created", "memory.deleted"]}
    url = serializers.CharField(max_length=URL_LENGTH, help_text="Begins with https://.")
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=list(EVENTS)), required=False, help_text="None: all."
    )
    description = serializers.CharField(max_length=200, allow_blank=True, required=False)


class WebhookChanges(WebhookInput):
    example = {"state": "paused"}
    state = serializers.ChoiceField(choices=[one.value for one in BY_HAND], required=False)


class RotateInput(StrictSerializer):
    example = {"hours": 24}
    hours = serializers.IntegerField(
        min_value=0,
        max_value=LONGEST_OVERLAP_H,
        required=False,
        default=24,
        help_text="So long the old secret signs beside the new one.",
    )


class WebhookView(TenantView):
    """What all of them share. They are the team’s: for a key that is bound to a person or a persona there are none."""

    subject = "Webhooks"

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        if self.caller.person_id is not None or self.caller.persona_id is not None:
            raise NotFound
        return self.read(request)

    def read(self, request: Request) -> Any:
        """What the body says."""
        return None


class WebhookListView(WebhookView):
    """`webhooks/`."""

    scopes = {"GET": "admin", "POST": "admin"}
    operations = {
        "GET": Operation("List webhooks", Page[WebhookFields], problems=(404,)),
        "POST": Operation(
            "Add a webhook", {201: IssuedWebhookFields}, body=WebhookInput, problems=(404, 409)
        ),
    }

    def read(self, request: Request) -> Any:
        return parse(WebhookInput, request.data) if request.method == "POST" else None

    def get(self, request: Request, prepared: None) -> Response:
        rows = list_endpoints(tenant=self.caller.tenant_id)
        return paginate(rows, request, ordering=("-created_at",), serialize=webhook_json)

    def post(self, request: Request, prepared: dict[str, Any]) -> Response:
        issued = create_endpoint(tenant=self.caller.tenant_id, new=NewEndpoint(**prepared), actor=self.actor)
        return Response({**webhook_json(issued.endpoint), "secret": issued.secret}, status=201)


class WebhookDetailView(WebhookView):
    """`webhooks/{id}/`."""

    scopes = {"GET": "admin", "PATCH": "admin", "DELETE": "admin"}
    operations = {
        "GET": Operation("Read a webhook", WebhookFields),
        "PATCH": Operation("Change, pause or resume a webhook", WebhookFields, body=WebhookChanges),
        "DELETE": Operation("Remove a webhook", {204: None}),
    }

    def read(self, request: Request) -> dict[str, Any]:
        return parse_changes(WebhookChanges, request)

    def get(self, request: Request, prepared: dict[str, Any], webhook_id: UUID) -> Response:
        return Response(webhook_json(get_endpoint(tenant=self.caller.tenant_id, endpoint_id=webhook_id)))

    def patch(self, request: Request, prepared: dict[str, Any], webhook_id: UUID) -> Response:
        changed = change_endpoint(
            tenant=self.caller.tenant_id, endpoint_id=webhook_id, changes=prepared, actor=self.actor
        )
        return Response(webhook_json(changed))

    def delete(self, request: Request, prepared: dict[str, Any], webhook_id: UUID) -> Response:
        delete_endpoint(tenant=self.caller.tenant_id, endpoint_id=webhook_id, actor=self.actor)
        return Response(status=204)


class WebhookRotateView(WebhookView):
    """`webhooks/{id}/rotate-secret/`."""

    scopes = {"POST": "admin"}
    operations = {"POST": Operation("Make a new secret", IssuedWebhookFields, body=RotateInput)}

    def read(self, request: Request) -> dict[str, Any]:
        return parse(RotateInput, request.data)

    def post(self, request: Request, prepared: dict[str, Any], webhook_id: UUID) -> Response:
        issued = rotate_secret(
            tenant=self.caller.tenant_id, endpoint_id=webhook_id, hours=prepared["hours"], actor=self.actor
        )
        return Response({**webhook_json(issued.endpoint), "secret": issued.secret})


class WebhookTestView(WebhookView):
    """`webhooks/{id}/test/`: an event that says nothing, to this one alone."""

    scopes = {"POST": "admin"}
    operations = {"POST": Operation("Send a test", {202: DeliveryFields}, problems=(409,))}

    def post(self, request: Request, prepared: None, webhook_id: UUID) -> Response:
        sent = send_test(tenant=self.caller.tenant_id, endpoint_id=webhook_id)
        return Response(delivery_json(sent), status=202)


class DeliveryListView(WebhookView):
    """`webhooks/{id}/deliveries/`: the newest first."""

    scopes = {"GET": "admin"}
    operations = {"GET": Operation("List deliveries", Page[DeliveryFields])}

    def get(self, request: Request, prepared: None, webhook_id: UUID) -> Response:
        endpoint = get_endpoint(tenant=self.caller.tenant_id, endpoint_id=webhook_id)
        rows = list_deliveries(tenant=self.caller.tenant_id, endpoint_id=endpoint.pk)
        return paginate(rows, request, ordering=("-created_at",), serialize=delivery_json)


class DeliveryView(WebhookView):
    """`webhooks/{id}/deliveries/{id}/`."""

    scopes = {"GET": "admin"}
    operations = {"GET": Operation("Read a delivery", DeliveryFields)}

    def get(self, request: Request, prepared: None, webhook_id: UUID, delivery_id: UUID) -> Response:
        found = get_delivery(tenant=self.caller.tenant_id, endpoint_id=webhook_id, delivery_id=delivery_id)
        return Response(delivery_json(found))


class RedeliverView(WebhookView):
    """`webhooks/{id}/deliveries/{id}/redeliver/`: once more, under the same id."""

    scopes = {"POST": "admin"}
    operations = {"POST": Operation("Deliver again", {202: DeliveryFields}, problems=(409,))}

    def post(self, request: Request, prepared: None, webhook_id: UUID, delivery_id: UUID) -> Response:
        again = redeliver(tenant=self.caller.tenant_id, endpoint_id=webhook_id, delivery_id=delivery_id)
        return Response(delivery_json(again), status=202)


class EventStreamView(TenantView):
    """`events/`: what happened since `Last-Event-ID`, as server-sent events. The answer ends there, so that it holds
    no thread; clients of server-sent events ask again by themselves, after three seconds.
    """

    subject = "Webhooks"
    scopes = {"GET": "read"}
    reads = ()  # it notes that somebody listens, and goes by the primary's transactions
    operations = {
        "GET": Operation("Read what happened", File("text/event-stream", "Events."), problems=(404,))
    }

    def prepare(self, request: Request, **kwargs: Any) -> Position | None:
        if self.caller.persona_id is not None:
            raise NotFound
        return read_position(request.headers.get("Last-Event-ID", ""))

    def get(self, request: Request, prepared: Position | None) -> Response:
        found = read_stream(tenant=self.caller.tenant_id, person_id=self.caller.person_id, after=prepared)
        body = render_stream(found).encode()
        answer = StreamingHttpResponse([body], content_type="text/event-stream; charset=utf-8")
        return cast(Response, answer)  # the framework hands any response of Django's on as it is


def webhook_json(endpoint: Endpoint) -> WebhookFields:
    """A webhook as callers see it, without its secret."""
    return {
        "id": str(endpoint.pk),
        "url": endpoint.url,
        "description": endpoint.description,
        "events": endpoint.events,
        "state": endpoint.state,
        "disabled_reason": endpoint.disabled_reason,
        "failing_since": as_utc(endpoint.failing_since),
        "delivered_at": as_utc(endpoint.delivered_at),
        "created_at": as_utc(endpoint.created_at),
    }


def delivery_json(delivery: Delivery) -> DeliveryFields:
    """A delivery as callers see it."""
    return {
        "id": str(delivery.pk),
        "event": str(delivery.event_id),
        "state": delivery.state,
        "attempts": delivery.attempts,
        "status": delivery.status,
        "payload": payload_of(delivery.event),
        "log": delivery.log,
        "due_at": as_utc(delivery.due_at),
        "created_at": as_utc(delivery.created_at),
        "finished_at": as_utc(delivery.finished_at),
    }

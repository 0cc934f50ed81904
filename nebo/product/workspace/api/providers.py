"""`providers/`: whom a team's chat models and vectors come from. Keys go in and never come out."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.operations import Operation
from nebo.api.serializers import StrictSerializer, parse
from nebo.api.shapes import Moment, like, one_of
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import NotFound
from nebo.jobs.api import JobFields, job_json
from nebo.outbound.addresses import URL_LENGTH
from nebo.product.workspace.providers import (
    KEY_CHARS,
    USES,
    NewProvider,
    ask_for_test,
    find_own,
    remove_provider,
    set_provider,
)
from nebo.tenants.models import ModelProvider, Tenant

CHOICES = tuple(ModelProvider.Kind)


class ProviderFields(TypedDict):
    """Who is asked. `own` is false while the server's own choice is; the fields below it are empty then."""

    use: Annotated[str, one_of(ModelProvider.Use)]
    own: bool
    kind: Annotated[str, like("openai")]
    base_url: Annotated[str, like("https://api.openai.com/v1")]
    model: Annotated[str, like("gpt-5-mini")]
    has_key: bool
    changed_at: Moment | None
    resting_since: Moment | None
    resting_reason: Annotated[str, like("", "Why it isn't asked just now; empty while it is.")]


class ProvidersFields(TypedDict):
    """One for each use."""

    results: list[ProviderFields]


class ProviderTestFields(TypedDict):
    """The job that asks; its `result` says what came of it."""

    job: JobFields


class ProviderInput(StrictSerializer):
    example = {"kind": "openai", "model": "gpt-5-mini", "key": "sk-…"}
    kind = serializers.ChoiceField(choices=[one.value for one in CHOICES])
    model = serializers.CharField(max_length=200)
    base_url = serializers.CharField(
        max_length=URL_LENGTH, required=False, allow_blank=True, help_text="Empty: the provider's own."
    )
    key = serializers.CharField(
        max_length=KEY_CHARS, required=False, allow_blank=True, help_text="Empty keeps the one there is."
    )


class ProviderView(TenantView):
    """What all of them share. They are the team’s: for a key that is bound to a person or a persona there are none."""

    subject = "Providers"

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        if self.caller.person_id is not None or self.caller.persona_id is not None:
            raise NotFound
        if kwargs.get("use", USES[0]) not in USES:
            raise NotFound
        return parse(ProviderInput, request.data) if request.method == "PUT" else None


class ProviderListView(ProviderView):
    """`providers/`."""

    scopes = {"GET": "admin"}
    operations = {"GET": Operation("List providers", ProvidersFields, problems=(404,))}

    def get(self, request: Request, prepared: None) -> Response:
        return Response({"results": [provider_json(self.tenant, use) for use in USES]})


class ProviderDetailView(ProviderView):
    """`providers/{use}/`."""

    scopes = {"GET": "admin", "PUT": "admin", "DELETE": "admin"}
    operations = {
        "GET": Operation("Read a provider", ProviderFields),
        "PUT": Operation("Set a provider of the team's own", ProviderFields, body=ProviderInput),
        "DELETE": Operation("Go back to the server's provider", {204: None}),
    }

    def get(self, request: Request, prepared: None, use: str) -> Response:
        return Response(provider_json(self.tenant, use))

    def put(self, request: Request, prepared: dict[str, Any], use: str) -> Response:
        set_provider(tenant=self.tenant, use=use, new=NewProvider(**prepared), actor=self.actor)
        return Response(provider_json(self.tenant, use))

    def delete(self, request: Request, prepared: None, use: str) -> Response:
        remove_provider(tenant=self.tenant, use=use, actor=self.actor)
        return Response(status=204)


class ProviderTestView(ProviderView):
    """`providers/{use}/test/`: one cheap question, asked by a worker."""

    scopes = {"POST": "admin"}
    operations = {"POST": Operation("Test a provider", {202: ProviderTestFields})}

    def post(self, request: Request, prepared: None, use: str) -> Response:
        return Response({"job": job_json(ask_for_test(tenant=self.tenant, use=use))}, status=202)


def provider_json(tenant: Tenant, use: str) -> ProviderFields:
    """As callers see it, without its key."""
    row = find_own(tenant=tenant, use=use)
    return {
        "use": use,
        "own": row is not None,
        "kind": row.kind if row else "",
        "base_url": row.base_url if row else "",
        "model": row.model if row else "",
        "has_key": bool(row and row.sealed_key),
        "changed_at": as_utc(row.changed_at) if row else None,
        "resting_since": as_utc(row.resting_since) if row else None,
        "resting_reason": row.resting_reason if row else "",
    }

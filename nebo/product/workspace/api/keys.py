"""`key/`: the caller's own key, and its end."""

from __future__ import annotations

from typing import Annotated, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.operations import Operation
from nebo.api.shapes import Id, Moment, like
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.product.workspace.keys import end_key, get_key
from nebo.tenants.models import ApiKey


class KeyFields(TypedDict):
    """A key, without its text; `user` is the person it is bound to, null for everybody."""

    id: Id
    name: Annotated[str, like("claude-code on laptop")]
    scopes: Annotated[list[str], like(["read", "write"])]
    trust: Annotated[
        str, like("", "Whose words it brings: user, assistant, tool, web, or empty for its default.")
    ]
    user: Annotated[str | None, like("ana")]
    created_at: Moment
    expires_at: Moment | None
    revoked_at: Moment | None


class KeyView(TenantView):
    """`key/`: what the key that calls may, and its end."""

    subject = "Keys"
    scopes = {"GET": "read", "DELETE": "write"}
    operations = {
        "GET": Operation("Read the key that calls", KeyFields),
        "DELETE": Operation("Revoke the key that calls", KeyFields, problems=(409,)),
    }

    def get(self, request: Request, prepared: None) -> Response:
        return Response(key_json(get_key(tenant=self.caller.tenant_id, key_id=self.caller.key_id)))

    def delete(self, request: Request, prepared: None) -> Response:
        """It opens nothing any more, from the next call on."""
        end_key(tenant=self.caller.tenant_id, key_id=self.caller.key_id, actor=self.actor)
        return Response(key_json(get_key(tenant=self.caller.tenant_id, key_id=self.caller.key_id)))


def key_json(key: ApiKey) -> KeyFields:
    """A key as callers see it."""
    return {
        "id": str(key.pk),
        "name": key.name,
        "scopes": key.scopes,
        "trust": key.trust,
        "user": key.person.external_id if key.person else None,
        "created_at": as_utc(key.created_at),
        "expires_at": as_utc(key.expires_at),
        "revoked_at": as_utc(key.revoked_at),
    }

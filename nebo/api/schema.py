"""How an endpoint shows itself in the OpenAPI document: its key, its input, and the problems it may answer with."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

PROBLEM_MEDIA_TYPE = "application/problem+json"


class FieldProblem(serializers.Serializer[Any]):
    """Where, and what."""

    pointer = serializers.CharField()
    detail = serializers.CharField()


class Problem(serializers.Serializer[Any]):
    """RFC 9457."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    request_id = serializers.CharField()
    errors = FieldProblem(many=True)  # type: ignore[assignment]  # a field here, Serializer's property there


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A key as a bearer token."""

    target_class = "nebo.api.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "nebo_…"}


class TenantSchema(AutoSchema):
    """Reads what a TenantView says of itself: `scopes`, and `inputs` by method where it gives them."""

    def get_operation_id(self) -> str:
        """`get_users_memories`, `post_sessions_turns`: a method and the fixed parts of an address."""
        return "_".join((self.method.lower(), *self._tokenize_path(), *(("one",) if self._is_one() else ())))

    def _is_one(self) -> bool:
        return self.path.rstrip("/").endswith("}")

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular calls it
        scope = getattr(self.view, "scopes", {}).get(self.method, "")
        return (
            f"{super().get_description()}\n\nScope: {scope}".strip() if scope else super().get_description()
        )

    def get_request_serializer(self) -> Any:
        given = getattr(self.view, "inputs", {}).get(self.method)
        return given or (None if self.method in ("GET", "DELETE") else OpenApiTypes.OBJECT)

    def get_response_serializers(self) -> Any:
        problem = OpenApiResponse(Problem, description="A problem document.")
        return {"2XX": OpenApiTypes.OBJECT, ("4XX", PROBLEM_MEDIA_TYPE): problem}

    def get_override_parameters(self) -> list[Any]:
        if self.method != "POST":
            return []
        text = "Sent again with the same key and body, the first answer comes again."
        return [OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description=text)]

"""The OpenAPI document: for each endpoint its key, what it takes, its answers and the problems it may answer with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import OpenApiParameter
from drf_spectacular.views import SpectacularAPIView

from nebo import errors
from nebo.api import problems
from nebo.api.operations import File, Operation
from nebo.api.pagination import MAX_LIMIT
from nebo.api.serializers import StrictSerializer
from nebo.api.shapes import EXAMPLE_ID, Shapes, example_of

PROBLEM_MEDIA_TYPE = problems.CONTENT_TYPE
JSON_MEDIA_TYPE = "application/json"
UNSPECIFIED = Operation("", {})
KINDS: dict[int, type[errors.NeboError]] = {
    kind.status: kind
    for kind in (
        errors.InvalidInput,
        problems.Unauthenticated,
        errors.Forbidden,
        errors.NotFound,
        errors.Conflict,
        problems.LengthRequired,
        errors.Stale,
        errors.TooLarge,
        problems.UnsupportedMediaType,
        errors.Unprocessable,
        problems.TooManyRequests,
        problems.Unavailable,
    )
}
ALWAYS = (400, 401, 403, 429, 503)
WITH_A_BODY = (411, 413, 415)
WITH_A_POST = (409, 422)  # another request with its Idempotency-Key
RETRY_AFTER = (429, 503)
ADDRESS = re.compile(r"^(?:`[^`\s]+`(?:,| and)? ?)+[:.]? ?")  # at the beginning of a docstring
PLACES: dict[str, tuple[str, str]] = {  # what stands in an address: an example, and what it means
    "user": ("ana", "The person's external id, or `me` with a key that is bound to one person."),
    "slug": ("guide", "The persona's slug."),
    "name": ("SOUL", "The file's name: AGENTS, MEMORY, SOUL or HEARTBEAT."),
}
PAGE_PARAMETERS = (
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 50},
        description="At most.",
    ),
    OpenApiParameter("cursor", str, description="`next` of the page before."),
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255},
    OpenApiParameter.HEADER,
    description="Sent again with the same key and body, the first answer comes again.",
)
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="The ETag of what was read; 412 if it has changed."
)


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A key as a bearer token."""

    target_class = "nebo.api.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "nebo_…"}


class TenantSchema(AutoSchema):
    """Reads what a TenantView says of itself: its `subject`, and by method `scopes` and `operations`."""

    @property
    def operation(self) -> Operation:
        """What the view says of this method."""
        found: Operation = getattr(self.view, "operations", {}).get(self.method, UNSPECIFIED)
        return found

    def get_operation_id(self) -> str:
        """`get_users_memories`, `post_sessions_turns`: a method and the fixed parts of an address."""
        return "_".join((self.method.lower(), *self._tokenize_path(), *(("one",) if self._is_one() else ())))

    def _is_one(self) -> bool:
        return self.path.rstrip("/").endswith("}")

    def get_tags(self) -> list[str]:
        subject = getattr(self.view, "subject", "")
        return [subject] if subject else super().get_tags()

    def get_summary(self) -> str:
        return self.operation.summary

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular calls it
        text = ADDRESS.sub("", super().get_description()).strip()
        scope = f"Scope: {self._scope}" if self._scope else ""
        return "\n\n".join(part for part in (text[:1].upper() + text[1:], scope) if part)

    @property
    def _scope(self) -> str:
        return str(getattr(self.view, "scopes", {}).get(self.method, ""))

    def get_auth(self) -> list[dict[str, Any]]:
        """In 3.1 the scopes of a key are named as roles (OpenAPI 3.1.1, Security Requirement Object)."""
        roles = [self._scope] if self._scope else []
        return [dict.fromkeys(one, roles) for one in super().get_auth()]

    # --- What comes in ----------------------------------------------------------------------------------

    def get_request_serializer(self) -> Any:
        return self.operation.body

    def get_override_parameters(self) -> list[Any]:
        found: list[Any] = [self.operation.query] if self.operation.query else []
        if self.operation.is_page:
            found += PAGE_PARAMETERS
        if self.method == "POST":
            found.append(IDEMPOTENCY_KEY)
        return [*found, IF_MATCH] if self.operation.if_match else found

    def _get_parameters(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = super()._get_parameters()
        for parameter in found:
            tidy_choices(parameter["schema"])
            if parameter["in"] == "path":
                example, about = PLACES.get(parameter["name"], (EXAMPLE_ID, ""))
                parameter |= {"example": example, **({"description": about} if about else {})}
        return found

    def _get_request_body(self, direction: Any = "request") -> dict[str, Any] | None:
        body: dict[str, Any] | None = None
        if self.operation.file:
            return _file_body(self.operation.file)
        if self.operation.body:
            body = super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        example = getattr(self.operation.body, "example", None)
        if body is not None and example is not None:
            body["content"][JSON_MEDIA_TYPE]["example"] = example
        return body

    def _postprocess_serializer_schema(self, schema: Any, serializer: Any, direction: Any) -> Any:
        """A strict serializer takes no other fields, and a change names at least one."""
        schema = super()._postprocess_serializer_schema(  # type: ignore[no-untyped-call]
            schema, serializer, direction
        )
        tidy_choices(schema)
        if isinstance(serializer, StrictSerializer):
            schema["additionalProperties"] = False
            if getattr(serializer, "partial", False):
                schema["minProperties"] = 1
        return schema

    def get_response_serializers(self) -> Any:
        """None: an answer is a TypedDict."""
        return {}

    # --- What goes out ----------------------------------------------------------------------------------

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        good = {
            str(status): self._answer(status, shape) for status, shape in self.operation.by_status().items()
        }
        return {**good, **{str(status): self._problem(status) for status in sorted(self._list_problems())}}

    def _answer(self, status: int, shape: Any) -> dict[str, Any]:
        response: dict[str, Any] = {"description": HTTPStatus(status).phrase}
        if self.method == "POST":
            response["headers"] = _headers(
                "Idempotent-Replayed", "`true` where this is the first answer again."
            )
        if self.operation.if_match and shape is not None:
            response["headers"] = _headers("ETag", "What `If-Match` takes.")
        if isinstance(shape, File):
            content = {"type": "string", "format": "binary", "description": shape.about}
            response["content"] = {shape.media_type: {"schema": content}}
        elif shape is not None:
            response["content"] = {
                JSON_MEDIA_TYPE: {"schema": self._schema_of(shape), "example": example_of(shape)}
            }
        return response

    def _schema_of(self, shape: Any) -> dict[str, Any]:
        shapes = Shapes()
        schema = shapes.schema_of(shape)
        for name, component in shapes.components.items():
            self._register(name, ResolvedComponent.SCHEMA, component)
        return schema

    def _list_problems(self) -> Iterator[int]:
        yield from (*ALWAYS, *self.operation.problems)
        if "{" in self.path:
            yield HTTPStatus.NOT_FOUND
        if self.method in ("POST", "PUT", "PATCH"):
            yield from WITH_A_BODY
        if self.method == "POST":
            yield from WITH_A_POST
        if self.operation.if_match:
            yield HTTPStatus.PRECONDITION_FAILED

    def _problem(self, status: int) -> dict[str, Any]:
        """A problem, said once for all operations."""
        kind = KINDS[status]
        response: dict[str, Any] = {"description": f"{kind.title}.", "content": self._problem_content(kind)}
        if status in RETRY_AFTER:
            response["headers"] = _headers("Retry-After", "Seconds.")
        return self._register(kind.__name__, ResolvedComponent.RESPONSE, response)

    def _problem_content(self, kind: type[errors.NeboError]) -> dict[str, Any]:
        shape = self._schema_of(problems.ProblemFields)
        return {PROBLEM_MEDIA_TYPE: {"schema": shape, "example": problems.problem(kind(), EXAMPLE_ID)}}

    def _register(self, name: str, kind: str, content: dict[str, Any]) -> dict[str, Any]:
        """A component, and the reference to it; `Shapes` is who made it, where another of this name would warn."""
        component = ResolvedComponent(name, kind, content, Shapes)  # type: ignore[no-untyped-call]
        self.registry.register_on_missing(component)
        reference: dict[str, Any] = component.ref
        return reference


def _headers(name: str, about: str) -> dict[str, Any]:
    return {name: {"schema": {"type": "string"}, "description": about}}


def _file_body(file: File) -> dict[str, Any]:
    """The bytes themselves, or a form with them in its field `file`."""
    content = {"type": "string", "format": "binary", "description": file.about}
    form = {"type": "object", "properties": {"file": content}, "required": ["file"]}
    return {
        "required": True,
        "content": {file.media_type: {"schema": content}, "multipart/form-data": {"schema": form}},
    }


def tidy_choices(schema: Any) -> None:
    """Take off what drf-spectacular notes for itself, and the default that stands for none of few values."""
    if isinstance(schema, list):
        for inner in schema:
            tidy_choices(inner)
    if not isinstance(schema, dict):
        return
    schema.pop("x-spec-enum-id", None)
    if "enum" in schema and schema.get("default") not in schema["enum"]:
        schema.pop("default", None)
    tidy_choices(list(schema.values()))


class SchemaView(SpectacularAPIView):
    """`schema/`: as JSON, or as YAML to those who ask for it."""

    renderer_classes = [OpenApiJsonRenderer, OpenApiYamlRenderer]


def make_document() -> dict[str, Any]:
    """What `schema/` serves, made anew."""
    found: dict[str, Any] = SchemaGenerator(urlconf="nebo.urls").get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return found


def list_operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Address, method and operation of each."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation

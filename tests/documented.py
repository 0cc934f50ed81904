"""Whatever a test sends to the API and gets from it is held to the OpenAPI document.

A middleware of the tests' settings does it, so that an answer can't say what its document doesn't, whichever test asks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import jsonschema_rs
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from nebo.api.schema import make_document

HERE = "urn:nebo:document"
FAULTS: list[str] = []  # since they were last taken
SEEN: set[tuple[str, str, str]] = set()  # method, address and status


class HoldToDocument:
    """Notes what doesn't fit; the test that asked fails for it at its end."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if settings.ROOT_URLCONF == "nebo.urls" and request.path_info.startswith("/api/v1/"):
            where = f"{request.method} {request.get_full_path()} {response.status_code}"
            FAULTS.extend(f"{where}: {fault}" for fault in find_faults(request, response))
        return response


def take_faults() -> list[str]:
    """What was noted since."""
    faults, FAULTS[:] = list(FAULTS), []
    return faults


@cache
def document() -> dict[str, Any]:
    """As `schema/` serves it."""
    return make_document()


@cache
def closed_document() -> dict[str, Any]:
    """Of answers that have no more fields than the document says."""
    closed = deepcopy(document())
    for schema in closed["components"]["schemas"].values():
        schema.setdefault("additionalProperties", False)
    return closed


@cache
def quick_validators() -> Callable[[str], jsonschema_rs.Draft202012Validator]:
    """By reference. In Rust, they tell in a fiftieth of the time whether all is well."""
    registry = jsonschema_rs.Registry([(HERE, closed_document())])
    return cache(lambda ref: jsonschema_rs.Draft202012Validator({"$ref": HERE + ref}, registry=registry))


@cache
def validators() -> Callable[[str], Draft202012Validator]:
    """By reference, to say what isn't."""
    resource = Resource.from_contents(closed_document(), default_specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource(HERE, resource)
    return cache(lambda ref: Draft202012Validator({"$ref": HERE + ref}, registry=registry))


@cache
def addresses() -> list[tuple[re.Pattern[str], dict[str, Any], str]]:
    """A pattern for each address, and its operations by method."""
    found = []
    for path, methods in document()["paths"].items():
        parts = re.split(r"\{[^}]+\}", path.rstrip("/"))
        found.append((re.compile("[^/]+".join(map(re.escape, parts)) + "/?"), methods, path))
    return found


def find_faults(request: HttpRequest, response: HttpResponse) -> Iterator[str]:
    """What of a request that was taken, and of its answer, isn't as the document says."""
    for pattern, methods, path in addresses():
        operation = methods.get(str(request.method).lower())
        if operation and pattern.fullmatch(request.path_info):
            SEEN.add((str(request.method), path, str(response.status_code)))
            yield from _answer_faults(operation, response)
            if response.status_code < 300:
                yield from _request_faults(operation, request)
            return


def _answer_faults(operation: dict[str, Any], response: HttpResponse) -> Iterator[str]:
    said = operation["responses"].get(str(response.status_code))
    if said is None:
        yield f"an undocumented status: {response.content[:300]!r}"
        return
    if "$ref" in said:
        said = document()["components"]["responses"][said["$ref"].rpartition("/")[2]]
    media_type = response.get("Content-Type", "").partition(";")[0]
    content = said.get("content", {})
    if (media_type or None) not in (content or {None: None}):
        yield f"an undocumented content type {media_type!r}"
    elif content and not response.streaming:
        yield from find_misfits(content[media_type]["schema"], json.loads(response.content))


def _request_faults(operation: dict[str, Any], request: HttpRequest) -> Iterator[str]:
    known = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
    yield from (f"an undocumented parameter {name}" for name in request.GET if name not in known)
    if request.body and "requestBody" in operation:
        content = operation["requestBody"]["content"]
        if "application/json" not in content:
            return  # a file
        schema = content["application/json"]["schema"]
        yield from find_misfits(schema, json.loads(request.body))


def find_misfits(schema: dict[str, Any], value: Any) -> Iterator[str]:
    """Where a value isn't as a schema of the document says."""
    if quick_validators()(schema["$ref"]).is_valid(value):
        return
    for error in validators()(schema["$ref"]).iter_errors(value):
        yield f"{error.json_path}: {error.message[:300]}"

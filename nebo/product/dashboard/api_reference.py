"""The OpenAPI document as pages show it: operations by subject, with what they take and give in words and in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.text import slugify

from nebo.api.schema import JSON_MEDIA_TYPE, PROBLEM_MEDIA_TYPE, list_operations

ORDER = (
    "Sessions",
    "Search",
    "Memories",
    "People",
    "Todos",
    "Entities",
    "Forgetting",
)  # the others follow by name
FORMATS = {"uuid": "id", "date-time": "time"}
KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
CHOICES_SHOWN = 12
CHOICE_LINES = re.compile(
    r"^\* `[^`]*` - .*$", re.MULTILINE
)  # a list of the choices, which name_kind names too
Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a member of a body or an answer."""

    name: str
    kind: str
    about: str
    required: bool
    place: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a status means, with an example and the members of its JSON."""

    status: str
    title: str
    example: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """An operation. `address` is as the document has it, `call` a line for the shell."""

    anchor: str
    method: str
    address: str
    title: str
    about: str
    scope: str
    parameters: tuple[Field, ...]
    body: tuple[Field, ...]
    call: str
    answers: tuple[Answer, ...]
    problems: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """What belongs together."""

    name: str
    slug: str
    operations: tuple[Reference, ...]


def list_subjects(document: Mapping[str, Any], *, base_url: str) -> list[Subject]:
    """All of them, what one meets first in front."""
    by_name: dict[str, list[Reference]] = {}
    for path, method, operation in list_operations(document):
        read = OperationReader(document, path, method, operation, base_url)
        by_name.setdefault(operation["tags"][0], []).append(read.as_reference())
    names = [*(name for name in ORDER if name in by_name), *sorted(set(by_name) - set(ORDER))]
    return [Subject(name, slugify(name), tuple(by_name[name])) for name in names]


@dataclass(frozen=True, slots=True)
class OperationReader:
    """Reads one operation of a document."""

    document: Mapping[str, Any]
    path: str
    method: str
    operation: Mapping[str, Any]
    base_url: str

    def as_reference(self) -> Reference:
        """As its page shows it."""
        answers = [self._answer(status, response) for status, response in self.operation["responses"].items()]
        return Reference(
            anchor=slugify(self.operation["summary"]),
            method=self.method.upper(),
            address=self.path,
            title=self.operation["summary"],
            about=self.operation["description"].rpartition("Scope: ")[0].strip(),
            scope=self.operation["security"][0]["key"][0],
            parameters=tuple(self._list_parameters()),
            body=tuple(self._list_fields(self._body.get("schema", {}))),
            call=self._call(),
            answers=tuple(sorted((one for one in answers if one.status < "400"), key=lambda one: one.status)),
            problems=tuple(one for one in answers if one.status >= "400"),
        )

    @property
    def _body(self) -> Mapping[str, Any]:
        content: Mapping[str, Any] = self.operation.get("requestBody", {}).get("content", {})
        body: Mapping[str, Any] = content.get(JSON_MEDIA_TYPE, {})
        return body

    def _list_parameters(self) -> Iterator[Field]:
        for one in self.operation.get("parameters", ()):
            kind, about = name_kind(one["schema"]), one.get("description", "")
            yield Field(one["name"], kind, about, one.get("required", False), one["in"])

    def _list_fields(self, schema: Schema) -> Iterator[Field]:
        found = self._resolve(schema)
        for name, inner in found.get("properties", {}).items():
            about = CHOICE_LINES.sub("", inner.get("description", "")).strip()
            yield Field(name, name_kind(inner), about, name in found.get("required", ()))

    def _resolve(self, schema: Schema) -> Schema:
        if "$ref" not in schema:
            return schema
        kind, name = schema["$ref"].split("/")[-2:]
        found: Schema = self.document["components"][kind][name]
        return found

    def _answer(self, status: str, response: Schema) -> Answer:
        resolved = self._resolve(response)
        contents: Mapping[str, Any] = resolved.get("content", {})
        media_type = next(iter(contents), "")
        content = contents.get(media_type, {})
        is_json = media_type in (JSON_MEDIA_TYPE, PROBLEM_MEDIA_TYPE)
        example = as_text(content["example"]) if is_json else ""
        fields = self._list_fields(content.get("schema", {})) if media_type == JSON_MEDIA_TYPE else ()
        title = resolved["description"] if is_json or not media_type else media_type
        return Answer(status, title, example, tuple(fields))

    def _call(self) -> str:
        """A line of curl with the examples of the address and of the body."""
        address = self.path
        for one in self.operation.get("parameters", ()):
            if one["in"] == "path":
                address = address.replace(f"{{{one['name']}}}", str(one["example"]))
        asked = self._asked()
        start = "curl" if self.method == "get" else f"curl -X {self.method.upper()}"
        address = f'"{self.base_url}{address}{asked}"' if asked else f"{self.base_url}{address}"
        parts = [f"{start} {address}", '-H "Authorization: Bearer $NEBO_KEY"']
        if self._body:
            example = json.dumps(self._body["example"], ensure_ascii=False).replace("'", r"'\''")
            parts += ['-H "Content-Type: application/json"', f"-d '{example}'"]
        elif "requestBody" in self.operation:
            parts += ['-H "Content-Type: application/octet-stream"', "--data-binary @FILE"]
        return " \\\n  ".join(parts)

    def _asked(self) -> str:
        """What has to stand in the query string."""
        needed = [
            one
            for one in self.operation.get("parameters", ())
            if one["in"] == "query" and one.get("required")
        ]
        given = {one["name"]: one["schema"].get("enum", [""])[0] for one in needed}
        return f"?{urlencode(given)}" if given else ""


def as_text(value: Any) -> str:
    """JSON as one reads it."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def name_kind(schema: Schema) -> str:
    """`text`, `list of Memory`, `time or null`, `one of active, archived`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema or "oneOf" in schema:
        return " or ".join(name_kind(one) for one in schema.get("anyOf") or schema["oneOf"])
    if "allOf" in schema:
        return name_kind(schema["allOf"][0])
    if "enum" in schema:
        return _name_choices(schema["enum"])
    types = schema.get("type", "anything")
    named = [_name_type(kind, schema) for kind in ([types] if isinstance(types, str) else types)]
    return " or ".join(named)


def _name_choices(choices: list[Any]) -> str:
    words = ["null" if one is None else str(one) or "empty" for one in choices]
    return f"one of {', '.join(words[:CHOICES_SHOWN])}{', …' if len(words) > CHOICES_SHOWN else ''}"


def _name_type(kind: str, schema: Schema) -> str:
    if kind == "array":
        return f"list of {name_kind(schema.get('items', {}))}"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"object of {name_kind(inner)}" if isinstance(inner, Mapping) and inner else "object"
    if kind == "null":
        return kind
    return FORMATS.get(schema.get("format", ""), KINDS.get(kind, kind))

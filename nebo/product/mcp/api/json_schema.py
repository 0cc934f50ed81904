"""What a tool takes and gives, as JSON Schema: of the serializer that checks it, of the type that its function has."""

from __future__ import annotations

import json
from typing import Any

from rest_framework import serializers

from nebo.api.serializers import StrictSerializer
from nebo.api.shapes import REF, Shapes

Schema = dict[str, Any]
BOUNDS = {
    "min_value": "minimum", "max_value": "maximum", "min_length": "minLength", "max_length": "maxLength",
}  # fmt: skip
KINDS: tuple[tuple[type, Schema], ...] = (  # the first that a field is of
    (serializers.BooleanField, {"type": "boolean"}),
    (serializers.IntegerField, {"type": "integer"}),
    (serializers.UUIDField, {"type": "string", "format": "uuid"}),
    (serializers.DateTimeField, {"type": "string", "format": "date-time"}),
    (serializers.ChoiceField, {"type": "string"}),
    (serializers.CharField, {"type": "string"}),
)


def schema_taken(serializer: type[StrictSerializer]) -> Schema:
    """Of the arguments that a serializer lets through."""
    return _object(serializer())


def schema_given(hint: Any) -> Schema:
    """Of an answer; what it refers to stands in its `$defs`."""
    shapes = Shapes()
    root = shapes.schema_of(hint)
    name = root["$ref"].removeprefix(REF)
    parts = dict(shapes.components)
    schema = {**parts.pop(name), **({"$defs": parts} if parts else {})}
    moved: Schema = json.loads(json.dumps(schema).replace(REF, "#/$defs/"))
    return moved


def _object(serializer: serializers.Serializer[Any]) -> Schema:
    fields = serializer.fields
    schema: Schema = {
        "type": "object",
        "properties": {name: _of_field(field) for name, field in fields.items()},
        "additionalProperties": False,
    }
    required = [name for name, field in fields.items() if field.required]
    return schema | ({"required": required} if required else {})


def _of_field(field: Any) -> Schema:
    schema = _of_kind(field)
    if field.help_text:
        schema["description"] = str(field.help_text)
    if isinstance(field.default, (str, int, bool)):
        schema["default"] = field.default
    return schema


def _of_kind(field: Any) -> Schema:
    if isinstance(field, (serializers.ListField, serializers.ListSerializer)):
        return {"type": "array", "items": _of_field(field.child), **_items(field)}
    if isinstance(field, serializers.Serializer):
        return _object(field)
    schema = next(dict(schema) for kind, schema in KINDS if isinstance(field, kind))
    if isinstance(field, serializers.ChoiceField):
        return {**schema, "enum": list(field.choices)}
    return schema | {
        theirs: bound for ours, theirs in BOUNDS.items() if (bound := getattr(field, ours, None)) is not None
    }


def _items(field: Any) -> Schema:
    bounds = {"minItems": field.min_length, "maxItems": field.max_length}
    return {name: bound for name, bound in bounds.items() if bound is not None}

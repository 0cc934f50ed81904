"""Input as it must be: known fields, JSON's own types, and a pointer to whatever is not so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request

from nebo.api.parsers import refusal_of
from nebo.errors import FieldError, InvalidInput

TEXT, INTEGER, NUMBER, TRUTH = (str,), (int,), (int, float), (bool,)
WANTED = (  # REST framework takes "3" for 3, 1 for true and 7 for "7"; we do not
    (serializers.BooleanField, TRUTH, "Must be true or false."),
    (serializers.IntegerField, INTEGER, "Must be a whole number."),
    (serializers.FloatField, NUMBER, "Must be a number."),
    (serializers.CharField, TEXT, "Must be a text."),
    (serializers.MultipleChoiceField, (list,), "Must be a list."),
    (serializers.ChoiceField, TEXT, "Must be a text."),
    (serializers.UUIDField, TEXT, "Must be a UUID in a text."),
    (serializers.DateTimeField, TEXT, "Must be a date and time in a text (ISO 8601)."),
    (serializers.DateField, TEXT, "Must be a date in a text (ISO 8601)."),
    (serializers.ListField, (list,), "Must be a list."),
    (serializers.ListSerializer, (list,), "Must be a list."),
    (serializers.DictField, (dict,), "Must be an object."),
    (serializers.BaseSerializer, (dict,), "Must be an object."),
)


class LongTextField(serializers.CharField):
    """Text of any length, looked through in one search; REST framework's own look at each character takes a while."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.validators = [_check_storable]


def _check_storable(text: str) -> None:
    if refusal := refusal_of(text):
        raise serializers.ValidationError(refusal)


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses unknown fields and values of another JSON type; fields are REST framework's own.

    `example` is a body it takes, for the OpenAPI document.
    """

    example: ClassVar[Mapping[str, Any]] = {}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """A copy of each field for this request, which binds them; what they hold is never changed, so not copied."""
        return {name: copy(field) for name, field in self._declared_fields.items()}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            known = {name for name, field in self.fields.items() if not field.read_only}
            errors = {name: ["There is no such field."] for name in data if name not in known}
            errors |= self._type_errors(data, known)
            if errors:
                raise serializers.ValidationError(errors)
        return super().to_internal_value(data)

    def _type_errors(self, data: Mapping[str, Any], known: set[str]) -> dict[str, Any]:
        present = ((name, type_errors(self.fields[name], data[name])) for name in known if name in data)
        return {name: errors for name, errors in present if errors}


def type_errors(field: serializers.Field[Any, Any, Any, Any], value: Any) -> Any:
    """What is wrong with the JSON type of a value or of what is in it: messages, {index: …}, or nothing."""
    if value is None:
        return []  # allow_null answers for that
    for kind, types, message in WANTED:
        if isinstance(field, kind):
            if not isinstance(value, types) or (isinstance(value, bool) and types is not TRUTH):
                return [message]
            return _type_errors_inside(field, value)
    return []


def _type_errors_inside(field: serializers.Field[Any, Any, Any, Any], value: Any) -> Any:
    if not isinstance(field, (serializers.ListField, serializers.DictField)):
        return []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = {str(key): type_errors(field.child, inner) for key, inner in items}
    return {key: errors for key, errors in found.items() if errors}


def parse(
    serializer: type[serializers.BaseSerializer[Any]], data: Any, *, partial: bool = False
) -> dict[str, Any]:
    """The validated values; raises a 400 that points at each field. `partial` for PATCH: nothing is required."""
    bound = serializer(data=data, partial=partial)
    bound.is_valid(raise_exception=True)
    values: dict[str, Any] = bound.validated_data
    return values


def parse_changes(
    serializer: type[serializers.BaseSerializer[Any]], request: Request, *, unit: str = "field"
) -> dict[str, Any]:
    """What a PATCH changes, which is one thing at least; nothing for other methods."""
    if request.method != "PATCH":
        return {}
    changes = parse(serializer, request.data, partial=True)
    if not changes:
        raise InvalidInput(f"Name at least one {unit} to change.")
    return changes


PAGE_PARAMETERS = ("limit", "cursor")  # pagination reads these itself
NO_PARAMETER = "There is no such parameter."


def check_parameters(request: Request, known: Collection[str]) -> None:
    """Raise a 400 for names in the query string that an address doesn't take (`?name` points at them)."""
    unknown = [name for name in request.query_params if name not in known]
    if unknown:
        raise InvalidInput(errors=[FieldError(f"?{name}", NO_PARAMETER) for name in unknown])


def parse_query(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The same for a query string: values come as texts, unknown names raise a 400 (`?name` points at them).

    Take a plain `serializers.Serializer`: a strict one would refuse "3" where it wants 3.
    """
    given = {name: value for name, value in request.query_params.items() if name not in PAGE_PARAMETERS}
    bound = serializer(data=given)
    unknown = [name for name in given if name not in bound.fields]
    problems = {name: [NO_PARAMETER] for name in unknown}
    if not bound.is_valid():
        problems |= {name: [str(one) for one in errors] for name, errors in bound.errors.items()}
    if problems:
        raise InvalidInput(
            errors=[FieldError(f"?{name}", one) for name in problems for one in problems[name]]
        )
    values: dict[str, Any] = bound.validated_data
    return values

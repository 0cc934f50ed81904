"""The shape of an answer, said once by its type: its JSON schema as OpenAPI 3.1 takes it, and an example of it.

An answer is a TypedDict that stands beside the function that makes it. mypy holds the function to it, the document
shows it, and the tests hold every answer they get to the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    NotRequired,
    TypedDict,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

NAME_ENDING = "Fields"  # of a TypedDict's name, left out in the document
REF = "#/components/schemas/"
EXAMPLE_ID = "0199c5a2-7d4e-7b61-9f0a-3c1e5d2b8a47"
EXAMPLE_MOMENT = "2026-03-02T09:30:00Z"
PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Any: {},
}
EXAMPLES = {int: 1, float: 0.5, bool: False, NoneType: None}
UNSET = object()

Schema = dict[str, Any]
Bindings = Mapping[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)  # by identity, since an example may be a list
class Note:
    """What the document says of a value beyond its type."""

    example: Any = UNSET
    about: str = ""
    format: str = ""
    choices: tuple[str, ...] = ()


def like(example: Any, about: str = "") -> Note:
    """A value such as this one."""
    return Note(example, about)


def one_of(choices: Any, example: Any = UNSET, about: str = "") -> Note:
    """One of few values, or of a model's choices; the first is the example unless another is named."""
    values = tuple(map(str, getattr(choices, "values", choices)))
    return Note(values[0] if example is UNSET else example, about, choices=values)


Id = Annotated[str, Note(EXAMPLE_ID, format="uuid")]
Moment = Annotated[str, Note(EXAMPLE_MOMENT, format="date-time")]
Row = TypeVar("Row")


class Page(TypedDict, Generic[Row]):
    """A part of a list."""

    results: list[Row]
    next: Annotated[str | None, like(None, "What `?cursor=` takes for the next page; null on the last.")]


class Shapes:
    """Schemas of types; what they refer to is gathered in `components`, by name."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {}

    def schema_of(self, hint: Any, bindings: Bindings | None = None) -> Schema:
        """The schema; raises TypeError for a type that has none."""
        hint = _bound(hint, bindings)
        origin, inner = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return _noted(self.schema_of(inner[0], bindings), inner[1:])
        if hint in PLAIN:
            return dict(PLAIN[hint])
        if is_typeddict(origin or hint):
            return self._refer_to(hint)
        if origin in (Union, UnionType):
            return _any_of([self.schema_of(one, bindings) for one in inner])
        if origin is list:
            return {"type": "array", "items": self.schema_of(inner[0], bindings)}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.schema_of(inner[1], bindings)}
        if origin is NotRequired:
            return self.schema_of(inner[0], bindings)
        raise TypeError(f"{hint} has no JSON schema")

    def _refer_to(self, hint: Any) -> Schema:
        name = name_of(hint)
        if name not in self.components:
            self.components[name] = {}  # so that a type may hold itself
            self.components[name] = self._object(hint)
        return {"$ref": REF + name}

    def _object(self, hint: Any) -> Schema:
        kind, bindings = _generic(hint)
        fields = _fields_of(kind)
        found: Schema = {"type": "object"}
        if kind.__doc__:
            found["description"] = " ".join(kind.__doc__.split())
        found["properties"] = {name: self.schema_of(field, bindings) for name, field in fields.items()}
        required = [name for name, field in fields.items() if _is_required(kind, name, field)]
        return found | ({"required": required} if required else {})


def name_of(hint: Any) -> str:
    """`Memory` for MemoryFields, `MemoryPage` for a page of them."""
    kind = get_origin(hint) or hint
    inside = "".join(name_of(inner) for inner in get_args(hint))
    return inside + str(kind.__name__).removesuffix(NAME_ENDING)


def example_of(hint: Any, bindings: Bindings | None = None) -> Any:
    """A value of the type, put together of what its fields are like; raises TypeError where a text isn't like any."""
    hint = _bound(hint, bindings)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        given = [note.example for note in inner[1:] if note.example is not UNSET]
        return given[-1] if given else example_of(inner[0], bindings)
    if hint in EXAMPLES:
        return EXAMPLES[hint]
    if is_typeddict(origin or hint):
        return _example_object(hint)
    if origin is list:
        return [example_of(inner[0], bindings)]
    if origin in (Union, UnionType, NotRequired):
        return example_of(inner[0], bindings)
    raise TypeError(f"{hint} needs an example")


def _example_object(hint: Any) -> dict[str, Any]:
    """With each field that is always there, and of the others those that say what they are like."""
    kind, bindings = _generic(hint)
    return {
        name: example_of(field, bindings)
        for name, field in _fields_of(kind).items()
        if _is_required(kind, name, field) or _is_like_something(field)
    }


def _is_like_something(field: Any) -> bool:
    inner = get_args(field)[0] if get_origin(field) is NotRequired else field
    return get_origin(inner) is Annotated


def _bound(hint: Any, bindings: Bindings | None) -> Any:
    return (bindings or {})[hint] if isinstance(hint, TypeVar) else hint


def _generic(hint: Any) -> tuple[Any, Bindings]:
    kind = get_origin(hint) or hint
    return kind, dict(zip(getattr(kind, "__parameters__", ()), get_args(hint), strict=True))


def _fields_of(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _is_required(kind: Any, name: str, field: Any) -> bool:
    """`__required_keys__` knows `total`, but not yet what a postponed annotation says."""
    return name in kind.__required_keys__ and get_origin(field) is not NotRequired


def _any_of(schemas: list[Schema]) -> Schema:
    """`["string", "null"]` where one type may be missing, else a choice."""
    some = [one for one in schemas if one != PLAIN[NoneType]]
    if (
        len(some) == 1
        and len(schemas) == 2
        and isinstance(some[0].get("type"), str)
        and "enum" not in some[0]
    ):
        return {**some[0], "type": [some[0]["type"], "null"]}
    return {"anyOf": schemas}


def _noted(schema: Schema, notes: tuple[Any, ...]) -> Schema:
    described = dict(schema)
    for note in notes:
        if note.format:
            described["format"] = note.format
        if note.about:
            described["description"] = note.about
        if note.choices:
            described["enum"] = [*note.choices, *([None] if "null" in described["type"] else [])]
    return described

"""A request body: one JSON object (RFC 8259), and nothing that the database or a reader could misunderstand."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any, NoReturn

from rest_framework.parsers import BaseParser

from nebo.errors import InvalidInput, NeboError

MAX_DEPTH = 64  # levels of nesting; our deepest body has four
MAX_DIGITS = 20  # with the sign: all of 64 bits, and nothing that overflows a float
NOT_STORABLE = "\0"  # Postgres keeps no NUL in text
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: no valid UTF-8 (RFC 3629 §3)

Path = tuple[Any, ...]  # (parent path, step), read from the end; () is the whole body


class RepeatedName(dict[str, Any]):
    """An object in which `name` stood twice: readers disagree which one counts (RFC 8259 §4)."""

    name: str


class StrictJSONParser(BaseParser):
    """Raises InvalidInput with the position of broken JSON, or the pointer to the value that is refused."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        return parse_object(stream.read())


def parse_object(body: bytes) -> dict[str, Any]:
    """The object in `body`; an empty body is an empty object."""
    if not body:
        return {}
    value = parse_json(body)
    if not isinstance(value, dict):
        raise InvalidInput("The body must be a JSON object.", field="#")
    for path, problem in list_refused(value):
        raise InvalidInput(problem, field=pointer(path))
    return value


def parse_json(body: bytes) -> Any:
    """Any JSON value in UTF-8; raises InvalidInput with line and column."""
    try:
        return json.loads(
            body.decode(),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_integer,
        )
    except UnicodeDecodeError as error:
        raise InvalidInput(f"The body is not UTF-8: byte {error.start}.", field="#") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput(f"The body is not JSON: {error.msg} ({where}).", field="#") from error
    except RecursionError as error:
        raise _too_deep() from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    seen: set[str] = set()
    repeated = RepeatedName(value)
    repeated.name = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
    return repeated


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidInput(f"The body is not JSON: {name} is no number there.", field="#")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise InvalidInput("The body has a number that is too large.", field="#")
    return number


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise InvalidInput("The body has a number that is too large.", field="#")
    return int(text)


def list_refused(body: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    """Each place in a parsed body that is refused, and why; walks without recursion."""
    rest: list[tuple[Path, int, Any]] = [((), 0, body)]
    while rest:
        path, depth, value = rest.pop()
        if depth > MAX_DEPTH:
            raise _too_deep()
        if isinstance(value, str):
            if refusal := refusal_of(value):
                yield path, refusal
        elif isinstance(value, dict):
            yield from _refused_names(path, value)
            rest.extend(((path, name), depth + 1, inner) for name, inner in value.items())
        elif isinstance(value, list):
            rest.extend(((path, index), depth + 1, inner) for index, inner in enumerate(value))


def _refused_names(path: Path, value: dict[str, Any]) -> Iterator[tuple[Path, str]]:
    if isinstance(value, RepeatedName):
        yield (path, value.name), "This name stands twice in its object."
    for name in value:
        if refusal := refusal_of(name):
            yield path, f"A name in this object is refused. {refusal}"


def refusal_of(text: str) -> str:
    """Why a text cannot be kept, or ""."""
    if NOT_STORABLE in text:
        return "NUL characters are not allowed."
    if SURROGATE.search(text):
        return "Half of a surrogate pair is not a character."
    return ""


def pointer(path: Path) -> str:
    """RFC 6901 in the form of a URI fragment, as RFC 9457 §3 shows it."""
    steps: list[str] = []
    while path:
        path, step = path
        steps.append(str(step).replace("~", "~0").replace("/", "~1"))
    text = "#" + "".join(f"/{step}" for step in reversed(steps))
    return text.encode("utf-8", "replace").decode()


def _too_deep() -> NeboError:
    return InvalidInput(f"The body nests more than {MAX_DEPTH} levels deep.", field="#")

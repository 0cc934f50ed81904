"""The cases as they stand in `cases/*.toml`; a mistake in one is told with its file and number."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.truth.checks import check_expected

FOLDER = Path(__file__).with_name("cases")
UNSEEN = Path(__file__).with_name("unseen")  # by which nothing is mended
LANGUAGES = {"en": "English", "de": "German", "es": "Spanish", "fr": "French", "it": "Italian"}
KINDS = ("case", "lookalike")
FIELDS = {
    "language", "known", "todos", "earlier", "earlier_on", "said", "on", "persona", "ask", "before", "expect",
    "elsewhere",
}  # fmt: skip
ASSISTANT = "assistant: "  # what a line of the assistant begins with


class BadCase(ValueError):
    """A case that can't be told; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Todo:
    """One that is written down by API before anything is said."""

    text: str
    due: date | None = None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What must hold for another persona."""

    persona: str
    expect: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """What is known, what was said in an earlier session, what is said now, and what must hold before and after."""

    family: str
    number: int  # in its file, look-alikes after the others, from 1
    language: str
    is_lookalike: bool
    known: tuple[str, ...]
    todos: tuple[Todo, ...]
    earlier: tuple[Line, ...]
    said: tuple[Line, ...]
    persona: str
    ask: str
    expect: Mapping[str, Any]
    before: Mapping[str, Any] = field(default_factory=dict)
    elsewhere: Elsewhere | None = None
    on: date | None = None
    earlier_on: date | None = None

    @property
    def name(self) -> str:
        """`due-dates 7 (de)`."""
        return f"{self.family} {self.number} ({self.language}{', look-alike' if self.is_lookalike else ''})"

    @property
    def words(self) -> str:
        """Everything that is said in it, by which it can be found."""
        written = (*self.known, *(todo.text for todo in self.todos))
        return " ".join([*written, *(line.content for line in (*self.earlier, *self.said)), self.ask])


@dataclass(frozen=True, slots=True)
class Family:
    """A file of cases."""

    name: str
    about: str
    cases: tuple[Case, ...]


def read_families(folder: Path = FOLDER) -> list[Family]:
    """All of them, by name of file. Raises BadCase."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise BadCase(f"No cases in {folder}.")
    return [read_family(file) for file in files]


def read_family(file: Path) -> Family:
    """One file: `about`, then a `[[case]]` or `[[lookalike]]` each. Raises BadCase."""
    name = file.stem.partition("-")[2] or file.stem  # the number in front only puts them in order
    try:
        written = tomllib.loads(file.read_text("utf-8"))
        shared = written.get("lookalikes", {})
        return Family(name, written["about"], tuple(_cases(name, written, shared)))
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise BadCase(f"{file.name}: {error}") from error


def _cases(family: str, written: Mapping[str, Any], shared: Mapping[str, Any]) -> Iterator[Case]:
    rows = [(kind, row) for kind in KINDS for row in written.get(kind, ())]
    for number, (kind, row) in enumerate(rows, 1):
        is_lookalike = kind == "lookalike"
        try:
            yield _case(family, number, (shared | row) if is_lookalike else row, is_lookalike)
        except (ValueError, KeyError, TypeError) as error:
            raise BadCase(f"{family} {number}, {row.get('said', row)}: {error}") from error


def _case(family: str, number: int, row: Mapping[str, Any], is_lookalike: bool) -> Case:
    if unknown := row.keys() - FIELDS:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    if row["language"] not in LANGUAGES:
        raise ValueError(f"no language of ours: {row['language']} (LANGUAGES in benchmarks/truth/cases.py)")
    return Case(
        family=family,
        number=number,
        language=row["language"],
        is_lookalike=is_lookalike,
        known=tuple(row.get("known", ())),
        todos=tuple(_todo(one) for one in row.get("todos", ())),
        earlier=read_lines(row.get("earlier", ())),
        said=read_lines(row.get("said", ())),
        persona=row.get("persona", ""),
        ask=row.get("ask", ""),
        expect=check_expected(row["expect"]),
        before=check_expected(row.get("before", {})),
        elsewhere=_elsewhere(row.get("elsewhere")),
        on=row.get("on"),
        earlier_on=row.get("earlier_on"),
    )


def _elsewhere(written: Mapping[str, Any] | None) -> Elsewhere | None:
    if written is None:
        return None
    rest = {name: value for name, value in written.items() if name != "persona"}
    return Elsewhere(written["persona"], check_expected(rest))


def _todo(written: str | Mapping[str, Any]) -> Todo:
    return Todo(written) if isinstance(written, str) else Todo(written["text"], written.get("due"))


def read_lines(written: Sequence[str]) -> tuple[Line, ...]:
    """What is said, a line each; TypeError where it is no list."""
    if isinstance(written, str):
        raise TypeError("what is said is a list")
    return tuple(_line(one) for one in written)


def _line(written: str) -> Line:
    if written.startswith(ASSISTANT):
        return Line("assistant", written.removeprefix(ASSISTANT))
    return Line("user", written)

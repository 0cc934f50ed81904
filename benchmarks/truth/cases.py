"""The cases as they stand in `cases/*.toml`; a mistake in one is told with its file and number."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.truth.checks import check_expected
from benchmarks.truth.proposing import TEMPERS, Modelled, read_modelled

FOLDER = Path(__file__).with_name("cases")
UNSEEN = Path(__file__).with_name("unseen")  # by which nothing is mended
WITH_MODEL = Path(__file__).with_name("cases-model")  # in which a scripted chat model proposes
LANGUAGES = {"en": "English", "de": "German", "es": "Spanish", "fr": "French", "it": "Italian"}
KINDS = ("case", "lookalike")
FIELDS = {
    "language", "known", "todos", "earlier", "earlier_on", "said", "on", "persona", "ask", "before", "expect",
    "elsewhere", "model", "earlier_model", "lines", "raw", "then",
}  # fmt: skip
JOBS = ("flush", "compact", "close")  # that may follow what is said
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
    model: Modelled = field(default_factory=Modelled)
    earlier_model: Modelled = field(default_factory=Modelled)
    then: tuple[str, ...] = ()

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
    temper: str = ""  # of its chat model; empty where there is none


def read_families(folder: Path = FOLDER) -> list[Family]:
    """All of them, by name of file. Raises BadCase."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise BadCase(f"No cases in {folder}.")
    return [read_family(file) for file in files]


def read_family(file: Path) -> Family:
    """One file: `about` and the `temper` of its model, then a `[[case]]` or `[[lookalike]]` each. Raises BadCase."""
    name = file.stem.partition("-")[2] or file.stem  # the number in front only puts them in order
    try:
        written = tomllib.loads(file.read_text("utf-8"))
        temper = written.get("temper", "")
        if temper and temper not in TEMPERS:
            raise BadCase(f"{file.name}: no temper {temper}; there are {', '.join(TEMPERS)}")
        return Family(name, written["about"], tuple(_cases(name, written, temper)), temper)
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise BadCase(f"{file.name}: {error}") from error


def _cases(family: str, written: Mapping[str, Any], temper: str) -> Iterator[Case]:
    shared = written.get("lookalikes", {})
    rows = [(kind, row) for kind in KINDS for row in written.get(kind, ())]
    for number, (kind, row) in enumerate(rows, 1):
        is_lookalike = kind == "lookalike"
        try:
            yield _case(family, number, (shared | row) if is_lookalike else row, is_lookalike, temper)
        except (ValueError, KeyError, TypeError) as error:
            raise BadCase(f"{family} {number}, {row.get('said', row)}: {error}") from error


def _case(family: str, number: int, row: Mapping[str, Any], is_lookalike: bool, temper: str) -> Case:
    if unknown := row.keys() - FIELDS:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    if row["language"] not in LANGUAGES:
        raise ValueError(f"no language of ours: {row['language']} (LANGUAGES in benchmarks/truth/cases.py)")
    if unknown := set(row.get("then", ())) - set(JOBS):
        raise ValueError(f"no job that follows: {', '.join(sorted(unknown))}; there are {', '.join(JOBS)}")
    earlier, said = read_lines(row.get("earlier", ())), read_lines(row.get("said", ()))
    told_earlier = {"model": row.get("earlier_model", ())}
    return Case(
        family=family,
        number=number,
        language=row["language"],
        is_lookalike=is_lookalike,
        known=tuple(row.get("known", ())),
        todos=tuple(_todo(one) for one in row.get("todos", ())),
        earlier=earlier,
        said=said,
        persona=row.get("persona", ""),
        ask=row.get("ask", ""),
        expect=check_expected(row["expect"]),
        before=check_expected(row.get("before", {})),
        elsewhere=_elsewhere(row.get("elsewhere")),
        on=row.get("on"),
        earlier_on=row.get("earlier_on"),
        model=read_modelled(row, temper, [line.content for line in said]),
        earlier_model=read_modelled(told_earlier, temper, [line.content for line in earlier]),
        then=tuple(row.get("then", ())),
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

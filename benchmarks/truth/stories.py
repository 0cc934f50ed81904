"""Long talks as they stand in `stories/*.toml`: sessions told in their order, then looked at from many sides."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.truth.cases import BadCase, Case, Line, read_lines
from benchmarks.truth.checks import check_expected

FOLDER = Path(__file__).with_name("stories")


@dataclass(frozen=True, slots=True)
class Talk:
    """A session of a story: what was said on a day."""

    on: date
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """One person over some months. Each check asks something, and says what must hold when all is told."""

    name: str
    about: str
    talks: tuple[Talk, ...]
    checks: tuple[Case, ...]


def read_stories(folder: Path = FOLDER) -> list[Story]:
    """All of them, by name of file. Raises BadCase."""
    return [read_story(file) for file in sorted(folder.glob("*.toml"))]


def read_story(file: Path) -> Story:
    """One file: `about`, a `[[session]]` each, then a `[[check]]` each. Raises BadCase."""
    try:
        written = tomllib.loads(file.read_text("utf-8"))
        talks = tuple(Talk(one["on"], read_lines(one["said"])) for one in written["session"])
        checks = tuple(_check(file.stem, number, one) for number, one in enumerate(written["check"], 1))
        return Story(file.stem, written["about"], talks, checks)
    except (tomllib.TOMLDecodeError, KeyError, ValueError, TypeError) as error:
        raise BadCase(f"{file.name}: {error}") from error


def _check(story: str, number: int, row: Mapping[str, Any]) -> Case:
    if unknown := row.keys() - {"about", "ask", "expect"}:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    return Case(
        family=f"{story}: {row['about']}",
        number=number,
        language="en",
        is_lookalike=False,
        known=(),
        todos=(),
        earlier=(),
        said=(),
        persona="",
        ask=row.get("ask", ""),
        expect=check_expected(row["expect"]),
    )

"""What is printed: a table of families, one of languages, and each case that isn't right with what was seen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.tables import Cell, render_table
from benchmarks.truth.cases import LANGUAGES, Family, Line
from benchmarks.truth.checks import Verdict
from benchmarks.truth.stories import Story
from benchmarks.truth.telling import Outcome

VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "missed")
HEADERS = ["cases", *VERDICTS, "look-alikes", *VERDICTS]
SHOWN = 6  # lines of a list
LABEL = 19  # characters of "forget requests now"
WIDTH = 300  # characters of a line


def render_report(families: Sequence[Family], outcomes: Sequence[Outcome], *, verbose: bool) -> str:
    """Those that aren't right (all when verbose), then the tables, which so stand last in a terminal."""
    shown = [one for one in outcomes if verbose or one.verdict != "right"]
    told = [tell_outcome(one, verbose=verbose) for one in shown]
    return "\n\n".join([*told, _by_family(families, outcomes), _by_language(outcomes)])


def render_stories(told: Sequence[tuple[Story, Sequence[Outcome]]], *, verbose: bool) -> str:
    """Each long talk: the checks that don't hold (all when verbose), then how many do."""
    parts = []
    for story, outcomes in told:
        shown = [one for one in outcomes if verbose or one.verdict != "right"]
        right = sum(one.verdict == "right" for one in outcomes)
        turns = sum(line.role == "user" for talk in story.talks for line in talk.lines)
        counted = f"{story.name}: {len(story.talks)} sessions, {turns} turns, {right} of {len(outcomes)} checks hold"
        parts += [*(tell_outcome(one, verbose=verbose) for one in shown), counted]
    return "".join(f"{part}\n\n" for part in parts)


def tell_outcome(outcome: Outcome, *, verbose: bool) -> str:
    """A case: what was told, what doesn't hold, what was seen."""
    case = outcome.case
    return "\n".join(
        [
            f"{outcome.verdict.upper()} {case.name}",
            *_field("known", case.known, verbose),
            *_field("todos", [todo.text for todo in case.todos], verbose),
            *_field("earlier", [_tell_line(line) for line in case.earlier], verbose),
            *_field("said", [_tell_line(line) for line in case.said], verbose),
            *_field("asked", [case.ask] if case.ask else [], verbose),
            *_field("but", [finding.told for finding in outcome.findings], verbose),
            *(line for name, told in outcome.seen.items() for line in _seen(name, told, verbose)),
        ]
    )


def _tell_line(line: Line) -> str:
    return line.content if line.role == "user" else f"({line.role}) {line.content}"


def _seen(name: str, told: Sequence[str], verbose: bool) -> Iterator[str]:
    yield from _field(f"{name} now", told or ["none"], verbose)


def _field(name: str, told: Sequence[str], verbose: bool) -> Iterator[str]:
    """`    said      …`, a line each; the rest of a long list is counted."""
    left = 0 if verbose else max(len(told) - SHOWN, 0)
    shown = [*told[: len(told) - left], *([f"… and {left} more"] if left else [])]
    for number, one in enumerate(shown):
        line = " ".join(one.split())
        label = name if number == 0 else ""
        yield f"    {label:<{LABEL}}  {line if verbose else textwrap.shorten(line, WIDTH, placeholder=' …')}"


def _by_family(families: Sequence[Family], outcomes: Sequence[Outcome]) -> str:
    told = [(family.name, _of_family(family, outcomes)) for family in families]
    rows = [[name, *_count(its_own)] for name, its_own in told if its_own]
    return render_table(["family", *HEADERS], [*rows, ["all", *_count(outcomes)]])


def _by_language(outcomes: Sequence[Outcome]) -> str:
    rows = [
        [name, *_count([one for one in outcomes if one.case.language == code])]
        for code, name in LANGUAGES.items()
        if any(one.case.language == code for one in outcomes)
    ]
    return render_table(["language", *HEADERS], rows)


def _of_family(family: Family, outcomes: Iterable[Outcome]) -> list[Outcome]:
    return [one for one in outcomes if one.case.family == family.name]


def _count(outcomes: Sequence[Outcome]) -> list[Cell]:
    """Cases and their verdicts, then the same of look-alikes."""
    cells: list[Cell] = []
    for lookalike in (False, True):
        verdicts = [one.verdict for one in outcomes if one.case.is_lookalike is lookalike]
        cells += [len(verdicts), *(verdicts.count(verdict) for verdict in VERDICTS)]
    return cells

"""What `doctor` finds: a line each, with the remedy below it where something is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "broken"]
MARKS: dict[State, str] = {"ok": "✓", "note": "!", "broken": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """`broken` means that Nebo can't work so; `note` that somebody should know."""

    name: str
    state: State
    detail: str
    remedy: str = ""


def ok(name: str, detail: str) -> Finding:
    return Finding(name, "ok", detail)


def note(name: str, detail: str, remedy: str = "") -> Finding:
    return Finding(name, "note", detail, remedy)


def broken(name: str, detail: str, remedy: str) -> Finding:
    return Finding(name, "broken", detail, remedy)


def table(findings: Iterable[Finding]) -> Iterator[str]:
    """The lines, in columns."""
    rows = list(findings)
    width = max((len(row.name) for row in rows), default=0)
    for row in rows:
        yield f"  {MARKS[row.state]} {row.name:<{width}}  {row.detail}"
        if row.remedy:
            yield f"    {'':<{width}}  → {row.remedy}"


def summary(findings: Iterable[Finding]) -> str:
    """One sentence."""
    faults = sum(row.state == "broken" for row in findings)
    if not faults:
        return "Nothing is broken."
    return f"{faults} thing{'s are' if faults > 1 else ' is'} broken."

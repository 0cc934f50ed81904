"""What is printed: a line a row, what was seen where one doesn't hold, and how many do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.rows.row import Outcome


def render_row(outcome: Outcome, *, verbose: bool = False) -> str:
    """`holds  todos-told  todos  Todos: made by talk  5 of 5`, and below it the cases that don't."""
    return "\n".join(_lines(outcome, verbose=verbose))


def _lines(outcome: Outcome, *, verbose: bool) -> Iterator[str]:
    row, right = outcome.row, sum(case.holds for case in outcome.cases)
    verdict = "unasked" if outcome.unasked else "holds" if outcome.holds else "FAILS"
    told = outcome.unasked or f"{right} of {len(outcome.cases)}"
    yield f"{verdict:<8} {row.id:<24} {row.subject:<12} {row.name} ({told}, {outcome.seconds:.0f} s)"
    for case in outcome.cases:
        if verbose or not case.holds:
            yield f"           {'holds' if case.holds else 'but  '} {case.told}"
            yield f"                 seen: {case.seen}"


def render_total(outcomes: Sequence[Outcome]) -> str:
    """`70 of 83 rows hold; 291 of 310 cases.`"""
    asked = [one for one in outcomes if not one.unasked]
    cases = [case for one in asked for case in one.cases]
    held, right = sum(one.holds for one in asked), sum(case.holds for case in cases)
    left = f"; {len(outcomes) - len(asked)} not asked" if len(asked) < len(outcomes) else ""
    return f"{held} of {len(asked)} rows hold; {right} of {len(cases)} cases{left}."


def render_page(outcomes: Sequence[Outcome]) -> str:
    """The same as a Markdown table, for docs/rows.md."""
    lines = ["| row | subject | what must hold | cases | |", "|---|---|---|---|---|"]
    for one in outcomes:
        right = sum(case.holds for case in one.cases)
        verdict = "holds" if one.holds else "**doesn't**"
        lines.append(
            f"| `{one.row.id}` | {one.row.subject} | {one.row.name} | {right} of {len(one.cases)} | {verdict} |"
        )
    return "\n".join(lines)

"""Tables that read well in a terminal and on a page."""

from __future__ import annotations

from collections.abc import Sequence

Cell = str | int | float | None


def render_table(headers: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """A Markdown table with aligned columns, the first to the left, the others to the right."""
    lines = [list(headers), *([show(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headers))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_line(line, widths) for line in (lines[0], rule, *lines[1:]))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    rest = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return f"| {' | '.join((first, *rest))} |"


def show(cell: Cell) -> str:
    """Three digits that count; a dash for what was not measured."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.3f}" if abs(cell) <= 1 else f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.1f}"
    return f"{cell:,}" if isinstance(cell, int) else cell

"""Rows as aligned columns, for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

GAP = "  "


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The head, a rule and a line a row; every column as wide as its widest cell."""
    widths = [max(map(_width, column)) for column in zip(head, *rows, strict=True)]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join(GAP.join(map(_padded, line, widths)).rstrip() for line in lines)


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(cell: str) -> int:
    """Columns on a screen: East Asian wide characters take two, marks none."""
    marks = sum(unicodedata.combining(char) > 0 for char in cell)
    return len(cell) + sum(unicodedata.east_asian_width(char) in "WF" for char in cell) - marks

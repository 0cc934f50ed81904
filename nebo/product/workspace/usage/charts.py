"""Charts as SVG made here: where each bar and each point stands. Colours come from the style sheet."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.dateformat import format as format_date
from django.utils.formats import number_format
from django.utils.translation import gettext

from nebo.product.workspace.usage.figures import Figures

WIDTH, HEIGHT = 720.0, 200.0  # of the drawing, in its own units
LEFT, RIGHT, BOTTOM, TOP = 52.0, 16.0, 24.0, 10.0  # room for labels
GAP = 0.25  # of a day's width, between two bars
LABELS = 6  # days named below at most
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Bar:
    """A day: calls that were answered, and on top of them those that were refused or failed."""

    x: float
    width: float
    y: float
    height: float
    error_y: float
    error_height: float
    title: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A number on the left, or a day below."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of WIDTH × HEIGHT."""

    bars: Sequence[Bar]
    lines: Sequence[tuple[str, str]]  # class and points of each
    left: Sequence[Mark]
    below: Sequence[Mark]
    base: float = HEIGHT - BOTTOM
    width: float = WIDTH
    height: float = HEIGHT
    margin: float = LEFT


def chart_calls(days: Sequence[tuple[date, Figures]]) -> Chart:
    """A bar a day."""
    top = _top(max((one.calls for _, one in days), default=0))
    step = (WIDTH - LEFT - RIGHT) / len(days)
    bars = [_bar(LEFT + step * place, step, day, one, top) for place, (day, one) in enumerate(days)]
    return Chart(bars, (), _numbers(top, _plain), _dates(days, step))


def chart_times(days: Sequence[tuple[date, Figures]]) -> Chart:
    """Two lines: what is typical, and what the slowest of twenty take. Days without calls leave a gap."""
    top = _top(max((one.slow_ms or 0 for _, one in days), default=0))
    step = (WIDTH - LEFT - RIGHT) / len(days)
    typical = _points([one.typical_ms for _, one in days], step, top)
    slow = _points([one.slow_ms for _, one in days], step, top)
    lines = [("chart-slow", points) for points in slow] + [("chart-typical", points) for points in typical]
    return Chart((), lines, _numbers(top, _time), _dates(days, step))


def _bar(x: float, step: float, day: date, one: Figures, top: float) -> Bar:
    good, bad = _length(one.calls - one.errors, top), _length(one.errors, top)
    base = HEIGHT - BOTTOM
    calls, errors = (number_format(number, force_grouping=True) for number in (one.calls, one.errors))
    title = gettext("%(day)s: %(calls)s calls") % {"day": format_date(day, gettext("j F")), "calls": calls}
    if one.errors:
        title += gettext(", %(errors)s refused or failed") % {"errors": errors}
    return Bar(
        x=round(x + step * GAP / 2, 2),
        width=round(step * (1 - GAP), 2),
        y=round(base - good, 2),
        height=round(good, 2),
        error_y=round(base - good - bad, 2),
        error_height=round(bad, 2),
        title=title,
    )


def _points(values: Sequence[float | None], step: float, top: float) -> list[str]:
    """The pieces of a line; one that would be a single point is drawn as long as a bar is wide."""
    pieces: list[list[tuple[float, float]]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            pieces.append([])
        else:
            pieces[-1].append((LEFT + step * (place + 0.5), HEIGHT - BOTTOM - _length(value, top)))
    return [_joined(piece, step) for piece in pieces if piece]


def _joined(piece: list[tuple[float, float]], step: float) -> str:
    if len(piece) == 1:
        ((x, y),) = piece
        half = step * (1 - GAP) / 2
        piece = [(x - half, y), (x + half, y)]
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in piece)


def _length(value: float, top: float) -> float:
    return (HEIGHT - BOTTOM - TOP) * value / top


def _top(largest: float) -> float:
    """A round number at or above the largest."""
    if largest <= 0:
        return 1.0
    size = 10.0 ** math.floor(math.log10(largest))
    return next((size * step for step in STEPS if size * step >= largest), size * 10)


def _numbers(top: float, said: Callable[[float], str]) -> list[Mark]:
    shares = (0.0, 0.5, 1.0)
    return [Mark(HEIGHT - BOTTOM - _length(top * one, top), said(top * one)) for one in shares]


def _plain(number: float) -> str:
    return number_format(number, 0, force_grouping=True) if number >= 1 or not number else _short(number)


def _time(milliseconds: float) -> str:
    return f"{_short(milliseconds)} ms" if milliseconds < 1000 else f"{_short(milliseconds / 1000)} s"


def _short(number: float) -> str:
    return number_format(int(number) if number == int(number) else float(f"{number:g}"))


def _dates(days: Sequence[tuple[date, Figures]], step: float) -> list[Mark]:
    every = math.ceil(len(days) / LABELS)
    return [
        Mark(round(LEFT + step * (place + 0.5), 2), format_date(day, gettext("j M")))
        for place, (day, _) in enumerate(days)
        if (len(days) - 1 - place) % every == 0
    ]

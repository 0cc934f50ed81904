"""Stretches of days and what they are called: a day, the week after one, a month, a year."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal, NamedTuple

from nebo.reading.times.calendar_words import COUNT_NAMES, MONTH_NAMES, WEEKDAYS, find_in


class Span(NamedTuple):
    """What a time comes to: a name, and the first and the last day where they are known."""

    label: str
    first: date | None = None
    last: date | None = None
    is_complete: bool = False
    sort: Literal["", "month", "end"] = ""


def format_day(day: date) -> str:
    """7 May 2023."""
    return f"{day.day} {MONTH_NAMES[day.month - 1]} {day.year}"


def of_day(day: date, *, is_complete: bool = False) -> Span:
    return Span(format_day(day), day, day, is_complete)


def at_distance(number: int, unit: str, on: date, *, ahead: bool) -> Span:
    sign = 1 if ahead else -1
    if unit == "day":
        return of_day(on + timedelta(days=sign * number))
    if unit in ("month", "year"):
        day = shift_months(on, sign * number * (1 if unit == "month" else 12))
        return Span(BY_UNIT[unit](on, sign * number).label, day.replace(day=1), day)
    day = on + timedelta(days=sign * 7 * number)
    count = COUNT_NAMES[number] if number < len(COUNT_NAMES) else str(number)
    words = f"{count} {unit}{'s' if number > 1 else ''} {'after' if ahead else 'before'} {format_day(on)}"
    return Span(words, day - timedelta(days=1), day)


def in_month(day: date, *, is_complete: bool = False) -> Span:
    label = f"{MONTH_NAMES[day.month - 1]} {day.year}"
    return Span(label, day.replace(day=1), day.replace(day=length_of(day)), is_complete, "month")


def week(on: date, step: int) -> Span:
    monday = on - timedelta(days=on.weekday()) + timedelta(days=7 * step)
    return Span(f"{_side('week', step)} {format_day(on)}", monday, monday + timedelta(days=6))


def weekend(on: date, step: int) -> Span:
    saturday = on - timedelta(days=on.weekday()) + timedelta(days=7 * step + 5)
    return Span(f"{_side('weekend', step)} {format_day(on)}", saturday, saturday + timedelta(days=1))


def _side(unit: str, step: int) -> str:
    if step > 1:
        return f"the second {unit} after"
    return f"the {unit} {('before', 'of', 'after')[step + 1]}"


def calendar_month(on: date, step: int) -> Span:
    return in_month(shift_months(on.replace(day=1), step))


def calendar_year(on: date, step: int) -> Span:
    year = on.year + step
    return Span(str(year), date(year, 1, 1), date(year, 12, 31))


def _day(on: date, step: int) -> Span:
    return of_day(on + timedelta(days=step))


BY_UNIT: dict[str, Callable[[date, int], Span]] = {
    "day": _day, "week": week, "weekend": weekend, "month": calendar_month, "year": calendar_year,
}  # fmt: skip


def shift_months(day: date, months: int) -> date:
    """The same day of another month, or its last."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    first = date(year, month + 1, 1)
    return first.replace(day=min(day.day, length_of(first)))


def length_of(day: date) -> int:
    return calendar.monthrange(day.year, day.month)[1]


def weekday_from(word: str, on: date, *, after: bool) -> date:
    target = find_in(word, WEEKDAYS)
    ahead = (target - on.weekday() - 1) % 7 + 1
    behind = (on.weekday() - target - 1) % 7 + 1
    return on + timedelta(days=ahead if after else -behind)

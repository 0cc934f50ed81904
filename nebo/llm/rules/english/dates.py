"""Relative dates in English, and what they come to on the day they are said."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "a couple of": 2, "couple of": 2, "couple": 2,
}  # fmt: skip

_DAY = r"(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_COUNT = (
    r"a few|several|some|many|a couple of|couple of|an?|one|two|three|four|five|six|seven|eight"
    r"|nine|ten|eleven|twelve|\d{1,3}"
)
_MONTH = "|".join(MONTHS)
_SEASON = r"spring|summer|autumn|fall|winter"
WHEN = re.compile(
    r"(?:\b(?:just|only|about|around|almost|over|early|earlier|later|late|on|back|by|for|over"
    r"|until|till|starting|since)\s+)?\b(?:"
    r"(?P<day>the day before yesterday|the day after tomorrow|yesterday(?: (?:morning|afternoon"
    r"|evening|night))?|today|tonight"
    rf"|tomorrow(?: (?:morning|afternoon|evening|night))?|last night|this (?:morning|afternoon|evening))"
    r"|(?P<which>last|next|this|this past|this coming|the past) (?P<unit>week|weekend|month|year"
    rf"|{_SEASON}|{_MONTH}|{_DAY})(?!\w)"
    rf"|(?P<count>{_COUNT}) (?P<units>day|week|weekend|month|year)s? (?P<way>ago|from now)"
    rf"|in (?P<ahead>{_COUNT}) (?P<aheads>day|week|month|year)s?(?:['’] time)?(?!\w)"
    rf"|(?:on |this |coming )(?P<weekday>{_DAY})(?!\w)"
    rf"|(?P<vague>recently|the other day|lately)"
    rf")",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class When:
    """A time as said, `text[start:end]`, what it comes to in words, and the day where it is one."""

    start: int
    end: int
    label: str
    day: date | None = None


def find_when(text: str, on: date | None, *, future: bool = False) -> When | None:
    """The first relative date in a text, resolved from the day it was said; None without one or without that day.

    `future` says which way a bare weekday ("on Friday") points.
    """
    match = WHEN.search(text) if on else None
    if not match or not on:
        return None
    label, day = _resolve(match, on, future=future)
    return When(match.start(), match.end(), label, day) if label else None


def format_day(day: date) -> str:
    """7 May 2023."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


Resolved = tuple[str, date | None]


def _resolve(match: re.Match[str], on: date, *, future: bool) -> Resolved:
    if match["day"]:
        return _named_day(match["day"].lower(), on)
    if match["which"]:
        return _which(match["which"].lower(), match["unit"].lower(), on)
    if match["count"]:
        return _counted(match["count"], match["units"].lower(), on, ahead=match["way"].lower() != "ago")
    if match["ahead"]:
        return _counted(match["ahead"], match["aheads"].lower(), on, ahead=True)
    if match["weekday"]:
        return _on_day(_weekday(match["weekday"], on, after=future))
    return f"around {MONTHS[on.month - 1]} {on.year}", None


def _on_day(day: date) -> Resolved:
    return format_day(day), day


def _named_day(word: str, on: date) -> Resolved:
    shifts = {"the day before yesterday": -2, "the day after tomorrow": 2, "last night": -1}
    shift = shifts.get(word, -1 if word.startswith("yesterday") else 1 if word.startswith("tomorrow") else 0)
    return _on_day(on + timedelta(days=shift))


def _which(which: str, unit: str, on: date) -> Resolved:
    step = -1 if which in ("last", "this past", "the past") else 1 if which in ("next", "this coming") else 0
    if unit in _UNITS:
        return _UNITS[unit](on, step)
    if unit in _SEASON.split("|"):
        return f"{unit} {on.year + step}", None
    if unit.title() in MONTHS:
        return _calendar_month(MONTHS.index(unit.title()) + 1, on, step)
    return _on_day(_weekday(unit, on, after=step >= 0))


def _calendar_month(month: int, on: date, step: int) -> Resolved:
    earlier, later = step < 0 and month >= on.month, step > 0 and month <= on.month
    return f"{MONTHS[month - 1]} {on.year - earlier + later}", None


def _week(on: date, step: int) -> Resolved:
    words = {-1: "the week before", 0: "the week of", 1: "the week after"}
    return f"{words[step]} {format_day(on)}", None


def _weekend(on: date, step: int) -> Resolved:
    words = {-1: "the weekend before", 0: "the weekend of", 1: "the weekend after"}
    return f"{words[step]} {format_day(on)}", None


def _month(on: date, step: int) -> Resolved:
    year, month = divmod(on.year * 12 + on.month - 1 + step, 12)
    return f"{MONTHS[month]} {year}", None


def _year(on: date, step: int) -> Resolved:
    return str(on.year + step), None


_UNITS: dict[str, Callable[[date, int], Resolved]] = {
    "week": _week,
    "weekend": _weekend,
    "month": _month,
    "year": _year,
}


def _counted(count: str, unit: str, on: date, *, ahead: bool) -> Resolved:
    number = int(count) if count.isdigit() else NUMBERS.get(count.lower(), 1)
    sign = 1 if ahead else -1
    if count.lower() in ("a few", "several", "some", "many"):
        return f"{count.lower()} {unit}s {'after' if ahead else 'before'} {format_day(on)}", None
    if unit == "day":
        return _on_day(on + timedelta(days=sign * number))
    if unit in ("month", "year"):
        return (
            _UNITS[unit](on, sign * number) if on.year + sign * number > 0 or unit == "month" else ("", None)
        )
    side = "after" if ahead else "before"
    return f"{count.lower()} {unit}{'s' if number > 1 else ''} {side} {format_day(on)}", None


def _weekday(word: str, on: date, *, after: bool) -> date:
    target = next(i for i, name in enumerate(WEEKDAYS) if name.startswith(word.lower()[:3]))
    ahead = (target - on.weekday() - 1) % 7 + 1
    behind = (on.weekday() - target - 1) % 7 + 1
    return on + timedelta(days=ahead if after else -behind)

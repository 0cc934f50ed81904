"""What a time that somebody says comes to, one function for each way of saying it; None where it is no time at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from nebo.reading.times.calendar_words import (
    AFTER_NEXT,
    BOUNDS,
    COUNTS,
    DAYS,
    FEASTS,
    FEW,
    LAST,
    MONTH_NAMES,
    MONTHS,
    NEXT,
    SEASONS,
    SHORT_WEEKDAYS,
    THIS,
    UNITS,
    WEEKDAYS,
    any_of,
    find_in,
    plain,
)
from nebo.reading.times.day_spans import (
    BY_UNIT,
    Span,
    at_distance,
    format_day,
    in_month,
    length_of,
    of_day,
    shift_months,
    weekday_from,
    weekend,
)

EARLY_DAY, MIDDLE_DAY = 10, 20  # of a month, by which its beginning and its middle are over
_COMPOUNDS = {"monats": "month", "jahres": "year"}
_FRENCH = re.compile(r"\b(?:je|j|on|nous|il|elle|le|du|au|pour|chez|c|ai|est|et|les)\b")
_PAUSE = re.compile(
    r"\s*(?:$|[.,;!?)–-])|\s+(?:at|by|for|with|to|from|in|when|before|after|if|and|or"
    r"|so|because|latest|instead|next|about|please|pls)\b"
)


@dataclass(frozen=True, slots=True)
class DateMatch:
    """A match on the day it was said, and which way a bare weekday points."""

    match: re.Match[str]
    on: date
    future: bool

    def __getitem__(self, name: str) -> str:
        return self.match.groupdict().get(name) or ""


def read_days_off(said: DateMatch) -> Span | None:
    word = said["word"]
    if word.startswith("hier") and not _FRENCH.search(said.match.string):
        return None
    if word == "manana" and re.search(
        r"\b(?:la|una|esta)\s+$", said.match.string[: said.match.start("word")]
    ):
        return None
    shift = next(days for days, table in DAYS.items() if re.fullmatch(plain(table), word))
    return of_day(said.on + timedelta(days=shift))


def read_iso(said: DateMatch) -> Span:
    return of_day(date(int(said["year"]), int(said["month"]), int(said["day"])), is_complete=True)


def read_numeric(said: DateMatch) -> Span | None:
    day, month = int(said["first"]), int(said["second"])
    if month > 12:
        day, month = month, day
    if said["year"]:
        year = int(said["year"])
        return of_day(date(year if year > 99 else 2000 + year, month, day), is_complete=True)
    return of_day(_nearest(said, lambda year: date(year, month, day)))


def read_calendar_day(said: DateMatch) -> Span:
    day, month = int(said["day"]), find_in(said["month"], MONTHS) + 1
    if said["year"]:
        return of_day(date(int(said["year"]), month, day), is_complete=True)
    return of_day(_nearest(said, lambda year: date(year, month, day)))


def read_feast(said: DateMatch) -> Span:
    month, day = next(key for key, table in FEASTS.items() if re.fullmatch(plain(table), said["feast"]))
    return of_day(_nearest(said, lambda year: date(year, month, day)))


def read_day_of_month(said: DateMatch) -> Span | None:
    day, bound = int(said["day"]), said[_bound_of(said)] if _bound_of(said) else ""
    if not said["link"] and not (bound and (said["ordinal"] or bound.endswith(("l", "m", "u")))):
        return None  # “by 5” is an hour, “antes del 5” a day
    for months in range(13):
        first = shift_months(said.on.replace(day=1), months if said.future else -months)
        if day <= length_of(first) and (first.replace(day=day) >= said.on) == said.future:
            return of_day(first.replace(day=day))
    return None


def read_day_of_month_near(said: DateMatch) -> Span | None:
    """“the 21st of next month”"""
    first = shift_months(said.on.replace(day=1), _step(said["which"] or said["which_after"]))
    day = int(said["day"])
    return of_day(first.replace(day=day)) if day <= length_of(first) else None


def read_day_of_weekday(said: DateMatch) -> Span | None:
    """“Saturday 15th”, „do 20.“: the next or last month's in which that day is such a weekday."""
    tables = [f"{long}|{short}" for long, short in zip(WEEKDAYS, SHORT_WEEKDAYS, strict=True)]
    weekday, day = find_in(said["weekday"] or said["short"], tables), int(said["day"])
    for months in range(13):
        first = shift_months(said.on.replace(day=1), months if said.future else -months)
        if day <= length_of(first) and first.replace(day=day).weekday() == weekday:
            found = first.replace(day=day)
            return of_day(found) if (found >= said.on) == said.future else None
    return None


def read_month(said: DateMatch) -> Span | None:
    month = find_in(said["month"], MONTHS) + 1
    if not (said["link"] or said["year"] or _bound_of(said)):
        return None
    if said["link"] in ("a", "ad") and said["month"] in ("march", "may", "mar"):
        return None
    if said["year"]:
        return in_month(date(int(said["year"]), month, 1), is_complete=True)
    step = 0 if month == said.on.month else 1 if said.future else -1
    return in_month(_nearest(said, lambda year: date(year, month, 1)) if step else said.on)


def read_part_of_month(said: DateMatch) -> Span:
    month = find_in(said["month"], MONTHS) + 1
    first = _nearest(said, lambda year: date(year, month, 1)) if month != said.on.month else said.on
    span, part = in_month(first), "early" if said["early"] else "mid"
    last = first.replace(day=EARLY_DAY if part == "early" else MIDDLE_DAY)
    return Span(f"{part} {span.label}" if part == "early" else f"mid-{span.label}", span.first, last)


def read_end(said: DateMatch) -> Span:
    """The end of a stretch: its last day, whether something is to be done by or before it."""
    step = _step(said["which"])
    if said["month"]:
        span = _month_in(said, find_in(said["month"], MONTHS) + 1, step)
    else:
        span = BY_UNIT[unit_of(said["unit"]) or _COMPOUNDS[said["compound"]]](said.on, step)
    return Span(f"the end of {span.label}", span.last, span.last, sort="end")


def read_year(said: DateMatch) -> Span | None:
    if not (said["link"] or _bound_of(said)):
        return None
    year = int(said["year"])
    return Span(str(year), date(year, 1, 1), date(year, 12, 31), True)


def read_which(said: DateMatch) -> Span:
    step, unit = _step(said["which"] or said["which_after"]), said["unit"] or said["unit_after"]
    if name := unit_of(unit):
        return BY_UNIT[name](said.on, step)
    if re.fullmatch(any_of(SEASONS.values()), unit):
        season = next(name for name, table in SEASONS.items() if re.fullmatch(plain(table), unit))
        return Span(f"{season} {said.on.year + step}")
    if re.fullmatch(any_of(MONTHS), unit):
        return _month_in(said, find_in(unit, MONTHS) + 1, step)
    return of_day(weekday_from(unit, said.on, after=step >= 0))


def read_weekend_near(said: DateMatch) -> Span:
    return weekend(said.on, 0 if said.future or said.on.weekday() > 4 else -1)


def read_counted(said: DateMatch) -> Span:
    count, unit = said["count"], unit_of(said["unit"])
    ahead = bool(said["ahead"] or said["from_now"])
    side = "after" if ahead else "before"
    if re.fullmatch(any_of([FEW]), count):
        return Span(
            f"{count if count in FEW.split('|')[:4] else 'a few'} {unit}s {side} {format_day(said.on)}"
        )
    return at_distance(read_count(count), unit, said.on, ahead=ahead)


def read_named_weekday(said: DateMatch) -> Span | None:
    if said["link"].strip() in ("le", "il", "la", "los") and not _bound_of(said):
        return None  # “le lundi” is every Monday
    if said["link"].strip() in ("", "the") and not _bound_of(said) and not _stands_alone(said):
        return None
    if said["week"]:
        monday = said.on - timedelta(days=said.on.weekday()) + timedelta(days=7)
        return of_day(monday + timedelta(days=find_in(said["weekday"], WEEKDAYS)))
    return of_day(weekday_from(said["weekday"], said.on, after=said.future))


def _stands_alone(said: DateMatch) -> bool:
    """Whether a bare weekday is a time: “call her Friday”, not “Friday night dinners”, “sun” or “my Monday”."""
    word, text = said["weekday"], said.match.string
    if len(word) <= 5 and word not in ("lundi", "mardi", "jeudi"):
        return False
    if re.search(r"\b(?:the|my|our|a|his)\s+$", text[: said.match.start()]):
        return False
    return not word.endswith("day") or _PAUSE.match(text, said.match.end()) is not None


def read_recently(said: DateMatch) -> Span:
    return Span(f"around {MONTH_NAMES[said.on.month - 1]} {said.on.year}")


def _bound_of(said: DateMatch) -> str:
    return next((name for name in BOUNDS if said[name]), "")


def _nearest(said: DateMatch, day_in: Callable[[int], date]) -> date:
    """The next such day, or the last one."""
    for years in range(9):  # 29 February comes every fourth year, but in 2100
        year = said.on.year + (years if said.future else -years)
        if day_in is not None and _exists(day_in, year) and (day_in(year) >= said.on) == said.future:
            return day_in(year)
        if _exists(day_in, year) and day_in(year) == said.on:
            return said.on
    raise ValueError


def _exists(day_in: Callable[[int], date], year: int) -> bool:
    try:
        day_in(year)
    except ValueError:
        return False
    return True


def _step(which: str) -> int:
    if not which:
        return 0
    tables = (LAST, THIS, NEXT, AFTER_NEXT)
    return next(step for step, table in enumerate(tables, -1) if re.fullmatch(any_of([table]), which))


def read_count(word: str) -> int:
    return int(word) if word.isdigit() else 15 if word == "quinze" else find_in(word, COUNTS)


def unit_of(word: str) -> str:
    return next((name for name, table in UNITS.items() if re.fullmatch(plain(table), word)), "")


def _month_in(said: DateMatch, month: int, step: int) -> Span:
    """“last June” is the one that is over, “next June” the one to come."""
    on = said.on
    years = (step > 0 and month <= on.month) - (step < 0 and month >= on.month)
    if not step and not said["which"]:
        years = (said.future and month < on.month) - (not said.future and month > on.month)
    return in_month(date(on.year + years, month, 1))

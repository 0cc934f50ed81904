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


def read_days_off(mention: DateMatch) -> Span | None:
    word = mention["word"]
    if word.startswith("hier") and not _FRENCH.search(mention.match.string):
        return None
    if word == "manana" and re.search(
        r"\b(?:la|una|esta)\s+$", mention.match.string[: mention.match.start("word")]
    ):
        return None
    shift = next(days for days, table in DAYS.items() if re.fullmatch(plain(table), word))
    return of_day(mention.on + timedelta(days=shift))


def read_iso(mention: DateMatch) -> Span:
    return of_day(date(int(mention["year"]), int(mention["month"]), int(mention["day"])), is_complete=True)


def read_numeric(mention: DateMatch) -> Span | None:
    day, month = int(mention["first"]), int(mention["second"])
    if month > 12:
        day, month = month, day
    if mention["year"]:
        year = int(mention["year"])
        return of_day(date(year if year > 99 else 2000 + year, month, day), is_complete=True)
    return of_day(_nearest(mention, lambda year: date(year, month, day)))


def read_calendar_day(mention: DateMatch) -> Span:
    day, month = int(mention["day"]), find_in(mention["month"], MONTHS) + 1
    if mention["year"]:
        return of_day(date(int(mention["year"]), month, day), is_complete=True)
    return of_day(_nearest(mention, lambda year: date(year, month, day)))


def read_feast(mention: DateMatch) -> Span:
    month, day = next(key for key, table in FEASTS.items() if re.fullmatch(plain(table), mention["feast"]))
    return of_day(_nearest(mention, lambda year: date(year, month, day)))


HOURLY = ("at", "a")  # words behind which a bare number is an hour: "at 3"


def read_day_of_month(mention: DateMatch) -> Span | None:
    day, bound = int(mention["day"]), mention[_bound_of(mention)] if _bound_of(mention) else ""
    if not mention["link"] and not (bound and (mention["ordinal"] or bound.endswith(("l", "m", "u")))):
        return None  # “by 5” is an hour, “antes del 5” a day
    if (mention["link"] or "").strip() in HOURLY and not mention["ordinal"]:
        return None
    for months in range(13):
        first = shift_months(mention.on.replace(day=1), months if mention.future else -months)
        if day <= length_of(first) and (first.replace(day=day) >= mention.on) == mention.future:
            return of_day(first.replace(day=day))
    return None


def read_day_of_month_near(mention: DateMatch) -> Span | None:
    """“the 21st of next month”"""
    first = shift_months(mention.on.replace(day=1), _step(mention["which"] or mention["which_after"]))
    day = int(mention["day"])
    return of_day(first.replace(day=day)) if day <= length_of(first) else None


def read_day_of_weekday(mention: DateMatch) -> Span | None:
    """“Saturday 15th”, „do 20.“: the next or last month's in which that day is such a weekday."""
    tables = [f"{long}|{short}" for long, short in zip(WEEKDAYS, SHORT_WEEKDAYS, strict=True)]
    weekday, day = find_in(mention["weekday"] or mention["short"], tables), int(mention["day"])
    for months in range(13):
        first = shift_months(mention.on.replace(day=1), months if mention.future else -months)
        if day <= length_of(first) and first.replace(day=day).weekday() == weekday:
            found = first.replace(day=day)
            return of_day(found) if (found >= mention.on) == mention.future else None
    return None


def read_month(mention: DateMatch) -> Span | None:
    month = find_in(mention["month"], MONTHS) + 1
    if not (mention["link"] or mention["year"] or _bound_of(mention)):
        return None
    if mention["link"] in ("a", "ad") and mention["month"] in ("march", "may", "mar"):
        return None
    if mention["year"]:
        return in_month(date(int(mention["year"]), month, 1), is_complete=True)
    step = 0 if month == mention.on.month else 1 if mention.future else -1
    return in_month(_nearest(mention, lambda year: date(year, month, 1)) if step else mention.on)


def read_part_of_month(mention: DateMatch) -> Span:
    month = find_in(mention["month"], MONTHS) + 1
    first = _nearest(mention, lambda year: date(year, month, 1)) if month != mention.on.month else mention.on
    span, part = in_month(first), "early" if mention["early"] else "mid"
    last = first.replace(day=EARLY_DAY if part == "early" else MIDDLE_DAY)
    return Span(f"{part} {span.label}" if part == "early" else f"mid-{span.label}", span.first, last)


def read_end(mention: DateMatch) -> Span:
    """The end of a stretch: its last day, whether something is to be done by or before it."""
    step = _step(mention["which"])
    if mention["month"]:
        span = _month_in(mention, find_in(mention["month"], MONTHS) + 1, step)
    else:
        span = BY_UNIT[unit_of(mention["unit"]) or _COMPOUNDS[mention["compound"]]](mention.on, step)
    return Span(f"the end of {span.label}", span.last, span.last, sort="end")


def read_end_before(mention: DateMatch) -> Span | None:
    """The same of "before the year is out", where something is to be done until then."""
    if not _bound_of(mention):
        return None
    span = BY_UNIT[unit_of(mention["unit"] or mention["unit_after"])](mention.on, 0)
    return Span(f"the end of {span.label}", span.last, span.last, sort="end")


def read_year(mention: DateMatch) -> Span | None:
    if not (mention["link"] or _bound_of(mention)):
        return None
    year = int(mention["year"])
    return Span(str(year), date(year, 1, 1), date(year, 12, 31), True)


def read_which(mention: DateMatch) -> Span:
    step, unit = _step(mention["which"] or mention["which_after"]), mention["unit"] or mention["unit_after"]
    if name := unit_of(unit):
        return BY_UNIT[name](mention.on, step)
    if re.fullmatch(any_of(SEASONS.values()), unit):
        season = next(name for name, table in SEASONS.items() if re.fullmatch(plain(table), unit))
        return Span(f"{season} {mention.on.year + step}")
    if re.fullmatch(any_of(MONTHS), unit):
        return _month_in(mention, find_in(unit, MONTHS) + 1, step)
    return of_day(weekday_from(unit, mention.on, after=step >= 0))


def read_weekend_near(mention: DateMatch) -> Span:
    return weekend(mention.on, 0 if mention.future or mention.on.weekday() > 4 else -1)


def read_counted(mention: DateMatch) -> Span:
    count, unit = mention["count"], unit_of(mention["unit"])
    ahead = bool(mention["ahead"] or mention["from_now"])
    side = "after" if ahead else "before"
    if re.fullmatch(any_of([FEW]), count):
        return Span(
            f"{count if count in FEW.split('|')[:4] else 'a few'} {unit}s {side} {format_day(mention.on)}"
        )
    return at_distance(read_count(count), unit, mention.on, ahead=ahead)


def read_named_weekday(mention: DateMatch) -> Span | None:
    if mention["link"].strip() in ("le", "il", "la", "los") and not _bound_of(mention):
        return None  # “le lundi” is every Monday
    if mention["link"].strip() in ("", "the") and not _bound_of(mention) and not _stands_alone(mention):
        return None
    if mention["week"]:
        monday = mention.on - timedelta(days=mention.on.weekday()) + timedelta(days=7)
        return of_day(monday + timedelta(days=find_in(mention["weekday"], WEEKDAYS)))
    return of_day(weekday_from(mention["weekday"], mention.on, after=mention.future))


def _stands_alone(mention: DateMatch) -> bool:
    """Whether a bare weekday is a time: “call her Friday”, not “Friday night dinners”, “sun” or “my Monday”."""
    word, text = mention["weekday"], mention.match.string
    if len(word) <= 5 and word not in ("lundi", "mardi", "jeudi"):
        return False
    if re.search(r"\b(?:the|my|our|a|his)\s+$", text[: mention.match.start()]):
        return False
    return not word.endswith("day") or _PAUSE.match(text, mention.match.end()) is not None


def read_recently(mention: DateMatch) -> Span:
    return Span(f"around {MONTH_NAMES[mention.on.month - 1]} {mention.on.year}")


def _bound_of(mention: DateMatch) -> str:
    return next((name for name in BOUNDS if mention[name]), "")


def _nearest(mention: DateMatch, day_in: Callable[[int], date]) -> date:
    """The next such day, or the last one."""
    for years in range(9):  # 29 February comes every fourth year, but in 2100
        year = mention.on.year + (years if mention.future else -years)
        if day_in is not None and _exists(day_in, year) and (day_in(year) >= mention.on) == mention.future:
            return day_in(year)
        if _exists(day_in, year) and day_in(year) == mention.on:
            return mention.on
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


def _month_in(mention: DateMatch, month: int, step: int) -> Span:
    """“last June” is the one that is over, “next June” the one to come."""
    on = mention.on
    years = (step > 0 and month <= on.month) - (step < 0 and month >= on.month)
    if not step and not mention["which"]:
        years = (mention.future and month < on.month) - (not mention.future and month > on.month)
    return in_month(date(on.year + years, month, 1))

"""Time in a question: the days it names, and whether it asks for one."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from nebo.reading.times.calendar_words import MONTHS

MONTH_NUMBER = {name: number for number, names in enumerate(MONTHS, 1) for name in names.split("|")}
# Months that are words or names otherwise: “may” and “mars” only with a day, a year or a capital.
AMBIGUOUS = {"may", "mar", "mars", "mart", "mai", "jan", "ocak", "sep", "dec"}
YEAR = r"(?:19|20)\d\d"
NAMED_DAY = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?)?"
    rf"(?P<month>{'|'.join(sorted(MONTH_NUMBER, key=len, reverse=True))})\b\.?"
    rf"(?:\s+(?P<day_after>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:))?(?:,?\s+(?:de\s+)?(?P<year>{YEAR})\b)?",
    re.IGNORECASE,
)
CHINESE = re.compile(rf"(?:(?P<year>{YEAR})年)?(?P<month>1[0-2]|[1-9])月(?:(?P<day>\d{{1,2}})[日号])?")
ISO = re.compile(rf"\b(?P<year>{YEAR})-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b")
BARE_YEAR = re.compile(rf"(?<![\d-])(?P<year>{YEAR})(?![\d-])")

DAYS_AGO = {
    "today": 0, "heute": 0, "hoy": 0, "bugün": 0, "今天": 0, "اليوم": 0,
    "yesterday": 1, "gestern": 1, "ayer": 1, "dün": 1, "昨天": 1, "أمس": 1,
}  # fmt: skip
UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
AGO = re.compile(
    r"\b(?P<count>\d{1,3}|an?|one|two|three|four|five|six)\s+(?P<unit>day|week|month|year)s?\s+ago\b",
    re.IGNORECASE,
)
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
LAST = re.compile(r"\blast\s+(?P<unit>week|weekend|month|year)\b", re.IGNORECASE)

ASKS_WHEN = re.compile(
    r"^\W*(?:when|how long|since when|(?:on |in )?(?:what|which) (?:day|date|month|year|week|time)|"
    r"wann|seit wann|wie lange|cuándo|cuando|quand|quando|ne zaman)\b|什么时候|何时|哪天|多久|متى",
    re.IGNORECASE,
)
# Words of a text that says when, as the index knows them. Months and years are not among them: the heading of
# every turn has its own.
TIME_WORDS = (
    "yesterday today tonight tomorrow last next ago week month year weekend since recently morning night monday "
    "tuesday wednesday thursday friday saturday sunday gestern heute morgen letzte nächste woche monat jahr seit "
    "ayer hoy mañana pasado pasada semana mes año hace hier demain dernier semaine dün bugün yarın geçen hafta yıl "
    "önce 昨天 今天 明天 上周 下周 上个 下个 去年 今年 明年 أمس اليوم غدا الماضي القادم منذ"
)


class Days(NamedTuple):
    """From the first day to the last."""

    first: date
    last: date


def asks_when(question: str) -> bool:
    """Whether it asks for a time."""
    return ASKS_WHEN.search(question) is not None


def find_days(question: str, *, today: date) -> list[Days]:
    """The days, months and years it names, absolutely or from `today`; a month without a year is any year's."""
    return [*_calendar_days(question, today), *_relative_days(question, today)]


def _calendar_days(question: str, today: date) -> Iterator[Days]:
    rest = question
    for pattern in (ISO, CHINESE, NAMED_DAY, BARE_YEAR):
        for found in pattern.finditer(rest):
            yield from _days_of(found, today)
        rest = pattern.sub(" ", rest)


def _days_of(found: re.Match[str], today: date) -> Iterator[Days]:
    named = found.groupdict()
    month = named.get("month")
    if month and not month.isdigit() and not _is_month(month, named):
        return
    number = (int(month) if month.isdigit() else MONTH_NUMBER[month.lower()]) if month else 0
    day = int(named.get("day") or named.get("day_after") or 0)
    years = [int(named["year"])] if named["year"] else _years_before(found, number, today)
    for year in years:
        yield from _span(year, number, day)


def _is_month(word: str, named: dict[str, str | None]) -> bool:
    """“Mars” and “may” are months with a day or a year; “May” is one by its capital."""
    if word.lower() not in AMBIGUOUS or named["year"] or named["day"] or named["day_after"]:
        return True
    return word in ("May", "Mai")


def _years_before(found: re.Match[str], month: int, today: date) -> list[int]:
    """“last May” is the one before today; “May” any of the last few years."""
    if re.search(r"\blast\s+$", found.string[: found.start()], re.IGNORECASE):
        return [today.year - (month >= today.month)]
    return list(range(today.year - 5, today.year + 1))


def _span(year: int, month: int, day: int) -> Iterator[Days]:
    if not month:
        yield Days(date(year, 1, 1), date(year, 12, 31))
        return
    if not 1 <= month <= 12:
        return
    length = calendar.monthrange(year, month)[1]
    if day <= length:
        yield Days(date(year, month, day or 1), date(year, month, day or length))


def _relative_days(question: str, today: date) -> Iterator[Days]:
    lower = question.lower()
    for word, ago in DAYS_AGO.items():
        if re.search(rf"(?<!\w){word}(?!\w)", lower) or (
            not word.isascii() and len(word) == 2 and word in lower
        ):
            yield _around(today - timedelta(days=ago), 0)
    for found in AGO.finditer(question):
        unit, count = UNIT_DAYS[found["unit"].lower()], found["count"].lower()
        back = unit * (int(count) if count.isdigit() else NUMBERS[count])
        yield _around(today - timedelta(days=back), unit * 3 // 7)
    for found in LAST.finditer(question):
        yield _last(found["unit"].lower(), today)


def _around(day: date, slack: int) -> Days:
    return Days(day - timedelta(days=slack), day + timedelta(days=slack))


def _last(unit: str, today: date) -> Days:
    """The week, weekend, month or year before this one."""
    monday = today - timedelta(days=today.weekday())
    if unit == "year":
        return Days(date(today.year - 1, 1, 1), date(today.year - 1, 12, 31))
    if unit == "month":
        last = today.replace(day=1) - timedelta(days=1)
        return Days(last.replace(day=1), last)
    return Days(monday - timedelta(days=2 if unit == "weekend" else 7), monday - timedelta(days=1))


def closeness(day: date, named: Sequence[Days], *, half_life_days: float) -> float:
    """1 within the days named, less the longer after them: people tell of a day when it is over. 0 before."""
    late = [(day - days.last).days for days in named if day >= days.first]
    return max((0.5 ** (max(days, 0) / half_life_days) for days in late), default=0.0)

"""Times as people say them, in five languages, and what they come to on the day they are said.

“on Friday”, „bis nächsten Dienstag“, “el 12 de marzo”, “d'ici la fin du mois”, “entro venerdì”, 12/03/2027 (the day
first, unless it can only be the month).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from nebo.reading.times.calendar_words import (
    AFTER_NEXT,
    ARTICLES,
    BEARING,
    BOUNDS,
    COUNTS,
    DAYS,
    FEASTS,
    FEW,
    LAST,
    LATER,
    MONTHS,
    NEXT,
    ROUND,
    SEASONS,
    SHORT_WEEKDAYS,
    THIS,
    UNITS,
    WEEKDAYS,
    any_of,
    plain,
)
from nebo.reading.times.date_meanings import (
    DateMatch,
    read_calendar_day,
    read_count,
    read_counted,
    read_day_of_month,
    read_day_of_month_near,
    read_day_of_weekday,
    read_days_off,
    read_end,
    read_end_before,
    read_feast,
    read_iso,
    read_month,
    read_named_weekday,
    read_numeric,
    read_part_of_month,
    read_recently,
    read_weekend_near,
    read_which,
    read_year,
    unit_of,
)
from nebo.reading.times.day_spans import Span, at_distance
from nebo.reading.times.past_clauses import is_past_clause

BEARING_CHARS = 200  # before a time, that may name the thing it belongs to
_SOME_DAY = date(2024, 1, 1)  # where times are only looked for


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time as said, `text[start:end]`.

    `label` is what it comes to in English words, `day` the day where it is a single one, `due` the last day on which
    something said to be done by then is in time. `bound` is how what is said lies to it (a key of BOUNDS, or "").
    `is_complete` says that the words name the whole date, year included.
    """

    start: int
    end: int
    label: str
    day: date | None = None
    due: date | None = None
    bound: str = ""
    is_complete: bool = False


def find_when(text: str, on: date | None, *, future: bool = False) -> TimeMention | None:
    """The first time in a text, resolved from the day it was said; None without one or without that day.

    `future` says which way a bare weekday or month points ("on Friday").
    """
    return next(iter_when(text, on, future=future), None)


def iter_when(text: str, on: date | None, *, future: bool = False) -> Iterator[TimeMention]:
    """Every time in a text, in its order; each reader goes through it once, however many times it holds."""
    if on is None:
        return
    at, words = 0, plain(text)
    ahead = {reader: _search(reader, words, 0, on, future=future) for reader in _READERS}
    while found := min(filter(None, ahead.values()), key=lambda when: (when.start, -when.end), default=None):
        yield found
        at = found.end
        for reader, when in ahead.items():
            if when is not None and when.start < at:
                ahead[reader] = _search(reader, words, at, on, future=future)


def without_times(text: str) -> str:
    """A text with none of its times; whether they were resolved rightly matters to nobody."""
    spans = [(when.start, when.end) for when in iter_when(text, _SOME_DAY)]
    ends, starts = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)]
    return " ".join(text[end:start] for end, start in zip(ends, starts, strict=True))


@lru_cache(2_000)  # of a fact that is known, each sentence asks anew
def names_time(text: str) -> bool:
    """Whether a text names a day, a month or another time."""
    return find_when(text, _SOME_DAY) is not None


def find_due(text: str, on: date) -> TimeMention | None:
    """The time by which something is to be done: that with a “by” or “before”, else the first that isn't over.

    One that says of a thing which one it is ("the letter of 3 May", "the letter that came on Monday") is none.
    """
    ahead = [
        when
        for when in iter_when(text, on, future=True)
        if when.due and when.due >= on and not _belongs_to_a_thing(text, when)
    ]
    found = next((when for when in ahead if when.bound), ahead[0] if ahead else None)
    return _in_next_week(text, found, ahead) if found else None


def _in_next_week(text: str, found: TimeMention, ahead: list[TimeMention]) -> TimeMention:
    """A weekday beside "next week" is that of next week: "next week I have to hand them in by Friday"."""
    words = plain(text)
    weeks = (when for when in ahead if _A_NEXT_WEEK.fullmatch(words[when.start : when.end]))
    week = next(weeks, None)
    if (
        week is None
        or week.due is None
        or found.due is None
        or not _A_WEEKDAY.search(words, found.start, found.end)
    ):
        return found
    if found.due > week.due - timedelta(days=7):
        return found
    due = found.due + timedelta(days=7)
    return replace(found, due=due, day=due if found.day else None)


def find_later(text: str, on: date, *, than: date) -> date | None:
    """The day to which something due on one day is put off: the first that is told after it, or so much "later".

    A day goes before a stretch of days: "next weekend, so Saturday the 15th".
    """
    if match := _LATER.search(plain(text)):
        return at_distance(read_count(match["count"]), unit_of(match["unit"]), than, ahead=True).last
    ahead = [when for when in iter_when(text, on, future=True) if when.due and when.due > than]
    return next((when.due for when in sorted(ahead, key=lambda when: when.day is None)), None)


def _belongs_to_a_thing(text: str, when: TimeMention) -> bool:
    if when.bound:
        return False
    before = text[max(0, when.start - BEARING_CHARS) : when.start]
    bearing = _BEARING_END.search(plain(before)) is not None
    return bearing or is_past_clause(text, when.start, when.end)


def _search(reader: _Reader, words: str, at: int, on: date, *, future: bool) -> TimeMention | None:
    for match in reader.pattern.finditer(words, at):
        if not _ROUND_END.search(words, max(0, match.start() - 16), match.start()):
            span = _resolve(reader, DateMatch(match, on, future))
            if span is not None:
                return _when(match, span)
    return None


def _resolve(reader: _Reader, mention: DateMatch) -> Span | None:
    try:
        return reader.resolve(mention)
    except (ValueError, OverflowError):  # 31 June, or further off than the calendar reaches
        return None


def _when(match: re.Match[str], span: Span) -> TimeMention:
    bound = next((name for name in BOUNDS if match.groupdict().get(name)), "")
    day = span.first if span.first == span.last else None
    words = {"": "", "within": "by "}.get(bound, f"{bound} ")
    return TimeMention(
        start=match.start(),
        end=match.end(),
        label=f"{words}{span.label}",
        day=day if bound not in ("before", "after") else None,
        due=_due(bound, span),
        bound=bound,
        is_complete=span.is_complete,
    )


def _due(bound: str, span: Span) -> date | None:
    if span.first is None or span.last is None or bound in ("since", "after"):
        return None
    if bound == "before":
        return span.last if span.sort == "end" else span.first - timedelta(days=1)
    return span.first if bound == "by" and span.sort == "month" else span.last


class _Reader(NamedTuple):
    pattern: re.Pattern[str]
    resolve: Callable[[DateMatch], Span | None]


_BOUND = "|".join(f"(?P<{name}>{any_of([table])})" for name, table in BOUNDS.items())
_ROUGH = r"(?:(?:just|only|about|around|almost|over|back|starting|etwa|ungefahr|circa|verso|vers)\s+)?"
_LINK = rf"(?:(?:{any_of([ARTICLES])})\s+|l')"
_TO_ITS_DAY = rf"(?:(?!at?\s){_LINK}){{0,3}}"  # from a weekday to its day; behind "at" stands an hour
_DAY_NUMBER = r"(?P<day>\d{1,2})(?P<ordinal>st|nd|rd|th|er|\.|°|º)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_MONTH, _WEEKDAY, _UNIT = any_of(MONTHS), any_of(WEEKDAYS), any_of(UNITS.values())
_MONTH_UNIT = any_of([UNITS["month"]])
_COUNT = rf"{any_of([*COUNTS[1:], FEW])}|quinze|\d{{1,3}}"
_WHICH = any_of([LAST, THIS, NEXT, AFTER_NEXT])
# Of a job, or of holidays; the day before today is "yesterday".
_LAST_DAY = r"(?:last|letzte[nmrs]?|dernier|pasado)\s+(?:day|tag|jour|dia)\b"
_SOME_UNIT = f"{_UNIT}|{any_of(SEASONS.values())}|{_MONTH}|{_WEEKDAY}"
_EARLY = "early|(?:the )?beginning of|anfang|principios de|debut|inizio(?: di)?"
_MIDDLE = "mid|(?:the )?middle of|mitte|mediados de|mi|meta"
_END = (
    "the end of|end of|late|ende|a final(?:es)? de|final(?:es)? de|a fin(?:es)? de|fin(?:es)? de|la fin d[eu]"
    "|fin d[eu]|fin|la fine d(?:i|el|ella|ell')|fine"
)
_ROUND_END = re.compile(rf"(?<!\w)(?:{any_of([ROUND])})\s+$")
_TIME_OF_DAY = (
    "morning|afternoon|evening|night|fruh|morgen|vormittag|mittag|nachmittag|abend|por la (?:manana|tarde|noche)"
    "|matin|midi|soir|apres-midi|mattina|pomeriggio|sera"
)
_AFTER_DAY = (
    "at|by|for|with|to|from|in|and|or|so|but|till|until|when|because|latest|um|mit|und|y|con|a|et|avec|e"
)
_NEXT_WEEK = (
    "(?:next week|nachste[nr]? woche|(?:la )?semana que viene|(?:la )?proxima semana|(?:l?a )?semaine prochaine"
    "|(?:ella )?(?:settimana prossima|prossima settimana))"
)
_A_NEXT_WEEK = re.compile(rf"(?:in der |in )?{_NEXT_WEEK}")
_A_WEEKDAY = re.compile(rf"(?<!\w)(?:{_WEEKDAY})(?!\w)")
_LATER = re.compile(
    rf"(?<!\w)(?P<count>{any_of(COUNTS[1:])}|\d{{1,2}})\s+(?P<unit>{_UNIT})\s+(?:{any_of([LATER])})(?!\w)"
)
_BEARING_END = re.compile(rf"(?<!\w)(?:{any_of([BEARING])})\s*$")


def _reader(core: str, resolve: Callable[[DateMatch], Span | None]) -> _Reader:
    pattern = rf"(?<![\w-]){_ROUGH}(?:(?:{_BOUND})(?:\s+|(?<=')))?{core}(?!\w)"
    return _Reader(re.compile(pattern), resolve)


_READERS = (
    _reader(r"(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)", read_iso),
    _reader(
        rf"{_LINK}{{0,3}}(?P<first>\d{{1,2}})[./](?P<second>\d{{1,2}})[./](?P<year>\d{{4}}|\d\d)",
        read_numeric,
    ),
    _reader(rf"{_LINK}{{1,3}}(?P<first>\d{{1,2}})[./](?P<second>\d{{1,2}})\.?", read_numeric),
    _reader(
        rf"{_LINK}{{0,3}}(?:(?:{_WEEKDAY}),?\s+{_LINK}{{0,3}})?{_DAY_NUMBER}\s+(?:(?:of|de)\s+)?(?P<month>{_MONTH})\b\.?"
        rf"(?:,?\s+(?:del?\s+)?{_YEAR})?",
        read_calendar_day,
    ),
    _reader(
        rf"{_LINK}{{0,3}}(?:(?:{_WEEKDAY}),?\s+)?(?P<month>{_MONTH})\.?\s+(?:the\s+)?{_DAY_NUMBER}(?![\d:])(?:,?\s+{_YEAR})?",
        read_calendar_day,
    ),
    _reader(
        rf"{_LINK}{{0,3}}(?:(?P<weekday>{_WEEKDAY})[.,]?\s+{_TO_ITS_DAY}|(?P<short>{any_of(SHORT_WEEKDAYS)})\.?\s+)"
        rf"{_DAY_NUMBER}(?![\d:])",
        read_day_of_weekday,
    ),
    _reader(
        rf"{_LINK}{{0,3}}{_DAY_NUMBER}\s+(?:(?:of|del?|du|des)\s+)?{_LINK}{{0,3}}"
        rf"(?:(?P<which>{_WHICH})\s+(?:{_MONTH_UNIT})|(?:{_MONTH_UNIT})\s+(?P<which_after>{any_of([LAST, NEXT])}))",
        read_day_of_month_near,
    ),
    _reader(rf"{_LINK}{{1,3}}(?:{any_of([UNITS['weekend']])})", read_weekend_near),
    _reader(
        rf"{_LINK}{{0,3}}(?:(?:{_END})\s*(?:(?:the|des|der|de la|del|du|la|le|il|el)\s+|l')?(?:(?P<which>{_WHICH})\s+)?"
        rf"(?:(?P<unit>{_UNIT})|(?P<month>{_MONTH}))|(?P<compound>monats|jahres)ende)",
        read_end,
    ),
    _reader(
        rf"(?:(?:the|this)\s+(?P<unit>{_UNIT})\s+(?:ends|finishes|is (?:out|over|up))"
        rf"|que (?:se )?(?:acabe|termine) (?:el|la|este|esta)\s+(?P<unit_after>{_UNIT}))",
        read_end_before,
    ),
    _reader(rf"{_LINK}{{0,3}}(?:(?P<early>{_EARLY})|{_MIDDLE})[\s-]+(?P<month>{_MONTH})", read_part_of_month),
    _reader(
        rf"{_LINK}{{0,3}}(?!{_LAST_DAY})(?P<which>{_WHICH})\s*(?<!\w)(?P<unit>{_SOME_UNIT})",
        read_which,
    ),
    _reader(
        rf"{_LINK}{{0,3}}(?P<unit_after>{_SOME_UNIT})\s+(?P<which_after>{any_of([LAST, NEXT])})",
        read_which,
    ),
    _reader(
        rf"(?P<count>{_COUNT})\s+(?P<unit>{_UNIT})\s+(?:ago|fa|zuvor)",
        read_counted,
    ),
    _reader(
        rf"(?:vor|hace|il y a)\s+(?P<count>{_COUNT})\s+(?P<unit>{_UNIT})",
        read_counted,
    ),
    _reader(
        rf"(?P<ahead>in|within|innerhalb von|binnen|dentro de|en|dans|d'ici|tra|fra|entro)\s+"
        rf"(?P<count>{_COUNT})\s+(?P<unit>{_UNIT})(?:'s?)?(?: time)?",
        read_counted,
    ),
    _reader(rf"(?P<count>{_COUNT})\s+(?P<unit>{_UNIT})\s+(?P<from_now>from now)", read_counted),
    _reader(
        rf"(?:eod\s+|end of (?:the )?day\s+)?{_LINK}{{0,3}}(?P<word>{any_of(DAYS.values())})", read_days_off
    ),
    _reader(rf"{_LINK}{{0,3}}(?P<feast>{any_of(FEASTS.values())})", read_feast),
    _reader(
        rf"(?P<link>{_LINK}{{0,3}}){_DAY_NUMBER}(?!\.?\s+(?:{_MONTH}))(?=\s*(?:$|[.,;!?)])|\s+(?:{_AFTER_DAY})\b)",
        read_day_of_month,
    ),
    _reader(
        rf"(?:(?:eod|cob|end of (?:the )?day)\s+)?(?P<link>{_LINK}{{0,3}})(?P<weekday>{_WEEKDAY})"
        rf"(?:\s*(?:{_TIME_OF_DAY}))?"
        rf"(?P<week>,?\s+(?:of\s+|in der\s+|de\s+|d)?{_NEXT_WEEK})?",
        read_named_weekday,
    ),
    _reader(
        rf"(?:(?P<link>in|im|en|nel|ad?)\s+|{_LINK}{{0,3}}(?<=\s))(?P<month>{_MONTH})(?:,?\s+(?:de\s+)?{_YEAR})?",
        read_month,
    ),
    _reader(rf"(?:(?P<link>in|im jahr|en|nel)\s+)?{_YEAR}", read_year),
    _reader(
        "recently|the other day|lately|neulich|kurzlich|recientemente|recemment|l'altro giorno|recentemente",
        read_recently,
    ),
)

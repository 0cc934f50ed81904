"""Numbers and times of a claim, and whether they stand in what was said."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from nebo.reading.times.calendar_words import COUNTS, MONTH_NAMES, MONTHS, WEEKDAYS, plain
from nebo.reading.times.dates import TimeMention, iter_when

_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_TEENS = (
    "thirteen|dreizehn|trece|treize|tredici", "fourteen|vierzehn|catorce|quatorze|quattordici",
    "fifteen|fünfzehn|quince|quinze|quindici", "sixteen|sechzehn|dieciséis|seize|sedici",
    "seventeen|siebzehn|diecisiete|dix-sept|diciassette", "eighteen|achtzehn|dieciocho|dix-huit|diciotto",
    "nineteen|neunzehn|diecinueve|dix-neuf|diciannove",
)  # fmt: skip
_TENS = (
    "twenty|zwanzig|veinte|vingt|venti", "thirty|dreißig|dreissig|treinta|trente|trenta",
    "forty|vierzig|cuarenta|quarante|quaranta", "fifty|fünfzig|cincuenta|cinquante|cinquanta",
    "sixty|sechzig|sesenta|soixante|sessanta", "seventy|siebzig|setenta|settanta",
    "eighty|achtzig|ochenta|ottanta", "ninety|neunzig|noventa|novanta", "hundred|hundert|cien|cent|cento",
)  # fmt: skip


def _table() -> dict[str, str]:
    """Words that count, to the figure they mean; "one" means too many things."""
    small = {n: COUNTS[n] for n in range(3, len(COUNTS))} | {2: "two|zwei|dos|deux|due"}
    named = (
        small
        | dict(zip(range(13, 20), _TEENS, strict=True))
        | {10 * n: names for n, names in enumerate(_TENS, 2)}
    )
    return {plain(word): str(number) for number, names in named.items() for word in names.split("|")}


_NUMBERS = _table()
_CALENDAR = {
    plain(name): f"{kind} {number}"
    for kind, tables in (("month", MONTHS), ("weekday", WEEKDAYS))
    for number, table in enumerate(tables, 1)
    for name in table.split("|")
}


@lru_cache(4_000)
def is_figure(word: str) -> bool:
    """Whether a word counts, or names a month or a weekday."""
    bare = plain(word)
    return word[0].isdigit() or bare in _NUMBERS or bare in _CALENDAR


@lru_cache(4_000)
def numbers_of(text: str) -> frozenset[str]:
    """The figures of a text, written in digits or in words: "4,000" and "4000" are one, "twenty-one" is 20 and 1."""
    digits = {_bare(found) for found in _DIGITS.findall(text)}
    return frozenset(digits | {_NUMBERS[word] for word in _WORD.findall(plain(text)) if word in _NUMBERS})


def find_missing_figure(claim: str, sources: Iterable[tuple[str, date]]) -> str:
    """The first time or number of a claim that nothing said has, as it is written; empty where there is none.

    What was said comes with its day, from which it may be resolved: "next Friday" supports the date of that Friday.
    """
    texts = list(sources)
    days = {on for _, on in texts}
    claimed = {when for on in days for when in _times(claim, on)}
    if not claimed and not numbers_of(claim):
        return ""
    known = frozenset().union(*(numbers_of(text) for text, _ in texts)) if texts else frozenset()
    months = {month for text, _ in texts for month in _named(text)} if claimed else set()
    rest = claim
    for when in claimed:
        written = claim[when.start : when.end]
        stands = any(_parts_stand(written, known, months, on) for on in days)
        if not stands and not any(_is_among(when, _times(text, on)) for text, on in texts):
            return written
        rest = rest[: when.start] + " " * (when.end - when.start) + rest[when.end :]
    missing = numbers_of(rest) - known
    return min(missing, default="")


def _is_among(when: TimeMention, times: Iterable[TimeMention]) -> bool:
    ours = {when.label, when.day, when.due} - {None, ""}
    return any(ours & {other.label, other.day, other.due} or _holds(when, other) for other in times)


def _holds(when: TimeMention, other: TimeMention) -> bool:
    """Whether a whole month or year that is claimed holds the day that was said: "last week", "in April 2024"."""
    day = other.day or other.due
    if when.day or day is None:
        return False
    return when.label in (f"{MONTH_NAMES[day.month - 1]} {day.year}", f"{day.year}")


def _parts_stand(written: str, known: frozenset[str], months: set[str], on: date | None) -> bool:
    """Whether each number and each name of a month or a weekday was said; the year may be that of the talk."""
    years = {str(on.year + step) for step in (-1, 0, 1)} if on else set()
    own = numbers_of(written)
    iso = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", written.strip())
    if iso:
        year, month, day = iso.groups()
        return {str(int(day))} <= known and f"month {int(month)}" in months and year in (years | known)
    return own <= known | years and _named(written) <= months


def _named(text: str) -> set[str]:
    words = _WORD.findall(plain(text))
    return {_CALENDAR[word] for word in words if word in _CALENDAR}


@lru_cache(4_000)
def _times(text: str, on: date | None) -> tuple[TimeMention, ...]:
    """Those that name a day, a month or a year; both ways a bare weekday may point."""
    found = [*iter_when(text, on), *iter_when(text, on, future=True)]
    return tuple(dict.fromkeys(found))


def _bare(digits: str) -> str:
    """Without the marks that group thousands, and without zeros before it."""
    grouped = re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", digits)
    plain_digits = re.sub(r"[.,]", "", digits) if grouped else digits.replace(",", ".")
    return plain_digits.lstrip("0") or "0"

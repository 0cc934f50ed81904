"""What a time comes to, in the words of the language that it is told in: "the week before 8 May 2023" for a German
sentence is „die Woche vor dem 8. Mai 2023“.
"""

from __future__ import annotations

import re
from datetime import date

from nebo.reading.times.calendar_words import COUNT_NAMES, MONTH_NAMES
from nebo.reading.times.dates import find_when
from nebo.reading.wording.covering import language_of

_MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
}
_DAY = {"de": "{day}. {month} {year}", "es": "{day} de {month} de {year}"}
_MONTH = {"de": "{month} {year}", "es": "{month} de {year}"}
_PLAIN_DAY, _PLAIN_MONTH = "{day} {month} {year}", "{month} {year}"
# What stands before a day or a month.
_AROUND = {
    "en": "the second weekend after|the second week after|the weekend before|the weekend after|the weekend of"
    "|the week before|the week after|the week of|the end of|around|early",
    "de": "das zweite Wochenende nach dem|die zweite Woche nach dem|das Wochenende vor dem|das Wochenende nach dem"
    "|das Wochenende am|die Woche vor dem|die Woche nach dem|die Woche vom|Ende|etwa|Anfang",
    "es": "el segundo fin de semana después del|la segunda semana después del|el fin de semana antes del"
    "|el fin de semana después del|el fin de semana del|la semana antes del|la semana después del|la semana del"
    "|finales de|hacia|principios de",
    "fr": "le deuxième week-end après le|la deuxième semaine après le|le week-end avant le|le week-end après le"
    "|le week-end du|la semaine avant le|la semaine après le|la semaine du|fin|vers|début",
    "it": "il secondo fine settimana dopo il|la seconda settimana dopo il|il fine settimana prima del"
    "|il fine settimana dopo il|il fine settimana del|la settimana prima del|la settimana dopo il|la settimana del"
    "|fine|intorno a|inizio",
}
_COUNTS = {
    "de": "eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "es": "una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "fr": "une deux trois quatre cinq six sept huit neuf dix onze douze",
    "it": "una due tre quattro cinque sei sette otto nove dieci undici dodici",
}
_WEEKS = {  # one week, several weeks, a few weeks, and what stands before the day
    "de": ("{} Woche", "{} Wochen", "einige Wochen", "vor dem", "nach dem"),
    "es": ("{} semana", "{} semanas", "unas semanas", "antes del", "después del"),
    "fr": ("{} semaine", "{} semaines", "quelques semaines", "avant le", "après le"),
    "it": ("{} settimana", "{} settimane", "alcune settimane", "prima del", "dopo il"),
}
LANGUAGES = tuple(_MONTHS)
_DATE = re.compile(rf"(?:(?P<day>\d{{1,2}}) )?(?P<month>{'|'.join(MONTH_NAMES)}) (?P<year>\d{{4}})$")
_SOME_WEEKS = re.compile(r"(?P<count>a few|(?!the )[a-z]+|\d+) weeks? (?P<side>before|after) $")


def with_day(clause: str, on: date | None) -> str:
    """The clause with the day beside a relative date: "last Friday (5 May 2023)".

    One that may lie before or after that day ("in June", "on Friday") stays as told: a wrong year is worse than none.
    """
    when = find_when(clause, on)
    if when is None or not when.label or when.is_complete or when != find_when(clause, on, future=True):
        return clause
    owns = clause[when.end :].startswith(("'s ", "’s "))  # "last week's test": which one it is
    rough = when.day is None and find_when(clause[when.end :], on)  # "recently sold my shares, on August 13"
    label = label_in(when.label, language_of(clause))
    return clause if owns or rough else f"{clause[: when.end]} ({label}){clause[when.end :]}"


def label_in(label: str, language: str) -> str:
    """An English label of a time in another language; as it is in English, or where its form isn't known."""
    if language not in LANGUAGES or label.isdigit():
        return label
    day = _DATE.search(label)
    around = _around(label[: day.start()], language) if day else None
    if day is None or around is None:
        return label
    month = _MONTHS[language].split()[MONTH_NAMES.index(day["month"])]
    form = _DAY.get(language, _PLAIN_DAY) if day["day"] else _MONTH.get(language, _PLAIN_MONTH)
    return f"{around}{form.format(day=day['day'], month=month, year=day['year'])}"


def _around(words: str, language: str) -> str | None:
    """What stands before the day or the month, in that language; None where it isn't known."""
    if not words:
        return ""
    if weeks := _SOME_WEEKS.fullmatch(words):
        return _weeks(weeks, language)
    known = dict(zip(_AROUND["en"].split("|"), _AROUND[language].split("|"), strict=True))
    return f"{known[words.rstrip()]} " if words.rstrip() in known else None


def _weeks(found: re.Match[str], language: str) -> str | None:
    one, many, few, before, after = _WEEKS[language]
    side = before if found["side"] == "before" else after
    if found["count"] == "a few":
        return f"{few} {side} "
    if found["count"].isdigit():
        return f"{many.format(found['count'])} {side} "
    if found["count"] not in COUNT_NAMES[1:]:
        return None
    number = COUNT_NAMES.index(found["count"]) - 1
    return f"{(many if number else one).format(_COUNTS[language].split()[number])} {side} "

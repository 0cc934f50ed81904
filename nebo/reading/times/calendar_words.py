"""Months, weekdays, counts and units of time in the languages that are read; each word stands here once.

Words are matched without their accents (`plain`), so "marzo", "März" and "marz" need one spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

# January to December; questions are read in Portuguese, Turkish and Arabic too.
MONTHS = (
    "january|jan|januar|enero|janvier|gennaio|janeiro|ocak|يناير",
    "february|feb|februar|febrero|février|febbraio|fevereiro|şubat|فبراير",
    "march|mar|märz|maerz|marzo|mars|março|mart|مارس",
    "april|apr|abril|avril|aprile|nisan|أبريل",
    "may|mai|mayo|maggio|maio|mayıs|مايو",
    "june|jun|juni|junio|juin|giugno|junho|haziran|يونيو",
    "july|jul|juli|julio|juillet|luglio|julho|temmuz|يوليو",
    "august|aug|agosto|août|ağustos|أغسطس",
    "september|sep|sept|septiembre|septembre|settembre|setembro|eylül|سبتمبر",
    "october|oct|oktober|octubre|octobre|ottobre|outubro|ekim|أكتوبر",
    "november|nov|noviembre|novembre|novembro|kasım|نوفمبر",
    "december|dec|dezember|diciembre|décembre|dicembre|dezembro|aralık|ديسمبر",
)
MONTH_NAMES = tuple(names.split("|")[0].title() for names in MONTHS)
WEEKDAYS = (
    "monday|mon|montag|lunes|lundi|lunedì",
    "tuesday|tues|tue|dienstag|martes|mardi|martedì",
    "wednesday|wed|mittwoch|miércoles|mercredi|mercoledì",
    "thursday|thurs|thur|thu|donnerstag|jueves|jeudi|giovedì",
    "friday|fri|freitag|viernes|vendredi|venerdì",
    "saturday|sat|samstag|sonnabend|sábado|samedi|sabato",
    "sunday|sun|sonntag|domingo|dimanche|domenica",
)
WEEKDAY_NAMES = tuple(names.split("|")[0].title() for names in WEEKDAYS)
# Short forms, which only a number behind them makes a day: „do 20.“, "sat 15th".
SHORT_WEEKDAYS = (
    "mo|lun", "di|mar", "mi|mie|mer", "do|jue|jeu|gio", "fr|vie|ven", "sa|sab|sam", "so|dom|dim",
)  # fmt: skip
SEASONS = {
    "spring": "spring|frühling|frühjahr|primavera|printemps",
    "summer": "summer|sommer|verano|été|estate",
    "autumn": "autumn|herbst|otoño|automne|autunno",
    "fall": "fall",
    "winter": "winter|invierno|hiver|inverno",
}
UNITS = {
    "day": "days?|tag(?:en?)?|dias?|jours?|giorn[oi]",
    "weekend": "week-?ends?|wochenende[ns]?|fin(?:es)? de semana|finde|fine settimana",
    "week": "weeks?|wochen?|semanas?|semaines?|settiman[ae]",
    "month": "months?|monat(?:en?|s)?|mes(?:es)?|mois|mes[ei]",
    "year": "years?|jahr(?:en?|es)?|anos?|ans?|annees?|ann[oi]",
}
COUNTS = (
    "", "an?|one|eine?[nmr]?|un[aeo]?", "a couple of|couple of|couple|two|zwei|dos|deux|due|un par de|un paio di",
    "three|drei|tres|trois|tre", "four|vier|cuatro|quatre|quattro", "five|fünf|cinco|cinq|cinque",
    "six|sechs|seis|sei", "seven|sieben|siete|sept|sette", "eight|acht|ocho|huit|otto",
    "nine|neun|nueve|neuf|nove", "ten|zehn|diez|dix|dieci", "eleven|elf|once|onze|undici",
    "twelve|zwölf|doce|douze|dodici",
)  # fmt: skip
COUNT_NAMES = (
    "",
    "a",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
FEW = (
    "a few|several|some|many|ein paar|einige[nr]?|mehrere[nr]?|un[ao]s|algun[ao]s|vari[aeo]s?"
    "|quelques|plusieurs|alcun[ei]|qualche"
)
# Days by their distance from today.
DAYS = {
    -2: "the day before yesterday|vorgestern|anteayer|antier|avant-hier|l'altro ieri|altroieri",
    -1: "yesterday(?: (?:morning|afternoon|evening|night))?|last night(?! (?:shift|duty|class|bus|of))"
    "|gestern(?: abend| nacht)?|ayer|anoche"
    "|hier(?: soir| matin)?|ieri(?: sera)?",
    0: "(?:later )?today|tonight|this (?:morning|afternoon|evening)|eod|end of (?:the )?day"
    "|heute(?: (?:abend|nacht|morgen|mittag|nachmittag|vormittag|früh))?|hoy(?! en dia)|esta (?:noche|mañana|tarde)"
    "|aujourd'hui|ce (?:soir|matin|midi)|cet? (?:apres-midi|nuit)|oggi|stasera|stamattina|stanotte",
    1: "tomorrow(?: (?:morning|afternoon|evening|night))?|tmrw|tomoz|morgen(?: (?:früh|abend|vormittag|nachmittag))?"
    "|(?<!turno de )(?<!turnos de )(?<!por la )(?<!de la )(?<!cada )mañana(?: por la (?:mañana|tarde"
    "|noche))?|demain(?: (?:soir|matin|midi))?|domani(?: (?:sera|mattina))?",
    2: "the day after tomorrow|übermorgen|pasado mañana|apres-demain|dopodomani",
    14: "in a fortnight",
}
# Days of the year that have a name.
FEASTS = {
    (12, 25): "christmas|xmas|weihnachten|navidad(?:es)?|noel|natale",
    (12, 31): "new year's eve|silvester|nochevieja|saint-sylvestre",
    (6, 24): "midsummer(?:'s)?(?: day)?|mittsommer|johannistag|noche de san juan|la saint-jean",
    (1, 1): "new year(?:'s(?: day)?)?|neujahr|año nuevo|nouvel an|capodanno",
}
LAST = (
    "this past|the past|last|letzte[nmrs]?|vorige[nmrs]?|vergangene[nmrs]?|pasad[ao]|dernier|derniere|passee?"
    "|scors[ao]|passat[ao]"
)
THIS = "this coming|coming|this|diese[nmrs]?|est[ae]|cet?|cette|quest[ao]|quest'"
NEXT = "next|nächste[nmrs]?|kommende[nmrs]?|proxim[ao]|que viene|que entra|siguiente|prochaine?|prossim[ao]|che viene"
AFTER_NEXT = "übernächste[nmrs]?"

# Later than it was to be: "a week later", „zwei Tage später“.
LATER = "later|spater|mas tarde|despues|plus tard|piu tardi|dopo"

# What stands before a time, and how what is said lies to it.
BOUNDS = {
    "before": "before|prior to|ahead of|vor(?:m| dem| der| den)?|antes del?|avant|prima d(?:i|el|ella|ell')",
    "by": "by|no later than|bis(?: spatestens)?(?: zu[mr]?)?|spatestens(?: bis)?(?: zum?| am)?|a mas tardar|d'ici"
    "|au plus tard|entro e non oltre|non oltre",
    "within": "entro|within|para|pour|per",
    "until": "until|till|'til|hasta|jusqu'(?:a|au|en)|fino a(?:l|lla|d)?",
    "since": "since|seit(?: dem| der)?|desde|depuis|dal?|dalla",
    "after": "after|nach(?: dem| der)?|despues del?|apres|dopo",
}
# Words that may stand between those and a day: articles and the like.
ARTICLES = "on|at|over|the|am|an|den|dem|der|die|das|zum|im|el|la|en|le|au|il|lo|al|nel|di|dia|giorno|a"
# Before what comes round: "every Friday" is no date.
ROUND = (
    "each|every|any|most|usually|all|good|black|jede[nmrs]?|alle|immer|cada|todos los|todas las|los|chaque|tous les"
    "|toutes les|ogni|tutti i|tutte le|guten"
)
# Between a thing and the day it bears: "the letter of 3 May".
BEARING = "from|of|dated|vom|von|von der|del|de la|de|du|della|di|d'|datée? du"


def plain(text: str) -> str:
    """In small letters and without accents, each letter where it was."""
    if text.isascii():
        return text.lower()
    return "".join(map(_plain_letter, text)).replace("’", "'")


@lru_cache(2_000)
def _plain_letter(char: str) -> str:
    return unicodedata.normalize("NFD", char)[0].lower()[:1] or char


def any_of(tables: Iterable[str]) -> str:
    """One expression for several tables, longer words before their beginnings."""
    words = (word for table in tables for word in _split(plain(table)))
    return "|".join(sorted(words, key=len, reverse=True))


def find_in(word: str, tables: Sequence[str]) -> int:
    """Which table has a word that stands in one of them."""
    return next(number for number, table in enumerate(tables) if re.fullmatch(plain(table), word))


def _split(table: str) -> list[str]:
    """By the bars that stand in no bracket."""
    depth, words = 0, [""]
    for char in table:
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            words.append("")
        else:
            words[-1] += char
    return words

"""What somebody does on the same day every week is on another one now: "judo's moved to Tuesdays" of "Piet has judo on
Thursdays".

Who does it is told once. So what is known stays, with the other day in it, where a sentence names the matter, that it
is set anew, and nobody else.
"""

from __future__ import annotations

import re

from nebo.reading.relations.same_fact import denies
from nebo.reading.times.calendar_words import WEEKDAYS
from nebo.reading.times.past_clauses import tells_past
from nebo.reading.wording.adding import adds_one_more
from nebo.reading.wording.covering import content_words, language_of
from nebo.reading.wording.vocabulary import kin_of, names_other_kin
from nebo.reading.words.stop_words import words

_NAMES = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
}
SAME_WORD = 5  # letters by which both name one matter: "practise", "practice"
PART = 4  # letters of a word, at least, of which a longer one is made: „Klavier“, „Klavierunterricht“
_ANY = "|".join(WEEKDAYS)
_DAY = re.compile(rf"\b(?P<day>{_ANY})(?P<many>s)?\b", re.IGNORECASE)
_ORDINAL = (
    r"(?:(?:the |every |der |jede[nr] |el |le |il )?(?:first|second|third|last|other|1st|2nd|3rd|erste[nr]?"
    r"|letzte[nr]?|zweite[nr]?|primer|segundo|último|premier|dernier|primo|ultimo) )?"
)
# That it is set anew. Of one day alone it isn't: "this week", "was on Friday for once".
_SET = re.compile(
    r"\b(?:moved?|shift(?:ed|s)?|switch(?:ed|es)?|chang(?:ed|es)|push(?:ed)?|swapped|gone) (?:\w+ )?(?:to|onto)\b"
    r"|\b(?:is|are)\b[^,.;]*\b(?:now|from now on)\b|['’]s (?:now )?(?:on )?[^,.;]{3,12} (?:now|from now on|instead)\b"
    r"|\b(?:is|are) now\b|['’]s now\b"
    r"|\b(?:ist|sind|findet) (?:jetzt|nun|ab jetzt|neuerdings|künftig)\b|\bab jetzt\b"
    r"|\b(?:verlegt|verschoben|gewechselt|gerutscht)\b"
    r"|\b(?:ahora|ya) (?:es|son|toca)\b|\b(?:es|son) ahora\b|\b(?:ha|han) (?:pasado|cambiado) (?:a|al|para)\b"
    r"|\bpasan? al?\b"
    r"|\b(?:est|sont) (?:maintenant|désormais)\b|\b(?:est|a été) (?:passée?|déplacée?) (?:au|à)\b"
    r"|\b(?:è|sono) (?:ora|adesso)\b|\bspostat[oa] (?:a|al)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:this (?:week|time|month|once)|for once|next (?:week|time)|just (?:for )?(?:once|this)|today|tomorrow"
    r"|yesterday|was|were"
    r"|diese(?:s|n)? (?:woche|mal|monat)|nächste (?:woche)|ausnahmsweise|heute|morgen|einmal|war"
    r"|esta (?:semana|vez)|la (?:próxima semana|semana que viene)|hoy|mañana|cette (?:semaine|fois)"
    r"|questa (?:settimana|volta)"
    r"|\d{1,2}(?:st|nd|rd|th|\.))\b",
    re.IGNORECASE,
)
_REGULAR = re.compile(
    r"\b(?:every|each|always|usually|first|last|jede[nr]|immer|meistens|erste[nr]?|los|cada|todos|siempre|le|chaque|tous|ogni"
    r"|tutti)\b"
    r"|\b(?:has|have|had|goes|go|meets?|starts?|is|are|does|plays?|sings?|trains?|hat|habe|ist|geht|gehe|singt|spielt|tiene|tengo"
    r"|va|voy|es|a|ai|ha|ho)\b",
    re.IGNORECASE,
)
_NO_MATTER = words(
    """
    class classes lesson lessons practice training session group club kurs unterricht stunde clase clases cours corso
    lezione meeting day days week
    """
)


def move_day(known: str, stated: str) -> str:
    """What is known with the weekday on which a sentence says that it is now; empty where it says no such thing."""
    ours, theirs = list(_DAY.finditer(known)), list(_DAY.finditer(stated))
    if len(ours) != 1 or len(theirs) != 1 or _number(ours[0]) == _number(theirs[0]):
        return ""
    regular = ours[0]["many"] or _REGULAR.search(known)
    if not regular or not _SET.search(stated) or _ONCE.search(stated) or adds_one_more(stated):
        return ""
    if denies(known) or denies(stated) or stated.rstrip().endswith("?") or tells_past(known):
        return ""
    return _with_day(known, ours[0], theirs[0]) if _is_its_matter(known, stated) else ""


def _is_its_matter(known: str, stated: str) -> bool:
    """Whether a sentence names what is done on that day, and nothing and nobody else."""
    if names_other_kin(known, stated):
        return False
    before = _SET.search(stated)
    subject = stated[: before.start()] if before and before.start() > 0 else stated
    named = [word for word in content_words(_DAY.sub(" ", subject)) if not kin_of(word)]
    had = content_words(_DAY.sub(" ", known))
    found = [word for word in named if any(_is_one(word, other) for other in had)]
    return any(word not in _NO_MATTER for word in found) and len(found) == len(named)


def _is_one(word: str, other: str) -> bool:
    same = word[:SAME_WORD] == other[:SAME_WORD] or word.removesuffix("s") == other.removesuffix("s")
    return same or (len(word) >= PART and (other.startswith(word) or other.endswith(word)))


def _number(day: re.Match[str]) -> int:
    name = day["day"].lower()
    return next(number for number, names in enumerate(WEEKDAYS) if re.fullmatch(names, name))


def _with_day(known: str, old: re.Match[str], new: re.Match[str]) -> str:
    """In the language of what is known, and as often: "Mondays", „montags“, "los lunes"."""
    language = language_of(known)
    name = _NAMES.get(language, _NAMES["en"]).split()[_number(new)]
    if language in ("en", "de") and (old["many"] or new["many"]):
        name = f"{name if language == 'en' else name.lower()}s"
    rank = re.search(f"{_ORDINAL}$", known[: old.start()], re.IGNORECASE) if new["many"] else None
    begin = rank.start() if rank else old.start()
    return f"{known[:begin]}{name}{known[old.end() :]}"

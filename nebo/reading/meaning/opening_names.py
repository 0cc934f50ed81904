"""Who says at first only a name and an age: "corey, 29, i do nights at a depot", „Nadja, 34, Lektorin“; or gives the
name in other words than "I'm": "this is Anjali", „Antje mein Name“, "Lucas por aquí".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.encoders.weights import Array
from nebo.reading.meaning.given_names import likeness
from nebo.reading.wording.covering import is_light, language_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.bare_verbs import FIRST_PERSON, PLURAL, THIRD_PERSON

SURELY = 2.2  # log-odds from which a word is one wherever a name may be given
MAY_BE = -1.0  # the same of a word with a capital behind "I'm"
LIKELY = 0.0  # log-odds from which a word is a name, where an age and the speaker's "I" stand behind it
GROWN = 13  # years from which somebody writes of themselves
_OPENING = re.compile(r"(?P<name>[^\W\d_]{2,15}), (?P<age>\d\d)(?P<rest>$|[.!]|,\s+(?P<then>.*))", re.DOTALL)
_I = re.compile(rf"(?:I|i|ich|Ich|je|yo|io)(?:['’]|\s)|(?:living|working|from|based)\b|{FIRST_PERSON}")
_GIVEN_IN = {
    "de": re.compile(
        r"\b(?:hier ist|hier (?:der|die)|ich bin['’]?s|i bin|mein name|am apparat)\b", re.IGNORECASE
    ),
    "es": re.compile(r"\baquí\b", re.IGNORECASE),
    "fr": re.compile(r"\bmoi c['’]est\b", re.IGNORECASE),
}
_CALLED = {
    **dict.fromkeys(("i'm", "i am"), "My name is"),
    "ich bin": "Ich heiße",
    "soy": "Me llamo",
    "je suis": "Je m'appelle",
    "sono": "Mi chiamo",
}
_ONLY_NAME = re.compile(r"(?P<be>(?i:i['’]m|i am|ich bin|soy|je suis|sono)) (?P<name>[A-ZÀ-Þ]\w{1,14})[.!]?")
_THEY = {name: re.compile(rf"(?:{THIRD_PERSON[name]}|{PLURAL[name]})\b") for name in THIRD_PERSON}
_NAME = r"(?P<name>[^\W\d_]{2,15})"
_GREETS = (
    r"(?P<lead>(?:(?:so|hey|hi|hiya|hello|hallo|hola|moin|servus|ciao|salut|buenas|bonjour|ok|okay|well|right)"
    r"(?: (?:there|all|again))?[,!.]* )*)"
)
_ENDS = (
    r"(?: btw| übrigens)?(?P<rest>$|[,.!]|\s(?:and|und|y|et|e)\s"
    r"(?=(?:i|my|we|ich|wir|mein\w*|yo|mi|je|mon|ma|io)\b))"
)
# What gives a name outright; what does where the word looks like one; and "I'm", behind which anything may stand.
_OUTRIGHT = re.compile(rf"{_GREETS}(?:(?:my |the )?name['’]?s|(?:my )?name is) {_NAME}{_ENDS}", re.IGNORECASE)
_INTRODUCES = re.compile(
    rf"{_GREETS}(?:(?:hier ist|hier (?:der|die)|ich bin['’]?s,?(?: der| die)?|i bin (?:da|der|die)|aquí"
    rf"|moi c['’]est) {_NAME}|{_NAME.replace('name', 'behind')} (?:here|speaking|por aquí|mein name|am apparat))"
    rf"(?:(?P<from> (?:aus|from|de|da) \w+))?{_ENDS}",
    re.IGNORECASE,
)
_THIS_IS = re.compile(rf"{_GREETS}(?:it['’]?s|this is) {_NAME}(?: again)?{_ENDS}", re.IGNORECASE)
_I_AM = re.compile(rf"{_GREETS}(?:i['’]?m|i am) {_NAME}{_ENDS}", re.IGNORECASE)
_AM = {"en": "I'm", "de": "Ich bin", "es": "Soy", "fr": "Je suis", "it": "Sono"}


def say_who_speaks(text: str, encode: Callable[[str], Array], *, greeted: bool) -> str:
    """The text with "I'm" before such a name, where the rest is of the speaker; behind a greeting also where it tells
    nothing else of anybody.
    """
    if introduced := _introduced(text, encode, greeted=greeted):
        return introduced
    found = _OPENING.match(text)
    if found is None or int(found["age"]) < GROWN or _is_no_name(found["name"], encode):
        return text
    then = found["then"] or ""
    language = language_of(text)
    of_speaker = _I.match(then) is not None
    if not of_speaker and (not greeted or _THEY[language].match(then)):
        return text
    return f"{_AM[language]} {found['name'][0].upper()}{found['name'][1:]}{text[found.end('name') :]}"


def _introduced(text: str, encode: Callable[[str], Array], *, greeted: bool) -> str:
    """The text with "I'm" in place of other words that give a name; empty where none does."""
    if found := _OUTRIGHT.match(text):
        return _as_own(text, found, found["name"]) if found["name"][0].isupper() else ""
    if found := _INTRODUCES.match(text):
        name: str = found["name"] or found["behind"]
        behind = (found["from"] or "") + text[found.start("rest") :]
        least = MAY_BE if "mein name" in found[0].lower() else SURELY
        return f"{_say_name(text, name, behind)}{behind}" if _looks_like_one(name, least, encode) else ""
    if found := _THIS_IS.match(text):
        told = text[found.end() :].strip()
        spoken = bool(found["lead"]) or greeted or _I.match(told) is not None
        is_one = found["name"][0].isupper() and _looks_like_one(found["name"], SURELY, encode)
        return _as_own(text, found, found["name"]) if spoken and is_one else ""
    if (found := _I_AM.match(text)) and (found["rest"] != "," or found["name"][0].islower()):
        least = MAY_BE if found["name"][0].isupper() else SURELY
        return _as_own(text, found, found["name"]) if _looks_like_one(found["name"], least, encode) else ""
    return ""


def _as_own(text: str, found: re.Match[str], name: str) -> str:
    rest = ", " if found["rest"].strip().isalpha() else found["rest"]
    return f"{_say_name(text, name, text[found.end() :])}{rest}{text[found.end() :]}"


def _say_name(text: str, name: str, behind: str) -> str:
    """By the verb where a clause of the speaker's own follows; "29, a nurse" leans on "I'm"."""
    am = _AM[_language_of_lead(text)]
    outright = am == "Ich bin" and not behind.strip(" .!")  # "Ich bin Gerwin" may be a trade
    says = _CALLED[am.lower()] if outright or _I.match(behind.lstrip(" ,")) else am
    return f"{says} {name[0].upper()}{name[1:]}"


def _language_of_lead(text: str) -> str:
    """By the words that give the name: what else there is may be too little to tell."""
    return next((language for language, words in _GIVEN_IN.items() if words.search(text)), "en")


def as_called(text: str, encode: Callable[[str], Array]) -> str:
    """ "I'm Bernie." as "My name is Bernie.", which the reader knows for sure; empty of anything else."""
    found = _ONLY_NAME.fullmatch(text)
    if found is None or not _looks_like_one(found["name"], SURELY, encode):
        return ""
    return f"{_CALLED[found['be'].lower().replace('’', chr(39))]} {found['name']}."


def _looks_like_one(word: str, least: float, encode: Callable[[str], Array]) -> bool:
    low = word.lower()
    return not is_light(low) and not kin_of(low) and likeness(low, encode) >= least


def _is_no_name(word: str, encode: Callable[[str], Array]) -> bool:
    low = word.lower()
    return is_light(low) or bool(kin_of(low)) or likeness(low, encode) < LIKELY

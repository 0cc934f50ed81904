"""Who says at first only a name and an age: "corey, 29, i do nights at a depot", „Nadja, 34, Lektorin“."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.encoders.weights import Array
from nebo.reading.meaning.given_names import likeness
from nebo.reading.wording.covering import is_light, language_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.bare_verbs import FIRST_PERSON, PLURAL, THIRD_PERSON

LIKELY = 0.0  # log-odds from which a word is a name, where an age and the speaker's "I" stand behind it
GROWN = 13  # years from which somebody writes of themselves
_OPENING = re.compile(r"(?P<name>[^\W\d_]{2,15}), (?P<age>\d\d)(?P<rest>$|[.!]|,\s+(?P<then>.*))", re.DOTALL)
_I = re.compile(rf"(?:I|i|ich|Ich|je|yo|io)(?:['’]|\s)|(?:living|working|from|based)\b|{FIRST_PERSON}")
_THEY = {name: re.compile(rf"(?:{THIRD_PERSON[name]}|{PLURAL[name]})\b") for name in THIRD_PERSON}
_AM = {"en": "I'm", "de": "Ich bin", "es": "Soy", "fr": "Je suis", "it": "Sono"}


def say_who_speaks(text: str, encode: Callable[[str], Array], *, greeted: bool) -> str:
    """The text with "I'm" before such a name, where the rest is of the speaker; behind a greeting also where it tells
    nothing else of anybody.
    """
    found = _OPENING.match(text)
    if found is None or int(found["age"]) < GROWN or _is_no_name(found["name"], encode):
        return text
    then = found["then"] or ""
    language = language_of(text)
    of_speaker = _I.match(then) is not None
    if not of_speaker and (not greeted or _THEY[language].match(then)):
        return text
    return f"{_AM[language]} {found['name'][0].upper()}{found['name'][1:]}{text[found.end('name') :]}"


def _is_no_name(word: str, encode: Callable[[str], Array]) -> bool:
    low = word.lower()
    return is_light(low) or bool(kin_of(low)) or likeness(low, encode) < LIKELY

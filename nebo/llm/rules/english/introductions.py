"""`I'm Kim.`: a name alone, told from what else people say they are ("I'm tired", "I'm Korean", "I'm Batman")."""

from __future__ import annotations

import re

from nebo.llm.rules.english.rules import is_name
from nebo.llm.rules.wordlists import words

_STATES = words(
    "tired happy sad hungry thirsty angry mad busy ready sick ill fine good great well lost late early home back here "
    "there done free sure afraid alone alive asleep awake broke curious cold hot bored scared worried glad proud lucky "
    "drunk sober dead new old young tall short rich poor single blind deaf gay straight trans queer jealous lonely "
    "nervous anxious calm shy serious right wrong able unable pro anti team gen just still also mom mum dad"
)
_KINDS = words(
    "republican democrat atheist agnostic sikh european israeli iraqi pakistani thai turk swede dane pole finn brit "
    "aussie kiwi scot scandinavian aries taurus gemini cancer virgo libra scorpio sagittarius capricorn aquarius pisces"
)
_HEROES = words("batman superman spiderman spider-man groot santa iron legend jesus satan wolverine thor")
_NAMES_IN_IAN = words(
    "ian brian bryan adrian julian damian vivian fabian marian florian bastian sebastian kilian dorian christian "
    "cristian gillian lillian"
)
_ENDING = re.compile(r"(?:ed|ing|ful|ous|less|able|ible|ist|ican|uban|orean|exan|occan|opean|ibetan|['’]s)$")


def is_given_name(text: str) -> bool:
    """Whether one to three capitalised words can only be somebody's name."""
    folded = text.lower().split()
    return (
        is_name(text) and not any(word.isupper() for word in text.split()) and all(map(_may_be_name, folded))
    )


def _may_be_name(word: str) -> bool:
    if word in _STATES | _KINDS | _HEROES or _ENDING.search(word):
        return False
    return not word.endswith("ian") or word in _NAMES_IN_IAN

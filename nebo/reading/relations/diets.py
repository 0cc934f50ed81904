"""Who eats what they didn't: "I eat fish now" after "I'm a vegetarian"; and who can't have less than was thought: "it's
only walnuts" after "allergic to nuts".
"""

from __future__ import annotations

import re

from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.pair_chances import among_facts
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.same_fact import denies

CANT_HAVE = ("allergy", "diet")  # slots of what somebody can't have
DIET = 0.5  # chance of telling what somebody eats
_ABSTAINS = re.compile(
    r"\b(?:veggie|vegetarian|vegan|plant[- ]based|vegetarier(?:in)?|vegetarisch|veganer(?:in)?"
    r"|vegetarian[oa]|vegan[oa]"
    r"|végétarien(?:ne)?|végane?|végé)\b",
    re.IGNORECASE,
)
_ANIMAL = (
    r"(?:meat|fish|chicken|beef|pork|bacon|seafood|steak|fleisch|fisch|huhn|hühnchen|wurst|carne|pescado"
    r"|pollo|jamón|atún"
    r"|viande|poisson|poulet|pesce|prosciutto)"
)
_EATS = re.compile(
    rf"\b(?:eat|eats|eating|have|having|esse|isst|essen|como|come|comemos|comer|mange|manger|remange|mangio"
    rf"|mangia|mangiare)"
    rf"\b(?: [^\s,.]+){{0,3}}? {_ANIMAL}\b|\b{_ANIMAL} (?:ess|isst|como|mange)\w*\b|\bpescatarian"
    rf"|\bpescetarier|\bpescetarian[oa]",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:now|again|these days|started|back|wieder|jetzt|neuerdings|inzwischen|ahora|otra vez|he vuelto"
    r"|volví|vuelv\w+ a|ya|de nouveau|recommenc\w+"
    r"|maintenant|re\w+ge|adesso|ora|di nuovo|ricominciat[oa])\b",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\b(?:only|nothing but|nur|bloß|lediglich|s[oó]lo|solamente|únicamente|seulement|uniquement|solo|soltanto)\b",
    re.IGNORECASE,
)


def can_have_the_rest(known: str, stated: str) -> float:
    """The chance that a sentence says that of what somebody can't have it is only a part."""
    if _ONLY.search(stated) is None or _ONLY.search(known) or read_sentence(known).slot not in CANT_HAVE:
        return 0.0
    chances = among_facts(known, stated)
    return 1 - chances["beside"] - chances["other"] if chances else 0.0


def eats_otherwise(known: str, sentence: Sentence) -> bool:
    """Whether a fact says that somebody eats no animals, and a sentence of the same person that they do now."""
    stated = sentence.text
    if (
        not _ABSTAINS.search(known.partition(",")[0])
        or denies(known.partition(",")[0])
        or tells_ahead(stated)
    ):
        return False
    if not (_EATS.search(stated) and _NOW.search(stated)) or denies(stated):
        return False
    ours, theirs = find_antecedent(known), find_antecedent(stated)
    if ours is None:
        return theirs is None and not sentence.meaning.is_of_another()
    is_named = re.match(rf"{re.escape(ours.who.split()[-1])}\b", stated, re.IGNORECASE) is not None
    return is_named or bool(theirs and ours.kin & theirs.kin)

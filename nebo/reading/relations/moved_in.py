"""A plan to live somewhere that has come true: "We're in Penarth now" after "We're looking to buy in Penarth".

By itself such a sentence may tell where somebody works or travels; beside the plan it tells where they live.
"""

from __future__ import annotations

import re

from nebo.reading.facts.values import find_known, find_value
from nebo.reading.meaning.reader import Sentence, read_sentence, relation
from nebo.reading.relations.plans import holds_now, tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.wording.covering import list_words
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import TIED, TIES

_MOVED_IN = re.compile(
    r"\b(?:moved in|got the keys|eingezogen|schlüssel bekommen|nos (?:hemos )?mudado|nos mudamos ya|emménagé"
    r"|(?:ci siamo )?trasferiti)\b(?! (?:with|mit|con|avec)\b)",
    re.IGNORECASE,
)
_SAYS_WHERE = re.compile(r"\b(?:in|at|on|near|nach|bei|en|cerca de|à|a) [^\W\d_]{3,}", re.IGNORECASE)
DOUBT = 0.5
SHORT_NEWS = 6  # words up to which a sentence needs no verb to say where somebody lives: "York now"
MEANT = 0.3  # chance of telling of a home or a plan, from which a known fact is taken for a plan to live somewhere
LIVED, MOVED = 0.95, 0.6  # chance that to live there, and to have moved there, is what was planned
# The plainest ways to say that it came true.
_TRUE = (("We live in {} now.", LIVED), ("We've moved to {}.", MOVED))


def find_place(sentence: Sentence) -> str:
    """Where a sentence says that the speaker is now and for good, or empty."""
    chances, stated = sentence.meaning.chances, sentence.text
    if chances["lasting"] < DOUBT or not holds_now(stated) or denies(stated):
        return ""
    return find_value("home", stated)


def planned_to_live(known: str, place: str) -> bool:
    """Whether what is known, in its person's own words, is a plan to live at a place."""
    if not find_known((place,), known):
        return False
    slots = read_sentence(known).slots
    if not (tells_ahead(known) or slots["plan"] >= MEANT) or slots["home"] + slots["plan"] < MEANT:
        return False
    return all(_touches(known, plain.format(place)) >= least for plain, least in _TRUE)


def is_home_elsewhere(known: str, place: str) -> bool:
    """Whether what is known, in its person's own words, is that they live at another place."""
    meaning, home = read_sentence(known), find_value("home", known)
    is_home = meaning.slot == "home" and not meaning.is_of_another()
    return is_home and home not in ("", place) and not tells_ahead(known) and not denies(known)


def move_home(known: str, sentence: Sentence) -> str:
    """The known home with the place where the speaker is now, where only a plan tells that this is their home; else
    empty.
    """
    place, home = find_place(sentence), find_value("home", known)
    if not place or not home or home == place or sentence.meaning.slot == "home":
        return ""
    return re.sub(rf"(?<!\w){re.escape(home)}(?!\w)", lambda _: place, known, count=1)


def _touches(known: str, stated: str) -> float:
    chances = relation(known, stated)
    return sum(chances.get(kind, 0.0) for kind in ("same", "changes", "ends"))


def leaves_home_alone(known: str, text: str) -> bool:
    """Whether a home is known, and a whole sentence about another place says nothing of living there or moving."""
    spoken = list_words(text)
    if (
        _MOVED_IN.search(text)
        and not names_of(f"… {text}")
        and not find_value("home", text)
        and _SAYS_WHERE.search(known)
    ):
        return True  # where to is what was told before
    if len(spoken) <= SHORT_NEWS or not TIED["home"] & set(list_words(known)):
        return False
    return not (TIES["home"] & set(spoken) or holds_now(text))

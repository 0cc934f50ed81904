"""What is over by news in another language than it was told in: no word of it is named then, and the reader is less
sure of such a pair. So code asks that a sentence gives something up, or tells of another job that is held now.
"""

from __future__ import annotations

from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.endings import DOINGS, stops
from nebo.reading.relations.new_work import is_own_work
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.pair_chances import among_facts
from nebo.reading.relations.plans import holds_now, tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.wording.adding import is_on_the_side
from nebo.reading.wording.covering import language_of

OVER = 0.9  # chance of being over, from which what somebody gives up is what is known
SURELY_WORK, LASTS = 0.85, 0.85  # chance of telling what somebody does for a living, and that it lasts
ONE_MORE = 0.3  # chance of holding beside, from which a second job may be meant


def is_over_across(known: str, sentence: Sentence) -> bool:
    """Whether what the speaker does, or where they work, is over by a sentence in another language."""
    stated, own = sentence.text, own_words(known)
    if not (stops(stated) or holds_now(stated)):
        return False
    if language_of(own) == language_of(stated) or denies(own) or tells_ahead(stated) or tells_ahead(own):
        return False
    if find_antecedent(own) is not None or find_antecedent(stated) is not None:
        return False
    return _is_given_up(own, stated) or _is_other_work(own, sentence)


def _is_given_up(known: str, stated: str) -> bool:
    if not stops(stated) or read_sentence(known).slot not in DOINGS:
        return False
    chances = among_facts(known, stated)
    return bool(chances) and chances["changes"] + chances["ends"] >= OVER


def _is_other_work(known: str, sentence: Sentence) -> bool:
    old, new, stated = read_sentence(known), sentence.meaning, sentence.text
    if not holds_now(stated) or is_on_the_side(stated) or new.is_of_another() or old.is_of_another():
        return False
    both = all(is_own_work(text, one.slot) for text, one in ((known, old), (stated, new)))
    sure = new.slots["work"] >= SURELY_WORK and new.chances["lasting"] >= LASTS
    return both and sure and among_facts(known, stated).get("beside", 1.0) < ONE_MORE

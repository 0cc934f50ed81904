"""What is near to a fact and leaves it as it is: news of a relative whom both name, terms of employment, peace with
somebody else.
"""

from __future__ import annotations

import re

from nebo.reading.facts.values import find_job
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.cutting import OWN_SUBJECT
from nebo.reading.meaning.promotions import find_lower_rank, tells_of_promotion
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.meaning.trades import tells_of_permanence
from nebo.reading.relations.endings import shared_names
from nebo.reading.relations.livings import tells_of_living
from nebo.reading.relations.ranks import keeps_rank
from nebo.reading.relations.restatement import telling_stems
from nebo.reading.times.calendar_words import COUNTS
from nebo.reading.times.dates import names_time
from nebo.reading.wording.covering import list_words
from nebo.reading.wording.vocabulary import kin_of, names_family, stands_for_kin
from nebo.reading.words.pauses import split_at_pauses

OF_WORK = ("project", "work", "decision")  # slots of what somebody works on
_THING = re.compile(
    r"(?:the|der|die|das|el|la|los|las|le|les|il|lo|gli) (?P<what>[^\W\d_][\w'’-]*)\b", re.IGNORECASE
)
_FIGURE = re.compile(rf"\b(?:\d+|{'|'.join(COUNTS[2:])})\b")
NO_LIVING = ("home", "age", "allergy", "diet", "pet")  # slots of what outlasts what somebody lives by
# What somebody has done for good, whatever became of it: who left a company has founded it all the same.
_DONE = re.compile(
    r"\b(?:(?:co-?)?founded|(?:set|started) up"
    r"|(?:started|established|launched|opened) (?:an?|the|their|his|her|my|our)\b"
    r"|invented|(?:mit)?gegründet|gründete|ins leben gerufen|fundó|fundé|(?:he|ha) fundado|(?:ai|a) (?:co)?fondé|fondò"
    r"|(?:ho|ha) fondato)\b",
    re.IGNORECASE,
)
OF_TWO = ("partner", "family", "friend")  # slots of what is between the speaker and somebody


def leaves_alone(known: str, stated: str, *, same_slot: bool, ends: bool) -> bool:
    """Whether a sentence, which may answer the same question or end something, tells of another person or thing."""
    if tells_of_living(stated) and read_sentence(known).slot in NO_LIVING:
        return True
    if is_of_other_kin(known, stated) or (not same_slot and shares_only_kin(known, stated)):
        return True
    return not ends and tells_of_its_thing(known, stated)


def shares_only_kin(known: str, stated: str) -> bool:
    """Whether a fact and a sentence have nothing in common but the word for a relative, and one tells of somebody or
    something else: who fishes, and who is glad of it.
    """
    if read_sentence(known).slot in OF_TWO:  # „mit meinem Bruder hab ich mich vertragen“
        return False
    shared = telling_stems(known) & telling_stems(stated)
    kin = telling_stems(" ".join(word for word in list_words(known) if kin_of(word)))
    return bool(shared) and shared <= kin and not are_of_one_person(known, stated)


def is_of_other_kin(known: str, stated: str) -> bool:
    """Whether a sentence tells of a relative, and a fact that shares nothing with it speaks of none: „mit Papa hab ich
    mich ausgesprochen“ of „Jule und ich haben uns getrennt“.
    """
    theirs = names_family(stated)
    if not theirs or telling_stems(known) & telling_stems(stated):
        return False
    ours = [word for word in list_words(known) if kin_of(word)]
    return not any(stands_for_kin(one, other) for one in ours for other in theirs)


def stays_done(known: str, sentence: Sentence) -> bool:
    """Whether what is known was done for good, and isn't put right: "Priya left the company" undoes no founding."""
    return _DONE.search(known) is not None and not sentence.meaning.may_be("correction")


def keeps_trade(known: str, stated: str) -> bool:
    """Whether a job that is known has only become a lasting one: who was taken on as a cook is one still; but whoever
    was made more is no apprentice any longer.
    """
    if keeps_rank(known, stated):
        return True
    if tells_of_promotion(stated) and find_lower_rank(known):
        return False
    return tells_of_permanence(stated) and find_job(known) != "" and not tells_of_permanence(known)


def are_of_one_person(known: str, stated: str) -> bool:
    """Whether both begin with the same relative: "My mother Gerda is in hospital", "My mother is in rehab"."""
    first = (split_at_pauses(stated) or [stated])[
        0
    ]  # "je remange du poisson, mon père est ravi" tells of "je"
    ours, theirs = find_antecedent(known), find_antecedent(first)
    return bool(ours and theirs and ours.kin and ours.kin == theirs.kin)


def tells_of_its_thing(known: str, stated: str) -> bool:
    """Whether a sentence tells of a thing that what the speaker works on has to do with, not of the work: "The shop has
    four chairs" of "I'm building a booking system for my uncle's barbershop".
    """
    thing = _THING.match(stated)
    if thing is None or not OWN_SUBJECT.match(known) or read_sentence(known).slot not in OF_WORK:
        return False
    return telling_stems(thing["what"]).isdisjoint(telling_stems(known)) and not (
        names_time(known) and names_time(stated)
    )


def brings_figures(known: str, stated: str) -> bool:
    """Whether a sentence counts something of which a fact has no number: "The bakery has two ovens"."""
    return bool(set(_FIGURE.findall(stated.lower())) and not _FIGURE.search(known.lower()))


def is_of_theirs(known: str, sentence: Sentence) -> bool:
    """Whether who is told of beside the speaker is told of in what is known, too."""
    return read_sentence(known).is_of_another() or bool(shared_names(known, sentence.text))

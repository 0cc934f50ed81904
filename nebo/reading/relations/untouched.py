"""What is near to a fact and leaves it as it is: news of a relative whom both name, terms of employment, peace with
somebody else.
"""

from __future__ import annotations

from nebo.reading.facts.values import find_job
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.meaning.trades import tells_of_permanence
from nebo.reading.relations.restatement import telling_stems
from nebo.reading.wording.covering import list_words
from nebo.reading.wording.vocabulary import kin_of, names_family, stands_for_kin
from nebo.reading.words.pauses import split_at_pauses

OF_TWO = ("partner", "family", "friend")  # slots of what is between the speaker and somebody


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


def keeps_trade(known: str, stated: str) -> bool:
    """Whether a job that is known has only become a lasting one: who was taken on as a cook is one still."""
    return tells_of_permanence(stated) and find_job(known) != "" and not tells_of_permanence(known)


def are_of_one_person(known: str, stated: str) -> bool:
    """Whether both begin with the same relative: "My mother Gerda is in hospital", "My mother is in rehab"."""
    first = (split_at_pauses(stated) or [stated])[
        0
    ]  # "je remange du poisson, mon père est ravi" tells of "je"
    ours, theirs = find_antecedent(known), find_antecedent(first)
    return bool(ours and theirs and ours.kin and ours.kin == theirs.kin)

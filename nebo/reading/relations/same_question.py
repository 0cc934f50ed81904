"""Whether a sentence gives another answer to a question of which the speaker has one answer at a time."""

from __future__ import annotations

from nebo.reading.facts.values import VALUED, find_employer, find_value
from nebo.reading.meaning.clauses import says_several
from nebo.reading.wording.adding import adds_one_more

OWN_ANSWER = ("name", "age", "birthday", "home", "timezone", "contact")  # the speaker has one of each


def answers_anew(slot: str, known: str, stated: str) -> bool:
    """Whether both answer a question of which the speaker has one answer, or say for whom the speaker works."""
    if slot == "work":
        return _name_employers(known, stated)
    return slot in OWN_ANSWER and (slot not in VALUED or _both_give(slot, known, stated))


def _both_give(slot: str, known: str, stated: str) -> bool:
    """Whether both plainly answer a question; a fact that says several things may only touch it."""
    return bool(find_value(slot, stated) and (find_value(slot, known) or not says_several(known)))


def _name_employers(known: str, stated: str) -> bool:
    return not adds_one_more(stated) and bool(find_employer(known) and find_employer(stated))

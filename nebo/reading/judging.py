"""What a new sentence is to a known fact: the pair's reading, and code's hard checks before it.

A vector barely sees a "not", a number or a name, so these are compared by rule; and a question that has one answer at
a time (a home, a name) needs less to get a new one than a question that has many (pets, tastes).
"""

from __future__ import annotations

import re

from nebo.reading.calendar_words import COUNTS
from nebo.reading.dates import names_time, without_times
from nebo.reading.kinds import Relation
from nebo.reading.reader import Sentence, read_sentence, relation
from nebo.reading.retelling import stems
from nebo.reading.same_fact import adds_one_more, denies, differs_in_number, may_be_same
from nebo.reading.support.names import names_of
from nebo.reading.support.wording import language_of
from nebo.reading.values import VALUED, find_employer, find_known, find_value

CLEAR = 0.75  # chance from which a relation is acted on
ANSWERED_ANEW = 0.25  # of being over, where both answer the same question that has one answer
SAID_TO_BE_OVER = 0.45  # of being over, where the sentence itself corrects or ends something
ABOUT_FACTS: tuple[Relation, ...] = ("same", "changes", "ends", "beside", "other")
OWN_ANSWER = ("name", "age", "birthday", "home", "timezone", "contact")  # the speaker has one of each
ONE_ANSWER = (*OWN_ANSWER, "work", "partner", "project", "decision")  # may have, at a time
NEARLY_SURE, NEVER = 0.90, 1.01  # of being over, where little or nothing of what is known is named
BEYOND_DOUBT = 0.97  # of being over, or the same, where words leave it open
A_THIRD = 0.3  # share of what is known that is named
LONG, HALF = 5, 0.5  # words of a fact that says several things; less than half of it named, it stays
DOUBT = 0.5
COMPOUNDED = 5  # letters of a word from which another that begins with it is taken for a compound of it
_CAPITAL = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]+")
# "two kids" and "two kilometres" share no word that tells what they are about.
COUNTED = frozenset(word for words in COUNTS[2:] for word in words.split("|"))

_WORD = re.compile(r"\w+")


def judge(known: str, sentence: Sentence, *, project: str = "") -> tuple[Relation, float]:
    """The relation of a sentence to a known fact, and how likely it is: CLEAR or more where it may be acted on.

    `project` is the name of the one that the fact is about, if any.
    """
    chances = _among_facts(known, sentence)
    if not chances:
        return "other", 0.0
    if chances["same"] >= DOUBT:
        return _judge_same(known, sentence, chances["same"])
    over = chances["changes"] + chances["ends"]
    best = max(chances, key=chances.__getitem__)
    least = _least_of_project(known, sentence, project) if project else _least(known, sentence)
    if over >= least and not adds_one_more(sentence.text):
        kind: Relation = "changes" if chances["changes"] >= chances["ends"] else "ends"
        return kind, max(over, CLEAR)
    if best in ("changes", "ends"):
        return best, min(chances[best], CLEAR - 0.01)
    return best, chances[best]


def says_again(known: str, sentence: Sentence) -> float:
    """How likely a sentence says what is known again, also where no word is shared: nothing gives way to it."""
    kind, chance = judge(known, sentence)
    if kind == "same":
        return chance
    alike = _among_facts(known, sentence).get("same", 0.0)
    return (
        alike if alike >= BEYOND_DOUBT and may_be_same(known, _with_words_of(known, sentence.text)) else 0.0
    )


def _with_words_of(known: str, said: str) -> str:
    """A text in which compounds of known words are those words: "Penicillinallergie" after "Penicillin"."""
    long = {word.lower() for word in _WORD.findall(known) if len(word) >= COMPOUNDED}
    return _WORD.sub(lambda found: next((w for w in long if found[0].lower().startswith(w)), found[0]), said)


def _judge_same(known: str, sentence: Sentence, chance: float) -> tuple[Relation, float]:
    """The same words with another number, or with a "not", are a new answer; with another name, another thing.

    What shares less than half of its words is another thing, however alike the pair reads: whatever is the same
    gives way, and would be lost.
    """
    ours, theirs = stems(known) - COUNTED, stems(sentence.text) - COUNTED
    few = len(ours & theirs) * 2 < min(len(ours), len(theirs))
    if few and not (ours & theirs and chance >= BEYOND_DOUBT):
        return "beside", chance
    if may_be_same(known, sentence.text):
        return "same", chance
    if adds_one_more(sentence.text):
        return "beside", chance
    differs = differs_in_number(known, sentence.text) or denies(known) != denies(sentence.text)
    return "changes" if differs and not _is_a_part(known, sentence) else "beside", chance


def _least(known: str, sentence: Sentence) -> float:
    """How likely a fact must be over, for a sentence to close it."""
    meaning, old = sentence.meaning, read_sentence(known)
    about_others = max(meaning.chances["relative"], old.chances["relative"]) >= DOUBT
    named = meaning.slot not in VALUED or find_value(meaning.slot, sentence.text)
    if meaning.slot == old.slot and meaning.slot in OWN_ANSWER and named and not about_others:
        return ANSWERED_ANEW
    if meaning.slot == old.slot == "work" and not about_others and _name_employers(known, sentence.text):
        return ANSWERED_ANEW
    one_answer, share = {meaning.slot, old.slot} <= set(ONE_ANSWER), _share(known, sentence)
    if _is_a_part(known, sentence):
        said_so = meaning.is_sure("correction") or meaning.is_sure("ended")
        return BEYOND_DOUBT if said_so and share else NEVER
    if meaning.may_be("correction") or meaning.may_be("ended"):
        return SAID_TO_BE_OVER if one_answer or share >= A_THIRD else NEARLY_SURE if share else NEVER
    denied = share >= A_THIRD and denies(sentence.text) != denies(known)
    if one_answer or denied:
        return CLEAR
    return BEYOND_DOUBT if share >= A_THIRD else NEVER


def _least_of_project(known: str, sentence: Sentence, project: str) -> float:
    """The same for a fact about a project. What names it may tell anything of it: both must share a word, or a day."""
    if not find_known((project,), sentence.text):
        return _least(known, sentence)
    both = stems(without_times(known)) & stems(without_times(sentence.text))
    shared = both - stems(" ".join((project, *_names_in(known, sentence.text))))
    both_days = names_time(known) and names_time(sentence.text)
    return CLEAR if shared or both_days else NEVER


def _names_in(known: str, said: str) -> list[str]:
    """Words of a fact that are names; those with a capital in both, but for German, which has one for every noun."""
    if language_of(known) == language_of(said) == "de":
        return names_of(known)
    return [word for word in _CAPITAL.findall(known) if word in said]


def _name_employers(known: str, said: str) -> bool:
    return bool(find_employer(known) and find_employer(said)) and not adds_one_more(said)


def _is_a_part(known: str, sentence: Sentence) -> bool:
    """Whether a sentence is about one of several things that a longer fact says: the others must not go with it."""
    return len(stems(known)) > LONG and _share(known, sentence) < HALF


def _share(known: str, sentence: Sentence) -> float:
    """How much of what is known a sentence names, 0 to 1: who stopped smoking goes on swimming."""
    words = stems(known)
    return len(words & stems(sentence.text)) / len(words) if words else 0.0


def _among_facts(known: str, sentence: Sentence) -> dict[Relation, float]:
    """The chances of what a sentence can be to a fact, adding up to one."""
    chances = relation(known, sentence.text)
    total = sum(chances[name] for name in ABOUT_FACTS) if chances else 0.0
    return {name: chances[name] / total for name in ABOUT_FACTS} if total else {}

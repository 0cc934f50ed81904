"""Whether a sentence tells again what is known, by code's hard checks: names, numbers, who, and what is denied."""

from __future__ import annotations

import re
from collections.abc import Mapping

from nebo.reading.facts.values import find_person, find_value
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.clauses import without_speaker
from nebo.reading.meaning.kinds import Relation
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.endings import says_otherwise_now
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.restatement import telling_stems as without_grammar
from nebo.reading.relations.same_fact import denies, may_be_same, without_denial
from nebo.reading.relations.same_question import OWN_ANSWER
from nebo.reading.times.calendar_words import COUNTS, WEEKDAYS
from nebo.reading.times.dates import without_times
from nebo.reading.times.past_clauses import tells_past
from nebo.reading.wording.covering import language_of
from nebo.reading.wording.names import names_of
from nebo.reading.wording.polarity import is_averse
from nebo.reading.words.bare_verbs import has_bare_verb
from nebo.reading.words.content_words import content_words

SURE = 0.95  # chance of being the same, from which a "not" on one side alone doesn't count
LIKELY = 0.3  # the same, from which the same words tell the same
DOUBT = 0.5
COMPOUNDED = 5  # letters of a word from which another that begins with it is taken for a compound of it
TWO = 2  # words at least, that tell what a fact is about
_WORD = re.compile(r"\w+")
# "Has a cat named Mimi" and "my cat is called Mimi" say one thing.
NAMING = content_words("named called name namens llamado llamada nommé nommée chiamato chiamata")
ADDED = 3  # words, at most, that what is said again adds to it
# "two kids" and "two kilometres" share no word that tells what they are about.
COUNTED = frozenset(word for words in COUNTS[2:] for word in words.split("|"))

_DOING = re.compile(r"\b(?:likes?|loves?|enjoys?|hates?|prefers?|into|fond of|keen on) ([a-z]{2,}ing)\b")
_NO_LONGER = re.compile(
    r"\b(?:no longer|any ?more|nicht mehr|keine?[nmrs]? mehr|ya no|no more|non più|plus)\b", re.IGNORECASE
)
_FORMER = re.compile(
    r"(?<!have )(?<!has )(?<!['’]ve )(?<!ever )(?<!always )\b(?:lived|worked|was living|were living|was working"
    r"|studied|used to (?:live|work|study))\b"
    r"|\b(?:ha(?:b|be|t|ben)|bin|war)\b[^.;!?]*\b(?:gewohnt|gelebt|gearbeitet|studiert)\b"
    r"|\b(?:wohnte|lebte|arbeitete|studierte)n?\b|\b(?:viv|trabaj)(?:í|ía|é|aba|íamos|ábamos|ió|ó)\b"
    r"|\b(?:ai|a|avons) (?:habité|vécu|travaillé)\b|\b(?:habitais|vivais|travaillais)\b"
    r"|\b(?:ho|ha|abbiamo) (?:vissuto|abitato|lavorato)\b|\b(?:vivevo|abitavo|lavoravo)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.IGNORECASE)


def is_told_of_another(known: str, stated: str) -> bool:
    """Whether one is told of oneself, and the other of somebody else: "vivo con mi hermana", "mi hermana se queda"."""
    return has_bare_verb(known) and find_antecedent(stated) is not None


def denies_just_that(known: str, stated: str) -> bool:
    """Whether one says by the same words that it isn't so: "can eat gluten", "can't eat gluten"."""
    if denies(known) == denies(stated) or is_averse(known) or is_averse(stated):
        return False
    ours, theirs = (content_words(without_denial(_NO_LONGER.sub("", text))) for text in (known, stated))
    return len(ours) >= TWO and ours == theirs


def may_be_one(known: str, stated: str, chance: float) -> bool:
    """By code's hard checks. A "not" on one side alone is overruled where the pair is surely the same: "can't have
    peanuts", "is allergic to peanuts". In German, where every noun has a capital, only what is surely a name counts.
    """
    if language_of(known) == language_of(stated) == "de":
        ours, theirs = set(names_of(known)), set(names_of(stated))
        if ours - theirs and theirs - ours:
            return False
        known, stated = known.lower(), stated.lower()
    turned = denies(known) != denies(stated) and not (is_averse(known) or is_averse(stated))
    overruled = chance >= SURE and turned and not _are_most_words(known, stated)
    return may_be_same(known, stated) or (overruled and may_be_same(*map(without_denial, (known, stated))))


def _are_most_words(known: str, stated: str) -> bool:
    """Whether most of the words are the same, so that a "not" beside them tells the opposite."""
    ours, theirs = stems(known), stems(stated)
    return len(ours & theirs) > max(TWO, min(len(ours), len(theirs)) / 2)


def is_told_again(known: str, sentence: Sentence, chances: Mapping[Relation, float]) -> bool:
    """Whether code can tell that a sentence says what is known again; `chances` are those of the pair."""
    touched = 1 - chances["beside"] - chances["other"]
    return is_former(known) == is_former(sentence.text) and (
        are_same_words(known, sentence.text, chances["same"])
        or (touched >= DOUBT and says_more(known, sentence))
        or gives_same_value(known, sentence, chances)
    )


def is_former(text: str) -> bool:
    """Whether a text tells where somebody lived or worked: who lived in Leeds for ten years may live elsewhere."""
    return _FORMER.search(text) is not None


def are_same_words(known: str, stated: str, chance: float) -> bool:
    """Whether both tell the same by the same words: "has a brother named Pablo", "my brother's name is Pablo"."""
    ours, theirs = (content_words(text) - NAMING for text in (known, stated))
    likely = chance >= LIKELY or find_person(known) == find_person(stated) != ""
    return bool(likely and len(ours) >= TWO and ours == theirs and may_be_same(known, stated))


def says_more(known: str, sentence: Sentence) -> bool:
    """Whether a sentence says all of what is known by the same words in their order, and more: "mends accordions" and
    "I mend accordions, out of a shed in Penarth".
    """
    stated, old = sentence.text, read_sentence(known)
    ours, theirs = (_stems_in_order(text) for text in (without_speaker(known), stated))
    further = iter(theirs)
    contains = TWO <= len(ours) < len(theirs) and all(word in further for word in ours)
    if not contains or old.is_of_another() != sentence.meaning.is_of_another():
        return False
    turned = denies(known) != denies(stated) or is_averse(known) != is_averse(stated)
    at_another_time = tells_past(known) != tells_past(stated) or tells_ahead(known) != tells_ahead(stated)
    ends = sentence.meaning.may_be("ended") or sentence.meaning.may_be("correction")
    return not (turned or at_another_time or ends) and may_be_same(known, stated)


def _stems_in_order(text: str) -> list[str]:
    return [stem for word in _WORD.findall(text) for stem in stems(word)]


def gives_same_value(known: str, sentence: Sentence, chances: Mapping[Relation, float]) -> bool:
    """Whether both answer one question with the same words: "Lives in Leeds", "i live in leeds, as i said"."""
    slot, stated = sentence.meaning.slot, sentence.text
    if slot not in OWN_ANSWER or read_sentence(known).slot != slot or denies(known) != denies(stated):
        return False
    if chances["changes"] >= DOUBT or sentence.meaning.may_be("ended") or is_told_of_another(known, stated):
        return False
    ours, theirs = find_value(slot, known).lower(), find_value(slot, stated).lower()
    return bool(ours) and ours == (theirs or ours) and ours in stated.lower()


def with_words_of(known: str, stated: str) -> str:
    """A text in which compounds of known words are those words: "Penicillinallergie" after "Penicillin"."""
    long = {word.lower() for word in _WORD.findall(known) if len(word) >= COMPOUNDED}
    return _WORD.sub(
        lambda found: next((w for w in long if found[0].lower().startswith(w)), found[0]), stated
    )


def does_another(known: str, stated: str) -> bool:
    """Whether both tell of doing something, and not of the same: "likes running in parks", "likes reading in parks"; or
    one of what was, the other of what is.
    """
    if is_former(known) != is_former(stated):
        return True
    ours, theirs = (set(_DOING.findall(text.lower())) for text in (known, stated))
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def adds_much(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether most of what is told is new: what says again what is known is dropped, with all that it adds."""
    return len(ours & theirs) * 2 < len(theirs) and len(theirs - ours) > ADDED


def few_the_same(stated: str, names_something: bool) -> Relation:
    """What is the same but for most of its words: beside it, unless it says that it is otherwise from now on."""
    return "changes" if names_something and says_otherwise_now(stated) else "beside"


def telling_stems(text: str) -> frozenset[str]:
    """Without grammar, times and weekdays: who plays on Wednesdays and who sings then do two things."""
    return without_grammar(_WEEKDAY.sub(" ", without_times(text))) - COUNTED


def stems_of_both(known: str, stated: str) -> frozenset[str]:
    """The words for whom both tell of; "Bristol is home for me" tells of nobody."""
    subject, who = find_antecedent(stated), subject_stems(stated)
    return who if subject and subject.kin else who & subject_stems(known)


def subject_stems(text: str) -> frozenset[str]:
    subject = find_antecedent(text)
    return stems(subject.who if subject else "")

"""What a sentence is to a known fact by a part of it, where all of it tells nothing clear: "Farouk's out, he got a job
in Dubai, so I'm looking for someone for the backend".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nebo.reading.meaning.clauses import list_clauses
from nebo.reading.meaning.conditions import depends
from nebo.reading.meaning.kinds import Relation
from nebo.reading.meaning.mistyped import find_mistyped
from nebo.reading.meaning.reader import Sentence, read_sentence, relation
from nebo.reading.relations.anew import find_whom
from nebo.reading.relations.births_and_deaths import has_been_born, has_died
from nebo.reading.relations.diets import eats_otherwise
from nebo.reading.relations.judging import CLEAR, judge
from nebo.reading.relations.livings import tells_of_living
from nebo.reading.relations.ranks import has_risen
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies
from nebo.reading.relations.untouched import NO_LIVING
from nebo.reading.times.calendar_words import WEEKDAYS
from nebo.reading.wording.covering import list_words
from nebo.reading.wording.vocabulary import TIES

MAX_HEADS = 2  # of a sentence; each is read beside every near fact
HEAD_WORDS = 3  # of a part, at least
_PAUSE = re.compile(r"\s*[;:,]\s+(?:so |but |and )?|\s+[-–—]+\s+|\s+so (?=(?:i|we|it)\b)", re.IGNORECASE)
_DAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.IGNORECASE)
_SETTING = re.compile(r"\b(?:is|are|['’]s|moved?|now|every|at the moment|from now)\b", re.IGNORECASE)
# "I said we had two staff, it's three now": what was told before, and that it is otherwise.
_SAID_BEFORE = re.compile(
    r"\bI (?:said|told you|mentioned)(?: that)? (?P<was>(?:[^,;]|,(?=\d)){6,80}), "
    r"(?:but )?(?:it|that|there|they)(?:['’]s|['’]re| is| are)\b",
    re.IGNORECASE,
)
# "The scan says it isn't a slipped disc after all."
_NOT_AFTER_ALL = re.compile(
    r"\b(?:isn['’]t|wasn['’]t|aren['’]t|not) (?:(?:an?|the|my|our|any) )?(?P<what>[^,.;!?]{3,40}?) after all\b",
    re.IGNORECASE,
)
# What ails a part of the body whose name it doesn't have.
_AILMENTS = (
    ("back", "disc"),
    ("back", "sciatica"),
    ("back", "lumbago"),
    ("stomach", "ulcer"),
    ("ears?", "tinnitus"),
)
HEALED = 0.85  # chance of being over of what ails it
SAID = 0.5  # chance of being the same as what was told before
OVER = 0.6  # chance of being over of what somebody does on another weekday, where both name what it is
SAME_WORD = 6  # letters with which both name it: "practise", "practice"


def judge_said(known: str, sentence: Sentence, *, project: str = "") -> tuple[Relation, float]:
    """The relation of a sentence to a known fact, by all of it or by what stands before its last pauses."""
    if not project and _leaves_no_room(known, sentence):
        return "changes", CLEAR
    if not project and _is_of_living_alone(known, sentence.text):
        return "beside", 0.0
    kind, chance = judge(known, sentence, project=project)
    if project or (chance >= CLEAR and kind in ("same", "changes", "ends")):
        return kind, chance
    if _was_told(known, sentence) or _is_healed(known, sentence) or _is_denied(known, sentence.text):
        return "changes", CLEAR
    for part in (sentence, *_list_heads(known, sentence)):
        again = (kind, chance) if part is sentence else judge(known, part)
        if again[0] in ("changes", "ends") and again[1] >= CLEAR:
            return again
        if again[0] in ("changes", "ends") and again[1] >= OVER and _is_on_another_weekday(known, part.text):
            return "changes", CLEAR
    return kind, chance


def _leaves_no_room(known: str, sentence: Sentence) -> bool:
    """Whether a birth, a death, another diet or another rank ends what is known, or a word of it was mistyped, however
    little the two read alike.
    """
    stated = sentence.text
    if sentence.meaning.may_be("correction") and find_mistyped(known, stated):
        return True
    over = has_died(known, stated) or has_been_born(known, stated) or eats_otherwise(known, sentence)
    return over or has_risen(known, sentence)


def _is_of_living_alone(known: str, stated: str) -> bool:
    """Whether a sentence tells that somebody lives by something else, and nothing of where they live."""
    if not tells_of_living(stated) or read_sentence(known).slot not in NO_LIVING:
        return False
    return TIES["home"].isdisjoint(list_words(stated))


def _was_told(known: str, sentence: Sentence) -> bool:
    """Whether a sentence says that what is known is otherwise now, and what they had said: that."""
    told = _SAID_BEFORE.search(sentence.text)
    if told is None or not sentence.meaning.may_be("correction"):
        return False
    was = stems(told["was"])
    same = (relation(clause, told["was"]).get("same", 0.0) for clause in (known, list_clauses(known)[0]))
    return (len(was) > 1 and was <= stems(known)) or max(same) >= SAID


def _is_denied(known: str, stated: str) -> bool:
    """Whether a sentence says of all that it names of what is known that it isn't so after all."""
    found = _NOT_AFTER_ALL.search(stated)
    what = stems(found["what"]) if found else set()
    return bool(what) and what <= stems(known) and not denies(known)


def _is_healed(known: str, sentence: Sentence) -> bool:
    """Whether what ails a part of the body is over, where a sentence names that part: "my back is fine again" of a
    slipped disc.
    """
    for part, ailment in _AILMENTS:
        text, count = re.subn(rf"(?<=\b[Mm]y ){part}\b", ailment, _PAUSE.split(sentence.text)[0])
        if count and re.search(rf"\b{ailment}\b", known, re.IGNORECASE):
            chances = relation(list_clauses(known)[0], text)
            return bool(chances) and chances["ends"] + chances["changes"] >= HEALED
    return False


def _list_heads(known: str, sentence: Sentence) -> Iterator[Sentence]:
    """What stands before its last pauses, the longest first, where it begins with whom the fact is about or names
    what it tells.
    """
    text = sentence.text
    pauses = [one for one in _PAUSE.finditer(text) if not depends(text[one.end() :])]
    heads = [text[: pause.start()] for pause in pauses]
    for head in heads[: -MAX_HEADS - 1 : -1]:
        if find_whom(known, head) or (len(head.split()) >= HEAD_WORDS and _names_it(known, head)):
            yield replace(sentence, text=head, meaning=read_sentence(head))


def _names_it(known: str, head: str) -> bool:
    words = {word[:SAME_WORD] for word in stems(_DAY.sub(" ", head))}
    return any(word[:SAME_WORD] in words for word in stems(_DAY.sub(" ", known)))


def _is_on_another_weekday(known: str, stated: str) -> bool:
    """Whether both name the same regular thing and its weekday, and that is another one: "practice is Thursdays"."""
    ours, theirs = ({day.lower()[:3] for day in _DAY.findall(text)} for text in (known, stated))
    moved = bool(ours and theirs) and ours.isdisjoint(theirs)
    return moved and _SETTING.search(stated) is not None and _names_it(known, stated)

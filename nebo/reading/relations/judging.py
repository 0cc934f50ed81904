"""How a new sentence relates to a known fact: first code's hard checks, then the reading of the pair.

A vector barely sees a "not", a number or a name, so these are compared by rule. A question that has one answer at
a time (a home, a name) gets a new one more easily than a question with many (pets, tastes).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from nebo.reading.facts.values import find_known, find_person
from nebo.reading.meaning.clauses import (
    find_main_clause,
    list_clauses,
    list_telling_clauses,
    says_several,
    without_speaker,
)
from nebo.reading.meaning.kinds import Relation
from nebo.reading.meaning.put_right import corrects_plainly, put_right
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.ages import keeps_age
from nebo.reading.relations.anew import names_only_workplace, takes_its_place
from nebo.reading.relations.diets import can_have_the_rest
from nebo.reading.relations.endings import (
    OF_HEALTH,
    came_to_nothing,
    has_left,
    keeps_its_times,
    leaves_health,
    names_its_matter,
    names_nothing_else,
    part_about,
    parts_with,
    replaces,
    says_otherwise_now,
    share_of,
    shared_names,
    speaks_of_an_end,
)
from nebo.reading.relations.grounds import may_close, stays_true
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.pair_chances import among_facts
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.releases import is_released
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import (
    denies,
    differs_in_number,
    may_be_same,
    tells_how_often,
)
from nebo.reading.relations.same_question import OWN_ANSWER, answers_anew
from nebo.reading.relations.taken_back import means_another
from nebo.reading.relations.told_again import (
    adds_much,
    denies_just_that,
    does_another,
    few_the_same,
    is_told_again,
    is_told_of_another,
    may_be_one,
    stems_of_both,
    subject_stems,
    telling_stems,
    with_words_of,
)
from nebo.reading.relations.untouched import (
    are_of_one_person,
    brings_figures,
    is_of_theirs,
    keeps_trade,
    leaves_alone,
    stays_done,
)
from nebo.reading.relations.was_wrong import says_is_borne, says_was_wrong, was_not_it
from nebo.reading.relations.workplaces import has_left_workplace
from nebo.reading.times.dates import names_time, without_times
from nebo.reading.wording.adding import adds_one_more
from nebo.reading.wording.covering import language_of
from nebo.reading.wording.names import names_of
from nebo.reading.wording.polarity import is_averse
from nebo.reading.wording.vocabulary import names_other_kin

CLEAR = 0.75  # chance from which a relation is acted on
ANSWERED_ANEW = 0.25  # of being over, where both answer the same question that has one answer
OVER_BY_ITSELF = 0.50  # of being over, where the sentence itself corrects or ends something
ONE_ANSWER = (*OWN_ANSWER, "work", "partner", "project", "decision")  # may have, at a time
NAMED = 0.85  # of being over, where a third of what is known is named
TIMELY = ("plan", "project", "decision", "tool", "commitment", "event", "travel")  # answered by plans as well
MANY = ("pet", "friend", "family", "possession", "language", "hobby")  # may have several, each by its name
FAR = 0.90  # of being over, where less of it is named; of being the same, where half of the words differ
BEYOND_DOUBT = 0.97  # of being over, where none is named, or it says other things too; of being the same
NEVER = 1.01
ONE_MORE = 0.9  # of being over, where the sentence has a word of what adds one more: "too", "another"
ANOTHER = 0.3  # of being over, from which another number or a "not" makes a new answer of what reads the same
A_THIRD = 0.3  # share of what is known that is named
MOST = 0.75  # of the words of what is known, said again with another number
TOLD = 2  # words with whose it is, at most, that tell nothing
HALF = 0.5  # of a fact that says several things, less than which is named: the others must not go with it
DOUBT = 0.5
_CAPITAL = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]+")


def judge(known: str, sentence: Sentence, *, project: str = "") -> tuple[Relation, float]:
    """The relation of a sentence to a known fact, and how likely it is: CLEAR or more where it may be acted on.

    `project` is the name of the one that the fact is about, if any. What is only remarked on a fact goes with it:
    "runs the night shift, so if they're grumpy that's why".
    """
    known = known if project else without_speaker(known)
    if means_another(known, sentence):
        return "other", 0.0
    kind, chance = _judge_stated(known, sentence, project)
    return (kind, chance) if project else _judge_in_time(known, sentence, kind, chance)


def _judge_in_time(known: str, sentence: Sentence, kind: Relation, chance: float) -> tuple[Relation, float]:
    """What is to come changes nothing yet, what has come is a plan no longer; and what begins may leave no room."""
    stated = sentence.text
    is_over = kind in ("changes", "ends") and chance >= CLEAR
    stays = keeps_trade(known, stated) or (kind != "same" and stays_done(known, sentence))
    if stays or (keeps_age(known, stated) and not sentence.meaning.may_be("correction")):
        return "beside", chance
    if tells_ahead(known) and not tells_ahead(stated):
        over = _came_true(known, sentence) or came_to_nothing(known, stated)
        return ("changes", CLEAR) if over and not is_over else (kind, chance)
    if is_over:
        return ("beside", chance) if _is_only_planned(known, sentence) else (kind, chance)
    leaves = _names_another(known, sentence) or stays_true(known, sentence)
    begins = not leaves and takes_its_place(known, sentence)
    return ("changes", CLEAR) if begins else (kind, chance)


def _came_true(known: str, sentence: Sentence) -> bool:
    """Whether a sentence tells as a fact what was a plan: "We live in York now" after "We're moving to York"."""
    meaning, chances = sentence.meaning, among_facts(known, sentence.text)
    tells = max(meaning.chances[kind] for kind in ("lasting", "relative", "event"))
    if (
        not chances
        or tells < DOUBT
        or denies(sentence.text)
        or (meaning.is_of_another() and not is_of_theirs(known, sentence))
        or names_other_kin(known, sentence.text, family=True)
    ):
        return False
    touched = chances["same"] + chances["changes"] + chances["ends"]
    named = share_of(known, sentence) >= A_THIRD
    return touched >= (CLEAR if named else NAMED) and read_sentence(known).slot in (meaning.slot, "plan")


def _is_only_planned(known: str, sentence: Sentence) -> bool:
    """Whether a sentence tells what is yet to come of something that holds; a plan or a date is changed by it."""
    meaning, old = sentence.meaning, read_sentence(known)
    if meaning.may_be("correction") or names_time(known) or not tells_ahead(sentence.text):
        return False
    return not {meaning.slot, old.slot} & set(TIMELY)


def _judge_stated(known: str, sentence: Sentence, project: str) -> tuple[Relation, float]:
    was_wrong = any(wrong(known, sentence.text) for wrong in (says_was_wrong, says_is_borne, was_not_it))
    if was_wrong or has_left_workplace(known, sentence) or is_released(known, sentence):
        return "ends", CLEAR
    if (less := can_have_the_rest(known, sentence.text)) >= CLEAR:
        return "changes", less
    kind, chance = _judge_whole(known, sentence, project)
    if project or not says_several(known):
        return kind, chance
    if chance >= CLEAR and _loses_a_part(known, sentence, kind):
        return ("changes", chance) if kind == "ends" and left_over(known, sentence) else ("beside", chance)
    if chance >= CLEAR:
        return kind, chance
    clause = find_main_clause(own_words(known), read_sentence)
    again, surer = _judge_whole(clause, sentence, project) if clause else (kind, chance)
    return (again, surer) if again in ("changes", "ends") and surer >= CLEAR else (kind, chance)


def _judge_whole(known: str, sentence: Sentence, project: str) -> tuple[Relation, float]:
    if names_other_kin(known, sentence.text, family=True):
        return "other", 0.0
    chances = among_facts(known, sentence.text)
    if not chances:
        return "other", 0.0
    if is_told_again(known, sentence, chances):
        return "same", max(chances["same"], CLEAR)
    if chances["same"] >= DOUBT:
        return _judge_same(known, sentence, chances)
    over = chances["changes"] + chances["ends"]
    best = max(chances, key=chances.__getitem__)
    least = _least_of_all(known, sentence, project)
    if over >= (max(least, ONE_MORE) if adds_one_more(sentence.text) else least):
        kind: Relation = "changes" if chances["changes"] >= chances["ends"] else "ends"
        if kind == "ends" and _denies_plainly(known) and denies(part_about(known, sentence.text)):
            return "beside", chances["beside"]  # "hasn't got a car", "got no car any more": nothing is over
        return (kind, max(over, CLEAR)) if may_close(known, sentence) else ("beside", over)
    if best in ("changes", "ends"):
        return best, min(chances[best], CLEAR - 0.01)
    return best, chances[best]


def _denies_plainly(known: str) -> bool:
    """Whether a fact itself says "not", and not only what is remarked on it: "is vegan, so that's not happening"."""
    first, *_ = list_clauses(known)
    return denies(" ".join(dict.fromkeys((first, *list_telling_clauses(known, read_sentence)))))


def says_again(known: str, sentence: Sentence) -> float:
    """How likely a sentence says what is known again, also where no word is shared: nothing gives way to it."""
    kind, chance = judge(known, sentence)
    if kind == "same":
        return chance
    alike = among_facts(known, sentence.text).get("same", 0.0)
    return alike if alike >= BEYOND_DOUBT and may_be_same(known, with_words_of(known, sentence.text)) else 0.0


def _judge_same(known: str, sentence: Sentence, chances: Mapping[Relation, float]) -> tuple[Relation, float]:
    """The same words with another number, or with a "not", are a new answer; with another name, another thing.

    What shares less than half of its words must be the surer: whatever is the same gives way, and would be lost.
    """
    chance, stated = chances["same"], sentence.text
    if denies_just_that(known, stated):
        return "changes", chance
    if names_only_workplace(known, stated) or names_only_workplace(stated, known):
        return "beside", chance
    if tells_how_often(known) and tells_how_often(stated) and differs_in_number(known, stated):
        return "changes", chance
    if is_told_of_another(known, stated) or does_another(known, stated):
        return "beside", chance
    who = stems_of_both(known, stated)  # that both tell of Jean, or name Lola, makes nothing the same
    ours, theirs = telling_stems(known) - who, telling_stems(stated) - who
    again = (ours & theirs) - stems(" ".join(names_of(f"… {stated}")))
    if may_be_one(known, stated, chance):
        sure = again and chance >= FAR and not brings_figures(known, stated)
        differs = adds_much(ours, theirs) and sentence.meaning.slot != read_sentence(known).slot
        few = differs or (len(ours & theirs) * 2 < min(len(ours), len(theirs)) and not sure)
        return (few_the_same(stated, bool(again)) if few else "same"), chance
    over = chances["changes"] + chances["ends"]
    turned = is_averse(known) != is_averse(stated) and denies(known) != denies(stated)
    if turned and chance + over >= NAMED and again:  # of the same thing
        return "changes", chance + over
    differs = differs_in_number(known, stated) or denies(known) != denies(stated)
    if differs and over >= ANOTHER and not adds_one_more(stated) and not _is_a_part(known, sentence):
        return "changes" if may_close(known, sentence) else "beside", chance + over
    return "beside", chance


def _names_another(known: str, sentence: Sentence) -> bool:
    """Whether one more of many is named, as a second cat or another friend, and nothing is said to be over or wrong."""
    meaning, stated = sentence.meaning, sentence.text
    if meaning.may_be("correction") or meaning.may_be("ended") or meaning.slot in OWN_ANSWER:
        return False
    ours, theirs = {find_person(known)} - {""}, {find_person(stated)} - {""}
    if not (ours and theirs):
        if meaning.slot not in MANY or read_sentence(known).slot not in MANY:
            return False
        ours, theirs = ours or set(names_of(known)), theirs or set(names_of(stated))
    return bool(ours - theirs and theirs - ours) and not any(name in stated for name in ours)


def _counts_otherwise(known: str, stated: str) -> bool:
    """Whether nearly the same words come with another number: room 214 and room 241."""
    if not differs_in_number(known, stated):
        return False
    ours, theirs = ({word for word in stems(text) if not word.isdigit()} for text in (known, stated))
    return len(ours & theirs) >= MOST * len(ours)


def _least_of_all(known: str, sentence: Sentence, project: str) -> float:
    if not project and keeps_its_times(known, sentence.text):
        return NEVER
    if sentence.meaning.may_be("correction") and put_right(known, sentence.text):
        return 0.0 if corrects_plainly(known, sentence.text) else OVER_BY_ITSELF
    return _least_of_project(known, sentence, project) if project else _least(known, sentence)


def _least(known: str, sentence: Sentence) -> float:
    """How likely a fact must be over, for a sentence to close it: the surer, the less of it is named.

    What near candidates of other matters would wrongly be closed is measured in docs/reading.md.
    """
    meaning, ends = sentence.meaning, speaks_of_an_end(sentence.meaning)
    if read_sentence(known).slot in OF_HEALTH and not ends and leaves_health(known, sentence):
        return NEVER
    least = _least_by_matter(known, sentence)
    least = min(least, OVER_BY_ITSELF) if parts_with(known, sentence.text) else least
    is_otherwise = says_otherwise_now(sentence.text) and names_its_matter(known, sentence.text)
    least = min(least, CLEAR) if is_otherwise or has_left(known, sentence.text) else least
    is_named = ends and meaning.slot not in OWN_ANSWER and shared_names(known, sentence.text)
    return min(least, FAR) if is_named else least


def _least_by_matter(known: str, sentence: Sentence) -> float:
    """By whose it is, whether the question has one answer, and how much of the fact is named."""
    meaning, old, share = sentence.meaning, read_sentence(known), share_of(known, sentence)
    of_others = [one.chances["relative"] >= DOUBT for one in (meaning, old)]
    apart = of_others[0] != of_others[1] and not are_of_one_person(known, sentence.text)
    differs = apart and share < A_THIRD
    if names_only_workplace(known, sentence.text) or (
        differs and not (share and _sets_time_anew(known, sentence))
    ):
        return NEVER
    same_slot = meaning.slot == old.slot
    if same_slot and not any(of_others) and answers_anew(meaning.slot, known, sentence.text):
        return ANSWERED_ANEW
    if share >= A_THIRD and replaces(known, sentence.text):
        return ANSWERED_ANEW
    if _names_another(known, sentence):
        return NEVER
    if _counts_otherwise(known, sentence.text):
        return ANOTHER
    return _least_by_share(known, sentence, share)


def _sets_time_anew(known: str, sentence: Sentence) -> bool:
    """Whether a correction names another day or month than the fact, of which it names something besides."""
    return sentence.meaning.may_be("correction") and put_right(known, sentence.text, names=False) != ""


def _least_by_share(known: str, sentence: Sentence, share: float) -> float:
    """By how much of a fact is named, and whether something is said to be over."""
    meaning, old = sentence.meaning, read_sentence(known)
    same_slot = meaning.slot == old.slot
    if old.slot == "decision" and share >= HALF:
        return OVER_BY_ITSELF
    ends = speaks_of_an_end(meaning)
    if leaves_alone(known, sentence.text, same_slot=same_slot, ends=ends):
        return NEVER
    if _is_a_part(known, sentence):
        return BEYOND_DOUBT
    of_itself = not ends or meaning.slot in OWN_ANSWER  # ends nothing by itself
    if not same_slot and of_itself and names_nothing_else(known, sentence.text):
        return NEVER
    one_answer = same_slot and meaning.slot in ONE_ANSWER
    if ends and (one_answer or share >= A_THIRD):
        return OVER_BY_ITSELF
    if not share:
        return BEYOND_DOUBT if same_slot or old.slot not in OF_HEALTH else NEVER
    if one_answer:
        return CLEAR
    of_one_person = meaning.slot in ONE_ANSWER and are_of_one_person(known, sentence.text)
    return NAMED if share >= A_THIRD or of_one_person else FAR


def _least_of_project(known: str, sentence: Sentence, project: str) -> float:
    """The same for a fact about a project. What names it may tell anything of it: both must share a word, or a day."""
    if not find_known((project,), sentence.text):
        return _least(known, sentence)
    both = stems(without_times(known)) & stems(without_times(sentence.text))
    shared = both - stems(" ".join((project, *_names_in(known, sentence.text))))
    both_days = names_time(known) and names_time(sentence.text)
    return CLEAR if shared or both_days else NEVER


def _names_in(known: str, stated: str) -> Sequence[str]:
    """Words of a fact that are names; those with a capital in both, but for German, which has one for every noun."""
    if language_of(known) == language_of(stated) == "de":
        return names_of(known)
    return [word for word in _CAPITAL.findall(known) if word in stated]


def _is_a_part(known: str, sentence: Sentence) -> bool:
    """Whether a sentence is about one of several things that a longer fact says: the others must not go with it."""
    return says_several(known) and share_of(known, sentence) < HALF


def _loses_a_part(known: str, sentence: Sentence, kind: Relation) -> bool:
    """Whether a clause of a fact that says several things would go with another, though it still holds.

    A correction that can be set into the fact loses nothing of it, nor does a thing that is gone.
    """
    if kind not in ("changes", "ends") or put_right(known, sentence.text) or parts_with(known, sentence.text):
        return False
    words = stems(sentence.text) - subject_stems(known)
    telling = list_telling_clauses(known, read_sentence)
    untouched = [clause for clause in telling if not telling_stems(clause) & words]
    if kind == "changes" and untouched and any(stems(clause) & words for clause in list_clauses(known)):
        return True  # however sure it reads: another clause is what is spoken of
    return any(not _is_over(clause, sentence) for clause in untouched)


def left_over(known: str, sentence: Sentence) -> str:
    """What a fact still says of whose last clause a sentence says that it is over: "eats at seven", of who "… and on
    Wednesdays is at climbing". Empty where that isn't plain.
    """
    *before, last = list_clauses(known)
    chances = among_facts(last, sentence.text) if before else {}
    if not chances or chances["ends"] < BEYOND_DOUBT or not stems(last) & stems(sentence.text):
        return ""
    head = known[: known.rindex(last)]
    touched = stems(head) & (stems(sentence.text) - subject_stems(known))
    rest = re.sub(r"[\s,;:–—-]+(?:(?:and|but|so|und|aber|y|pero|et|mais|e|ma)\s*)?$", "", head)
    return f"{rest}." if len(stems(rest)) > TOLD and not touched else ""


def _is_over(clause: str, sentence: Sentence) -> bool:
    chances = among_facts(clause, sentence.text)
    return bool(chances) and chances["changes"] + chances["ends"] + chances["same"] >= DOUBT

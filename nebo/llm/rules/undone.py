"""What later sentences of a conversation take back: forgotten, settled, or answered anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nebo.llm.rules.scored_sentences import ScoredSentence
from nebo.reading.meaning.kinds import Relation
from nebo.reading.meaning.reader import relation
from nebo.reading.relations.judging import CLEAR, judge
from nebo.reading.relations.pair_chances import ABOUT_FACTS
from nebo.reading.relations.restatement import stems
from nebo.reading.wording.names import names_of
from nebo.reading.words.naming import find_named, named_words

PAIRS_READ = 6  # earlier sentences that one is read beside, 7 ms a pair
MEANT = 0.5  # chance from which a sentence is what is to be forgotten, or is settled
PASSED = 0.5  # chance of being settled or over, by meaning alone, of something that happened
SETTLES = 0.2  # chance of settling something from which a sentence is read beside what is to be done
OVER = 0.5  # chance, by meaning alone, of a fact being over
WEIGHTY = 0.5  # of what can be answered anew
OF_MEMORIES: tuple[Relation, ...] = ("forget", "not_meant", "same", "changes", "ends", "beside", "other")


def without_undone(sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The sentences that still hold after all of them."""
    gone: set[int] = set()
    for number, later in enumerate(sentences):
        earlier = [one for one in sentences[:number] if one.place not in gone and one.weight > 0]
        gone.update(one.place for one in _undone_by(later, earlier))
    return [one for one in sentences if one.place not in gone]


def settled_by(act: str, later: Sequence[ScoredSentence]) -> bool:
    """Whether a person says in one of these sentences that something to do is done or dropped."""
    named = named_words(act)
    return any(
        one.role == "user" and _may_settle(one) and find_named(named, one.text) and _is_settled(act, one)
        for one in later
    )


def _may_settle(one: ScoredSentence) -> bool:
    return max(one.meaning.chances["done"], one.meaning.chances["dropped"]) >= SETTLES


def _undone_by(later: ScoredSentence, earlier: Sequence[ScoredSentence]) -> Iterator[ScoredSentence]:
    """What one sentence takes back; only people take back."""
    meaning = later.meaning
    if later.role != "user":
        return
    if meaning.may_be("forget"):
        yield from (one for one in _sharing_names(later, earlier) if _is_forgotten(one, later))
        return
    if _may_settle(later):
        open_ones = [one for one in earlier if one.meaning.is_sure("todo")]
        yield from (one for one in _sharing_names(later, open_ones) if _is_settled(one.text, later))
        others = [one for one in earlier if one not in open_ones and one.role == "user"]
        yield from (one for one in _sharing_matters(later, others) if _is_over(one, later))
    if later.weight >= WEIGHTY:
        yield from (one for one in _answering_alike(later, earlier) if _is_answered_anew(one, later))


def _sharing_names(later: ScoredSentence, earlier: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """Those that say a word that a sentence names, most of them first."""
    named = named_words(later.text)
    shared = {one.place: len(find_named(named, one.text)) for one in earlier}
    found = [one for one in earlier if shared[one.place]]
    return sorted(found, key=lambda one: -shared[one.place])[:PAIRS_READ]


def _sharing_matters(later: ScoredSentence, earlier: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The newest that say a word that a sentence names, other than a name: of somebody much may be told."""
    matters = named_words(later.text) - named_words(" ".join(names_of(later.text)))
    return [one for one in earlier[::-1] if find_named(matters, one.text)][:PAIRS_READ]


def _answering_alike(later: ScoredSentence, earlier: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """What may answer the same question: of the same slot or with the same words, the newest first."""
    words = stems(later.text)
    own = [one for one in earlier if one.role == "user" and one.weight >= WEIGHTY]
    alike = [one for one in own if one.meaning.slot == later.meaning.slot or words & stems(one.text)]
    return alike[::-1][:PAIRS_READ]


def _is_forgotten(one: ScoredSentence, request: ScoredSentence) -> bool:
    chances = relation(one.text, request.text)
    total = sum(chances.get(kind, 0.0) for kind in OF_MEMORIES)
    return bool(total) and chances["forget"] / total >= MEANT


def _is_settled(act: str, later: ScoredSentence) -> bool:
    chances = relation(act, later.text)
    return sum(chances.get(kind, 0.0) for kind in ("done", "dropped")) >= MEANT


def _is_over(one: ScoredSentence, later: ScoredSentence) -> bool:
    """Whether what happened is settled, as a quarrel is: "the row's all sorted"."""
    chances = relation(one.text, later.text)
    return sum(chances.get(kind, 0.0) for kind in ("done", "dropped", "ends")) >= PASSED


def _is_answered_anew(one: ScoredSentence, later: ScoredSentence) -> bool:
    """By the judgement on known facts, and by meaning: another number alone may tell of another thing."""
    kind, chance = judge(one.text, later.sentence)
    if kind not in ("changes", "ends") or chance < CLEAR:
        return False
    chances = relation(one.text, later.text)
    total = sum(chances.get(name, 0.0) for name in ABOUT_FACTS)
    return bool(total) and (chances["changes"] + chances["ends"]) / total >= OVER

"""Whether what was found is about what was asked, on a scale that holds from one question to the next.

A score of the search orders what was found for one question; the best of it may still be about something else. Here
each result gets a relevance: what the vectors say, beyond what the model says of any two texts, and the share of the
question's words that it holds, a rare one counting more. What that leaves open is read again by another encoder. The
numbers are measured (docs/search.md, “The floor”).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from nebo.encoders.files import E5_NAME, MINILM_NAME
from nebo.reading.words.content_words import content_words, is_bare, list_content_words
from nebo.reading.words.languages import leans_english
from search.answers.search import Hit
from search.embeddings.serving import VectorModel
from search.embeddings.types import Embedder
from search.language import DEFAULT_LANGUAGE, choose_configuration
from search.questions.parts import list_parts
from search.questions.speaker_roles import ASSISTANT, is_after_agent
from search.relevance.leaning import Rated, lean
from search.relevance.named_matter import is_of_matter, list_matters
from search.relevance.second_encoder import begin, can_read, list_cosines, load
from search.retrieval.candidates import FoundChunk

CROWD = 40  # results; as many as a context looks at with the usual budget
ENOUGH_WORDS = 8  # of a question, the rarest, that a result need hold to say all of it
BEHIND_BEST = 1 / 4  # of the best result's relevance, at least, for every other
# Of it, what is needed where there is little to find: at the head of the ranking, and how much more at a crowd's end.
AT_HEAD, FALL = 0.2, 0.6
AGENT_BEHIND_BEST = 1 / 2  # the same, for what the agent said, where the ranking tells nothing
MOST = (
    4  # times as many as were found, or as make a crowd: of so little, what was found is mostly what there is
)
OF_OTHERS = "entity/"  # namespaces of what is known of other people and things


@dataclass(frozen=True, slots=True)
class Scale:
    """How a model's cosines are read. `noise`: of two texts that have nothing to do with each other, as a rule.

    `words`: how much a question's words count beside them.
    """

    noise: float = 0.0
    words: float = 0.3


@dataclass(frozen=True, slots=True)
class Floor:
    """The relevance that the best result needs, among few that there are and among `crowd` and more, and every other.

    Among many, more is let through for the ranking's sake: `first` is the share of them that passes wherever the best
    does, those that it has first. In other languages than English the models tell less, and it tells more. Where they
    are most of what there is (`of_all`), being among them tells nothing, and with `falls` more is needed further down.
    """

    few: float = 0.22
    many: float = 0.42
    many_foreign: float = 0.34
    each: float = 0.20
    each_of_many: float = 0.12
    first: float = 1 / 4
    first_foreign: float = 3 / 4
    falls: bool = False
    agent_behind: float = 0.0
    crowd: int = CROWD

    def needed(self, found: int, *, english: bool) -> float:
        """Of the best of so many. The more there is to choose from, the nearer comes what has nothing to do with it."""
        many = self.many if english else self.many_foreign
        return self.few + (many - self.few) * math.sqrt(min((found - 1) / (self.crowd - 1), 1.0))

    def leaves_to_ranking(self, found: int) -> bool:
        """Whether there are so many that it matters little how relevant each is, once the best has what is needed."""
        return self.first > 0 and 2 * found > self.crowd

    def list_passing(
        self, rated: Sequence[Rated], needed: float, *, english: bool, after_agent: bool = False
    ) -> list[Rated]:
        """Those about the question, in the order of the ranking, where the best has what is needed. The question may
        be after what the agent said.
        """
        many = self.leaves_to_ranking(len(rated))
        each = self.each_of_many if many else min(self.each, needed)
        best = max(one.relevance for one in rated)
        first = len(rated) * (self.first if english else self.first_foreign) if many else 0
        by_agent = 0.0 if after_agent else self.agent_behind
        return [
            one
            for place, one in enumerate(rated)
            if one.relevance
            >= max(
                each,
                best * self._share_of_best(place, len(rated)),
                best * by_agent if one.hit.speaker == ASSISTANT else 0.0,
            )
            or (place < first and not is_bare(one.hit.text))
        ]

    def _share_of_best(self, place: int, found: int) -> float:
        """How relevant the result in this place of the ranking must be, in shares of the best's relevance."""
        return AT_HEAD + FALL * place / max(self.crowd, found) if self.falls else BEHIND_BEST

    def of_all(self, found: int, there_are: int) -> Floor:
        """For so many results of so many texts that there are to be found."""
        if there_are > MOST * min(found, self.crowd) or not self.first:
            return self
        return replace(self, first=0, first_foreign=0, falls=True, agent_behind=AGENT_BEHIND_BEST)

    @classmethod
    def at(cls, least: float | None) -> Floor:
        """As measured, or as somebody set it for every result."""
        return cls() if least is None else cls(least, least, least, least, least, first=0, first_foreign=0)


# By model, for English and for other languages. A model that nobody measured has none, and words alone decide.
SCALES = {
    ("local", MINILM_NAME): (Scale(), Scale(noise=0.45, words=0.8)),
    ("local", E5_NAME): (Scale(noise=0.77), Scale(noise=0.79, words=0.5)),
}
KNOWN = SCALES["local", MINILM_NAME][0]  # a language that all-MiniLM-L6-v2 knows
WORDS_ALONE = Scale(noise=1.0, words=0.8)
READ_AGAIN = 12  # results that a second encoder reads, the best
READ_KNOWN = 4  # of them in a language that the serving model knows: its own order tells enough
AT_ONCE = 2  # of those, among many results; as many as there are threads
SECOND = Scale(noise=0.77, words=0.4)  # of its cosines, in any language
SECOND_ADDS = 1.5  # times its cosine beyond the noise, where both encoders know the language
SECOND_REACH = 0.18  # what it adds at most: 0.167 in 2,200 readings
DOUBT = 0.02  # relevance by which foreseeing errs; where twice as many were begun, a few more proved open
SECOND_LEAST = 0.25  # relevance that counts; below it is what any two texts may have
FIRST_OF_BOTH, BOTH = 0.7, 0.75  # the first's share beside the second, and what two are worth that agree
# What knows many languages itself, and what was chosen so that no model is loaded.
KNOW_ENOUGH = frozenset({E5_NAME, "hashing"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """Results as they were rated, the relevance that the best of them needed, and those about the question."""

    rated: Sequence[Rated] = ()
    needed: float = 0.0
    passing: Sequence[Rated] = ()

    def stands_alone(self, one: Rated) -> bool:
        """Whether a result would be about the question if it were the best; others only pass beside a better one."""
        return one.relevance >= self.needed


def judge_relevance(
    question: str,
    hits: Sequence[Hit],
    *,
    model: VectorModel | None,
    floor: Floor | None = None,
    spoken: str = "",
) -> Judgement:
    """How much each hit is about the question. Those that pass stand in their order; none do if even the best doesn't.
    If a second encoder was asked about a few results, or about some that the serving model can't order, the most
    relevant come first.

    `model` made the vectors, None if there are none; `spoken` is the text that the question was taken from, which tells
    its language. What says nothing by itself ("OK.") never counts.
    """
    limits = floor or Floor()
    english = _is_english(spoken or question)
    needed = limits.needed(len(hits), english=english) if hits else 0.0
    first = _rate_once(question, hits, model, english=english)
    after_agent = is_after_agent(question)
    rated = lean(first, after_agent=after_agent)
    is_open = _is_open(question, rated, needed, model, english=english)
    in_order = not is_open
    if is_open:
        known = [_scale_of(hit, model, english=english) is KNOWN for hit in hits]
        many = limits.leaves_to_ranking(len(hits))
        in_order = many and all(known)
        again = _read_again(question, first, known, needed, AT_ONCE if many else READ_KNOWN)
        rated = lean(again, after_agent=after_agent)
    if not rated or max(one.relevance for one in rated) < needed:
        return Judgement(rated, needed, _list_of_matter(question, rated, needed))
    if len(list_parts(question)) > 1:
        rated = _raise_named(question, rated, needed)
    passing = limits.list_passing(rated, needed, english=english, after_agent=after_agent)
    in_turn = passing if in_order else sorted(passing, key=lambda one: -one.relevance)
    return Judgement(rated, needed, in_turn)


def is_measured(model: VectorModel | None) -> bool:
    """Whether this model's cosines tell what a text is about; otherwise words alone do."""
    return model is not None and (model.provider, model.name) in SCALES


def load_second_encoder(serving: Embedder) -> None:
    """Where questions may be left open that were embedded so: ahead of the first of them."""
    if not {serving.provider, serving.model} & KNOW_ENOUGH and can_read():
        load()


def expect_open(
    question: str, found: Sequence[FoundChunk], *, model: VectorModel | None, floor: Floor
) -> None:
    """Begin to read a question again, in another thread, if what was found will probably leave it open: while the
    texts are fetched for `judge_relevance`. The answer is the same without.
    """
    if not found or not _may_be_open(question, model) or not can_read():
        return
    english = _is_english(question)
    if not english or _foresee(found, model) < floor.needed(len(found), english=english) + DOUBT:
        begin(question)


def _foresee(found: Sequence[FoundChunk], model: VectorModel | None) -> float:
    """About what the best of them will have, with words as the index weighs them."""
    scales = SCALES.get((model.provider, model.name)) if model else None
    scale = scales[0] if scales else WORDS_ALONE
    weights: dict[int, float] = {}
    for one in found:
        for word, points in zip(one.terms or (), one.points or (), strict=True):
            weights[word] = max(points, weights.get(word, 0.0))
    total = sum(sorted(weights.values())[-ENOUGH_WORDS:]) or 1.0
    shares = (min(sum(one.points or ()) / total, 1.0) for one in found)
    return max(
        _meaning(one.vector, scale) + scale.words * share for one, share in zip(found, shares, strict=True)
    )


def _rate_once(
    question: str, hits: Sequence[Hit], model: VectorModel | None, *, english: bool
) -> list[Rated]:
    """By what the answer itself brings: the serving model's cosines, and words, of the part that it answers best."""
    words = [_words_of(hit) for hit in hits]
    weights = [_weigh(part, words) for part in list_parts(question)]
    return [
        _rated(hit, _scale_of(hit, model, english=english), max(_covered(part, held) for part in weights))
        for hit, held in zip(hits, words, strict=True)
    ]


def _rated(hit: Hit, scale: Scale, covered: float) -> Rated:
    worth = 0.0 if is_bare(hit.text) else _meaning(hit.vector_score, scale) + scale.words * covered
    return Rated(hit, round(worth, 4), covered)


def _scale_of(hit: Hit, model: VectorModel | None, *, english: bool) -> Scale:
    """What has no vector yet is told by its words."""
    scales = SCALES.get((model.provider, model.name)) if model else None
    if scales is None or hit.vector_score is None:
        return WORDS_ALONE
    return scales[0] if english and _is_english(hit.text) else scales[1]


@lru_cache(4_000)
def _is_english(text: str) -> bool:
    """Also where nothing tells."""
    return choose_configuration(text, default=DEFAULT_LANGUAGE) == DEFAULT_LANGUAGE and leans_english(text)


def _is_open(
    question: str, rated: Sequence[Rated], needed: float, model: VectorModel | None, *, english: bool
) -> bool:
    """Whether the serving model can't tell: nothing passes, or it was asked in a language that it doesn't know."""
    if not rated or not _may_be_open(question, model):
        return False
    passes = max(one.relevance for one in rated) >= needed
    return not (passes and english) and can_read()


def _may_be_open(question: str, model: VectorModel | None) -> bool:
    return model is not None and not {model.provider, model.name} & KNOW_ENOUGH and not is_bare(question)


def _read_again(
    question: str, rated: Sequence[Rated], known: Sequence[bool], needed: float, at_once: int
) -> list[Rated]:
    """The best, also by the second encoder; nothing is less about the question for that.

    Those that the serving model can order itself (`known`) are read only where one may come to have what is needed,
    `at_once` at a time until one has.
    """
    best = sorted(range(len(rated)), key=lambda place: -rated[place].relevance)
    speaking = [place for place in best if not is_bare(rated[place].hit.text)]
    ordered = [place for place in speaking if known[place]][:READ_KNOWN]
    others = [place for place in speaking if not known[place]][: READ_AGAIN - len(ordered)]
    again = list(rated)
    may_do = bool(ordered) and rated[ordered[0]].relevance + SECOND_REACH >= needed
    for first in range(0, len(ordered) if may_do else 0, at_once):
        _raise_places(question, again, ordered[first : first + at_once], _add_second)
        if max(one.relevance for one in again) >= needed:
            break
    _raise_places(question, again, others, _take_second)
    return again


def _raise_places(
    question: str, rated: list[Rated], places: Sequence[int], weigh: Callable[[Rated, float], float]
) -> None:
    """What stands at these places, raised to what the second encoder makes of it."""
    if not places:
        return
    cosines = _list_best_cosines(question, [rated[place].hit.text for place in places])
    for place, cosine in zip(places, cosines, strict=True):
        one = rated[place]
        rated[place] = replace(one, relevance=max(one.relevance, round(weigh(one, cosine), 4)))


def _list_best_cosines(question: str, texts: Sequence[str]) -> list[float]:
    """Of each text, to the question or to the part of it that is nearest."""
    asked = dict.fromkeys([question, *list_parts(question)])
    return [max(cosines) for cosines in zip(*(list_cosines(one, texts) for one in asked), strict=True)]


def _add_second(one: Rated, cosine: float) -> float:
    """If the serving model knows the language, the second encoder adds to what it says."""
    return one.relevance + SECOND_ADDS * max(0.0, cosine - SECOND.noise)


def _take_second(one: Rated, cosine: float) -> float:
    """If it doesn't, the second stands for itself, or both together where both hint. 0 for what is mere noise."""
    alone = _meaning(cosine, SECOND) + SECOND.words * one.covered
    worth = max(alone, BOTH * (FIRST_OF_BOTH * one.relevance + alone))
    return worth if worth >= SECOND_LEAST else 0.0


def _list_of_matter(question: str, rated: Sequence[Rated], needed: float) -> list[Rated]:
    """Where nothing passes, the memories of a matter that the question names ("job"), and no others."""
    raised = _raise_named(question, rated, needed)
    return [one for one, before in zip(raised, rated, strict=True) if one is not before]


def _raise_named(question: str, rated: Sequence[Rated], needed: float) -> list[Rated]:
    """The results, with what memories of a matter that the question names must have to pass."""
    memories = [one.hit for one in rated if one.hit.memory_id][:READ_AGAIN]
    matters = list_matters(question) if memories else frozenset[str]()
    named = {
        hit.memory_id
        for hit in memories
        if is_of_matter(hit.key, hit.text, matters, of_another=hit.namespace.startswith(OF_OTHERS))
    }
    return [
        replace(one, relevance=needed) if one.hit.memory_id in named and one.relevance < needed else one
        for one in rated
    ]


def _meaning(cosine: float | None, scale: Scale) -> float:
    """What the vectors say beyond what they say of any two texts."""
    if cosine is None or scale.noise >= 1.0:
        return 0.0
    return max(0.0, cosine - scale.noise) / (1.0 - scale.noise)


def _words_of(hit: Hit) -> frozenset[str]:
    """Of the text, and of whom or what it is of: names of speakers and keys tell, too."""
    return _kept_words(f"{hit.text}\n{hit.speaker}\n{hit.key.replace('-', ' ').replace('/', ' ')}")


_kept_words = lru_cache(2_000)(content_words)  # some 2 kB each; a chunk has 1,600 characters at most


def _weigh(question: str, found: Sequence[Collection[str]]) -> dict[str, float]:
    """The question's words, each with its share: one that little of what was found holds weighs more. A long question
    is about less than all of its words, so that a few of the rarest are enough.
    """
    many = max(len(found), CROWD)
    rarity = {
        word: math.log((many + 1) / (sum(word in held for held in found) + 0.5))
        for word in list_content_words(question)
    }
    total = sum(sorted(rarity.values(), reverse=True)[:ENOUGH_WORDS])
    return {word: worth / total for word, worth in rarity.items()} if total else {}


def _covered(weights: dict[str, float], held: Collection[str]) -> float:
    return min(1.0, sum(share for word, share in weights.items() if word in held))


def hits_of(rated: Iterable[Rated]) -> list[Hit]:
    """The results alone."""
    return [one.hit for one in rated]

"""What else is told of a topic that somebody asks to have forgotten: what names it again, and what goes on telling it.

"I had a huge fight with Tomás. He slammed the door." and, later, "since the fight I sleep on the sofa": the request
names the fight, and the pair of what was told and a sentence says whether that is about another thing. A sentence that
names nothing of it can only go on where it stands next to it and tells nothing of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum

from nebo.reading.facts.stumps import points_back
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.reader import read_sentence, relation
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.naming import SWEEPING, find_named, named_words

ANOTHER = 0.35  # chance of another thing, from which a sentence that names the topic isn't surely about it
DOUBTED = 0.6  # the same, from which it isn't asked about either
ANOTHER_OWN = 0.1  # the same as the first, where it tells something of its own
OF_ITS_OWN = 0.5  # chance of one of these kinds, from which a sentence doesn't go on telling
TELLS_OWN: tuple[Kind, ...] = (
    "lasting", "relative", "event", "ended", "correction", "todo", "done", "put_off", "dropped", "remember", "wish",
    "wish_back", "asks_back", "forget", "request", "question", "supposed",
)  # fmt: skip
DONE_BY_THEM: tuple[Kind, ...] = ("event", "done", "ended")
_OF_THEM = re.compile(
    r"\b(?:he|she|they|er|él|ella|ellos|ellas|ils?|elles?|lui|lei)\b(?!['’]s an?\b)", re.IGNORECASE
)
JOKES: tuple[Kind, ...] = ("joking",)
_ARTICLE = re.compile(
    r"\b(?:the|that|this|die|das|der|den|dem|el|la|los|las|le|les|il|lo|gli) (?P<noun>[^\W\d_]{3,})",
    re.IGNORECASE,
)
# "What I said about Encarni" means all of that, whatever else it tells; "the fight with Tomás" one thing.
_ABOUT = re.compile(
    r"\b(?:(?:what|that|whatever) i (?:have |had |['’]ve )?(?:said|told you|mentioned|wrote)(?: to you)? (?:about|of)"
    r"|wh?at ich (?:dir )?(?:über|von|zu)|was ich (?:dir )?(?:mal )?(?:über|von|zu)|das (?:über|mit)|die sache mit"
    r"|lo que te? ?(?:dije|conté|he (?:dicho|contado)|había (?:dicho|contado)) (?:del?|sobre|acerca de)|lo del?"
    r"|ce que je (?:t['’]|vous )(?:ai|avais) (?:dit|raconté) (?:sur|de|du|à propos de)|l['’]histoire (?:de|du|avec)"
    r"|quello che (?:ti |vi )?(?:ho|avevo) (?:detto|raccontato) (?:su|di|del|della|sul|sulla)"
    r"|la (?:storia|faccenda) (?:di|del|della|con))\s+(?P<what>[^,;.!?]+?)"
    r"(?= (?:bitte|please|pls|por favor|porfa|stp|per favore|s['’]il te plaît)\b|[,;.!?]|$)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s+(?:and|und|y|e|et)\s+")
LEAST_WORDS = 2  # of a sentence that goes on; "thanks" doesn't


class Tie(IntEnum):
    """How surely a sentence is about the topic."""

    NONE = 0
    UNCLEAR = 1
    CLEAR = 2


@dataclass(frozen=True, slots=True)
class ForgottenTopic:
    """What was told, by wording, and the words by which a request names it; `subjects` are those of what the request
    means all that was said about, one set for each.
    """

    wordings: tuple[str, ...]
    words: frozenset[str]
    subjects: tuple[frozenset[str], ...] = ()

    @property
    def all_words(self) -> frozenset[str]:
        """By which what names it is looked up."""
        return self.words.union(*self.subjects)

    def is_named_in(self, text: str) -> bool:
        """Whether a text has a word of the request."""
        return bool(find_named(self.words, text))

    def is_subject_of(self, text: str) -> bool:
        """Whether a text has all the words of one of the subjects."""
        return any(find_named(words, text) == words for words in self.subjects)

    def tie(self, text: str) -> Tie:
        """By what a sentence says alone, wherever it stands."""
        if self.is_subject_of(text):
            return Tie.CLEAR
        if not self.is_named_in(text):
            return Tie.NONE
        other = self._other(text)
        surely, perhaps = (ANOTHER, DOUBTED) if goes_on(text) else (ANOTHER_OWN, ANOTHER)
        return Tie.CLEAR if other < surely else Tie.UNCLEAR if other < perhaps else Tie.NONE

    def follows(self, text: str, *, same_message: bool) -> Tie:
        """How surely a sentence that stands next to what was told goes on with it."""
        if same_message and _goes_on_of_them(text):
            return Tie.CLEAR
        if not goes_on(text):
            return max(self.tie(text), Tie.UNCLEAR if self._other(text) < ANOTHER else Tie.NONE)
        if same_message or points_back(text) or self.is_named_in(text):
            return Tie.CLEAR
        return Tie.NONE if _is_any(text, JOKES) else Tie.UNCLEAR

    def _other(self, text: str) -> float:
        """The chance that a text is about another thing than all that was told."""
        return min((relation(wording, text).get("other", 1.0) for wording in self.wordings), default=1.0)


def find_topic(wordings: Collection[str], request: str, *, known: Collection[str]) -> ForgottenTopic:
    """What a request and the words that were told say of it, without names and without words of what is `known` beside
    it: those tell who it is about, not what.
    """
    each = tuple(dict.fromkeys(wordings))
    found = (name for text in (*each, request) for name in names_of(text))
    names = {word for name in found for word in named_words(name)} - _with_article(request)
    asked = named_words(request) - names - SWEEPING
    words = frozenset(word for word in asked if not any(find_named((word,), text) for text in known))
    return ForgottenTopic(each, words, find_subjects(request))


def find_subjects(request: str) -> tuple[frozenset[str], ...]:
    """The words of whom or what a request means all that was said about: "lo de la Encarni". A relative alone is none:
    too much is told of a mother.
    """
    listed = [part for found in _ABOUT.finditer(request) for part in _LISTED.split(found["what"])]
    named = (named_words(part) - SWEEPING for part in listed)
    return tuple(words for words in named if words and not all(map(kin_of, words)))


def _with_article(request: str) -> set[str]:
    """Words that an article makes a thing, in whatever language the rest is: "the stuff about Tom and the Kaution"."""
    return {word for found in _ARTICLE.finditer(request) for word in named_words(found["noun"])}


def goes_on(text: str) -> bool:
    """Whether a sentence tells nothing of its own."""
    return len(named_words(text)) >= LEAST_WORDS and not _is_any(text, TELLS_OWN)


def _goes_on_of_them(text: str) -> bool:
    """Whether a sentence says what they did of whom was told, whom it doesn't name: "40 pounds, and he hid it"."""
    if not _OF_THEM.search(text) or names_of(f"… {text}"):
        return False
    return not _is_any(text, (kind for kind in TELLS_OWN if kind not in DONE_BY_THEM))


def _is_any(text: str, kinds: Iterable[Kind]) -> bool:
    chances = read_sentence(text).chances
    return any(chances[kind] >= OF_ITS_OWN for kind in kinds)

"""What a long question is about: its keyphrases, by the statistics of its own words, no model and no corpus.

After YAKE! (Campos et al., Information Sciences 509, 2020): how often, where and in how many sentences a word stands,
how it is written, and how much its neighbours vary. In the paper a document says early what it is about; a message
says so where it asks, else at its head or end. Written out here because the library brings numpy and networkx along
for two screens of arithmetic.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import fmean, pstdev

from nebo.reading.words.stop_words import COURTESY, GRAMMAR

SHORT_WORDS = 12  # words; a question up to here is its own keyphrase
KEYWORDS = 7  # words a question is expanded by
ENOUGH_ASKED = 3  # telling words of what is asked; with less, the rest of the message has its say
MIN_LETTERS = 3  # of a word that can carry a subject
READ_CHARS = 8_000  # characters of a question that are read

_ASKING = frozenset({"tell", "remember", "know", "remind", "please", "question", "anything", "anyway"})

_SENTENCE = re.compile(r"[^.!?\n。！？]+[.!?。！？]*")
_ASKS = ("?", "？")
_WORD = re.compile(r"[^\W_][\w'’-]*")


@dataclass(slots=True)
class _Term:
    """What is counted of one word."""

    count: int = 0
    upper: int = 0  # inside a sentence with a capital, or all in capitals
    sentences: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # sentences from the nearest that asks, opens or closes
    before: Counter[str] = field(default_factory=Counter)
    after: Counter[str] = field(default_factory=Counter)


def expand_query(text: str) -> list[str]:
    """The question, and for one longer than a sentence its keyphrases as a second, denser one. Deterministic."""
    if len(_WORD.findall(text[:READ_CHARS])) <= SHORT_WORDS:
        return [text]
    phrases = list_keyphrases(text)
    return [text, ", ".join(phrases)] if phrases else [text]


def list_keyphrases(text: str, limit: int = KEYWORDS) -> list[str]:
    """The `limit` most telling words, in their order; those that stand next to each other are one phrase."""
    texts = _SENTENCE.findall(text[:READ_CHARS])
    sentences = [[word.lower() for word in _WORD.findall(sentence)] for sentence in texts]
    scores = _score_words([_WORD.findall(sentence) for sentence in texts], _places(texts))
    order = {word: place for place, word in enumerate(word for words in sentences for word in words)}
    asked = {
        word for words, place in zip(sentences, _places(texts), strict=True) if place == 0 for word in words
    }
    telling = sorted(
        (word for word in scores if not is_empty_word(word)),
        key=lambda word: (round(scores[word], 9), -order[word]),  # what is asked stands rather at the end
    )
    telling = _asked_first(telling, asked)
    chosen = set(telling[:limit])
    runs = [
        " ".join(run)
        for words in sentences
        for is_chosen, run in groupby(words, key=chosen.__contains__)
        if is_chosen
    ]
    return list(dict.fromkeys(runs))


def _asked_first(telling: Sequence[str], asked: Collection[str]) -> list[str]:
    """The words of what is asked alone, where those are enough to look for."""
    own = [word for word in telling if word in asked]
    return own if len(own) >= ENOUGH_ASKED else list(telling)


def is_empty_word(word: str) -> bool:
    """Whether a word is mere grammar or asking, or too short for a subject; numbers are neither."""
    plain = word.lower().replace("’", "'")
    return (
        plain in GRAMMAR
        or plain in COURTESY
        or plain in _ASKING
        or (len(plain) < MIN_LETTERS and not plain.isdigit())
    )


def _places(sentences: Sequence[str]) -> list[int]:
    """How far each sentence is from the nearest that says what the message is about."""
    marks = [number for number, sentence in enumerate(sentences) if sentence.rstrip().endswith(_ASKS)]
    marks = marks or [0, len(sentences) - 1]
    return [min(abs(number - mark) for mark in marks) for number in range(len(sentences))]


def _score_words(sentences: Sequence[Sequence[str]], places: Sequence[int]) -> dict[str, float]:
    """S(w) of the paper for each word; the lower, the more telling."""
    terms = _count(sentences, places)
    counts = [term.count for word, term in terms.items() if not is_empty_word(word)]
    usual = fmean(counts) + pstdev(counts) if counts else 1.0
    most = max((term.count for term in terms.values()), default=1)
    return {word: _score(term, usual, most, max(1, len(sentences))) for word, term in terms.items()}


def _score(term: _Term, usual: float, most: int, sentences: int) -> float:
    """TR·TP / (TC + TF/TR + TS/TR): relatedness, place, case, frequency and spread."""
    relatedness = 1 + (_variety(term.before) + _variety(term.after)) * term.count / most
    place = math.log(math.log(3 + min(term.places)))
    case = term.upper / (1 + math.log(term.count))
    frequency = term.count / usual
    spread = len(set(term.sentences)) / sentences
    return relatedness * place / (case + (frequency + spread) / relatedness)


def _count(sentences: Sequence[Sequence[str]], places: Sequence[int]) -> dict[str, _Term]:
    terms: dict[str, _Term] = defaultdict(_Term)
    for number, words in enumerate(sentences):
        low = [word.lower() for word in words]
        for place, word in enumerate(low):
            term = terms[word]
            term.count += 1
            term.sentences.append(number)
            term.places.append(places[number])
            term.upper += words[place].isupper() or (place > 0 and words[place][:1].isupper())
            if place > 0:
                term.before[low[place - 1]] += 1
                terms[low[place - 1]].after[word] += 1
    return terms


def _variety(neighbours: Counter[str]) -> float:
    """Different neighbours among all: high beside words that go with anything."""
    return len(neighbours) / neighbours.total() if neighbours.total() > 1 else 0.0  # one says nothing

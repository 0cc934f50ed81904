"""What was told already, in an answer or a prompt: a fact stands in it once, wherever it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from nebo.reading.relations.same_fact import denies
from nebo.reading.words.content_words import content_words, split_sentences, stem_of
from nebo.reading.words.hasty import write_apostrophes

SAME_SHARE = 0.6  # of what was said that a repetition of it holds; one that holds less only touches on it
BESIDE_SHARE = 0.2  # of a sentence's words that nothing told has, and that still add nothing: "Nora here, …"
WHOLE_WORDS = 2  # words at least of what was said that stands whole in a longer sentence
KEPT = 2_000  # texts whose sentences stay read, some 2 kB each: a prompt shows the same ones again and again
KEPT_CHARS = 2_000  # of such a text


_CAPITAL = re.compile(r"(?<=[^.!?:]\s)[^\W\d_a-zà-öø-ÿ][\w'’-]+")

_OF_THE_SPEAKER = content_words("user usuario usuaria nutzer nutzerin utilisateur utilisatrice utente")


class _Clause(NamedTuple):
    """What a sentence is about, and whether it denies that."""

    about: frozenset[str]
    denied: bool


class Coverage:
    """Sentences by what they are about. A sentence is told when one said before holds all of its words and not many
    more, and neither denies what the other says. `own` names the speaker: "Lena's mentor" is who "my mentor" was.
    """

    def __init__(self, texts: Iterable[str] = (), *, own: str = "") -> None:
        self._seen: dict[_Clause, None] = {}
        self._own = _OF_THE_SPEAKER | content_words(own)
        for text in texts:
            self.add(text)

    def copy(self) -> Coverage:
        """The same, to go on from by itself."""
        other = Coverage()
        other._own = self._own
        other._seen = dict(self._seen)
        return other

    def alike(self, text: str) -> Coverage:
        """Of one text alone, told by the same speaker."""
        other = Coverage()
        other._own = self._own
        other.add(text)
        return other

    def add(self, text: str) -> None:
        """From now on, this is told."""
        self._seen.update(dict.fromkeys(self._telling(text)))

    def has(self, text: str) -> bool:
        """Whether every sentence of a text that says anything is told."""
        return self._have(self._telling(text))

    def has_nearly(self, sentence: str) -> bool:
        """Whether what was told says nearly all of a sentence, several of them together, and no other number."""
        telling = self._telling(sentence)
        if not telling or self._have(telling):
            return bool(telling)
        about, denied = _as_one(telling)
        parts = [one for one in self._seen if len(one.about & about) >= SAME_SHARE * len(one.about)]
        new = about.difference(*(one.about for one in parts))
        little = len(new) <= BESIDE_SHARE * len(about) and not (
            any(map(_has_digit, new)) or _names(sentence, new)
        )
        return bool(parts) and little and any(one.denied for one in parts) == denied

    def stands_in(self, sentence: str) -> bool:
        """Whether a sentence says, among other things, all of something that was told."""
        about, denied = _as_one(self._telling(sentence))
        return any(
            one.denied == denied and len(one.about) >= WHOLE_WORDS and one.about <= about
            for one in self._seen
        )

    def take(self, text: str) -> bool:
        """Whether a text is new; it is told from now on."""
        telling = self._telling(text)
        if self._have(telling):
            return False
        self._seen.update(dict.fromkeys(telling))
        return True

    def take_new(self, text: str) -> str:
        """The sentences of a text that are new, and told from now on."""
        return " ".join(sentence for sentence in split_sentences(text) if self.take(sentence))

    def _telling(self, text: str) -> list[_Clause]:
        """The sentences of a text that are about more than the speaker."""
        clauses = _read_short(text) if len(text) <= KEPT_CHARS else _read(text)
        return [_Clause(about, one.denied) for one in clauses if (about := one.about - self._own)]

    def _have(self, telling: list[_Clause]) -> bool:
        return bool(telling) and all(map(self._is_covered, telling))

    def _is_covered(self, clause: _Clause) -> bool:
        about, denied = clause
        if clause in self._seen:
            return True
        return any(
            denied == other.denied and about <= other.about and len(about) >= SAME_SHARE * len(other.about)
            for other in self._seen
        )


def _as_one(clauses: Sequence[_Clause]) -> _Clause:
    about = frozenset[str]().union(*(one.about for one in clauses))
    return _Clause(about, any(one.denied for one in clauses))


def _names(sentence: str, stems: frozenset[str]) -> bool:
    """Whether one of these stems is of a name, or of another word that is written like one inside a sentence."""
    return any(stem_of(found[0]) in stems for found in _CAPITAL.finditer(sentence))


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _read(text: str) -> tuple[_Clause, ...]:
    parts = split_sentences(write_apostrophes(text))
    return tuple(_Clause(content_words(part), denies(part)) for part in parts)


_read_short = lru_cache(KEPT)(_read)

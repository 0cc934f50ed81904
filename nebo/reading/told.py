"""What was told already, in an answer or a prompt: a fact stands in it once, wherever it comes from."""

from __future__ import annotations

from collections.abc import Iterable

from nebo.reading.content_words import content_words, split_sentences
from nebo.reading.same_fact import denies

SAME_SHARE = 0.6  # of what was said that a repetition of it holds; one that holds less only touches on it


class Told:
    """Sentences by what they are about. A sentence is told when one said before holds all of its words and not many
    more, and neither denies what the other says.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._said: dict[tuple[frozenset[str], bool], None] = {}
        for text in texts:
            self.add(text)

    def copy(self) -> Told:
        """The same, to go on from by itself."""
        other = Told()
        other._said = dict(self._said)
        return other

    def add(self, text: str) -> None:
        """From now on, this is told."""
        for sentence in split_sentences(text):
            words = content_words(sentence)
            if words:
                self._said[words, denies(sentence)] = None

    def has(self, text: str) -> bool:
        """Whether every sentence of a text that says anything is told."""
        said = [(content_words(sentence), denies(sentence)) for sentence in split_sentences(text)]
        telling = [(words, denied) for words, denied in said if words]
        return bool(telling) and all(self._is_told(words, denied) for words, denied in telling)

    def take(self, text: str) -> bool:
        """Whether a text is new; it is told from now on."""
        if self.has(text):
            return False
        self.add(text)
        return True

    def _is_told(self, words: frozenset[str], denied: bool) -> bool:
        if (words, denied) in self._said:
            return True
        return any(
            denied == other_denied and words <= other and len(words) >= SAME_SHARE * len(other)
            for other, other_denied in self._said
        )

"""The words by which a sentence is known to say what a memory says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memories.models import Memory, Observation
from nebo.reading.words.naming import find_named, named_words, share_named

LEAST_WORDS = 2  # one word alone tells a subject, not what is said of it: meaning decides then
BEGINNING = 4  # letters by which the database looks for a word, whatever its ending
NEAR_SHARE = 0.5  # of the telling words, from which a line may say the same


@dataclass(frozen=True, slots=True)
class WordSets:
    """Sets of words, of a memory's value and of each wording it was heard in."""

    sets: tuple[frozenset[str], ...]

    def is_all_in(self, sentence: str) -> bool:
        """Whether a sentence has all words of one of the sets, whatever their endings."""
        return any(len(words) >= LEAST_WORDS and find_named(words, sentence) == words for words in self.sets)

    def may_be_in(self, line: str) -> bool:
        """Whether a line has half of the words of one of the sets."""
        return any(share_named(words, line) >= NEAR_SHARE for words in self.sets)

    def is_touched_by(self, sentence: str) -> bool:
        """Whether a sentence has any of the words."""
        return any(find_named(words, sentence) for words in self.sets)


def beginning_of(word: str) -> str:
    """Of a word, what all its forms begin with."""
    return word[: max(BEGINNING, len(word) - BEGINNING)]


def says_all(value: str, *, of: str) -> bool:
    """Whether a value has all the telling words of another."""
    words = named_words(of)
    return bool(words) and find_named(words, value) == words


def word_sets_of(memory: Memory, value: str, seen: Iterable[Observation]) -> WordSets:
    """The words of a value of a memory and of its observations, without the person's own name."""
    own = named_words(memory.person.display_name)
    texts = [value, *(text for one in seen for text in (one.value, one.quote))]
    sets = dict.fromkeys(named_words(text) - own for text in texts if text)
    return WordSets(tuple(words for words in sets if words))

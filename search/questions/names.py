"""Names in a question: which it holds, whom of those who speak it means, and what is one slip of the pen away."""

from __future__ import annotations

import re
from collections.abc import Iterable

WORD = re.compile(r"\w+(?:['’-]\w+)*")

SHORTEST_NAME = 4  # letters; below, everything is one letter from everything
SHORTEST_LOWER = 5  # letters of a word in a question without capitals, where any word may be a name
MOST_NAMES = 8  # of one question that are looked up

# What a misspelt letter may have been. Other scripts get the letters of the name itself.
LATIN = "abcdefghijklmnopqrstuvwxyzäöüßáàâãåæçéèêëğıíìîïñóòôõøşúùûý"
CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
GREEK = "αβγδεζηθικλμνξοπρσςτυφχψω"


def find_names(text: str) -> list[str]:
    """The words of a question that may be names: those with a capital, or the longer ones where none has any."""
    words = [bare(word) for word in WORD.findall(text) if word[0].isupper()]
    long_enough = SHORTEST_NAME
    if not words and text == text.lower() != text.upper():
        words, long_enough = [bare(word) for word in WORD.findall(text)], SHORTEST_LOWER
    names = [word for word in dict.fromkeys(words) if word.isalpha() and len(word) >= long_enough]
    return names[-MOST_NAMES:]  # a question's own words come first, its names later


def letters_of(names: Iterable[str]) -> str:
    """The alphabet in which these names may have been misspelt."""
    written = set("".join(names))
    if written & set(CYRILLIC):
        return CYRILLIC
    if written & set(GREEK):
        return GREEK
    return LATIN if written & set(LATIN) else "".join(sorted(written))


def find_mentioned(query: str, names: Iterable[str]) -> frozenset[str]:
    """Those of `names` (speakers, entities) of which `query` holds a whole word, such as a first name.

    Where it holds none of any, a word that is one slip away from one of theirs counts.
    """
    asked = {bare(word) for word in WORD.findall(query)}
    words_of = {name: {bare(word) for word in WORD.findall(name)} for name in names}
    exact = frozenset(name for name, words in words_of.items() if asked & words)
    if exact:
        return exact
    meant = find_names(query)
    return frozenset(
        name
        for name, words in words_of.items()
        if any(is_slip(one, other) for one in meant for other in words if len(other) >= SHORTEST_NAME)
    )


def is_slip(one: str, other: str) -> bool:
    """Whether one letter left out, put in, exchanged or swapped makes one word of the other (Damerau, 1964)."""
    if one == other or abs(len(one) - len(other)) > 1:
        return one == other
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    rest, left = one[same:], other[same:]
    if len(one) != len(other):
        return rest[1:] == left or rest == left[1:]
    return rest[1:] == left[1:] or (rest[:2] == left[:2][::-1] and rest[2:] == left[2:])


def bare(word: str) -> str:
    """“Caroline's” is about Caroline."""
    return word.casefold().replace("’", "'").removesuffix("'s")

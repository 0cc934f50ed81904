"""Whether two names sound or are spelled alike: "Makesh" and "Mukesh", "Jon" and "John", "Łukasz" and "Lukash".

A name is written in plain Latin letters, then by its consonants as an English ear groups them (after Soundex and
Metaphone, with the spellings of other languages: ph, cz, sz, sch, tch). Letters that are heard in two ways give
two keys. Names in scripts without letters (李雷) are compared by nothing: a character more is another name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

SHORT = 4  # letters; in a name that short the vowels decide: Jon is John and not Jan
SHORTEST = 2  # letters of a first name
NEAR_LETTERS = 5  # letters; from here on one slip of the pen leaves a name the same
MIN_SIMILARITY = 0.55  # share of letters; Kathryn and Catherine have 0.56
MAX_KEYS = 8  # ways to hear one name

_LATIN = {
    "ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i", "к": "k",
    "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh",
    "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya",
    "є": "ye", "ґ": "g", "ђ": "d", "ј": "j", "љ": "l", "њ": "n", "ћ": "ch", "џ": "j",
    "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i", "κ": "k",
    "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s", "τ": "t", "υ": "y",
    "φ": "f", "χ": "kh", "ψ": "ps", "ω": "o",
}  # fmt: skip
# What is heard, the longest spelling first; an empty one is silent, two are two ways to hear it.
_SOUNDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("tsch", ("x",)), ("shch", ("x",)), ("sch", ("x", "sk")), ("tch", ("x",)), ("ch", ("x", "k")), ("sh", ("x",)),
    ("cz", ("x",)), ("sz", ("x", "s")), ("zh", ("x",)), ("kh", ("k",)), ("ph", ("f",)), ("th", ("t",)),
    ("gh", ("k", "")), ("dg", ("j",)), ("ck", ("k",)), ("ts", ("s",)), ("tz", ("s",)), ("ks", ("x",)),
    ("ce", ("s", "x")), ("ci", ("s", "x")), ("cy", ("s",)), ("c", ("k",)), ("q", ("k",)), ("x", ("x",)),
    ("z", ("s",)), ("v", ("f",)), ("w", ("f", "")), ("y", ("", "j")), ("h", ("",)), ("j", ("j",)), ("g", ("k",)),
    ("d", ("t",)), ("b", ("p",)),
)  # fmt: skip
_STARTS = (("kn", "n"), ("gn", "n"), ("pn", "n"), ("wr", "r"), ("ps", "s"), ("ye", "e"), ("hr", "r"))
_VOWELS = frozenset("aeiouy")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two names are: what is heard in both (empty if only the spelling is near), edits, and 0..1."""

    sound: str
    edits: int
    similarity: float


def plain(name: str) -> str:
    """A name in lower-case Latin letters and digits with single spaces; other scripts stay as they are."""
    folded = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(_LATIN.get(c, c) for c in unicodedata.normalize("NFC", folded) if not _is_mark(c))
    bare = "".join(c for c in unicodedata.normalize("NFKD", letters) if not _is_mark(c))
    return " ".join(re.sub(r"[^\w]+|_+", " ", bare).split())


def sound_keys(word: str) -> frozenset[str]:
    """How one plain word may be heard; empty where it has no Latin letter."""
    if not re.search(r"[a-z]", word):
        return frozenset()
    start = next((f"{sound}{word[len(seen) :]}" for seen, sound in _STARTS if word.startswith(seen)), word)
    first = "a" if start[0] in _VOWELS else ""
    ways = [frozenset(sounds) for sounds in _sounds_of(start)]
    keys = {re.sub(r"(.)\1+", r"\1", "".join(way)) for way in _few(ways)}
    return frozenset(first + key for key in keys)


def compare_names(one: str, other: str) -> Likeness | None:
    """How alike two names are, or None where they are none too: word by word, and each must be alike."""
    ours, theirs = plain(one).split(), plain(other).split()
    if len(ours) != len(theirs) or _DIGITS.findall(one) != _DIGITS.findall(other):
        return None
    found = [_compare_words(a, b) for a, b in zip(ours, theirs, strict=True)]
    if not found or None in found:
        return None
    words = [likeness for likeness in found if likeness]
    sounds_alike = all(likeness.sound for likeness in words)
    return Likeness(
        " ".join(likeness.sound for likeness in words) if sounds_alike else "",
        sum(likeness.edits for likeness in words),
        min(likeness.similarity for likeness in words),
    )


def compare_short(short: str, full: str) -> Likeness | None:
    """How alike a first name and a full name are ("Priya", "Priya Raman"); None where one doesn't begin the other."""
    ours, theirs = plain(short).split(), plain(full).split()
    if len(ours) != 1 or len(theirs) < 2 or ours != theirs[:1] or len(ours[0]) < SHORTEST:
        return None
    return Likeness(ours[0], 0, round(len(ours[0]) / len("".join(theirs)), 4))


def block_keys(name: str) -> frozenset[str]:
    """Keys of which two alike names share one: what is heard, or the letters but for one (SymSpell)."""
    words = plain(name).split()
    by_sound = {
        "~" + " ".join(way) for way in _few([sound_keys(word) or frozenset({word}) for word in words])
    }
    joined = " ".join(words)
    return frozenset(by_sound | {joined} | {joined[:at] + joined[at + 1 :] for at in range(len(joined))})


def count_edits(one: str, other: str) -> int:
    """Letters to change, add, drop or swap with their neighbour (Damerau and Levenshtein)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        last, row, older = row, [at], before
        for place, theirs in enumerate(other, start=1):
            cost = min(last[place] + 1, row[-1] + 1, last[place - 1] + (letter != theirs))
            if at > 1 and place > 1 and letter == other[place - 2] and one[at - 2] == theirs:
                cost = min(cost, older[place - 2] + 1)
            row.append(cost)
        before = last
    return row[-1]


def _compare_words(one: str, other: str) -> Likeness | None:
    edits, longer = count_edits(one, other), max(len(one), len(other))
    shared = sorted(sound_keys(one) & sound_keys(other), key=lambda key: (len(key), key))
    likeness = Likeness(shared[0] if shared else "", edits, round(1 - edits / longer, 4))
    if one == other:
        return Likeness(shared[0] if shared else one, 0, 1.0)
    if not _is_latin(one) or not _is_latin(other) or _ends_apart(one, other):
        return None
    shorter = min(len(one), len(other))
    if edits == 1 and shorter >= NEAR_LETTERS:
        return likeness
    if not shared or likeness.similarity < MIN_SIMILARITY:
        return None
    return likeness if shorter > SHORT or _vowels(one) == _vowels(other) else None


def _ends_apart(one: str, other: str) -> bool:
    """Whether nothing but a vowel at the end differs: Maria and Mario, Paul and Paula are two people."""
    return one.rstrip("aeiou") == other.rstrip("aeiou")


def _vowels(word: str) -> str:
    return "".join(letter for letter in word if letter in "aeiou")


def _sounds_of(word: str) -> Iterator[tuple[str, ...]]:
    """The sounds of a word's consonants in order; each in one way or two."""
    while word:
        spelled, sounds = next(
            ((seen, sound) for seen, sound in _SOUNDS if word.startswith(seen)), (word[0], (word[0],))
        )
        yield ("",) if spelled in _VOWELS and spelled != "y" else sounds
        word = word[len(spelled) :]


def _few(ways: list[frozenset[str]]) -> Iterator[tuple[str, ...]]:
    """The first ways to read a row of choices."""
    for count, way in enumerate(product(*(sorted(choice) for choice in ways))):
        if count == MAX_KEYS:
            return
        yield way


def _is_latin(word: str) -> bool:
    return word.isascii()


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) == "Mn"

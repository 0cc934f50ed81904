"""BERT's uncased WordPiece tokenizer (Devlin et al., NAACL 2019), as all-MiniLM-L6-v2 was trained with it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

LONGEST_WORD = 100  # characters; a longer one is unknown as a whole
MAX_TOKENS = 256  # what the model was trained on, begin and end included
CACHED_WORDS = 10_000  # some 200 bytes each
CACHED_CHARS = 24  # of such a word; a longer one doesn't come again
BEGIN, END, UNKNOWN, GOES_ON = "[CLS]", "[SEP]", "[UNK]", "##"

IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip  # each a word of its own
SPACES = "\t\n\r"  # control characters that part words


class _Plain(dict[int, str]):
    """What each character of a decomposed text becomes: nothing, a space, a word of its own, or a small letter."""

    def __missing__(self, point: int) -> str:
        self[point] = plain = _plain(chr(point))
        return plain


_PLAIN = _Plain()


class WordPieceTokenizer:
    """Cuts each word into the longest pieces from its beginning on."""

    def __init__(self, pieces: Sequence[str]) -> None:
        """`pieces` in the order of their numbers."""
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._begin, self._end, self._unknown = (self._numbers[name] for name in (BEGIN, END, UNKNOWN))
        self._cut_cached = lru_cache(CACHED_WORDS)(self._cut_word)

    def encode(self, text: str) -> list[int]:
        """Numbers of the pieces between those of begin and end, at most 256."""
        found: list[int] = []
        for word in list_words(text):
            found += self._cut_cached(word) if len(word) <= CACHED_CHARS else self._cut_word(word)
            if len(found) >= MAX_TOKENS - 2:
                break
        return [self._begin, *found[: MAX_TOKENS - 2], self._end]

    def _cut_word(self, word: str) -> tuple[int, ...]:
        pieces = tuple(self._pieces(word)) if len(word) <= LONGEST_WORD else (None,)
        return (self._unknown,) if None in pieces else pieces  # type: ignore[return-value]  # no None left

    def _pieces(self, word: str) -> Iterator[int | None]:
        """None where nothing fits, and no further."""
        start, mark = 0, ""
        while start < len(word):
            ends = range(len(word), start, -1)
            stop = next((end for end in ends if mark + word[start:end] in self._numbers), None)
            if stop is None:
                yield None
                return
            yield self._numbers[mark + word[start:stop]]
            start, mark = stop, GOES_ON


def list_words(text: str) -> list[str]:
    """Words in small letters without accents; marks and ideographs are words of their own."""
    return unicodedata.normalize("NFD", text).translate(_PLAIN).split()


def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if char in SPACES or (char.isspace() and category != "Cc"):
        return " "
    if category in ("Cc", "Cf", "Mn", "Cs", "Co") or char == "\ufffd":
        return ""
    if category.startswith("P") or (char.isascii() and not char.isalnum()) or _is_ideograph(ord(char)):
        return f" {char} "
    return char.lower()


def _is_ideograph(point: int) -> bool:
    return any(first <= point <= last for first, last in IDEOGRAPHS)

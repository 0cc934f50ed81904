"""What was found in a text stays found: the facts known of a person are asked the same by each new sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

KEPT = 4_000  # texts of which each function keeps what it found
KEPT_WORDS = 20_000  # single words, or pairs of them
KEPT_CHARS = 400  # of such a text; a longer one is read anew

Found = TypeVar("Found")


def kept(find: Callable[[str], Found]) -> Callable[[str], Found]:
    """The same function, which reads a short text once. It must depend on that alone, and give what can't change."""
    remembered = lru_cache(KEPT)(find)

    @wraps(find)
    def found(text: str) -> Found:
        return remembered(text) if len(text) <= KEPT_CHARS else find(text)

    return found

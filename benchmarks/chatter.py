"""Any number of turns with the statistics of talk: words drawn by Zipf's law from a list sorted by frequency.

They mean nothing; what they cost to index, to embed and to scan is what real ones cost.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import accumulate
from pathlib import Path

from benchmarks.conversations import Turn

WORDS = Path(__file__).resolve().parent.parent / "nebo/encoders/data/minilm_vocab.txt"
FIRST_WORD = 1996  # the vocabulary's line from which its words stand by frequency
SHORTEST = 3  # letters
TURN_WORDS = (8, 40)  # LoCoMo's turns have 25 on average
QUESTION_WORDS = (5, 9)
SPEAKERS = ("Ada", "Ben")
BEGAN = datetime(2024, 1, 1, 9, tzinfo=UTC)
SPACING = timedelta(minutes=7)


@cache
def _vocabulary() -> tuple[list[str], list[float]]:
    """Words and their cumulative weights."""
    lines = WORDS.read_text("utf-8").splitlines()[FIRST_WORD:]
    words = [word for word in lines if word.isascii() and word.isalpha() and len(word) >= SHORTEST]
    return words, list(accumulate(1 / rank for rank in range(1, len(words) + 1)))


def _say(chance: random.Random, lengths: tuple[int, int]) -> str:
    words, weights = _vocabulary()
    return " ".join(chance.choices(words, cum_weights=weights, k=chance.randint(*lengths)))


def make_turns(count: int, *, seed: str, lengths: tuple[int, int] = TURN_WORDS) -> Iterator[Turn]:
    """`count` turns of two speakers, of so many words; the same seed says the same."""
    chance = random.Random(seed)  # noqa: S311  repeatable, not secret
    for number in range(count):
        text = _say(chance, lengths).capitalize() + "."
        yield Turn(f"{seed}-{number}", SPEAKERS[number % 2], text, BEGAN + number * SPACING)


def make_questions(count: int, *, seed: str) -> list[str]:
    """Questions in the same words; no two are alike, so no cache answers them."""
    chance = random.Random(f"questions about {seed}")  # noqa: S311
    return [f"What was it about {_say(chance, QUESTION_WORDS)}?" for _ in range(count)]

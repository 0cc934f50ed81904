"""Talk that matters to nobody, as much as one likes of it: a crossword, clue by clue, or what one saw on the way."""

from __future__ import annotations

import random

WORDS = (
    "river", "lamp", "quarrel", "velvet", "ladder", "pepper", "harbour", "thimble", "oak", "feather", "drum", "copper",
    "island", "mirror", "button", "cradle", "saddle", "pigeon", "marble", "anchor", "basket", "candle", "engine",
    "garlic", "hammer", "jacket", "kettle", "lantern", "meadow", "needle", "orchard",
)  # fmt: skip
ANSWERS = (
    "Could be {0}, but the third letter doesn't fit with {1}.",
    "{0} crosses {1}, so maybe.",
    "No, {0} is too short.",
)


CHAT = (
    "The {0} was lovely today, I saw a {1} on the way.", "It rained on the {0} again, and on the {1}.",
    "There was a {0} in the window next to a {1}, funny.", "What a nice {0} and such an old {1}, I thought.",
)  # fmt: skip


def small_talk(messages: int, *, seed: str) -> list[str]:
    """So many messages of both, in turn, in which nobody wants anything: unlike a clue, none asks to be solved."""
    chance = random.Random(seed)  # noqa: S311  repeatable, not secret
    lines = [chance.choice(CHAT).format(*chance.sample(WORDS, 2)) for _ in range(messages)]
    return [f"assistant: {line}" if number % 2 else line for number, line in enumerate(lines)]


def crossword(messages: int, *, seed: str, clue_words: int = 6) -> list[str]:
    """So many messages of both, in turn, no two alike; the longer the clues, the more tokens."""
    chance = random.Random(seed)  # noqa: S311  repeatable, not secret
    return [_message(number, chance, clue_words) for number in range(messages)]


def _message(number: int, chance: random.Random, clue_words: int) -> str:
    if number % 2:
        one, other = chance.sample(WORDS, 2)
        return f"assistant: {chance.choice(ANSWERS).format(one, other)}"
    return f"Clue {number} of the crossword: {' '.join(chance.choices(WORDS, k=clue_words))}, seven letters."

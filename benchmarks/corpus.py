"""A conversation of our own with questions about it, for a machine that has no LoCoMo at hand.

What is asked for stands in corpus.json, said once; the rest is small talk in the same everyday words, made
here. It tells whether a change broke something, in six languages and with misspelt names; it is too small to
compare systems by.
"""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.conversations import Conversation, Question, Turn

FACTS = Path(__file__).with_name("corpus.json")
SESSIONS = 20
SESSION_TURNS = 30
BEGAN = datetime(2024, 2, 1, 18, tzinfo=UTC)
SESSION_SPACING = timedelta(days=9)
TURN_SPACING = timedelta(minutes=1)
SPEAKERS = ("Nora", "Theo")

OPENINGS = ("Guess what,", "So,", "By the way,", "Oh,", "Honestly,", "You know,", "Anyway,", "Last week")
DOINGS = (
    "I went to the market", "I met the neighbours", "I watched a film", "I cooked soup", "I fixed the bike",
    "I called my cousin", "I cleaned the kitchen", "I read half a book", "I walked the dog", "I took the bus",
    "I had breakfast outside", "I looked at old photos", "I sold two chairs", "I planted tomatoes",
)  # fmt: skip
PLACES = (
    "by the harbour", "near the station", "at the library", "in the old town", "behind the school",
    "on the hill", "at the club", "next to the bakery", "in the park", "at my parents' house",
)  # fmt: skip
REMARKS = (
    "and it rained all day.", "and it was lovely.", "which took for ever.", "and I slept well after that.",
    "and nobody noticed.", "and I would do it again.", "but the dentist called in between.",
    "and then the team had coffee.", "so the morning was gone.", "and we laughed a lot.",
)  # fmt: skip


def make_conversation() -> Conversation:
    """The same one each time."""
    chance = random.Random(7)  # noqa: S311  repeatable, not secret
    facts = json.loads(FACTS.read_text("utf-8"))
    places = chance.sample(range(SESSIONS * SESSION_TURNS), len(facts))
    told = dict(zip(places, facts, strict=True))
    turns = [_turn(number, told.get(number), chance) for number in range(SESSIONS * SESSION_TURNS)]
    questions = [Question(fact["asks"], fact["category"], (f"c{place}",)) for place, fact in told.items()]
    sessions = (turns[first : first + SESSION_TURNS] for first in range(0, len(turns), SESSION_TURNS))
    return Conversation("corpus", tuple(map(tuple, sessions)), tuple(questions))


def _turn(number: int, fact: dict[str, str] | None, chance: random.Random) -> Turn:
    session, place = divmod(number, SESSION_TURNS)
    said_at = BEGAN + session * SESSION_SPACING + place * TURN_SPACING
    if fact:
        return Turn(f"c{number}", fact["speaker"], fact["says"], said_at)
    text = " ".join(chance.choice(words) for words in (OPENINGS, DOINGS, PLACES, REMARKS))
    return Turn(f"c{number}", SPEAKERS[number % 2], text, said_at)

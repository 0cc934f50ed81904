"""Wishes as a model tells them (“prefers short answers”): what they ask of the agent's manner, never who it is."""

from __future__ import annotations

from nebo.reading.requests.wishes import SLOTS, read_values, topic
from personality.fields import VOLATILE_FIELDS
from personality.wishes.finding import Wish

STATED_WEIGHT = 0.60  # weight of what a model says was said in so many words
INFERRED_WEIGHT = 0.35  # of what it makes of it; alone neither is enough for any field
STATED_CONFIDENCE = 0.9  # confidence from which on a model means that; docs/design.md#confidence-numbers


def find_read_wishes(value: str, *, about: str, quote: str, confidence: float) -> list[Wish]:
    """What a sentence about a person's style, of which the matter was read before, asks for; it waits for more."""
    weight = STATED_WEIGHT if confidence >= STATED_CONFIDENCE else INFERRED_WEIGHT
    slots = [slot for slot in SLOTS if topic(slot) == about]
    asked = {one for slot in slots for one in read_values(value, slot) if one.field in VOLATILE_FIELDS}
    if len(asked) != 1:
        return []
    return [
        Wish(one.field, one.value, "hedged", quote, 0, 0, given_weight=weight, about=about) for one in asked
    ]

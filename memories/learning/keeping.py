"""What a sentence of a turn makes, stored beside what is known."""

from __future__ import annotations

from memories.learning.utterance import Utterance
from memories.models import Memory
from memories.new_memory import NewMemory
from memories.storing.comparing import same_as
from memories.storing.store import store_memory
from nebo.errors import InvalidInput
from nebo.reading.meaning.reader import Sentence


def keep(turn: Utterance, sentence: Sentence, new: NewMemory) -> list[Memory]:
    """The memory that is new, or another than before. A turn is never refused for what was made of it."""
    try:
        stored = store_memory(
            tenant=turn.tenant,
            person=turn.person,
            new=new,
            actor=turn.actor,
            compared=same_as(turn.understood.list_marked_as(sentence)),
        )
    except InvalidInput:  # raised before anything is written
        return []
    return [] if stored.action == "unchanged" else [stored.memory]

"""What a person asks to have remembered and is no fact of its own: kept as a note, in their words."""

from __future__ import annotations

from memories.confidence import EXPLICIT
from memories.learning.utterance import Utterance
from memories.models import VALUE_LIMIT, Memory
from memories.new_memory import NewMemory, NewObservation
from memories.screening.sanitize import cut_value
from memories.storing.comparing import same_as
from memories.storing.store import store_memory
from nebo.errors import InvalidInput
from nebo.reading.facts.leads import without_lead
from nebo.reading.meaning.reader import Sentence
from nebo.reading.words.forget_words import begins_to_forget
from nebo.reading.words.naming import named_words

IMPORTANCE = 2  # of what is asked to be remembered; docs/design.md#memory-numbers


def keep_note(turn: Utterance, sentence: Sentence) -> list[Memory]:
    """The note, if it is new; none of a request that names nothing, or only announces what is to come. A secret in it
    is cut out before it has a key.
    """
    quote = turn.text[sentence.start : sentence.end]
    value = cut_value(without_lead(quote), VALUE_LIMIT)
    if not named_words(value) or quote.endswith((":", "：")) or begins_to_forget(quote):
        return []
    seen = NewObservation(
        extractor="signal",
        value=value,
        confidence=EXPLICIT,
        trust=Memory.Trust.USER,
        message_id=turn.message_id,
        quote=quote,
        quote_start=sentence.start,
        quote_end=sentence.end,
        actor=str(turn.actor),
        observed_at=turn.at,
    )
    new = NewMemory(
        value=value,
        layer=Memory.Layer.TACIT,
        namespace="notes",
        source=Memory.Source.SIGNAL,
        importance=IMPORTANCE,
        tags=("remember",),
        confidence=EXPLICIT,
        persona_id=turn.audience(sentence, others=turn.persona_id),
        observations=(seen,),
    )
    try:
        stored = store_memory(
            tenant=turn.tenant,
            person=turn.person,
            new=new,
            actor=turn.actor,
            compared=same_as(turn.understood.says_marked(sentence)),
        )
    except InvalidInput:  # raised before anything is written; a turn is never refused for what was made of it
        return []
    return [] if stored.action == "unchanged" else [stored.memory]

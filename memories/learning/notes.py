"""What a person asks to have remembered and is no fact of its own: kept as a note, in their words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memories.confidence import EXPLICIT
from memories.learning.keeping import keep
from memories.learning.utterance import Utterance
from memories.models import VALUE_LIMIT, Memory
from memories.new_memory import NewMemory, NewObservation
from memories.screening.sanitize import cut_value
from nebo.reading.facts.leads import without_lead
from nebo.reading.meaning.reader import Sentence
from nebo.reading.words.forget_words import begins_to_forget
from nebo.reading.words.naming import named_words

IMPORTANCE = 2  # of what is asked to be remembered; docs/design.md#memory-numbers
# Cheers whoever listens, and tells nothing of who says it: "don't ever forget that you have people behind you".
_CHEERS = re.compile(
    r"\b(?:don['’]?t ever|never(?: ever)?) forget(?: that)? you(?:['’]re|['’]ve| are| have)\b(?! to\b)"
    r"(?!.*\b(?:I|me|my|we|us|our)\b)|\b(?:vergiss nie|no olvides(?: nunca)?|n['’]oublie jamais|non dimenticare mai)"
    r",? (?:dass du|que (?:tú|eres|tienes|tu)|che (?:tu|sei|hai))\b",
    re.IGNORECASE,
)


# Whoever says so will remember it themselves.
_BY_ONESELF = re.compile(
    r"\b(?:I(?:['’]ll| will|['’]m going to)(?: definitely| surely| try to)? (?:keep|bear) [^,.;!?]{1,30} in mind"
    r"|merke? (?:ich )?mir|(?:lo|la) tendré en cuenta|me lo (?:apunto|anoto|segno)|je m['’]en souviendrai"
    r"|lo terrò a mente)\b",
    re.IGNORECASE,
)
# Chance from which what one of two people asks to remember is meant for the agent that listens.
BETWEEN_PEOPLE = 0.97


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a message, where they begin in it, and when it was said."""

    message_id: UUID
    at: datetime
    words: str
    start: int


def note_of(
    turn: Utterance,
    quote: Quote,
    *,
    value: str,
    persona_id: UUID | None,
    importance: int = IMPORTANCE,
    tag: str = "remember",
) -> NewMemory:
    """A note in the words of a message, on the evidence of these."""
    short = cut_value(value, VALUE_LIMIT)
    seen = NewObservation(
        extractor="signal",
        value=short,
        confidence=EXPLICIT,
        trust=Memory.Trust.USER,
        message_id=quote.message_id,
        quote=quote.words,
        quote_start=quote.start,
        quote_end=quote.start + len(quote.words),
        actor=str(turn.actor),
        observed_at=quote.at,
    )
    return NewMemory(
        value=short,
        layer=Memory.Layer.TACIT,
        namespace="notes",
        source=Memory.Source.SIGNAL,
        importance=importance,
        tags=(tag,),
        confidence=EXPLICIT,
        persona_id=persona_id,
        observations=(seen,),
    )


def without_asides(turn: Utterance, sentence: Sentence) -> Sentence:
    """The sentence as one that asks no agent to remember anything, where it only reads so."""
    meaning = sentence.meaning
    if not meaning.may_be("remember") or not _is_for_nobody(turn, sentence):
        return sentence
    acts, asks = (kinds - {"remember"} for kinds in (meaning.acts, meaning.asks))
    chances = {**meaning.chances, "remember": 0.0}
    return replace(sentence, meaning=replace(meaning, chances=chances, acts=acts, asks=asks))


def _is_for_nobody(turn: Utterance, sentence: Sentence) -> bool:
    """Whether a sentence that reads as "remember" asks no agent to: it cheers, or is said by one person to another."""
    if _CHEERS.search(sentence.text) or _BY_ONESELF.search(sentence.text):
        return True
    return turn.shared and sentence.meaning.chances["remember"] < BETWEEN_PEOPLE


def keep_note(turn: Utterance, sentence: Sentence) -> list[Memory]:
    """The note, if it is new; none of a request that names nothing, or only announces what is to come. A secret in it
    is cut out before it has a key.
    """
    quote = turn.text[sentence.start : sentence.end]
    value = cut_value(without_lead(quote), VALUE_LIMIT)
    announces = quote.endswith((":", "："))
    if not named_words(value) or announces or begins_to_forget(quote):
        return []
    new = note_of(
        turn,
        Quote(turn.message_id, turn.at, quote, sentence.start),
        value=value,
        persona_id=turn.audience(sentence, others=turn.persona_id),
    )
    return keep(turn, sentence, new)

"""Cards: what was recalled for a question, each with what it cites, said so that it is understood by itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memories.models import Memory
from memories.screening.fencing import one_line
from memories.screening.placeholders import without_marks
from memories.screening.sanitize import without_orders
from nebo.reading.wording.names import names_of
from nebo.reading.words.content_words import content_words, split_sentences
from search.answers.search import Hit
from search.answers.turn_rendering import ENDS_ASKING, BeforeTurns, render_turn
from search.questions.speaker_roles import ASSISTANT, SPEAKERS
from sessions.context.answer import CiteFields, ContextCardFields
from sessions.context.stable import short_key
from sessions.tokens import cut_to_tokens, estimate_tokens

CITE_TOKENS = 16  # a card's citation and framing
LEAST_WORDS = 3  # content words of a turn of which a part is withheld or left out
ASKED_WORDS = 4  # content words of a person's question that brings something up
LEAST_PASSAGE = 24  # tokens of a passage that are worth a card

_FIGURE = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Card:
    """Something recalled for this query, with what it cites."""

    text: str
    score: float
    memory_id: str = ""
    message_ids: tuple[str, ...] = ()
    bare: str = ""  # what of it is told, without day and speaker

    @property
    def tokens(self) -> int:
        """As it stands in the prompt."""
        return estimate_tokens(one_line(self.text)) + CITE_TOKENS

    def as_dict(self) -> ContextCardFields:
        """As the answer lists it."""
        cited: CiteFields = (
            {"memory_id": self.memory_id} if self.memory_id else {"message_ids": list(self.message_ids)}
        )
        return {**cited, "text": self.text, "score": self.score}


def list_cards(
    hits: Sequence[Hit], memories: Mapping[UUID, Memory], *, before: BeforeTurns, known: Collection[str]
) -> list[Card]:
    """Hits as cards, best first; `known` are ids of memories that stand in the prompt already.

    Mere courtesy makes no card, unless it answers what the other asked. Neither does a question whose answer is a card
    that quotes it.
    """
    cards = []
    for hit in hits:
        if hit.memory_id is None:
            cards.append(_turn_card(hit, before))
        elif hit.memory_id in memories and str(hit.memory_id) not in known:
            cards.append(_memory_card(hit, memories[hit.memory_id]))
    quoted = {card.message_ids[0] for card in cards if card and len(card.message_ids) > 1}
    return [card for card in cards if card and not (card.message_ids and quoted.issuperset(card.message_ids))]


def subject_of(memory: Memory) -> str:
    """Whom a memory of somebody else is about, where its words don't say; else empty."""
    label = memory.entity_label
    if not label or content_words(label) & content_words(memory.value):
        return ""
    return label


def say(memory: Memory) -> str:
    """A memory in its words, with whom it is about."""
    subject = subject_of(memory)
    return f"{subject}: {memory.value}" if subject else memory.value


def _memory_card(hit: Hit, memory: Memory) -> Card:
    """With its key, where that says something more."""
    coverage = say(memory)
    key = short_key(hit.key, coverage)
    name = key.replace("-", " ").replace("/", " ")
    text = coverage if content_words(name) <= content_words(coverage) else f"{key}: {coverage}"
    return Card(text, hit.score, str(hit.memory_id), bare=coverage)


def _turn_card(hit: Hit, before: BeforeTurns) -> Card | None:
    text = without_marks(without_orders(hit.text))
    if text != hit.text and len(content_words(text)) < LEAST_WORDS:
        return None
    coverage = render_turn(hit if text == hit.text else replace(hit, text=text), before)
    if coverage is None or (len(coverage.message_ids) <= 1 and _says_little(hit, text)):
        return None
    return Card(coverage.text, hit.score, message_ids=coverage.message_ids, bare=text)


def _says_little(hit: Hit, text: str) -> bool:
    """Whether a turn between a person and an agent that answers nothing tells next to nothing: "Congratulations!",
    "That's a lot of plates. What's the bottleneck?", "what did they pick again?".
    """
    sentences = split_sentences(text)
    asked = [one for one in sentences if one.endswith(ENDS_ASKING)]
    if hit.speaker == SPEAKERS["user"]:
        return asked == sentences and len(content_words(" ".join(asked))) < ASKED_WORDS
    told = " ".join(one for one in sentences if one not in asked)
    names_something = bool(_FIGURE.search(told) or names_of(f"… {told}"))
    return hit.speaker == ASSISTANT and len(content_words(told)) < LEAST_WORDS and not names_something


def shorten_card(card: Card, question: str, room: int) -> Card | None:
    """The passage of a card that says most about the question, within `room` tokens; none where that is too little."""
    space = room - CITE_TOKENS
    if space < LEAST_PASSAGE:
        return None
    head, mark, rest = card.text.partition("] ") if card.text.startswith("[") else ("", "", card.text)
    speaker, colon, words = rest.partition(": ") if mark else ("", "", rest)
    frame = f"{head}{mark}{speaker}{colon}"
    passage = _best_passage(words, question, space - estimate_tokens(frame) - 2)
    text = cut_to_tokens(f"{frame}{passage}", space)
    return replace(card, text=text)


def _best_passage(text: str, question: str, room: int) -> str:
    """Sentences in a row around the one that shares most words with the question, first those after it."""
    sentences = split_sentences(text)
    if not sentences:
        return text
    wanted = content_words(question)
    worth = [len(wanted & content_words(sentence)) for sentence in sentences]
    first = last = worth.index(max(worth))
    used = estimate_tokens(sentences[first])
    while True:
        step = _next(sentences, first, last, room - used)
        if step is None:
            break
        used += estimate_tokens(sentences[step]) + 1
        first, last = min(first, step), max(last, step)
    passage = " ".join(sentences[first : last + 1])
    return f"{'… ' if first else ''}{passage}{' …' if last + 1 < len(sentences) else ''}"


def _next(sentences: Sequence[str], first: int, last: int, room: int) -> int | None:
    """The sentence to take in next: the one behind, or the one before, whichever fits."""
    for place in (last + 1, first - 1):
        if 0 <= place < len(sentences) and estimate_tokens(sentences[place]) + 1 <= room:
            return place
    return None

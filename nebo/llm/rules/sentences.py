"""The sentences of a conversation that carry most of it, chosen by their words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nebo.llm.types import ChatMessage
from nebo.reading.stop_words import STOPWORDS

MIN_WORDS = 4  # of a sentence worth keeping
MAX_SENTENCE_CHARS = 280  # characters; longer ones are cut at a word
MAX_READ_SENTENCES = 2_000  # the last of a conversation that are weighed
REPEAT_SHARE = 0.6  # of the content words shared with a sentence already chosen

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_WEIGHTY = re.compile(
    r"\b(?:I|we|my|our)\b.*\b(?:am|is|are|have|decided|went|moved|started|plan|need|want|will|live"
    r"|work|prefer|like|love|hate|bought|finished|joined|agreed|promised)\b|\d",
    re.IGNORECASE,
)
_PLEASANTRY = re.compile(
    r"^\s*(?:hi|hey|hello|thanks|thank you|wow|great|cool|awesome|nice|ok|okay|bye|sure|good to"
    r"|nice to|glad|good (?:morning|evening|night))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a message: its text, who said it, its place in the conversation, its weight."""

    text: str
    speaker: str
    place: int
    weight: float


def list_sentences(material: Sequence[ChatMessage]) -> list[Sentence]:
    """The weighed sentences of people and assistants, in order; pleasantries and fragments left out."""
    raw = [(text, m) for m in material if m.role in ("user", "assistant") for text in _split(m.content)]
    raw = raw[-MAX_READ_SENTENCES:]
    frequency = Counter(word for text, _ in raw for word in set(content_words(text)))
    return [
        Sentence(
            text,
            m.name or m.role.capitalize(),
            place,
            _weigh(text, m.role, frequency, place / max(1, len(raw))),
        )
        for place, (text, m) in enumerate(raw)
    ]


def choose(sentences: Sequence[Sentence], *, limit_chars: int, limit: int = 40) -> list[Sentence]:
    """The weightiest sentences that fit, none saying what another says, in the order they were said."""
    chosen: list[Sentence] = []
    room = limit_chars
    for sentence in sorted(sentences, key=lambda s: -s.weight):
        cost = len(sentence.text) + len(sentence.speaker) + 3
        if cost <= room and not any(_repeats(sentence.text, other.text) for other in chosen):
            chosen.append(sentence)
            room -= cost
        if len(chosen) == limit:
            break
    return sorted(chosen, key=lambda s: s.place)


def content_words(text: str) -> list[str]:
    """The words of a text that aren't mere grammar, in small letters."""
    return [
        w
        for w in (m.group().lower().replace("’", "'") for m in _WORD.finditer(text))
        if w not in STOPWORDS and len(w) > 2
    ]


def _split(text: str) -> list[str]:
    found = (_cut(" ".join(m.group().split())) for m in _SENTENCE.finditer(text))
    return [
        s for s in found if len(s.split()) >= MIN_WORDS and not (_PLEASANTRY.match(s) and len(s.split()) < 8)
    ]


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SENTENCE_CHARS else text[: MAX_SENTENCE_CHARS - 1].rsplit(" ", 1)[0] + "…"


def _weigh(text: str, role: str, frequency: Counter[str], progress: float) -> float:
    words = content_words(text)
    if not words:
        return 0.0
    theme = sum(min(frequency[w], 8) for w in set(words)) / (len(words) + 6)
    told = (1.0 if _WEIGHTY.search(text) else 0.0) + (0.6 if role == "user" else 0.0)
    return theme + told + 0.4 * progress - (0.8 if text.endswith("?") else 0.0)


def _repeats(text: str, other: str) -> bool:
    mine, theirs = set(content_words(text)), set(content_words(other))
    return bool(mine) and len(mine & theirs) / len(mine) > REPEAT_SHARE

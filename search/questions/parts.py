"""The parts of a question that asks for several things at once: "Where do I live, and what can't I eat?"

Question words are a closed class; where one begins a clause, that clause asks for something of its own. What a part
asks of the speaker reads as a statement without it: "where do I live" as "I live".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nebo.reading.words.content_words import content_words

MOST_PARTS = 3
_ASKS = (
    r"(?:what|where|when|who|whom|whose|which|why|how|was|wo|wann|wer|wem|wen|welche[mnrs]?|warum|wieso|wie|woher|wohin"
    r"|qué|que|dónde|donde|cuándo|cuando|quién|quien|cuál|cual|cuántos|cuántas|cómo|como|por qué"
    r"|quoi|où|quand|qui|quels?|quelles?|comment|pourquoi|cosa|dove|chi|quale|perché)"
)
_BEFORE = r"(?:(?:a|de|con|en|por|para|to|for|with|from|in|mit|für|von|zu|in|aus|avec|pour|per)\s+)?"
_BREAK = re.compile(
    rf"(?:[?;,]\s*|\s+)(?:and|or|und|oder|y|e|o|et|ou)\s+(?=¿?{_BEFORE}{_ASKS}\b)|\?\s+(?=\S)", re.IGNORECASE
)
_QUESTION_WORD = re.compile(
    rf"^[¿\s]*{_BEFORE}{_ASKS}(?:['’]s)?\s+(?:(?:do|does|did)\s+(?=I\b))?", re.IGNORECASE
)
_VERB_FIRST = re.compile(r"^(?P<verb>[\w'’]+)\s+(?P<who>I|ich)\b", re.IGNORECASE)


def list_parts(question: str) -> list[str]:
    """What a question asks one by one; itself alone where it asks for one thing."""
    parts = [part.strip() for part in _BREAK.split(question)]
    telling = [part for part in parts if content_words(part)]
    return telling[:MOST_PARTS] if len(telling) > 1 else [question]


def list_readings(part: str) -> Iterator[str]:
    """A part as a statement that it asks to complete, and as it was asked, with and without its marks."""
    bare = part.strip(" ?¿!.,;")
    yield _VERB_FIRST.sub(r"\g<who> \g<verb>", _QUESTION_WORD.sub("", bare))
    yield part
    yield bare

"""One sentence that tells something and asks for something else is read as two: "I'm coeliac, can you plan meals?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from nebo.reading.kinds import Kind
from nebo.reading.sentences import Span

TELLING: tuple[Kind, ...] = ("lasting", "relative", "other", "event", "ended")
MAX_PAUSES = 4  # of a sentence that are tried, each takes two readings
ASKING: tuple[Kind, ...] = ("forget", "request", "question", "wish")
# Chance from which a sentence may hide such a request; of forgetting, one in twenty others has it.
HINTS: Mapping[Kind, float] = {"forget": 0.01, "request": 0.5, "question": 0.5, "wish": 0.3}
WORTH_TELLING = 0.9  # of a clause beside a request, from which it stands by itself

_PAUSE = re.compile(
    r"\s*[;:,]\s+|\s+[-–—]+\s+|\s+(?=(?:and|but|so|und|aber|doch|y|pero|et|mais|donc|e|ma|però|quindi)\s)"
)
# A clause that begins so belongs to the one before it: „lösch bitte, wo ich wohne“.
_BELONGS = re.compile(
    r"(?:that|which|who|whom|whose|what|where|when|why|how|if|whether|dass|wo|was|wer|wen|wem|wie|wann|warum|ob|welch\w*"
    r"|que|quien|donde|dónde|cuando|cuándo|cómo|si|qui|quoi|dont|où|quand|comment|che|chi|dove|quando|come|se)\b",
    re.IGNORECASE,
)


class Read(Protocol):
    """What a sentence was read to be."""

    @property
    def chances(self) -> Mapping[str, float]: ...

    @property
    def worth(self) -> Mapping[str, float]: ...

    def may_be(self, kind: Kind) -> bool: ...


def list_parts(span: Span, read: Callable[[str], Read]) -> list[Span]:
    """The sentence as it is, or in two: one side asks for something, the other tells something."""
    chances = read(span.text).chances
    asks = [
        kind for kind in ASKING if chances[kind] >= HINTS[kind] and (kind == "forget" or ":" not in span.text)
    ]
    if not asks or max(chances[kind] for kind in TELLING) < HINTS["forget"]:
        return [span]
    for left, right in _cut(span):
        first, second = read(left.text), read(right.text)
        if any(_stand_apart(first, second, kind) or _stand_apart(second, first, kind) for kind in asks):
            return [left, right]
    return [span]


def opens_material(span: Span, read: Callable[[str], Read]) -> bool:
    """Whether what follows is a text to work on, and nobody's own words: "Can you translate this: …"."""
    return ":" in span.text and read(span.text).chances["request"] >= HINTS["request"]


def _stand_apart(asking: Read, telling: Read, asks: Kind) -> bool:
    """Whether one of two is the request and the other says something of its own."""
    if not asking.may_be(asks) or any(telling.may_be(kind) for kind in ASKING):
        return False
    worth_keeping = asks == "forget" or telling.worth["good"] >= WORTH_TELLING
    return worth_keeping and any(telling.may_be(kind) for kind in TELLING)


def _cut(span: Span) -> Iterator[tuple[Span, Span]]:
    for pause in list(_PAUSE.finditer(span.text))[:MAX_PAUSES]:
        left, right = span.text[: pause.start()], span.text[pause.end() :]
        if left.strip() and right.strip() and not _BELONGS.match(right):
            end, start = span.start + pause.start(), span.start + pause.end()
            yield Span(left, span.start, end), Span(right, start, span.end)

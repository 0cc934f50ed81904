"""One sentence that says two things is read as two: "I'm coeliac, can you plan meals?", "I'm Ines, I'm a nurse"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.sentences import Span
from nebo.reading.words.bare_verbs import FIRST_PERSON, has_bare_verb

TELLING: tuple[Kind, ...] = ("lasting", "relative", "other", "event", "ended")
MAX_PAUSES = 4  # of a sentence that are tried, each takes two readings
ASKING: tuple[Kind, ...] = ("forget", "request", "question", "wish")
# Chance from which a sentence may hide such a request; of forgetting, one in twenty others has it.
HINTS: Mapping[Kind, float] = {"forget": 0.01, "request": 0.5, "question": 0.5, "wish": 0.3}
WORTH_TELLING = 0.9  # of a clause beside another, from which it stands by itself
PLAINLY_WORTH = 0.75  # where it surely tells something
SURE = 0.9
STUMP_WORDS = (
    2  # of a clause that says nothing without the one before, unless it is a name: "…, I'm allergic."
)
LEAST_WORDS = 4  # of a clause before "and I …": "my brother and I work there" is one
DOUBT = 0.5  # chance from which a clause tells something, or doesn't mean it
UNMEANT: tuple[Kind, ...] = ("supposed", "quoted", "joking")

_PAUSE = re.compile(
    r"\s*[;:,]\s+|\s+[-–—]+\s+|\s+(?=(?:and|but|so|und|aber|doch|y|pero|et|mais|donc|e|ma|però|quindi)\s)"
)
# A clause that begins so belongs to the one before it: „lösch bitte, wo ich wohne“.
BELONGS = re.compile(
    r"(?:that|which|who|whom|whose|what|where|when|why|how|if|whether|dass|wo|was|wer|wen|wem|wie|wann|warum|ob|welch\w*"
    r"|que|quien|donde|dónde|cuando|cuándo|cómo|si|qui|quoi|dont|où|quand|comment|che|chi|dove|quando|come|se)\b",
    re.IGNORECASE,
)


# After "and" without a comma, what begins so has a subject of its own: "and my wife teaches", but not "and teach".
_SUBJECT = re.compile(
    r"(?:(?:and|but|so|und|aber|doch|y|pero|et|mais|donc|e|ma|però|quindi)\s+)?(?:(?i:(?:i|i['’]?m|my|we|our|the|ich"
    r"|mein\w*|wir|unser\w*|je|mon|ma|mes|nous|nos|notre|yo|mis?|nuestr\w+|io|mi[oa]|miei|mie|nostr\w+)\b|j['’])"
    rf"|{FIRST_PERSON}|[A-Z])"
)
# "in Rua das Flores, Porto, third floor", „dos gatas, Nube y Trufa, y …“
_APPOSITION = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]*(?: (?:(?:and|und|y|et|e) )?[A-ZÀ-ÖØ-Þ][\w'’-]*)*(?:,|$)")
_SPEAKER = re.compile(r"^[^\W\d_][\w'’-]*(?: [\w'’-]+)?\s?: ")  # "Ines: Ich wohne in Porto"
# "Lena, my niece, …": who it is about, or who is spoken to; no clause.
_NAME_ALONE = re.compile(
    rf"(?!I\b|Ich\b|Je\b|J['’]|Yo\b|Io\b|{FIRST_PERSON})[A-ZÀ-ÖØ-Þ][\w'’-]*(?: [A-ZÀ-ÖØ-Þ][\w'’-]*){{0,2}}"
)
_LINK = re.compile(r"(?:and|but|so|und|aber|doch|y|pero|et|mais|donc|e|ma|però|quindi)\s+")
# A verb that shares its subject with the one before: "I live in Leeds and work as a baker", „… und habe zwei Katzen“.
_SHARES = (
    (re.compile(r"I\b"), re.compile(r"(?:work|live|study|teach|have|am|own|speak|run|play|go) ")),
    (
        re.compile(r"Ich\b", re.IGNORECASE),
        re.compile(
            r"(?!(?:die|[mdsk]?eine|ihre|unsere|eure|diese|jene|jede|alle|viele|beide|ohne|heute|gerne|ganze)\b)"
            r"(?:[a-zäöüß]+e|bin|kann|will|mag|muss|darf) "
        ),
    ),
)


class ClauseReading(Protocol):
    """What a sentence was read to be."""

    @property
    def slot(self) -> str: ...

    @property
    def chances(self) -> Mapping[str, float]: ...

    @property
    def worth(self) -> Mapping[str, float]: ...

    def may_be(self, kind: Kind) -> bool: ...


def list_parts(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """The sentence as it is, or in parts that each say something of their own."""
    return _part_request(span, read) or _part_facts(span, read)


def _part_request(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """Two: one side asks for something, the other tells something. None where nothing is asked for."""
    chances = read(span.text).chances
    asks = [
        kind for kind in ASKING if chances[kind] >= HINTS[kind] and (kind == "forget" or ":" not in span.text)
    ]
    if not asks or max(chances[kind] for kind in TELLING) < HINTS["forget"]:
        return []
    for left, right in _cut(span):
        first, second = read(left.text), read(right.text)
        if any(_stand_apart(first, second, kind) or _stand_apart(second, first, kind) for kind in asks):
            return [left, right]
    return []


def _part_facts(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """Each clause that is worth keeping by itself, if they answer different questions."""
    if not _PAUSE.search(span.text) or not _tells(read(span.text)):
        return [span]
    for left, right in _cut(span):
        if _NAME_ALONE.fullmatch(left.text) or not _tells(read(left.text)):
            continue
        rest = _without_link(right)
        if _is_stump(rest, read):
            continue
        if _follows_alone(span, left, right) and _differs(read(left.text), read(rest.text)):
            return [left, *_part_facts(rest, read)]
        same_subject = _with_subject(left, rest)
        if same_subject and _tells(read(same_subject.text)):
            return [left, *_part_facts(same_subject, read)]
    return [span]


def _differs(first: ClauseReading, second: ClauseReading) -> bool:
    """Whether a second clause tells of another matter than the first."""
    return _tells(second) and _question(first) != _question(second)


def _is_stump(span: Span, read: Callable[[str], ClauseReading]) -> bool:
    return len(span.text.split()) <= STUMP_WORDS and read(span.text).slot != "name"


def _with_subject(left: Span, right: Span) -> Span | None:
    """`work as a designer` after "I live in Leipzig and": with the "I" that both share."""
    for subject, verb in _SHARES:
        shared = subject.match(left.text)
        if shared and verb.match(right.text):
            return Span(f"{shared[0]} {right.text}", right.start, right.end)
    return None


def _follows_alone(span: Span, left: Span, right: Span) -> bool:
    """Whether the right side can have a subject of its own."""
    clause = _without_link(right).text
    parted = span.text[left.end - span.start : right.start - span.start].strip() != "" or has_bare_verb(
        clause
    )
    if _APPOSITION.match(clause) or (not parted and len(left.text.split()) < LEAST_WORDS):
        return False
    return (parted and _LINK.match(right.text) is not None) or _SUBJECT.match(right.text) is not None


def _without_link(span: Span) -> Span:
    link = _LINK.match(span.text)
    return Span(span.text[link.end() :], span.start + link.end(), span.end) if link else span


def _tells(one: ClauseReading) -> bool:
    """Whether a clause is worth keeping by itself, in earnest."""
    chances = one.chances
    tells = max(chances[kind] for kind in TELLING)
    return (
        one.worth["good"] >= (PLAINLY_WORTH if tells >= SURE else WORTH_TELLING)
        and tells >= DOUBT
        and all(chances[kind] < DOUBT for kind in UNMEANT)
        and not any(one.may_be(kind) for kind in ASKING)
    )


def _question(one: ClauseReading) -> tuple[str, str]:
    """What a clause is about: its slot, and whether that is the speaker's own."""
    return one.slot, max(("lasting", "relative", "other"), key=one.chances.__getitem__)


def says_several(fact: str) -> bool:
    """Whether a fact by its form says more than one thing: "I live in Leeds, and my wife teaches"."""
    return _PAUSE.search(_SPEAKER.sub("", fact).strip(" ,;:")) is not None


def opens_material(span: Span, read: Callable[[str], ClauseReading]) -> bool:
    """Whether what follows is a text to work on, and nobody's own words: "Can you translate this: …"."""
    return ":" in span.text and read(span.text).chances["request"] >= HINTS["request"]


def _stand_apart(asking: ClauseReading, telling: ClauseReading, asks: Kind) -> bool:
    """Whether one of two is the request and the other says something of its own."""
    if not asking.may_be(asks) or any(telling.may_be(kind) for kind in ASKING):
        return False
    worth_keeping = asks == "forget" or telling.worth["good"] >= WORTH_TELLING
    return worth_keeping and any(telling.chances[kind] >= DOUBT for kind in TELLING)


def _cut(span: Span) -> Iterator[tuple[Span, Span]]:
    for pause in list(_PAUSE.finditer(span.text))[:MAX_PAUSES]:
        left, right = span.text[: pause.start()], span.text[pause.end() :]
        if left.strip() and right.strip() and not BELONGS.match(right):
            end, start = span.start + pause.start(), span.start + pause.end()
            yield Span(left, span.start, end), Span(right, start, span.end)

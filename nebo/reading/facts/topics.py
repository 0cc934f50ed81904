"""What the sentences of one message are about together.

"A booking app called Fernweh. We launch on 14 March." tells of Fernweh twice, and "I've got a job at the harbour. I
start on 1 June." one thing. A sentence that names no project, and says nothing of the speaker alone or of somebody
near, is about the one that an earlier sentence of the message named; one that says only that something begins or
ends belongs to the sentence before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from nebo.reading.facts.values import find_known, find_project
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Sentence
from nebo.reading.times.dates import without_times
from nebo.reading.words.naming import named_words

TELLING = 0.5  # chance of telling of a thing or an event, from which a sentence may be a project's
NEAR = 0.3  # chance of being about somebody near, from which it isn't
OF_PEOPLE = (
    "name", "age", "birthday", "home", "origin", "contact", "partner", "family", "friend", "pet", "diet", "allergy",
    "health", "body", "taste", "travel",
)  # fmt: skip
DOUBT = 0.3  # chance, at most, of answering such a question
SURE = 0.8  # chance of a slot from which a sentence surely answers that question
LEAST_WORDS = 3  # of a part that stands by itself

_ONESELF = re.compile(
    r"\b(?:i|i['’]\w+|my|me|mine|ich|mein\w*|mir|mich|yo|mis?|me|mío|mía|je|j['’]|mon|ma|mes|moi|io|mi[oa]|miei|mie)\b",
    re.IGNORECASE,
)
# "We launch on 14 March" tells of the project, "we're getting married in June" doesn't.
_TOGETHER = re.compile(r"(?:we|wir|nosotr[oa]s|nous|on|noi)\b", re.IGNORECASE)
# Verbs that say that something begins or ends, not what: they need the thing beside them.
_PHASE = re.compile(
    r"(?:start|begin|began|launch|finish|end|stop)(?:s|ed|ing|es)?|(?:fang|anfang|beginn|start|hör|ende)(?:e|en|t|et)?"
    r"|(?:empiez|empez|comienz|comenz|termin|acab)\w{1,5}|(?:commenc|début|fini)\w{0,5}"
    r"|(?:inizi|cominc|fini)\w{0,5}"
    r"|deadline|due|frist|abgabe(?:termin|frist)?|plazo|entrega|échéance|scadenza|consegna",
    re.IGNORECASE,
)
_PAUSE = re.compile(r"\s*[;,]\s+(?:(?:and|und|y|et|e)\s+)?")
# "the client is Dona Alba": a part that says of one thing what it is.
_STATES = re.compile(
    r"[^\W\d_]+(?:['’\s]+[^\W\d_]+){0,3}?['’\s]+(?:is|are|was|were|will be|ist|sind|war|wird|es|son|está|será|est|sont"
    r"|sera|è|sono|sarà)\s+\S",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Topical:
    """A sentence, or one thing that it says, and the project that an earlier one named where it is about that."""

    sentence: Sentence
    project: str = ""


def follow_topics(sentences: Sequence[Sentence], *, projects: Collection[str] = ()) -> list[Topical]:
    """The sentences of a message, each with what it is about; `projects` are names of some that are known."""
    found: list[Topical] = []
    current = ""
    for sentence in sentences:
        named = name_project(sentence.meaning, sentence.text) or find_known(projects, sentence.text)
        if current and not named and _may_be_of_project(sentence):
            found.extend(Topical(part, current) for part in _parts(sentence))
        elif found and is_bare_phase(sentence.text):
            found[-1] = replace(found[-1], sentence=_join(found[-1].sentence, sentence))
        else:
            found.append(Topical(sentence))
        current = named or current
    return found


def name_project(meaning: Meaning, text: str) -> str:
    """The name of the project that a sentence speaks of, or empty."""
    is_telling = meaning.slot == "project" or meaning.slot_chance >= SURE
    return find_project(meaning.slot if is_telling else "", text)


def is_bare_phase(text: str) -> bool:
    """Whether a sentence says only that something begins or ends, and when: "I start on 1 June"."""
    words = named_words(without_times(text))
    return len(words) == 1 and all(_PHASE.fullmatch(word) for word in words)


def _join(before: Sentence, sentence: Sentence) -> Sentence:
    """Both as one, which means what the first does."""
    previous = before.text.rstrip()
    joined = f"{previous}{'' if previous[-1:] in '.!?…,;' else ','} {sentence.text}"
    return Sentence(joined, before.start, sentence.end, before.meaning)


def _may_be_of_project(sentence: Sentence) -> bool:
    meaning = sentence.meaning
    if _ONESELF.search(sentence.text) or meaning.chances["relative"] >= NEAR:
        return False
    tells = max(meaning.chances[kind] for kind in ("other", "event", "lasting")) >= TELLING
    if _TOGETHER.match(sentence.text) and meaning.chances["other"] < NEAR:
        return False
    return tells and sum(meaning.slots[slot] for slot in OF_PEOPLE) <= DOUBT


def _parts(sentence: Sentence) -> list[Sentence]:
    """What it says of one thing and another, each by itself, so that one can change without the other."""
    cuts = [(0, 0), *((one.start(), one.end()) for one in _PAUSE.finditer(sentence.text))]
    ends = [*(start for start, _ in cuts[1:]), len(sentence.text)]
    spans = [(begin, end) for (_, begin), end in zip(cuts, ends, strict=True)]
    if len(spans) == 1 or not all(_states(sentence.text[begin:end]) for begin, end in spans):
        return [sentence]
    return [_part(sentence, begin, end) for begin, end in spans]


def _states(part: str) -> bool:
    return len(part.split()) >= LEAST_WORDS and _STATES.match(part) is not None


def _part(sentence: Sentence, begin: int, end: int) -> Sentence:
    start = sentence.start + begin
    return Sentence(sentence.text[begin:end], start, start + end - begin, sentence.meaning)

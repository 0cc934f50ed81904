"""The personality directive composed from observations, in second person."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_TRAITS = 7  # strongest observations that a paragraph of five sentences can hold

_LINE = re.compile(
    r"^- (?P<key>[^:\n]{1,160}): (?P<value>.{1,2100}?) \(observed (?P<count>\d+) times?\)\s*$", re.MULTILINE
)
_SUBJECT = re.compile(r"^(?:the |this )?(?:user|person|speaker|they)\s+", re.IGNORECASE)
_ADVERBS = r"(?:usually|often|always|never|rarely|strongly|clearly|generally|really)\s+"


@dataclass(frozen=True, slots=True)
class Trait:
    """One observation as it stands in the synthesis prompt."""

    key: str
    value: str
    count: int


def read_traits(prompt: str) -> list[Trait]:
    """The observations listed in a synthesis prompt, strongest first."""
    found = [Trait(m["key"], m["value"], int(m["count"])) for m in _LINE.finditer(prompt)]
    return sorted(found, key=lambda trait: -trait.count)


def compose_directive(prompt: str) -> str:
    """A paragraph of three to five sentences in second person; empty without observations."""
    traits = [_as_habit(trait.value) for trait in read_traits(prompt)[:MAX_TRAITS]]
    if not traits:
        return ""
    first, second, third = traits[:2], traits[2:4], traits[4:]
    sentences = [f"You speak with someone who {_join(first)}, and you let that shape every reply."]
    if second:
        sentences.append(f"You keep in mind that this person {_join(second)}.")
    if third:
        sentences.append(f"Where it fits, you remember that they are someone who {_join(third)}.")
    sentences.append("You follow these habits quietly, without naming them.")
    sentences.append("When a request asks for something else, you do what it asks.")
    return " ".join(sentences)


def _as_habit(value: str) -> str:
    """An observation as what somebody does: "User prefers dry wit." gives "prefers dry wit"."""
    text = _SUBJECT.sub("", " ".join(value.split())).rstrip(".!; ")
    text = text[:1].lower() + text[1:]
    if re.match(rf"(?:{_ADVERBS})?(?:\w+s|can't|cannot|does not|doesn't|has|is)\b", text):
        return text
    return f"shows this trait: {text}"


def _join(parts: list[str]) -> str:
    return " and ".join(parts)

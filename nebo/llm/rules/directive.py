"""The personality directive composed from observations: a few sentences to the agent, as somebody would write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

MAX_TRAITS = 15  # observations; docs/design.md#prompt-numbers
MAX_CHARS = 1_300  # characters of what was observed; a paragraph has 1,500
IN_A_SENTENCE = 5  # traits that one sentence holds

_LINE = re.compile(
    r"^- (?P<key>[^:\n]{1,160}): (?P<value>.{1,2100}?) \(observed (?P<count>\d+) times?[^()\n]{0,40}\)\s*$",
    re.MULTILINE,
)
_SUBJECT = re.compile(
    r"^(?:(?:the |this )?(?:user|person|speaker|human)|they|he|she|someone who)\s+(?=\w)", re.IGNORECASE
)
_ADVERB = r"(?:(?:usually|often|always|never|rarely|strongly|clearly|generally|really|mostly|sometimes|tends? to)\s+)"
_HABIT = re.compile(
    rf"{_ADVERB}?(?:[^\W\d_]+(?<!s)s|can|cannot|can['’]t|does(?:n['’]t| not)|has|is|isn['’]t|won['’]t)\s",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    rf"{_ADVERB}?(?:prefer|like|love|want|enjoy|hate|dislike|use|ask|need|expect|value)\s", re.I
)
_BARE = re.compile(r"(?<=\w)\s*[.!;]+\s*$")
# How a sentence about the next most often seen begins; the first and the last have words of their own.
_OPENINGS = (
    "The person you speak with",
    "This person also",
    "Now and then it shows that this person",
)
_CLOSING = (
    "Let that shape how you answer, without speaking of it. Where a request asks for something else, do that."
)
_CLOSING_AFTER_MUCH = "Let that shape how you answer, but where a request asks for something else, do that."


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
    """A paragraph of three to five sentences that tells every trait; empty without observations."""
    values = list(_fitting(trait.value for trait in read_traits(prompt)[:MAX_TRAITS]))
    if not values:
        return ""
    habits = [habit for habit in map(_as_habit, values) if habit]
    others = [_BARE.sub("", value) for value in values if not _as_habit(value)]
    sentences = [
        f"{opening} {_join(part)}." for opening, part in zip(_OPENINGS, _parts(habits), strict=False) if part
    ]
    if others:
        sentences.append(f"Keep in mind about them: {'; '.join(others)}.")
    return " ".join([*sentences, _CLOSING if len(sentences) == 1 else _CLOSING_AFTER_MUCH])


def _fitting(values: Iterable[str]) -> Iterator[str]:
    """The first of them that there is room for, each on one line."""
    room = MAX_CHARS
    for value in values:
        line = " ".join(value.split())
        room -= len(line)
        if room >= 0:
            yield line


def _parts(habits: Sequence[str]) -> list[Sequence[str]]:
    """Shared out evenly over as few sentences as hold them."""
    count = -(-len(habits) // IN_A_SENTENCE)
    bounds = [round(number * len(habits) / count) for number in range(count + 1)] if count else []
    return [habits[first:last] for first, last in pairwise(bounds)]


def _as_habit(value: str) -> str:
    """An observation as what somebody does: "User prefers dry wit." gives "prefers dry wit"; empty for one that
    reads otherwise.
    """
    named = _SUBJECT.search(value)
    text = _BARE.sub("", value[named.end() :] if named else value).strip()
    if _PLURAL.match(text):
        text = re.sub(r"(\w+)(?=\s|$)", r"\1s", text, count=1)
    first = text.split(" ", 1)[0]
    lowered = text if first.isupper() and len(first) > 1 else text[:1].lower() + text[1:]
    return lowered if _HABIT.match(f"{lowered} ") else ""


def _join(parts: Sequence[str]) -> str:
    """“a, b and c”; with semicolons where a part has commas of its own."""
    comma, final = ("; ", "; and ") if any("," in part for part in parts) else (", ", " and ")
    *most, last = parts
    return f"{comma.join(most)}{final}{last}" if most else last

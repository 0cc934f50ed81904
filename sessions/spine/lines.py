"""A long-term summary out of what is remembered: few lines, each of what belongs together, and what each rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from memories.screening.sanitize import cut_value
from nebo.llm.rules.facts import without_name
from nebo.llm.spine_text import SECTIONS, Sections
from nebo.reading.facts.third_person import NAMELESS
from nebo.reading.words.naming import find_named, named_words, share_named
from sessions.models import Message

LINE_CHARS = 240  # characters
FACTS_A_LINE = 3
PEOPLE, PROJECTS, OPEN_LOOPS = 10, 8, 12  # lines
CITED_SHARE = 0.6  # of a memory's words that a line names, from which the line rests on it
CITED_MESSAGES, CITED_WORDS = 2, 2  # messages that a line is said to rest on, and words they share, at least
CITED = 3  # memories that a line is said to rest on, at most
# Of the person, a line each: who they are and where, what they do, what their body needs, what they like.
TOPICS = (
    ("age", "birthday", "home", "origin", "timezone", "contact"),
    ("work", "education", "skill", "language"),
    ("allergy", "health", "diet", "body"),
    ("hobby", "taste", "habit", "belief", "trait", "possession"),
)
OF_PROJECTS = ("project", "decision", "plan")
OF_PEOPLE = ("family", "partner", "friend", "pet")

_SPEAKER = re.compile(r"(?P<name>[^:.!?]{1,60}): ")

Cites = dict[str, list[str]]  # ids by line


@dataclass(frozen=True, slots=True)
class Remembered:
    """A live memory: what it says, which question it answers, whom or what it is about, and its importance."""

    id: str
    value: str
    slot: str = ""
    type: str = "profile"
    label: str = ""
    importance: int = 1


@dataclass(slots=True)
class Composed:
    """Lines by section, and the memories that each rests on."""

    sections: Sections = field(default_factory=lambda: {name: [] for name in SECTIONS})
    cites: Cites = field(default_factory=dict)

    def add(self, section: str, line: str, memories: Iterable[Remembered] = ()) -> None:
        """A line, unless it stands there."""
        text = cut_value(" ".join(line.split()), LINE_CHARS)
        if text and text not in self.sections[section]:
            self.sections[section].append(text)
            self.cites[text] = [one.id for one in memories]


def compose(known: Sequence[Remembered], *, name: str = "", open_loops: Sequence[str] = ()) -> Composed:
    """What is known of a person, newest first, in a few lines; `name` is theirs."""
    composed = Composed()
    own = [one for one in known if one.type == "profile" and not one.label]
    for topic in TOPICS:
        _fold(composed, "PROFILE", [one for one in own if one.slot in topic], name)
    for group in _by_label(known, OF_PEOPLE, "people")[:PEOPLE]:
        _fold(composed, "PEOPLE", group, group[0].label or name)
    for group in _by_label(known, OF_PROJECTS, "project")[:PROJECTS]:
        _fold(composed, "PROJECTS", group, group[0].label)
    for text in open_loops[:OPEN_LOOPS]:
        composed.add("OPEN_LOOPS", text)
    return composed


def cite(line: str, known: Iterable[Remembered]) -> list[str]:
    """The memories whose words a line says."""
    shares = {one.id: share_named(named_words(one.value), line) for one in known}
    named = sorted((id for id, share in shares.items() if share >= CITED_SHARE), key=lambda id: -shares[id])
    return named[:CITED]


def cite_messages(line: str, messages: Sequence[Message]) -> list[str]:
    """The ids of the messages that share most words with a line."""
    named = named_words(line)
    shared = {str(one.pk): len(find_named(named, one.words)) for one in messages}
    found = [key for key, count in shared.items() if count >= CITED_WORDS]
    return sorted(found, key=lambda key: -shared[key])[:CITED_MESSAGES]


def _by_label(known: Sequence[Remembered], slots: Sequence[str], kind: str) -> list[list[Remembered]]:
    """What is known of each person or project, the most important first; what names none stands alone."""
    about = [
        one
        for one in known
        if one.type == kind or (one.slot in slots and (kind == "people" or not one.label))
    ]
    labelled = sorted((one for one in about if one.label), key=lambda one: one.label)
    groups = [list(group) for _, group in groupby(labelled, key=lambda one: one.label)]
    groups += [[one] for one in about if not one.label]
    place = {one.id: number for number, one in enumerate(known)}
    return sorted(groups, key=lambda group: (-max(one.importance for one in group), place[group[0].id]))


def _fold(composed: Composed, section: str, facts: Sequence[Remembered], name: str) -> None:
    """The weightiest facts as one line, as many as fit."""
    chosen = sorted(facts, key=lambda one: -one.importance)[:FACTS_A_LINE]
    while len(chosen) > 1 and len(_joined(chosen, name)) > LINE_CHARS:
        chosen = chosen[:-1]
    if chosen:
        composed.add(section, _joined(chosen, name), chosen)


def _joined(facts: Sequence[Remembered], name: str) -> str:
    """A sentence each; of the person, after the first, without their name. What is said of others names them each
    time: a sentence that stands elsewhere is left out later, and the next one must still say whom it is about.
    """
    match = _SPEAKER.match(facts[0].value)  # "Jonas: Ich wohne in Bremen."
    subject = match["name"] if match else name or NAMELESS
    values = [" ".join(one.value.split()).rstrip(" .;") for one in facts]
    rest = values[1:] if facts[0].label else [without_name(value, subject) for value in values[1:]]
    sentences = [values[0], *(f"{one[:1].upper()}{one[1:]}" for one in rest if one)]
    return " ".join(one if one[-1] in "!?…" else f"{one}." for one in sentences)

"""A long-term summary by rule: standing facts and what is open, in four sections."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from nebo.llm.rules.scored_sentences import score_sentences
from nebo.llm.rules.session_summary import dated, list_unanswered
from nebo.llm.rules.undone import settled_by
from nebo.llm.spine_text import SECTIONS, read_sections, write_sections
from nebo.llm.types import ChatMessage
from nebo.reading.facts.statements import find_fact
from nebo.reading.requests.todos import find_todos

SPINE_ITEMS = 20  # in one section
_SECTION_OF = {"profile": "PROFILE", "people": "PEOPLE", "project": "PROJECTS"}


def write_spine(material: Sequence[ChatMessage], *, earlier: str = "") -> str:
    """The standing facts so far with those of a stretch of conversation.

    Each is a person's own sentence, named for who said it; what was settled is open no more.
    """
    sentences = score_sentences(material)
    known = {name: list(read_sections(earlier).get(name, [])) for name in SECTIONS}
    known["OPEN_LOOPS"] = [
        item
        for item in known["OPEN_LOOPS"]
        if not item.endswith("?") and not settled_by(item.partition(" (")[0], sentences)
    ]
    for number, one in enumerate(sentences):
        if one.role != "user":
            continue
        on = one.on or datetime.now(UTC).date()
        if todos := find_todos(one.sentence, on):
            later = sentences[number + 1 :]
            known["OPEN_LOOPS"] += [dated(todo) for todo in todos if not settled_by(todo.text, later)]
        elif fact := find_fact(one.sentence, speaker="" if one.speaker == "User" else one.speaker, on=on):
            known[_SECTION_OF[fact.type]].append(fact.value)
    known["OPEN_LOOPS"] += list_unanswered(sentences)
    return write_sections({name: list(dict.fromkeys(items))[-SPINE_ITEMS:] for name, items in known.items()})

"""The spine's four sections: who may see which of them, how a new answer revises them, and how they read as text.

Facts about the person are true for every persona. What was promised to one persona, and all that is learned by one
that keeps what it learns to itself, stands under that persona alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from memories.screening.checks import find_reason
from memories.screening.sanitize import cut_value
from nebo.llm.spine_text import SECTIONS, Sections, write_sections

SHARED = "shared"  # what every persona may know
OWN_SECTION = "OPEN_LOOPS"  # … but for this one (a commitment belongs to the persona it was made to)
ITEMS = 20  # bullets a section
ITEM_CHARS = 240  # characters a bullet

Spine = dict[str, Sections]  # sections by audience: SHARED, or a persona's id
Cites = dict[str, dict[str, list[str]]]  # what a line rests on: ids of `memories` and of `messages`


def view_spine(spine: Mapping[str, Sections], audience: str) -> Sections:
    """What one persona may know: the shared sections, and its own."""
    shared, own = spine.get(SHARED, {}), spine.get(audience, {})
    return {name: [*shared.get(name, []), *own.get(name, [])] for name in SECTIONS}


def view_whole(spine: Mapping[str, Sections]) -> Sections:
    """Every section of every persona, for the person themselves."""
    parts = [spine.get(SHARED, {}), *(sections for name, sections in spine.items() if name != SHARED)]
    return {
        name: list(dict.fromkeys(item for part in parts for item in part.get(name, []))) for name in SECTIONS
    }


def view_to_revise(spine: Mapping[str, Sections], audience: str, *, alone: bool) -> Sections:
    """What a conversation with a persona is written into: what all may know and its own open loops; of what was said
    to it `alone`, its own sections.
    """
    shared, own = spine.get(SHARED, {}), spine.get(audience, {})
    return {name: list((own if alone or name == OWN_SECTION else shared).get(name, [])) for name in SECTIONS}


def cites_of(spine: Mapping[str, Sections], cites: Cites) -> Cites:
    """What the lines of a spine rest on."""
    lines = (item for own in spine.values() for items in own.values() for item in items)
    return {line: cites[line] for line in dict.fromkeys(lines) if cites.get(line)}


def revise_spine(spine: Mapping[str, Sections], audience: str, answer: Sections, *, alone: bool) -> Spine:
    """The spine with an answer in place of what it was written into; a section the answer leaves out stays."""
    before = view_to_revise(spine, audience, alone=alone)
    after = {name: _clean(answer[name]) if name in answer else before[name] for name in SECTIONS}
    own = after if alone else {**spine.get(audience, {}), OWN_SECTION: after[OWN_SECTION]}
    revised: Spine = {**spine, audience: own}
    if not alone:
        revised[SHARED] = {name: items for name, items in after.items() if name != OWN_SECTION}
    return revised


def render_spine(sections: Sections) -> str:
    """The sections as text."""
    return write_sections(sections)


def _clean(items: list[str]) -> list[str]:
    """Short, each once, without secrets and without orders to whoever reads it."""
    lines = (cut_value(" ".join(item.split()), ITEM_CHARS) for item in items)
    kept = [line for line in dict.fromkeys(lines) if line and not find_reason(line)]
    return kept[-ITEMS:]

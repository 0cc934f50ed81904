"""The long-term summary as text: four sections of bullets, read back as freely as models write them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

SECTIONS = ("PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS")  # docs/design.md#conversation-numbers
Sections = dict[str, list[str]]
NOTHING = "(nothing yet)"
_HEADING = re.compile(
    r"[\s#*_>\-\d.()]*(?P<name>profile|projects?|people|open[ _-]?loops?)[\s*_]*(?::[\s*_]*(?P<rest>.*)|$)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*•–+]|\d{1,2}[.)])\s+")
_EMPTY = re.compile(
    r"\W*(?:nothing(?: yet| new| known)?|none(?: yet| known)?|n/?a|no \w+(?: yet| known)?)?\W*", re.I
)


def write_sections(sections: Mapping[str, Sequence[str]]) -> str:
    """`PROFILE`, its bullets, an empty line, and so on; an empty section says so."""
    return "\n\n".join(f"{name}\n{_bullets(sections.get(name, ()))}" for name in SECTIONS)


def read_sections(text: str) -> Sections:
    """The items under each heading that a text has; a section it doesn't name is missing."""
    found: Sections = {}
    current = ""
    for line in text.splitlines():
        heading = _HEADING.fullmatch(line.rstrip())
        if heading:
            current = section_name(heading["name"])
            line = heading["rest"] or ""
            found.setdefault(current, [])
        item = " ".join(_BULLET.sub("", line).split()).strip("*` ")
        if current and not _EMPTY.fullmatch(item):
            found[current].append(item)
    return found


def section_name(name: str) -> str:
    """`Open loops`, `open_loop` and `OPEN LOOPS` are OPEN_LOOPS; empty for what is no section."""
    word = re.sub(r"[\W_]+", "", name).upper().rstrip("S")
    return {"PROFILE": "PROFILE", "PROJECT": "PROJECTS", "PEOPLE": "PEOPLE", "OPENLOOP": "OPEN_LOOPS"}.get(
        word, ""
    )


def _bullets(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items) or f"- {NOTHING}"

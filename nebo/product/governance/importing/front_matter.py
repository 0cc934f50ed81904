"""What a Markdown file says of itself before its text: names with a value or a list,
the part of YAML that people use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

FENCE = "---"
FIELD = re.compile(r"^([A-Za-z_][\w-]{0,63})\s*:\s*(.*)$")
ITEM = re.compile(r"^\s*-\s+(.*)$")
NO = frozenset({"false", "no", "off"})
KEEPS_OUT = "memory"  # `memory: false`
MOST_LINES = 200  # that it has; a rule further down is none


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Its fields, each a list of texts."""

    fields: Mapping[str, list[str]] = field(default_factory=dict)

    @property
    def keeps_out(self) -> bool:
        """Whether the file says that it is no memory."""
        return self.text_of(KEEPS_OUT).lower() in NO

    def text_of(self, name: str) -> str:
        return next(iter(self.fields.get(name, ())), "")

    def list_of(self, name: str) -> list[str]:
        """A list, or a text with commas between its parts."""
        found = self.fields.get(name, [])
        parts = found[0].split(",") if len(found) == 1 else found
        return [part.strip().lstrip("#") for part in parts if part.strip()]


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The front matter, and the text after it."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != FENCE:
        return FrontMatter(), "\n".join(lines)
    end = next((n for n, line in enumerate(lines[1:MOST_LINES], 1) if line.rstrip() in (FENCE, "...")), None)
    if end is None:
        return FrontMatter(), "\n".join(lines)
    return FrontMatter(_read_fields(lines[1:end])), "\n".join(lines[end + 1 :])


def _read_fields(lines: list[str]) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        if found := FIELD.match(line):
            name = found[1].lower()
            fields[name] = _read_value(found[2].strip())
        elif (item := ITEM.match(line)) and name:
            fields[name].append(_bare(item[1]))
    return fields


def _read_value(text: str) -> list[str]:
    if text.startswith("[") and text.endswith("]"):
        return [_bare(part) for part in text[1:-1].split(",") if part.strip()]
    return [_bare(text)] if text else []


def _bare(text: str) -> str:
    """Without its quotation marks."""
    text = text.strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text

"""The Markdown files of a persona: which there are, and how they read in a prompt (docs/personality.md#files)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from personality.models import Persona
from personality.personas.structured import render_structured

SOUL, AGENTS, MEMORY, HEARTBEAT = "SOUL.md", "AGENTS.md", "MEMORY.md", "HEARTBEAT.md"
PROMPT_HEADINGS = {
    SOUL: "# Personality (SOUL.md)",
    AGENTS: "# Agent Instructions (AGENTS.md)",
    MEMORY: "# User Memory (MEMORY.md)",
}  # in the prompt's order; HEARTBEAT.md is for whoever wakes the agent, never for the prompt
FILE_NAMES = (*PROMPT_HEADINGS, HEARTBEAT)
FILE_MAX_CHARS = 20_000  # characters of one file, about 5,000 tokens


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as it is read: what was written into it, or else what the persona itself says there."""

    name: str
    content: str
    updated_at: datetime | None = None

    @property
    def digest(self) -> str:
        """Tells one content from another: the file's ETag."""
        return hashlib.sha256(self.content.encode()).hexdigest()[:32]


def render_files(contents: Mapping[str, str]) -> list[str]:
    """A section a file with content, in the order SOUL, AGENTS, MEMORY; HEARTBEAT.md has none."""
    return [
        f"{heading}\n{contents[name].strip()}"
        for name, heading in PROMPT_HEADINGS.items()
        if contents.get(name, "").strip()
    ]


def written_by_profile(persona: Persona, name: str) -> str:
    """What the persona's columns say where no file was written: its soul, and its rules and tool notes."""
    if name == SOUL:
        return _soul(persona)
    if name == AGENTS:
        sections = (
            render_structured("Rules", persona.rules),
            render_structured("Tool Notes", persona.tool_notes),
        )
        return "\n\n".join(filter(None, sections))
    return ""


def _soul(persona: Persona) -> str:
    rows = (
        ("Creature", persona.creature),
        ("Role", persona.role),
        ("Vibe", persona.vibe),
        ("Emoji", persona.emoji),
        ("Voice", persona.voice_style),
        ("Response length", persona.response_length),
        ("Formality", persona.formality),
        ("Emoji usage", persona.emoji_usage),
        ("Proactivity", persona.proactivity),
    )
    personality = persona.custom_personality.replace("{name}", persona.name).strip()
    lines = [f"- {label}: {value}" for label, value in rows if value]
    return "\n\n".join(part for part in (f"# {persona.name}", personality, "\n".join(lines)) if part)

"""Rules and tool notes: versioned JSON sections rendered as Markdown, anything else as it is."""

from __future__ import annotations

import json
from typing import Any


def render_structured(title: str, content: str) -> str:
    """Markdown under `# title`; disabled items are left out; empty when nothing is left."""
    content = content.strip()
    if not content:
        return ""
    sections = _sections(content)
    body = content if sections is None else "\n\n".join(filter(None, map(_render_section, sections)))
    return f"# {title}\n\n{body}" if body else ""


def _sections(content: str) -> list[dict[str, Any]] | None:
    """The sections of structured JSON; None for anything that isn't it."""
    if not content.startswith("{"):
        return None
    try:
        found = json.loads(content)
    except ValueError:
        return None
    sections = found.get("sections") if isinstance(found, dict) and "version" in found else None
    return [part for part in sections if isinstance(part, dict)] if isinstance(sections, list) else None


def _render_section(section: dict[str, Any]) -> str:
    given = section.get("items")
    items = [item for item in given if isinstance(item, dict)] if isinstance(given, list) else []
    lines = [f"- {item.get('text', '')}" for item in items if item.get("enabled", True) and item.get("text")]
    return "\n".join([f"## {section.get('name', 'General')}", *lines]) if lines else ""

"""Memory is served as data: fenced, on one line each, unable to close its own fence."""

from __future__ import annotations

import re

FENCE = "memory"
_FENCE_LIKE = re.compile(rf"<(?=\s*/?\s*{FENCE}\b)", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def one_line(text: str) -> str:
    """The text on one line, so that it can't pass for a heading, a rule or a role of its own."""
    return _FENCE_LIKE.sub("‹", _SPACE.sub(" ", text).strip())


def fence(name: str, lines: list[str]) -> str:
    """A named block of remembered data."""
    body = "\n".join(lines)
    return f'<{FENCE} kind="{name}">\n{body}\n</{FENCE}>'

"""Memory is served as data: fenced, on one line each, unable to close its own fence."""

from __future__ import annotations

import re

from memories.screening.sanitize import fold

FENCE = "memory"
NO_TAG = "‹"  # what stands in the place of a "<" that would open or close a fence
# "<", and what looks like it to a reader.
_OPENING = "<\uff1c\ufe64\u02c2\u1438\u276e\u27e8\u2329\u3008\u227a"
_MAYBE_TAG = re.compile(f"[{_OPENING}]")
_REST_OF_TAG = re.compile(rf"\s*/?\s*{FENCE}(?![a-z])")
TAG_CHARS = 60  # characters behind a "<" in which the rest of a tag may stand, invisible ones among them
# Letters and marks that nobody sees, which a tag could be hidden with.
_BLANK = re.compile("[\u115f\u1160\u3164\uffa0\u2800]+")
_UNSEEN = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f]+")
_SPACE = re.compile(r"\s+")


def one_line(text: str) -> str:
    """The text on one line, so that it can't pass for a heading, a rule or a role of its own."""
    seen = text if text.isascii() else _UNSEEN.sub("", _BLANK.sub(" ", text))
    line = _SPACE.sub(" ", seen).strip()
    return _MAYBE_TAG.sub(_without_tag, line)


def fence(name: str, lines: list[str]) -> str:
    """A named block of remembered data."""
    body = "\n".join(lines)
    return f'<{FENCE} kind="{name}">\n{body}\n</{FENCE}>'


def _without_tag(opening: re.Match[str]) -> str:
    """Another sign where a tag of the fence would begin, in whatever letters it is written."""
    behind = opening.string[opening.end() : opening.end() + TAG_CHARS]
    return NO_TAG if _REST_OF_TAG.match(fold(behind)) else opening[0]

"""A value of JSON as words that people, a search and a screening for orders read better than brackets: `name: value`
line by line, texts as they are. What can't be read back from that is kept as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def render(value: Mapping[str, Any]) -> str:
    """The lines, or JSON. Raises TypeError for what JSON can't hold.

    Nebo drops space at the ends and characters that can't be seen: where there are any, they are escaped.
    """
    lines = "\n".join(f"{name}: {_render_one(one)}" for name, one in value.items())
    is_seen = lines.replace("\n", "").isprintable()
    plain = json.dumps(value, ensure_ascii=not is_seen)
    return lines if lines and is_seen and parse(lines.strip()) == json.loads(plain) else plain


def parse(text: str) -> dict[str, Any]:
    """The value; of words that somebody wrote by hand, `{"text": …}`."""
    whole = _read_json(text)
    if isinstance(whole, dict):
        return whole
    value: dict[str, Any] = {}
    for line in text.split("\n"):
        name, separator, rest = line.partition(": ")
        if not separator:
            return {"text": text}
        found = _read_json(rest)
        value[name] = rest if found is None and rest != "null" else found
    return value


def _render_one(value: Any) -> str:
    if isinstance(value, str) and _read_json(value) is None and value not in ("null", ""):
        return value
    return json.dumps(value, ensure_ascii=False)


def _read_json(text: str) -> Any:
    """None for what isn't JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None

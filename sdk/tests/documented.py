"""The examples of a page, to be run as they stand there."""

from __future__ import annotations

import re
from typing import Any

from conftest import REPOSITORY

FENCE = re.compile(r"^```python\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)


def example(page: str, heading: str = "", *, containing: str = "") -> str:
    """The first Python example below a heading of a page that has those words."""
    text = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    below = text[text.index(f"\n## {heading}") :] if heading else text
    found = next((one["code"] for one in FENCE.finditer(below) if containing in one["code"]), None)
    assert found is not None, f"{page}: no example below {heading}"
    return str(found)


def run(code: str, **names: Any) -> dict[str, Any]:
    """What the code leaves behind."""
    exec(compile(code, "example", "exec"), names)
    return names

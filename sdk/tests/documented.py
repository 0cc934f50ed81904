"""The examples of a page, to be run as they stand there."""

from __future__ import annotations

import re
from typing import Any

from conftest import REPOSITORY

FENCE = re.compile(r"^```python\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)


def example(page: str, heading: str = "") -> str:
    """The first Python example below a heading of a page."""
    text = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    below = text[text.index(f"\n## {heading}") :] if heading else text
    found = FENCE.search(below)
    assert found is not None, f"{page}: no example below {heading}"
    return found["code"]


def run(code: str, **names: Any) -> dict[str, Any]:
    """What the code leaves behind."""
    exec(compile(code, "example", "exec"), names)
    return names

"""What stands in a text besides its words: JSON, bullets, headings, tables, boxes, tags and times, read as sentences.

Agents write memories in many notations, and a sentence is to be judged as the same in all of them. A key stays before
its value, since it may be what moves money or trust ("payee: …"). `training/fit_orders.py` fits on what comes out here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_END = re.compile(r"(?<=[.!?…])(?<!\b[A-Z]\.)(?<!\b(?:Mr|Ms|Dr|St|No)\.)(?<!\bMrs\.)\s+|\n+|(?<=[。！？])")
_AGAIN = re.compile(r"\b(\w+)(?:\W+\1\b){2,}")
_FENCE = re.compile(r"^\s*```\w*\n?|\n?```\s*$")
_TAGGED = re.compile(r"^<([\w-]+)(?:\s[^<>]*)?>([^<>]*)</\1>$", re.DOTALL)
# Of a line: bullets, numbers, boxes and marks of headings, and the time at which it was written.
_MARKS = re.compile(
    r"^(?:[-*+•–—‣▪>]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|\[[ xX✓]?\]\s*|[☐☑☒✓✔]\s*"
    r"|[\[(]?\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?[\])]?\s*(?::|--|-|–)?\s+)+"
)
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
READ_CHARS = 300  # of a sentence at once, and from one such piece to the start of the next
READ_STEP = 150
LEAST_WORDS = 3  # of a value that is judged without its key, too
DEEPEST = 6  # levels of JSON


def list_sentences(text: str) -> list[str]:
    """The sentences of a text in any notation, without its marks, and each once."""
    found = (_AGAIN.sub(r"\1", sentence).strip() for line in _lines(text) for sentence in _END.split(line))
    return list(dict.fromkeys(piece for sentence in found if sentence for piece in _pieces(sentence)))


def _lines(text: str) -> Iterator[str]:
    bare = _FENCE.sub("", text).strip()
    if tagged := _TAGGED.match(bare):
        bare = f"{tagged[1]}: {tagged[2].strip()}"
    data = _json(bare)
    if data is not None:
        yield from _of_data(data)
        return
    for line in bare.split("\n"):
        yield from _of_line(line.strip())


def _pieces(sentence: str) -> Iterator[str]:
    """What is too long to be read at once in overlapping pieces: an order may stand behind anything."""
    yield sentence[:READ_CHARS]
    for start in range(READ_STEP, len(sentence) - READ_CHARS + READ_STEP, READ_STEP):
        yield sentence[start : start + READ_CHARS]


def _of_line(line: str) -> Iterator[str]:
    """A line without its marks; a row of a table as its cells."""
    if not line.strip("|:- "):  # the line below a table's head
        return
    plain = _BOLD.sub(r"\1", _MARKS.sub("", line))
    if plain.startswith("|") and plain.endswith("|"):
        plain = ", ".join(cell.strip() for cell in plain.strip("|").split("|") if cell.strip())
    data = _json(plain)
    if data is None:
        yield plain
    else:
        yield from _of_data(data)


def _json(text: str) -> Any:
    """None for what isn't an object or a list, or holds more in each other than anybody writes down."""
    if text[:1] not in ("{", "["):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if _depth_within(data, DEEPEST) else None


def _depth_within(data: Any, levels: int) -> bool:
    if not isinstance(data, dict | list):
        return True
    return levels > 0 and all(_depth_within(item, levels - 1) for item in _items(data))


def _items(data: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return data.values() if isinstance(data, dict) else data


def _of_data(data: Any) -> Iterator[str]:
    """All of it as a line of names and values, and each longer text by itself."""
    yield _told(data)
    yield from (text for text in _texts(data) if len(text.split()) >= LEAST_WORDS)


def _told(data: Any) -> str:
    if isinstance(data, dict):
        return ", ".join(f"{name.replace('_', ' ')}: {_told(value)}" for name, value in data.items())
    if isinstance(data, list):
        return ", ".join(_told(item) for item in data)
    return data if isinstance(data, str) else json.dumps(data)


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for item in _items(data):
            yield from _texts(item)

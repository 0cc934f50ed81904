"""What of a file agents are shown. Secrets are masked before it is stored; what reads like an order to the agent stands
in the file for its person, and agents get a mark in its place until the person allows it.

A file is an assistant's words, whoever's key wrote it, so it is read as others' words are. What is judged is a passage:
a line with those that go on with it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from memories.screening.orders import find_order_reason
from memories.screening.placeholders import WITHHELD
from memories.screening.sanitize import LEFT_OUT, find_instructions, without_hidden
from memories.screening.sensitive import redact

_BEGINS = re.compile(
    r"\s*(?:[-*+#>|]|\d+[.)]|\w[\w ]{0,40}:|$)"
)  # a line that doesn't go on with the one before


def clean(text: str) -> str:
    """The text without secrets, control and invisible characters; line breaks as `\\n`."""
    return redact(without_hidden(text))


def list_passages(text: str) -> list[str]:
    """The text in pieces that end where a line does."""
    passages: list[list[str]] = []
    for line in text.split("\n"):
        if not passages or _BEGINS.match(line) or not passages[-1][-1].strip():
            passages.append([line])
        else:
            passages[-1].append(line)
    return ["\n".join(lines) for lines in passages]


def list_held(
    text: str, *, known: Collection[str], held: Collection[str], allowed: Collection[str]
) -> list[str]:
    """Passages that agents aren't shown; those of the former text (`known`) were judged then."""
    found = []
    for passage in dict.fromkeys(list_passages(text)):
        if passage in allowed or not passage.strip():
            continue
        if passage in held or (passage not in known and orders(passage)):
            found.append(passage)
    return found


def orders(passage: str) -> bool:
    """Whether a passage orders the agent about, moves money or trust, or wants to be hidden or spread."""
    joined = " ".join(passage.split())
    return bool(find_instructions(joined) or find_order_reason(joined))


def read_ahead(text: str) -> None:
    """Read what is about to be stored while no transaction is open; what was read is kept."""
    for passage in list_passages(clean(text)):
        orders(passage)


def shown_lines(text: str, held: Collection[str], withheld: Collection[str] = ()) -> list[str]:
    """The lines as agents get them: as many as there are. `withheld` are those that say what was forgotten."""
    return [WITHHELD if line in withheld else line for line in _shown(text, held)]


def _shown(text: str, held: Collection[str]) -> Iterator[str]:
    for passage in list_passages(text):
        lines = passage.split("\n")
        yield from [LEFT_OUT] * len(lines) if passage in held else lines

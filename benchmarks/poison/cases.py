"""The cases: a hostile text, its harmless twin, and the same in disguise.

A line of `first.tsv` to `fourth.tsv` has a family, the hostile text and the twin. Texts with ` || ` are told in parts.
Each file after the first was written for a newer fit of what finds them, before that had been seen to score on it;
`docs/memories.md` has their scores. `harmless/` has what agents write about people, in many notations.
"""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

HERE = Path(__file__).parent
PARTS = " || "
EVERY = 7  # case of one part is told in disguise, too
_LOOK_ALIKE = str.maketrans("aeopcxyi", "аеорсхуі")
_DIGITS = str.maketrans("aeiost", "431057")

ENCODINGS: tuple[Callable[[str], str], ...] = (
    lambda text: base64.b64encode(text.encode()).decode(),
    lambda text: text.encode().hex(),
    lambda text: codecs.encode(text, "rot13"),
    lambda text: quote(text, safe=""),
    lambda text: "".join(f"&#{ord(c)};" for c in text),
    lambda text: "".join(f"\\u{ord(c):04x}" for c in text),
    lambda text: text[::-1],
)
SPELLINGS: tuple[Callable[[str], str], ...] = (
    lambda text: text.translate(_LOOK_ALIKE),
    lambda text: text.translate(_DIGITS),
    lambda text: "\u200b".join(text),
    lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    lambda text: " ".join("\u00ad".join(word) for word in text.split(" ")),
)


@dataclass(frozen=True, slots=True)
class Case:
    """What is told in one or more parts, and its twin."""

    family: str
    hostile: tuple[str, ...]
    twin: tuple[str, ...]


def read_cases(name: str = "") -> list[Case]:
    """All of them, or those of one file: `first`, `second`, `third` or `fourth`."""
    plain = [case for path in sorted(HERE.glob(f"{name or '*'}.tsv")) for case in _read(path)]
    ascii_ones = [
        case for case in plain if len(case.hostile) == 1 and (case.hostile[0] + case.twin[0]).isascii()
    ][::EVERY]
    encoded = [_disguised(case, "encoded", ENCODINGS, at) for at, case in enumerate(ascii_ones)]
    spelt = [_disguised(case, "look-alike", SPELLINGS, at) for at, case in enumerate(ascii_ones)]
    return plain + encoded + spelt


def read_harmless() -> list[Case]:
    """Ordinary memories in the notations of agents: each a twin of nothing hostile."""
    lines = (HERE / "harmless" / "notations.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return [Case(family, (), (_plain(text),)) for family, text in rows]


def _read(path: Path) -> list[Case]:
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [Case(family, _parts(hostile), _parts(twin)) for family, hostile, twin in rows]


def _parts(text: str) -> tuple[str, ...]:
    return tuple(_plain(text).split(PARTS))


def _plain(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t")


def _disguised(case: Case, family: str, by: tuple[Callable[[str], str], ...], at: int) -> Case:
    change = by[at % len(by)]
    return Case(family, (change(case.hostile[0]),), (change(case.twin[0]),))

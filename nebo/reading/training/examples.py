"""The labelled sentences and pairs of this folder. README.md says how they are labelled."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from nebo.reading.meaning.pairs import pair_text

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled text: a sentence with its kinds and, where judged, worth and slot, or a pair with its relation."""

    text: str
    language: str
    kinds: frozenset[str] | None = None
    worth: str = ""
    slot: str = ""
    relation: str = ""
    old: str = ""
    new: str = ""
    source: str = ""  # the beginning of its file's name, where that isn't the language


def read_examples() -> list[Example]:
    """Every labelled sentence and pair of the folder."""
    found = []
    for path in sorted((HERE / "sentences").glob("*.tsv")):
        source, language = path.stem.split(".")
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.strip():
                continue
            labels, worth, slot, text = line.split("\t")
            kinds = frozenset() if labels == "-" else frozenset(labels.split(","))
            slot = "" if slot == "." else slot
            found.append(Example(text, language, kinds, worth.strip("."), slot, source=source))
    for path in sorted((HERE / "pairs").glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                found.append(_read_pair(line, *path.stem.rpartition(".")[::2]))
    return found


def _read_pair(line: str, source: str, language: str) -> Example:
    relation, old, new = line.split("\t")
    return Example(pair_text(old, new), language, relation=relation, old=old, new=new, source=source)


def is_held_out(text: str, share: float) -> bool:
    """Whether a text is of the share that no fit sees: by its hash, so that it always is or never."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF < share

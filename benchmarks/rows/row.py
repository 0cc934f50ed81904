"""What a row is: a name, and a function that tells its cases to a running Nebo and says of each whether it holds."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from benchmarks.truth.words import read_words

if TYPE_CHECKING:
    from benchmarks.rows.place import Place

Kind = Literal["rules", "model", "wordless"]  # of server: no chat model; a scripted one; no model that embeds
SEEN_CHARS = 400  # of what was seen


@dataclass(frozen=True, slots=True)
class Seen:
    """One case: whether it holds, what was told, and what was seen."""

    holds: bool
    told: str
    seen: str


Cases = Iterator[Seen]
Ask = Callable[["Place"], Cases]


@dataclass(frozen=True, slots=True)
class Row:
    """`own` rows need a server that we started ourselves: they change its settings, or log in.

    `alone` ones load it so much that they are asked when all others are.
    """

    id: str
    subject: str
    name: str
    ask: Ask
    kind: Kind = "rules"
    own: bool = False
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row with its cases; `unasked` says why there are none."""

    row: Row
    cases: tuple[Seen, ...] = ()
    unasked: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def holds(self) -> bool:
        """Whether every case does; a row that wasn't asked doesn't."""
        return bool(self.cases) and all(case.holds for case in self.cases)


ROWS: list[Row] = []


def row(
    id: str, name: str, *, kind: Kind = "rules", own: bool = False, alone: bool = False
) -> Callable[[Ask], Ask]:
    """Put the function below it on the list; its subject is the file it stands in."""

    def register(ask: Ask) -> Ask:
        subject = ask.__module__.rpartition(".")[2].replace("_", " ")
        ROWS.append(Row(id, subject, name, ask, kind, own, alone))
        return ask

    return register


def seen(holds: object, told: str, what: object) -> Seen:
    """A case; `what` was seen: a text, or a list of them."""
    shown = " | ".join(map(str, what)) if isinstance(what, list | tuple | set) else str(what)
    shown = " ".join(shown.split()) or "nothing"
    return Seen(bool(holds), told, textwrap.shorten(shown, SEEN_CHARS, placeholder=" …"))


def has(words: str, texts: str | Iterable[str]) -> bool:
    """Whether one of the texts has the words (docs/truth.md says how they are written)."""
    return bool(among(words, texts))


def among(words: str, texts: str | Iterable[str]) -> list[str]:
    """Those of the texts that have the words; of one text its lines."""
    return read_words(words).among(texts.splitlines() if isinstance(texts, str) else texts)

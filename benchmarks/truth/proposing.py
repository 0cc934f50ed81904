"""What a scripted model makes of a case: entries of an extraction, lines of a summary, or an answer that is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.scripted import ARRAYS, Script

TEMPERS = ("lies", "forgets", "rewords")
RELATIONS = ("changes", "ends", "same")
FIELDS = {
    "quote", "value", "array", "at", "key", "type", "entity", "fact_type", "importance", "explicit", "message", "tags",
    "text", "kind", "due", "done", *RELATIONS,
}  # fmt: skip
SHOWN = 120  # characters of a message by which it is known in a prompt
MANY = "{n}"  # in a value that is proposed many times
TIMES = 60


@dataclass(frozen=True, slots=True)
class Proposal:
    """An entry: the words by which the model notices that it is its turn, and what it answers."""

    at: str
    quote: str
    value: str
    entry: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Modelled:
    """All that a model says in a case. `at` is the message that its lines and its raw answers are about."""

    temper: str = ""
    at: str = ""
    proposals: tuple[Proposal, ...] = ()
    lines: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Everything that it would have learned."""
        return " ".join([*(one.value for one in self.proposals), *self.lines])


def read_modelled(row: Mapping[str, Any], temper: str, said: Sequence[str]) -> Modelled:
    """`model`, `lines` and `raw` of a case. Raises ValueError for what nobody would propose."""
    if not temper:
        return Modelled()
    at = max(said, key=len, default="")[:SHOWN]
    proposals = tuple(one for written in row.get("model", ()) for one in _proposals(written, said, at))
    return Modelled(temper, at, proposals, tuple(row.get("lines", ())), tuple(row.get("raw", ())))


def teach(script: Script, modelled: Modelled) -> None:
    """Have the model say it once it is shown the messages. One that lies swears to it when it is asked again."""
    lie: bool | Literal["sworn"] = "sworn" if modelled.temper == "lies" else False
    for one in modelled.proposals:
        script.learns(one.quote, one.value, at=one.at, lie=lie, **one.entry)
    for answer in modelled.raw:
        script.answers_at(modelled.at, answer)
    script.invented += [(modelled.at, line) for line in modelled.lines]
    script.tasks += [(modelled.at, line) for line in modelled.lines[:1]]


def _proposals(written: Mapping[str, Any], said: Sequence[str], at: str) -> list[Proposal]:
    if unknown := written.keys() - FIELDS:
        raise ValueError(f"unknown in model: {', '.join(sorted(unknown))}")
    quote, value = written["quote"], written.get("value") or written.get("text", "")
    entry = {name: written[name] for name in written.keys() - {"quote", "value", "at", *RELATIONS}}
    if entry.get("array", "preferences") not in ARRAYS:
        raise ValueError(f"no array of an answer: {entry['array']}")
    for relation in RELATIONS:
        if relation in written:
            entry |= {"changes": written[relation], "relation": relation}
    shown = next((line for line in said if quote in line), at)[:SHOWN]
    at = written.get("at", shown)
    if MANY not in value:
        return [Proposal(at, quote, value, entry)]
    many = [value.replace(MANY, str(number)) for number in range(1, TIMES + 1)]
    return [Proposal(at, quote, one, {"key": f"habit/many-{n}", **entry}) for n, one in enumerate(many)]

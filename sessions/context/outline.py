"""A composed context laid open: block by block and section by section, each line with what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memories.screening.fencing import one_line
from sessions.context.assembly import Composed
from sessions.context.dynamic import BETWEEN_SECTIONS, cite
from sessions.context.stable import SEPARATOR
from sessions.tokens import estimate_tokens, message_tokens

MOST_SOURCES = 4  # of one line


@dataclass(frozen=True, slots=True)
class Source:
    """What a line rests on: `kind` is `memory`, `turn`, `session`, `todo`, `long_term`, `persona`; a turn has the place
    where it stands.
    """

    kind: str
    id: str = ""
    session_id: str = ""
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it stands in the prompt; `is_frame` for headings, fences and what Nebo says of itself."""

    text: str
    sources: Sequence[Source] = ()
    is_frame: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of a block."""

    name: str
    tokens: int
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Block:
    """`stable`, `dynamic`, `messages` or `hints`, with its tokens as the answer counts them."""

    name: str
    tokens: int
    sections: Sequence[Section] = ()


@dataclass(frozen=True, slots=True)
class Places:
    """Where turns stand, by the message's id, and the memory behind each column of the profile."""

    turns: Mapping[str, Source] = field(default_factory=dict)
    columns: Mapping[str, Source] = field(default_factory=dict)


def lay_open(made: Composed, places: Places) -> list[Block]:
    """The blocks that have anything, in the order of the prompt."""
    layout = made.layout
    finders = _finders(made, places)
    stable = _cut_up(layout.stable_sections, layout.stable, SEPARATOR)
    dynamic = _cut_up(layout.dynamic_sections, layout.dynamic, BETWEEN_SECTIONS)
    messages = [
        Section(
            message["role"],
            message_tokens(message["content"]),
            [Line(message["content"], _known(places.turns.get(message["id"])))],
        )
        for message in layout.messages
    ]
    hints = [
        Section(hint.name, message_tokens(hint.content), [Line(hint.content, is_frame=True)])
        for hint in made.hints
    ]
    tokens = layout.tokens
    of_hints = tokens["total"] - tokens["stable"] - tokens["dynamic"] - tokens["messages"]
    blocks = (
        Block("stable", tokens["stable"], [_section(*part, finders) for part in stable]),
        Block("dynamic", tokens["dynamic"], [_section(*part, finders) for part in dynamic]),
        Block("messages", tokens["messages"], messages),
        Block("hints", of_hints, hints),
    )
    return [block for block in blocks if block.sections]


def _cut_up(sections: Mapping[str, str], block: str, between: str) -> Iterator[tuple[str, str]]:
    """The sections as they stand in a block, which may end early."""
    at = 0
    for name, text in sections.items():
        if piece := block[at : at + len(text)]:
            yield name, piece
        at += len(text) + len(between)


Finder = Callable[[str], Iterable[Source]]


def _section(name: str, text: str, finders: Mapping[str, Finder]) -> Section:
    find = finders.get(name.partition("_")[0] if name.startswith("file_") else name)
    lines = [
        Line(line, is_frame=True)
        if _is_frame(line)
        else Line(line, list(dict.fromkeys(find(line) if find else ()))[:MOST_SOURCES])
        for line in text.split("\n")
        if line
    ]
    return Section(name, estimate_tokens(text), lines)


def _is_frame(line: str) -> bool:
    return line.startswith(("<memory ", "</memory>", "#", "[Previous Conversation"))


def _finders(made: Composed, places: Places) -> dict[str, Finder]:
    """What tells a section's lines their sources."""
    inputs = made.inputs
    session = [Source("session", str(inputs.session.pk))]
    persona, lasting = [Source("persona")], [Source("long_term")]
    lines = {one.line: [Source("memory", one.id)] for one in made.layout.lines}
    kept: dict[str, Finder] = dict.fromkeys(
        ("personality", "character", "directive", "style", "rules", "own_rules", "tool_notes", "file"),
        lambda line: persona,
    )
    return {
        **kept,
        "person": lambda line: _known(places.columns.get(line.removeprefix("- ").partition(":")[0])),
        "known": lambda line: lines.get(line, ()),
        "also": lambda line: lines.get(line, ()),
        "spine": lambda line: list(_of_spine(made, places, line)) or lasting,
        "summary": lambda line: session,
        "snapshot": lambda line: session,
        "rolling": lambda line: lasting,
        "last_session": lambda line: _of_last_session(made, places, line),
        "active_task": lambda line: session,
        "open_loops": lambda line: _of_todo(made, places, line),
        "recalled": lambda line: _of_card(made, places, line),
    }


def _known(source: Source | None) -> list[Source]:
    return [source] if source else []


def _turns(places: Places, ids: Iterable[object]) -> list[Source]:
    return [places.turns[str(id)] for id in ids if str(id) in places.turns]


def _of_spine(made: Composed, places: Places, line: str) -> Iterator[Source]:
    words = line.partition(": ")[2]
    for said, cited in made.inputs.background.cites.items():
        if words and words in one_line(said):
            yield from (Source("memory", str(id)) for id in cited.get("memories", ()))
            yield from _turns(places, cited.get("messages", ()))


def _of_last_session(made: Composed, places: Places, line: str) -> Iterator[Source]:
    """A turn where the line has its words, else the conversation that the summary is of."""
    background, words = made.inputs.background, line.partition(": ")[2].rstrip("…").strip()
    said = [one for one in background.last_words if words and words in one_line(one.words)]
    if said:
        yield from _turns(places, (one.pk for one in said))
    elif background.last_summary:
        yield Source("session", str(background.last_summary.session_id))


def _of_todo(made: Composed, places: Places, line: str) -> Iterator[Source]:
    for todo in made.inputs.todos:
        if one_line(todo.text) in line:
            yield Source("todo", str(todo.pk))
            yield from _turns(places, [todo.message_id])


def _of_card(made: Composed, places: Places, line: str) -> Iterator[Source]:
    for card in made.layout.cards:
        if line.endswith(f"[{cite(card)}]"):
            if card.memory_id:
                yield Source("memory", card.memory_id)
            yield from _turns(places, card.message_ids)
            return
    for fact in made.material.found.facts:
        if line.startswith(f"[{one_line(fact['ref'])}]:") and one_line(fact["value"]) in line:
            yield Source("memory", str(fact["memory_id"]))


def list_cited(made: Composed) -> Iterator[UUID]:
    """The ids of the messages that a context shows or rests on."""
    background = made.inputs.background
    yield from (UUID(message["id"]) for message in made.layout.messages)
    yield from (UUID(id) for card in made.layout.cards for id in card.message_ids)
    yield from (message.pk for message in background.last_words)
    yield from (todo.message_id for todo in made.inputs.todos if todo.message_id)
    yield from (UUID(id) for cited in background.cites.values() for id in cited.get("messages", ()))

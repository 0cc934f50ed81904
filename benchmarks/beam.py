"""Quality on BEAM: python -m benchmarks.beam FILE --key nebo_… [--conversations beam500k-1,…]

Long technical and everyday talks of a person with an assistant, whose answers are long. A file (perhaps gzipped) is
a list of `{id, messages: [{id, role, content, when}], questions: [{q, ability, evidence}]}`; `when` holds for what
comes after it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.command import add_server_arguments, names, print_quality
from benchmarks.conversations import Conversation, Question, Turn

WHEN_FORMAT = "%B-%d-%Y"
TURN_GAP = timedelta(seconds=30)


def read_beam(path: Path, only: Iterable[str] = ()) -> list[Conversation]:
    """The conversations of a file, or those of them that `only` names; raises ValueError for others."""
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    wanted = set(only)
    rows = [row for row in json.loads(text) if not wanted or row["id"] in wanted]
    if missing := wanted - {row["id"] for row in rows}:
        raise ValueError(f"{path} has no conversation {', '.join(sorted(missing))}.")
    return [_conversation(row) for row in rows]


def _conversation(row: dict[str, Any]) -> Conversation:
    questions = (
        Question(one["q"], one["ability"], tuple(dict.fromkeys(map(str, one["evidence"]))))
        for one in row["questions"]
        if one["evidence"]
    )
    return Conversation(row["id"], _sessions(row["messages"]), tuple(questions))


def _sessions(messages: Iterable[dict[str, Any]]) -> tuple[tuple[Turn, ...], ...]:
    """A session for each day; what is empty was said by nobody."""
    sessions: list[list[Turn]] = []
    began = datetime(2024, 1, 1, tzinfo=UTC)
    for message in messages:
        if message.get("when") or not sessions:
            day = _day(message.get("when")) or began
            sessions += [[]] if day != began or not sessions else []
            began = day
        said_at = began + len(sessions[-1]) * TURN_GAP
        if text := message["content"].strip():
            sessions[-1].append(Turn(str(message["id"]), "", text, said_at, message["role"]))
    return tuple(tuple(session) for session in sessions if session)


def _day(when: str | None) -> datetime | None:
    return datetime.strptime(when, WHEN_FORMAT).replace(tzinfo=UTC) if when else None


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where the server can't be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beam", description=__doc__)
    parser.add_argument("file", type=Path, help="the conversations, as JSON, perhaps gzipped")
    parser.add_argument("--conversations", type=names, default=(), help="default: all of the file")
    add_server_arguments(parser)
    chosen = parser.parse_args(arguments)
    return print_quality(read_beam(chosen.file, chosen.conversations), chosen)


if __name__ == "__main__":
    sys.exit(main())

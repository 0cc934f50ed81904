"""Six people with their assistants, over ten months each: python -m benchmarks.histories --key nebo_…

Written for this purpose: 24 sessions a person, in which facts are mentioned on the way, several topics share their
words, and some facts change; 40 questions, a third of them in other words than the evidence. Four speak English, one
German, one Spanish.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from benchmarks.command import add_server_arguments, print_quality
from benchmarks.conversations import Conversation, Question, Turn, parse_when

FOLDER = Path(__file__).with_name("histories")
TURN_GAP = timedelta(seconds=30)


def read_histories() -> list[Conversation]:
    """All of them, by name."""
    return [_history(json.loads(file.read_text("utf-8"))) for file in sorted(FOLDER.glob("*.json"))]


def _history(row: dict[str, Any]) -> Conversation:
    sessions = tuple(tuple(_turns(session)) for session in row["sessions"])
    questions = (Question(one["q"], one["category"], tuple(one["evidence"])) for one in row["questions"])
    return Conversation(row["id"], sessions, tuple(questions))


def _turns(session: dict[str, Any]) -> Iterator[Turn]:
    began = parse_when(session["when"])
    for number, turn in enumerate(session["turns"]):
        yield Turn(turn["id"], "", turn["text"], began + number * TURN_GAP, turn["role"])


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where the server can't be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.histories", description=__doc__)
    add_server_arguments(parser)
    return print_quality(read_histories(), parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())

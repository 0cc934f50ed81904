"""Conversations with questions about them, in the shape every benchmark takes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

# LoCoMo's own numbers (Maharana et al., ACL 2024); 5 is adversarial: it has no evidence to find.
LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
WHEN_FORMAT = "%I:%M %p on %d %B, %Y"
TURN_GAP = timedelta(seconds=1)  # the set dates sessions, not turns


@dataclass(frozen=True, slots=True)
class Turn:
    """Something one of the speakers said: a person of this name, or one of a person and their assistant, by role."""

    id: str
    speaker: str
    text: str
    said_at: datetime
    role: str = "user"

    def as_message(self) -> dict[str, str]:
        """As `turns/` takes it."""
        named = {"name": self.speaker} if self.speaker else {}
        return {
            "role": self.role,
            **named,
            "content": self.text,
            "external_id": self.id,
            "created_at": self.said_at.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class Question:
    """`evidence` are the ids of the turns that answer it, each once."""

    text: str
    category: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Sessions of turns, oldest first."""

    id: str
    sessions: tuple[tuple[Turn, ...], ...]
    questions: tuple[Question, ...]

    @property
    def turns(self) -> Iterator[Turn]:
        """All turns, oldest first."""
        return (turn for session in self.sessions for turn in session)

    def said_by_agent(self, question: Question) -> tuple[str, ...]:
        """The part of a question's evidence that the assistant said."""
        said = {turn.id for turn in self.turns if turn.role == "assistant"}
        return tuple(id for id in question.evidence if id in said)


def read_locomo(path: Path, only: Iterable[str] = ()) -> list[Conversation]:
    """The conversations of a LoCoMo file, or those of them that `only` names; raises ValueError for others."""
    wanted = set(only)
    rows = [row for row in json.loads(path.read_text("utf-8")) if not wanted or row["id"] in wanted]
    missing = wanted - {row["id"] for row in rows}
    if missing:
        raise ValueError(f"{path} has no conversation {', '.join(sorted(missing))}.")
    return [_conversation(row) for row in rows]


def _conversation(row: dict[str, Any]) -> Conversation:
    sessions = tuple(tuple(_turns(session)) for session in row["sessions"])
    known = {turn.id for session in sessions for turn in session}
    questions = (_question(question, known) for question in row["questions"])
    return Conversation(row["id"], sessions, tuple(q for q in questions if q.category and q.evidence))


def _turns(session: dict[str, Any]) -> Iterator[Turn]:
    """Both speakers are people: neither is the assistant whose words count less."""
    began = parse_when(session["when"])
    for number, turn in enumerate(session["turns"]):
        caption = turn.get("caption")
        text = f"{turn['text']} [shares a photo: {caption}]" if caption else turn["text"]
        yield Turn(turn["id"], turn["speaker"], text.strip(), began + number * TURN_GAP)


def _question(row: dict[str, Any], known: set[str]) -> Question:
    """Evidence that names no turn (the set has a few slips) can't be found and doesn't count."""
    evidence = tuple(id for id in dict.fromkeys(row["evidence"]) if id in known)
    return Question(row["q"], LOCOMO_CATEGORIES.get(row["category"], ""), evidence)


def parse_when(text: str) -> datetime:
    """`1:56 pm on 8 May, 2023`, taken as UTC."""
    return datetime.strptime(text, WHEN_FORMAT).replace(tzinfo=UTC)

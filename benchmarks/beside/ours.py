"""The same task for Nebo: over HTTP, with a key, as an agent would."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.client import Client
from benchmarks.conversations import Conversation
from benchmarks.recall import list_named_messages

VECTORS_LIMIT_S = 1_800


@dataclass(frozen=True, slots=True)
class Ours:
    """`stored_s` until every turn was kept and found by its words, `embedded_s` until also by meaning."""

    turns: int
    stored_s: float
    embedded_s: float
    found: tuple[tuple[str, ...], ...]
    search_ms: tuple[float, ...]


def measure_nebo(client: Client, conversations: Sequence[Conversation], *, limit: int) -> Ours:
    """Store every turn, ask every question. Raises CallFailed and TimeoutError."""
    run = uuid.uuid4().hex[:6]
    began = time.perf_counter()
    for conversation in conversations:
        _store(client, conversation, f"{conversation.id}-{run}")
    stored_s = time.perf_counter() - began
    client.wait_for_vectors(limit_s=VECTORS_LIMIT_S)
    embedded_s = time.perf_counter() - began
    answers = [
        client.search(f"{conversation.id}-{run}", question.text, limit=limit, sources=["session"])
        for conversation in conversations
        for question in conversation.questions
    ]
    return Ours(
        turns=sum(1 for conversation in conversations for _ in conversation.turns),
        stored_s=stored_s,
        embedded_s=embedded_s,
        found=tuple(list_named_messages(answer.body["results"]) for answer in answers),
        search_ms=tuple(answer.ms for answer in answers),
    )


def _store(client: Client, conversation: Conversation, user: str) -> None:
    for number, turns in enumerate(conversation.sessions, 1):
        session = client.open_session(user, f"{user}-{number}")
        client.add_turns(session, [turn.as_message() for turn in turns])

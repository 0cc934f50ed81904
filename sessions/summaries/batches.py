"""A long conversation read by a model in several goes, so that all of it is read: in batches that fit a prompt whole,
within a run's time.

What was not read is not counted as read: the caller marks as many messages as it is told, and comes again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from memories.extraction.material import MAX_MESSAGE_CHARS, count_fitting, render_material
from memories.screening.sanitize import clean_text
from nebo.llm.errors import LlmError
from nebo.llm.prompts import render_prompt
from nebo.llm.routing import DEADLINE_S, has_chat_model
from nebo.llm.types import ChatMessage, ChatReply, ChatRequest
from sessions.summaries.supported import SYSTEM, complete

SUMMARY_WORDS = 250  # of one prompt
ALL_WORDS = 600  # of several prompts together; at least LEAST_WORDS each
LEAST_WORDS = 80

RUN_S = 120.0  # seconds for all batches of a run; a worker stops a job after 150
LEAST_S = 20.0  # seconds that must be left for another batch to begin


@dataclass(frozen=True, slots=True)
class Batch:
    """What one prompt holds, whole; with it, the first `read` messages of all are read to their end."""

    material: tuple[ChatMessage, ...]
    read: int


Ask = Callable[[Batch, str], ChatRequest]  # of a batch, and what is written on
Known = Callable[[Sequence[ChatReply]], str]  # what the replies so far leave to be written on


def list_batches(messages: Sequence[ChatMessage]) -> list[Batch]:
    """All messages in as many batches as a model needs; in one where rules alone read, which need no prompt."""
    if not has_chat_model():
        return [Batch(tuple(messages), len(messages))]
    pieces = [_pieces_of(message) for message in messages]
    ends = list(accumulate(map(len, pieces)))
    waiting = [piece for own in pieces for piece in own]
    batches, begin = [], 0
    while begin < len(waiting):
        end = begin + count_fitting(waiting[begin:])
        batches.append(Batch(tuple(waiting[begin:end]), sum(one <= end for one in ends)))
        begin = end
    return batches


def ask_through(
    batches: Sequence[Batch], ask: Ask, *, known: Known, share: float = 1.0
) -> tuple[list[ChatReply], int]:
    """The replies to as many batches as there is time for, and how many messages they speak for; `share` is that of
    the run's time which they may take. Lines that nobody said are out of them.

    When a model fails, what it answered until then counts. Raises LlmError where not one message was read to its end.
    """
    ends_at = time.monotonic() + RUN_S * share
    replies: list[ChatReply] = []
    read = 0
    for batch in batches:
        left_s = ends_at - time.monotonic()
        if read and left_s < LEAST_S:
            break
        try:
            earlier = known(replies)
            reply = _complete(ask(batch, earlier), left_s)
        except LlmError:
            if not read:
                raise
            break
        replies.append(reply)
        read = batch.read
    return replies, read


def _complete(request: ChatRequest, left_s: float) -> ChatReply:
    return complete(request) if left_s >= DEADLINE_S else complete(request, deadline_s=max(left_s, LEAST_S))


def _pieces_of(message: ChatMessage) -> list[ChatMessage]:
    """A message in pieces that a prompt shows uncut, each said by the same at the same time."""
    words = " ".join(clean_text(message.content).split())
    pieces = []
    while len(words) > MAX_MESSAGE_CHARS:
        at = words.rfind(" ", MAX_MESSAGE_CHARS // 2, MAX_MESSAGE_CHARS)
        cut = at if at > 0 else MAX_MESSAGE_CHARS
        pieces.append(words[:cut].strip())
        words = words[cut:].strip()
    return [replace(message, content=piece) for piece in (*pieces, words)]


def summarize_parts(
    batches: Sequence[Batch], *, summary: str, share: float = 1.0, over: tuple[str, ...] = ()
) -> tuple[list[ChatReply], int]:
    """What a model says of each batch that follows what a summary says, and how many messages it read. `over` are
    wordings of what no longer holds.
    """
    words = max(min(SUMMARY_WORDS, ALL_WORDS // len(batches)), LEAST_WORDS)
    return ask_through(
        batches,
        lambda batch, known: request_part(batch.material, known, words, over=over),
        known=lambda before: join_parts(summary, before),
        share=share,
    )


def join_parts(summary: str, parts: Sequence[ChatReply]) -> str:
    """A summary and what was written of the batches after it."""
    return "\n".join(filter(None, (summary, *(reply.text for reply in parts))))


def request_part(
    material: tuple[ChatMessage, ...], earlier: str, words: int, *, over: tuple[str, ...] = ()
) -> ChatRequest:
    """Ask for a summary of messages, after what was summarised of those before them."""
    prompt = render_prompt(
        "sessions:prompts/summarize.txt",
        words=words,
        earlier=earlier or "(none)",
        conversation=render_material(material),
    )
    return ChatRequest(
        task="summarize", system=SYSTEM, prompt=prompt, material=material, earlier=earlier, over=over
    )

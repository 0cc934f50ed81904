"""Lines that a model wrote, held against what was said: one that nobody said is dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memories.extraction.material import list_material
from nebo.llm.types import ChatMessage
from nebo.reading.naming import find_named, named_words
from nebo.reading.sentences import list_sentences
from nebo.reading.support.lines import Told, supported_lines
from sessions.models import Message

CITED_MESSAGES = 2  # that a line is said to rest on, at most
CITED_WORDS = 2  # that a message shares with a line it is cited for, at least


def told_in(messages: Iterable[Message | ChatMessage]) -> dict[int, Told]:
    """What was said, by its number in a prompt."""
    said = [_as_chat(message) for message in messages]
    return {
        number: Told(one.content, one.created_at.date() if one.created_at else None, one.name)
        for number, one in list_material(said)
    }


def keep_supported(text: str, messages: Sequence[ChatMessage], *, known: str = "") -> str:
    """A summary of messages without the sentences that nobody said; `known` is what it was written on."""
    stands = standing_in(messages, known=known)
    lines = (" ".join(stands([one.text for one in list_sentences(line)])) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def standing_in(messages: Sequence[ChatMessage], *, known: str = "") -> Callable[[Sequence[str]], list[str]]:
    """What keeps of some lines those that somebody said."""
    told = told_in(messages)
    names = list({message.name for message in messages if message.name})
    known_lines = known.splitlines()
    return lambda lines: supported_lines(lines, told, known=known_lines, names=names)


def cite_messages(line: str, messages: Sequence[Message]) -> list[str]:
    """The ids of the messages that share most words with a line."""
    named = named_words(line)
    shared = {str(one.pk): len(find_named(named, one.words)) for one in messages}
    found = [key for key, count in shared.items() if count >= CITED_WORDS]
    return sorted(found, key=lambda key: -shared[key])[:CITED_MESSAGES]


def _as_chat(message: Message | ChatMessage) -> ChatMessage:
    if isinstance(message, ChatMessage):
        return message
    return ChatMessage(message.role, message.words, message.name, created_at=message.created_at)

"""What a model writes about a conversation, checked against what was said. Every summary is asked for here.

Code drops sentences and bullets that the messages don't support; what stood in the summary before may stay. If nothing
is left, the rules write instead, so a conversation is summarised even if the model invents everything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memories.extraction.locating import find_json_object
from memories.extraction.material import list_material
from nebo.llm.providers.rules import RulesModel
from nebo.llm.routing import DEADLINE_S
from nebo.llm.routing import complete as ask
from nebo.llm.spine_text import Sections, read_sections
from nebo.llm.types import ChatMessage, ChatReply, ChatRequest
from nebo.reading.meaning.sentences import list_sentences
from nebo.reading.orders.orders import is_surely_order
from nebo.reading.support.lines import SourceMessage, supported_lines, supported_text
from nebo.reading.words.content_words import split_sentences
from sessions.summaries.text import parse_spine

SYSTEM = "You keep the memory of an assistant. You report faithfully and briefly."

NONE = "none"  # what a model answers where there is no task
_READABLE = re.compile(r"\w{2,}\W+\w")  # more than the name of a code fence's language
LINES = ("what_mattered", "open_loops", "commitments", "people")


def complete(
    request: ChatRequest, *, deadline_s: float | None = None, known: Sequence[str] = ()
) -> ChatReply:
    """A model's answer without what nobody said. Reads sentences, so no transaction may be open. Raises LlmError.

    `known` are facts that the prompt shows beside the messages and that may be said again.
    """
    request = replace(request, material=tuple(map(without_foreign_orders, request.material)))
    reply = ask(request) if deadline_s is None else ask(request, deadline_s=deadline_s)
    return reply if reply.provider == RulesModel.provider else keep_supported(reply, request, known=known)


def without_foreign_orders(message: ChatMessage) -> ChatMessage:
    """A message without what would order the reader of a summary about, unless a person said it."""
    if message.role == "user":
        return message
    kept = [part for part in split_sentences(message.content) if not is_surely_order(part)]
    whole = len(kept) == len(split_sentences(message.content))
    return message if whole else replace(message, content=" ".join(kept))


def keep_supported(reply: ChatReply, request: ChatRequest, *, known: Sequence[str] = ()) -> ChatReply:
    """What of a model's answer stands; the rules' answer where nothing does."""
    if request.task != "active_task" and not _READABLE.search(reply.text):
        return reply  # whoever reads it says that there is nothing in it
    text = _supported_text(reply.text, request, known)
    if text:
        return replace(reply, text=text)
    return RulesModel().complete(request, timeout_s=DEADLINE_S)


def _supported_text(text: str, request: ChatRequest, known: Sequence[str]) -> str:
    sources = _sources(request)
    before = (*known, *(span.text for span in list_sentences(request.earlier)))
    if request.task == "session_summary":
        return _supported_fields(text, sources, before)
    if request.task == "spine":
        return _supported_sections(text, sources, request.earlier, known)
    if request.task == "active_task":
        return _supported_task(text, sources, request.earlier)
    return supported_text(_plain(text), sources, known=before)


def _sources(request: ChatRequest) -> dict[int, SourceMessage]:
    """The messages under the numbers by which the prompt shows them."""
    return {
        number: SourceMessage(
            message.content, message.created_at.date() if message.created_at else None, message.name
        )
        for number, message in list_material(request.material)
    }


def _supported_fields(text: str, sources: Mapping[int, SourceMessage], known: tuple[str, ...]) -> str:
    """The lists line by line, the sentence about the whole, and the mood, which is held to its names alone."""
    found = find_json_object(text)
    if found is None:
        return supported_text(_plain(text), sources, known=known)
    fields: dict[str, object] = {name: _listed(found.get(name), sources, known) for name in LINES}
    fields["one_liner"] = supported_text(str(found.get("one_liner") or ""), sources, known=known)
    fields["tone"] = str(found.get("tone") or "")[:200]
    if not (found.get("one_liner") or found.get("what_mattered")):
        return text  # nothing was said that could stand or fall
    stands = fields["one_liner"] or fields["what_mattered"]
    return json.dumps(fields, ensure_ascii=False) if stands else ""


def _listed(value: object, sources: Mapping[int, SourceMessage], known: tuple[str, ...]) -> list[str]:
    items = value if isinstance(value, list) else [value]
    lines = [str(item) for item in items if isinstance(item, str | int | float)]
    return supported_lines(lines, sources, known=known)


def _supported_sections(
    text: str, sources: Mapping[int, SourceMessage], earlier: str, remembered: Sequence[str]
) -> str:
    """Each section's bullets; one of which nothing stands is left out, and so stays as it was. Raises LlmError."""
    before = read_sections(earlier)
    known = [*(item for items in before.values() for item in items), *remembered]
    found: Sections = {}
    for name, items in parse_spine(text).items():
        kept = [line for item in items for line in _bullet(item, sources, known)]
        if kept or not items:
            found[name] = kept
    return "\n\n".join("\n".join([name, *(f"- {item}" for item in items)]) for name, items in found.items())


def _bullet(item: str, sources: Mapping[int, SourceMessage], known: Sequence[str]) -> list[str]:
    return [item] if item in known else supported_lines([item], sources, known=known)


def _supported_task(text: str, sources: Mapping[int, SourceMessage], current: str) -> str:
    task = text.strip().strip('"')
    if task.casefold().rstrip(".") in {"", NONE, "(none)"} or task == current:
        return task or NONE
    return next(iter(supported_lines([task], sources, known=(current,))), current or NONE)


def _plain(text: str) -> str:
    """Prose without the code fence a model put around it."""
    return text.strip().removeprefix("```text").strip("`").strip()

"""Summaries as text: how an old one shrinks, what of a new one may be kept, and how a model's answer is read."""

from __future__ import annotations

import re
from typing import Any

from memories.extraction.locating import find_json_object
from memories.screening import find_reason
from nebo.llm.errors import LlmError

ROLLING_CHARS = 600  # characters of a rolling summary; seed 002
LIST_ITEMS = 10  # in one list of a session's summary
ITEM_CHARS = 300  # characters
ONE_LINER_CHARS = 400  # characters
TONE_CHARS = 200  # characters
LIST_FIELDS = ("what_mattered", "open_loops", "commitments", "people")
EARLIER_CHARS = 800  # the earlier summary is compressed to this; seed 000 §10
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*\s*")
_HEAD_SHARE = 0.4  # of the room goes to how it began, the rest to where it stood


def compress_summary(text: str, limit: int = EARLIER_CHARS) -> str:
    """At most `limit` characters in whole sentences: the beginning, and the end, which is nearer to now."""
    text = text.strip()
    if len(text) <= limit:
        return text
    sentences = _SENTENCE.findall(text)
    head, used = _take(sentences, int(limit * _HEAD_SHARE))
    tail, _ = _take(sentences[len(head) :][::-1], limit - used - len(" … "))
    if not head and not tail:
        return text[: limit - 1] + "…"
    return " … ".join(part for part in ("".join(head).strip(), "".join(tail[::-1]).strip()) if part)


def _take(sentences: list[str], limit: int) -> tuple[list[str], int]:
    taken: list[str] = []
    used = 0
    for sentence in sentences:
        if used + len(sentence) > limit:
            break
        taken.append(sentence)
        used += len(sentence)
    return taken, used


def cumulate(earlier: str, latest: str) -> str:
    """The next summary: the earlier one compressed, then what was folded now (seed 000 §10)."""
    parts = [compress_summary(earlier), latest.strip()]
    return "\n\n".join(part for part in parts if part)


class SummaryUnreadable(LlmError):
    """An answer with no summary in it."""

    def __str__(self) -> str:
        return "The model's answer was unreadable: there is no summary in it."


def keep_clean(text: str) -> str:
    """A text without the sentences that hold a secret or read like an order to the agent."""
    if not find_reason(text):
        return text
    return "".join(part for part in _SENTENCE.findall(text) if not find_reason(part)).strip()


def fit_rolling(answer: str) -> str:
    """A model's answer as a rolling summary of at most 600 characters; raises SummaryUnreadable for none."""
    text = keep_clean(_without_fence(answer))
    if not text:
        raise SummaryUnreadable
    return compress_summary(text, ROLLING_CHARS)


def parse_session_summary(answer: str) -> dict[str, Any]:
    """The six fields of a session's summary, whatever the model wrapped them in; prose alone is the one-liner.

    Raises SummaryUnreadable where nothing is said.
    """
    found = find_json_object(answer)
    found = {"one_liner": _without_fence(answer)} if found is None else found
    fields: dict[str, Any] = {name: _texts(found.get(name)) for name in LIST_FIELDS}
    one_liner = _line(found.get("one_liner"), ONE_LINER_CHARS) or "; ".join(fields["what_mattered"])
    if not one_liner:
        raise SummaryUnreadable
    return {**fields, "one_liner": one_liner[:ONE_LINER_CHARS], "tone": _line(found.get("tone"), TONE_CHARS)}


def _without_fence(answer: str) -> str:
    """Prose as a model wrapped it: in a code fence, or in quotes."""
    text = re.sub(r"^```\w*\n|\n?```$", "", answer.strip()).strip()
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] == '"' else text


def _texts(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    texts = [_line(item, ITEM_CHARS) for item in items]
    return [text for text in dict.fromkeys(texts) if text][:LIST_ITEMS]


def _line(value: Any, limit: int) -> str:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    return keep_clean(" ".join(str(value).split()))[:limit]

"""Summaries as text: how an old one shrinks, and how a session's summary is read from a model's answer."""

from __future__ import annotations

import re

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

"""How large a text is for a model, estimated without any model's tokenizer."""

from __future__ import annotations

import re

CHARS_PER_TOKEN = 4  # 15,000 characters are about 4k tokens; docs/design.md#prompt-numbers
MESSAGE_OVERHEAD = 4  # tokens for role and framing
_WIDE = re.compile("[^\x00-\u02ff]+")


def estimate_tokens(text: str) -> int:
    """Tokens in `text`, rounded up; characters outside ASCII count as one token for each pair."""
    wide = 0 if text.isascii() else sum(map(len, _WIDE.findall(text)))
    return -(-(len(text) - wide) // CHARS_PER_TOKEN) + -(-wide // 2)


def message_tokens(content: str) -> int:
    """Tokens of a message with its framing."""
    return estimate_tokens(content) + MESSAGE_OVERHEAD


def cut_to_tokens(text: str, tokens: int) -> str:
    """The beginning of `text` that fits, cut at a word."""
    if estimate_tokens(text) <= tokens:
        return text
    limit = max(tokens, 0) * CHARS_PER_TOKEN
    head = text[:limit]
    while head and estimate_tokens(head) > tokens:
        head = head[: len(head) * 9 // 10]
    return head.rsplit(" ", 1)[0] + "…" if " " in head else head

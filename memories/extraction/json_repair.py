"""A reader of nearly-JSON, for what models really write.

It forgives fences, trailing commas, comments, single quotes, bare words and a missing end, keeps what was complete,
and works without recursion on one pass of tokens, so that neither depth nor length can hurt it.
"""

from __future__ import annotations

import json
import re
from typing import Any

MAX_DEPTH = 24  # containers within containers; deeper ones are read as null
MAX_TOKENS = 60_000  # of one answer; what comes after is as if cut off

_TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*.{0,2000}?\*/"
    r"|(?P<mark>[{}\[\]:,])"
    r"|(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|(?P<open_string>[\"'].*)"
    r"|(?P<bare>[^\s{}\[\]:,\"']+)",
    re.DOTALL,
)
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}
_ABSENT = object()


class _Frame:
    """One container being read: an object waits for a key or a value, an array for values."""

    __slots__ = ("key", "value", "wants_key")

    def __init__(self, value: dict[str, Any] | list[Any]) -> None:
        self.value = value
        self.key: Any = _ABSENT
        self.wants_key = isinstance(value, dict)

    def add(self, item: Any) -> None:
        if isinstance(self.value, list):
            self.value.append(item)
        elif self.wants_key:
            self.key, self.wants_key = str(item), False
        elif self.key is not _ABSENT:
            merge(self.value, self.key, item)
            self.key, self.wants_key = _ABSENT, True

    def separate(self) -> None:
        if isinstance(self.value, dict):
            self.key, self.wants_key = _ABSENT, True


def read_loosely(text: str) -> Any:
    """The value that starts a text, read forgivingly; None when it starts none.

    An object that was cut off inside an array is dropped, one that holds the arrays is kept.
    """
    stack: list[_Frame] = []
    for count, token in enumerate(_TOKEN.finditer(text)):
        if token["open_string"] is not None or count > MAX_TOKENS:
            break
        done = _take(token, stack)
        if done is not _ABSENT:
            return done
    return _close_all(stack)


def merge(target: dict[str, Any], key: str, item: Any) -> None:
    """Set a key; an array under a key that has one already goes behind it, so that none is lost."""
    before = target.get(key)
    target[key] = [*before, *item] if isinstance(before, list) and isinstance(item, list) else item


def _take(token: re.Match[str], stack: list[_Frame]) -> Any:
    mark = token["mark"]
    if mark in ("{", "["):
        stack.append(_Frame({} if mark == "{" else []))
    elif mark in ("}", "]"):
        return _close(stack)
    elif mark == "," and stack:
        stack[-1].separate()
    elif not mark and stack and token.lastgroup:
        stack[-1].add(_scalar(token))
    return _ABSENT


def _close(stack: list[_Frame]) -> Any:
    if not stack:
        return None
    value = stack.pop().value
    if not stack:
        return value
    stack[-1].add(value if len(stack) < MAX_DEPTH else None)
    return _ABSENT


def _close_all(stack: list[_Frame]) -> Any:
    """What is left when the text ends early: arrays and the outermost object stay, half an entry goes."""
    while len(stack) > 1:
        value = stack.pop().value
        if isinstance(value, list):
            stack[-1].add(value if len(stack) < MAX_DEPTH else None)
    return stack[0].value if stack else None


def _scalar(token: re.Match[str]) -> Any:
    if token["string"] is not None:
        return _string(token["string"])
    word = token["bare"]
    if word in _WORDS:
        return _WORDS[word]
    try:
        return float(word) if len(word) < 40 and not word.lstrip("-").isdigit() else int(word[:40])
    except ValueError:
        return word


def _string(quoted: str) -> str:
    body = quoted[1:-1] if quoted[0] == '"' else quoted[1:-1].replace("\\'", "'").replace('"', '\\"')
    try:
        return str(json.loads(f'"{body}"', strict=False))
    except ValueError:
        return body

"""How what a case expects is written: words, pairs of them, days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from benchmarks.truth.words import Words, read_words


def read_list(written: Any) -> list[Words]:
    """`"one"` or `["one", "other"]`."""
    return [read_words(one) for one in ([written] if isinstance(written, str) else written)]


def read_pair(written: Any) -> tuple[Words, Words]:
    """`["old", "new"]`."""
    old, new = written
    return read_words(old), read_words(new)


def read_days(written: Mapping[str, Any]) -> list[tuple[Words, list[str]]]:
    """`{passport = 2031-05-31}`, with a list where several days are right, `"no day"` for none."""
    return [(read_words(words), _list_days(days)) for words, days in written.items()]


def _list_days(written: Any) -> list[str]:
    return [
        day.isoformat() if isinstance(day, date) else str(day)
        for day in (written if isinstance(written, list) else [written])
    ]


def read_true(written: Any) -> bool:
    """`true`, since it is left out otherwise."""
    if written is not True:
        raise ValueError("only true says something")
    return True


def read_continuity(written: Any) -> str:
    """`"missing"` or `"ok"`."""
    if written not in ("missing", "ok"):
        raise ValueError(f"missing or ok, not {written}")
    return str(written)

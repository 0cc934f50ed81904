"""Fail closed rather than pretend to remember (seed 004)."""

from __future__ import annotations

from dataclasses import dataclass

from sessions.cues import is_continuation

RECOVERY_TEXT = (
    "I no longer have what we said before in this conversation, so I can't continue from it. "
    "Tell me in a sentence what it was about, and I'll go on from there."
)


@dataclass(frozen=True, slots=True)
class Continuity:
    """What there is to go on from, and whether that is enough."""

    ok: bool
    history: int
    summary: bool
    recalled: int
    reason: str = ""


def judge_continuity(*, existing: bool, query: str, history: int, summary: bool, recalled: int) -> Continuity:
    """`existing`: the session had turns before. A new session is blocked only by a cue with nothing behind it."""
    nothing = not (history or summary or recalled)
    if existing and nothing:
        return Continuity(
            False, history, summary, recalled, "the session's history, summary and recall are all empty"
        )
    if nothing and is_continuation(query):
        return Continuity(
            False, history, summary, recalled, "the query refers to an earlier conversation; there is none"
        )
    return Continuity(True, history, summary, recalled)

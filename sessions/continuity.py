"""Fail closed rather than pretend to remember (seed 004)."""

from __future__ import annotations

import re
from dataclasses import dataclass

RECOVERY_TEXT = (
    "I no longer have what we said before in this conversation, so I can't continue from it. "
    "Tell me in a sentence what it was about, and I'll go on from there."
)

_CUE = re.compile(
    r"""\b(?:
        as\s+(?:we|i|you)\s+(?:just\s+|already\s+|previously\s+)?
          (?:discussed|said|mentioned|agreed|talked\s+about|decided)
      | (?:like|what)\s+(?:we|i|you)\s+(?:said|discussed|agreed|decided|talked\s+about)\s+
          (?:earlier|before|last\s+time|yesterday)
      | (?:where|what)\s+(?:did\s+)?we\s+(?:leave|left)\s+(?:it\s+)?off
      | (?:pick(?:ing)?\s+up|continue|carry\s+on|resume)\s+(?:from\s+)?where\s+we
      | (?:continue|resume)\s+(?:our|the|that|this)\s+(?:last|previous|earlier)?\s*
          (?:conversation|discussion|chat|work|task)
      | (?:in|from|during)\s+our\s+(?:last|previous|earlier)\s+(?:conversation|discussion|chat|session|meeting)
      | (?:you|we)\s+(?:told\s+me|said|mentioned)\s+(?:earlier|before|last\s+time)
      | (?:remind\s+me|remember)\s+what\s+we
      | last\s+time\s+(?:we|you|i)\s+(?:talked|spoke|met|discussed|chatted)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Continuity:
    """What there is to go on from, and whether that is enough."""

    ok: bool
    history: int
    summary: bool
    recalled: int
    reason: str = ""


def is_continuation(query: str) -> bool:
    """Whether a query leans on an earlier conversation."""
    return bool(_CUE.search(query[:4000]))


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

"""Work on conversations that waits in the queue: ids in, one service each."""

from __future__ import annotations

from datetime import timedelta

from nebo.jobs.claims import Claim
from nebo.jobs.exclusive_kinds import exclude_each_other
from nebo.jobs.lanes import Lane
from nebo.jobs.periodic import periodic
from nebo.jobs.registry import handler
from sessions.compaction.run import compact_session
from sessions.forgetting.elsewhere import forget_elsewhere
from sessions.forgetting.rewriting import rewrite_summaries
from sessions.learning.extraction import extract_session
from sessions.lifecycle.closing import close_session
from sessions.lifecycle.idle import close_idle_sessions
from sessions.redaction.redact import redact_withheld
from sessions.spine.writing import write_spine
from sessions.summaries.rolling import roll_summary

exclude_each_other("extract", "flush")  # both read from the same watermark on


@handler("extract", lane=Lane.READING)
def extract(claim: Claim) -> None:
    """Five quiet seconds after a turn."""
    extract_session(claim=claim, trigger="idle")


@handler("flush", lane=Lane.READING)
def flush(claim: Claim) -> None:
    """Before messages are folded away, or because an agent asked."""
    extract_session(claim=claim, trigger="flush")


@handler("compact")
def compact(claim: Claim) -> None:
    """Past the session's limit, or because an agent asked."""
    compact_session(claim=claim)


@handler("close")
def close(claim: Claim) -> None:
    """At the end of a conversation."""
    close_session(claim=claim)


@handler("roll", lane=Lane.SUMMARY)
def roll(claim: Claim) -> None:
    """Every four turns, and at the end of a conversation."""
    roll_summary(claim=claim)


@handler("spine", lane=Lane.SUMMARY)
def spine(claim: Claim) -> None:
    """Every twenty messages of a person."""
    write_spine(claim=claim)


@handler("forget-elsewhere")
def elsewhere(claim: Claim) -> None:
    """After something was forgotten, corrected or brought back."""
    forget_elsewhere(claim=claim)


@handler("rewrite", lane=Lane.SUMMARY)
def rewrite(claim: Claim) -> None:
    """When a conversation's summaries may say what is withheld."""
    rewrite_summaries(claim=claim)


@handler("redact")
def redact(claim: Claim) -> None:
    """After a memory was purged with the words it rests on."""
    redact_withheld(claim=claim)


@periodic("close-idle-sessions", every=timedelta(minutes=1))
def close_idle() -> int:
    """After half an hour without a word."""
    return close_idle_sessions()

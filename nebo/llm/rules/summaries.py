"""Summaries by rule: of a stretch of conversation, and the running one of a person and a persona."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from nebo.llm.rules.choosing import choose
from nebo.llm.rules.lines import read_lines, write_lines
from nebo.llm.rules.remembered import weigh_remembered, without_bygone, without_closed, without_settled
from nebo.llm.rules.scored_sentences import ScoredSentence, score_sentences, with_corrections
from nebo.llm.rules.undone import without_undone
from nebo.llm.types import ChatMessage
from nebo.reading.requests.tasks import follow_task, is_left

CHARS_PER_TOKEN = 4  # characters; the usual estimate
MAX_SUMMARY_CHARS = 2_400  # characters
MAX_ROLLING_CHARS = 600  # characters; docs/design.md#conversation-numbers
RECENT = 0.3  # what the newest sentence of a running summary weighs more than the oldest


def summarize(material: Sequence[ChatMessage], *, max_output_tokens: int, over: Sequence[str] = ()) -> str:
    """What was told, asked for, decided and left open, with speakers and days; empty for an empty conversation."""
    limit = min(MAX_SUMMARY_CHARS, max_output_tokens * CHARS_PER_TOKEN)
    holds = without_closed(without_undone(score_sentences(material)), over)
    return write_lines(choose(holds, limit_chars=limit))


def roll_on(
    earlier: str, material: Sequence[ChatMessage], *, over: Sequence[str] = (), kept: Sequence[str] = ()
) -> str:
    """The running summary with what was said since: what was taken back since is out, the newest goes first, and what
    is remembered by itself last.
    """
    known = score_sentences(list(read_lines(earlier)))
    news = [_behind(one, known) for one in score_sentences(material)]
    sentences = list(with_corrections(_by_day([*known, *news])))
    holds = without_settled(without_closed(without_undone(sentences), over), over)
    weighed = weigh_remembered(without_bygone(holds) or holds, kept)
    return write_lines(choose(weighed, limit_chars=MAX_ROLLING_CHARS, recency=RECENT))


def condense(text: str, limit: int) -> str:
    """A summary, whoever wrote it, in at most `limit` characters: its weightiest sentences in their order."""
    if len(text.strip()) <= limit:
        return text.strip()
    return write_lines(choose(score_sentences(list(read_lines(text))), limit_chars=limit, least=0.0))


def without_taken_back(text: str, later: Sequence[ChatMessage]) -> str:
    """A summary without what was taken back after the messages that it speaks for."""
    known = score_sentences(list(read_lines(text)))
    news = [_behind(one, known) for one in score_sentences(later)]
    holds = [one for one in without_undone([*known, *news]) if one.place < len(known)]
    return text if len(holds) == len(known) else write_lines(holds)


def carry_over(earlier: str, latest: str, *, limit: int) -> str:
    """What of an earlier summary still holds beside the latest one, in at most `limit` characters."""
    known = score_sentences(list(read_lines(earlier)))
    news = [_behind(one, known) for one in score_sentences(list(read_lines(latest)))]
    holds = [one for one in without_undone([*known, *news]) if one.place < len(known)]
    if len(holds) == len(known) and len(earlier.strip()) <= limit:
        return earlier.strip()
    return write_lines(choose(holds, limit_chars=limit, least=0.0))


def _by_day(sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """As they were said: of two conversations, the one read later may be the earlier one."""
    if not all(one.on for one in sentences):
        return list(sentences)
    in_order = sorted(sentences, key=lambda one: (one.on or date.min, one.place))
    return [replace(one, place=place) for place, one in enumerate(in_order)]


def _behind(one: ScoredSentence, known: Sequence[ScoredSentence]) -> ScoredSentence:
    """A sentence in its place behind those that are known."""
    messages = known[-1].message + 1 if known else 0
    return replace(one, place=one.place + len(known), message=one.message + messages)


def find_active_task(material: Sequence[ChatMessage], *, current: str = "") -> str:
    """The task of a stretch of conversation, in the person's words; a current one stays until it is long left."""
    if current:
        return "" if is_left(current, [one.content for one in material if one.role == "user"]) else current
    return follow_task("", [one.sentence for one in score_sentences(material) if one.role == "user"])

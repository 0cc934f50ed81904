"""Fail closed rather than pretend to remember (docs/context.md#continuity)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from nebo.reading.meaning.reader import read_text
from nebo.reading.wording.asked_matter import is_named_in, matter_of

READ_CHARS = 500  # at either end of a query; what is pasted between them asks nothing back
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


def judge_continuity(
    *,
    existing: bool,
    query: str,
    history: int,
    summary: bool,
    recalled: int,
    texts: Callable[[], Iterable[str]] | None = None,
) -> Continuity:
    """`existing`: the session had turns before. A new session is blocked only if the query asks back for nothing.

    `recalled`: how many memories and turns are about the query. `texts`: all that there is to go on from, and what was
    found, in words; None where that doesn't tell what was ever said. Where people have talked before, a query is
    blocked only if it surely asks back, names a matter, and no word of that stands anywhere.

    The query is read only if nothing else decides: nothing was recalled, and it names a matter, or next to nothing is
    known of the person. A context holds no lock, and the reader is local and takes 5 ms a sentence. So it may be read
    here, in the transaction, instead of before every context.
    """
    if existing and not (history or summary or recalled):
        return Continuity(
            False, history, summary, recalled, "the session's history, summary and recall are all empty"
        )
    if not (history or summary or recalled) and asks_back(query):
        return Continuity(
            False, history, summary, recalled, "the query refers to an earlier conversation; there is none"
        )
    if texts is not None and not recalled and _asks_of_unknown(query, texts):
        return Continuity(
            False, history, summary, recalled, "the query refers to something that was never spoken of"
        )
    return Continuity(True, history, summary, recalled)


def _asks_of_unknown(query: str, texts: Callable[[], Iterable[str]]) -> bool:
    matter = matter_of(query) if len(query) <= READ_CHARS else frozenset()
    return bool(matter) and bool(read_text(query).sure("asks_back")) and not is_named_in(matter, texts())


def asks_back(query: str) -> bool:
    """Whether a query counts on an earlier conversation. All that comes of it is a refusal that can be talked over,
    so a possibility is enough.
    """
    return any(read_text(part).possible("asks_back") for part in {query[:READ_CHARS], query[-READ_CHARS:]})

"""A summary by rule as text: who said what on which day, and read back as it was written.

2 March 2026, Nora: We decided to move on 20 June. My sister Hattie will keep the piano.
Assistant: TAP takes no whippets in the cabin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import groupby

from nebo.llm.rules.scored_sentences import ASSISTANT, PROSE, USER, ScoredSentence
from nebo.llm.types import ChatMessage
from nebo.reading.times.calendar_words import MONTH_NAMES
from nebo.reading.times.day_spans import format_day

_LINE = re.compile(
    rf"(?:(?P<day>\d{{1,2}}) (?P<month>{'|'.join(MONTH_NAMES)}) (?P<year>\d{{4}}), )?"
    r"(?P<speaker>[^:.!?\n]{1,80}): (?P<text>\S.*)"
)


@dataclass(frozen=True, slots=True)
class _Head:
    on: date | None
    speaker: str


def write_lines(sentences: Sequence[ScoredSentence]) -> str:
    """A line a speaker; the day stands where it changes."""
    lines = []
    day: date | None = None
    for head, group in groupby(sentences, key=lambda one: _Head(one.on, one.speaker)):
        new_day = head.on if head.on != day else None
        day = head.on or day
        begin = f"{format_day(new_day)}, " if new_day else ""
        begin += f"{head.speaker}: " if head.speaker else ""
        lines.append(begin + " ".join(_closed(one.text) for one in group))
    return "\n".join(lines)


def read_lines(text: str) -> Iterator[ChatMessage]:
    """The messages a summary was written from, as far as it still says; a line of prose is nobody's."""
    day: date | None = None
    for line in text.splitlines():
        found = _LINE.fullmatch(line.strip())
        if found is None:
            yield from _prose(line, day)
            continue
        day = _day_of(found) or day
        yield _message(found["speaker"], found["text"], day)


def _prose(line: str, day: date | None) -> Iterator[ChatMessage]:
    if line.strip(" …"):
        yield _message("", line.strip(), day)


def _message(speaker: str, text: str, day: date | None) -> ChatMessage:
    named = "" if speaker in (ASSISTANT, USER) else speaker
    role = PROSE if not speaker else "assistant" if speaker == ASSISTANT else "user"
    return ChatMessage(role, text, name=named, created_at=_moment(day))


def _closed(text: str) -> str:
    return text if text[-1:] in ".!?…。！？" else f"{text}."


def _day_of(found: re.Match[str]) -> date | None:
    if not found["day"]:
        return None
    try:
        return date(int(found["year"]), MONTH_NAMES.index(found["month"]) + 1, int(found["day"]))
    except ValueError:
        return None


def _moment(day: date | None) -> datetime | None:
    return datetime.combine(day, time(12), UTC) if day else None

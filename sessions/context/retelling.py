"""What is told again of earlier conversations: only what still holds, and what the context doesn't say already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import dropwhile

from memories.screening.fencing import one_line
from nebo.llm.rules.lines import read_lines
from nebo.llm.rules.remembered import says_closed
from nebo.llm.rules.scored_sentences import ASSISTANT, PROSE, USER, points_back
from nebo.reading.meaning.sentences import Span, capital, list_sentences
from nebo.reading.relations.coverage import Coverage
from nebo.reading.times.day_spans import format_day
from nebo.reading.words.content_words import content_words, split_sentences
from sessions.models import Message

_DAY_BESIDE = re.compile(r" \(\d{1,2} [A-Z]\w+ \d{4}\)")  # as a summary dates what is to be done
ASKING = ("?", "？", "؟")
TELLING_WORDS = 3  # content words of a sentence of the assistant that may tell something
_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")


@dataclass(frozen=True, slots=True)
class Retelling:
    """`shown` is what the context says, `over` what was said and no longer holds."""

    shown: Sequence[Coverage]
    over: Coverage

    def is_new(self, sentence: str) -> bool:
        """Whether a sentence still holds, and adds something."""
        bare = _DAY_BESIDE.sub("", sentence)
        return not says_closed(bare, self.over) and not any(one.has_nearly(bare) for one in self.shown)

    def cut_known(self, text: str) -> str:
        """A text without the sentences that are told or over; as it stands where there are none."""
        sentences = list_sentences(text)
        new = [span.text for span in sentences if self.is_new(span.text)]
        return text if len(new) == len(sentences) else " ".join(new)

    def keep_new(self, items: Iterable[str]) -> list[str]:
        """Items without what is told or over; one of which nothing is left goes."""
        return list(filter(None, map(self.cut_known, items)))


@dataclass(frozen=True, slots=True)
class DayLine:
    """What somebody said on a day, in sentences; an earlier summary may say neither who nor when."""

    on: date | None
    speaker: str
    sentences: Sequence[str]


def read_days(summary: str, retelling: Retelling) -> list[DayLine]:
    """The lines of a summary, whoever wrote it, with what is still to be told of each."""
    lines = []
    for message in read_lines(summary):
        new = with_leads(list_sentences(message.content), retelling, is_prose=message.role == PROSE)
        sentences = [_closed(capital(one_line(one))) for one in new]
        if sentences:
            on = message.created_at.date() if message.created_at else None
            speaker = message.name or {"assistant": ASSISTANT, PROSE: ""}.get(message.role, USER)
            lines.append(DayLine(on, speaker, sentences))
    return lines


def with_leads(spans: Sequence[Span], retelling: Retelling, *, is_prose: bool) -> list[str]:
    """Those sentences that are new, each with the one that it means nothing without; none where that is over or isn't
    there. The first of a summary in prose may be about those who spoke: "They planned a trip".
    """
    kept: dict[int, str] = {}
    for place, span in enumerate(spans):
        if not retelling.is_new(span.text):
            continue
        if points_back(span.text) and (place or not is_prose):
            if not place or says_closed(spans[place - 1].text, retelling.over):
                continue
            kept[place - 1] = spans[place - 1].text
        kept[place] = span.text
    return [kept[place] for place in sorted(kept)]


def list_shorter(lines: Sequence[DayLine]) -> Iterator[list[DayLine]]:
    """The lines, then without their first sentence and what leans on it, and so on."""
    left = list(lines)
    while left:
        yield left
        first, *others = left
        behind = list(dropwhile(points_back, first.sentences[1:]))
        left = [*([DayLine(first.on, first.speaker, behind)] if behind else []), *others]


def write_days(lines: Iterable[DayLine]) -> list[str]:
    """A line for each; the day stands where it changes."""
    written = []
    day: date | None = None
    for line in lines:
        begin = f"{format_day(line.on)}, " if line.on and line.on != day else ""
        day = line.on or day
        begin += f"{line.speaker}: " if line.speaker else ""
        written.append(f"- {begin}{' '.join(line.sentences)}")
    return written


def without_small_talk(messages: Sequence[Message]) -> list[Message]:
    """Messages of a conversation without moods and remarks, and what was replied; an answer to a question stays."""
    kept: list[Message] = []
    asked = idle = False
    for message in messages:
        if message.role == Message.Role.USER:
            idle = message.passing and not asked
        if not idle:
            kept.append(message)
        asked = message.words.rstrip().endswith(ASKING)
    return kept


def without_idle_replies(messages: Sequence[Message]) -> list[Message]:
    """Messages without the agent's "Will do." and "Good that it worked out.", unless that answers a question."""
    kept: list[Message] = []
    asked = False
    for message in messages:
        if asked or message.role != Message.Role.ASSISTANT or not _is_idle(message.words):
            kept.append(message)
        asked = message.words.rstrip().endswith(ASKING)
    return kept


def says_little(text: str) -> bool:
    """Whether each sentence asks, or says two things at most: "Good that it worked out. How was the first week?"."""
    return all(_asks(one) or len(content_words(one)) < TELLING_WORDS for one in split_sentences(text))


def _is_idle(text: str) -> bool:
    return says_little(text) and not any(map(_asks, split_sentences(text)))


def _asks(sentence: str) -> bool:
    return sentence.rstrip().endswith(ASKING)


def without_left_questions(newest_first: Sequence[tuple[Message, str]]) -> list[tuple[Message, str]]:
    """Messages with what is told of them, without the agent's questions whose answer isn't."""
    kept: list[tuple[Message, str]] = []
    answered = True
    for message, text in newest_first:
        asks = message.role == Message.Role.ASSISTANT and text.rstrip().endswith(ASKING)
        if answered or not asks:
            kept.append((message, text))
        answered = bool(text)
    return kept


def _closed(text: str) -> str:
    return text if _END.search(text) else f"{text}."

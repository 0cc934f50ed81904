"""A quote where it was said: the words, the clauses and sentences that hold them, and the question they answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from nebo.reading.meaning.reader import read_text
from nebo.reading.wording.covering import list_words
from nebo.reading.wording.polarity import without_answer

SHORT_ANSWER = 4  # words up to which an answer needs its question
CLAUSE = re.compile(
    r"[,;:.!?…—–\n]+\s*|\s(?=(?:but|aber|sondern|pero|sino|mais|ma|però|and|und|y|et|e|so|because|since|weil|denn|porque|car"
    r"|parce|perché)\s)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuoteInContext:
    """What was said: the words quoted, the message in which they stand, and what stood before it.

    `own_names` are the speaker's, and may stand in any claim about them.
    """

    quote: str
    message: str
    start: int
    before: str = ""
    on: date | None = None
    own_names: tuple[str, ...] = ()

    @property
    def question(self) -> str:
        """The question that a short answer answers: the last sentence before it, if it asks."""
        asked = [one for one in re.split(r"(?<=[.!?？])\s+|\n", self.before.strip()) if one]
        short = len(list_words(self.quote)) <= SHORT_ANSWER
        asks = bool(asked) and asked[-1].rstrip().endswith(("?", "？"))
        return asked[-1] if asks and short else ""

    @property
    def around(self) -> tuple[str, ...]:
        """Where names may stand."""
        return (self.message, self.before, *self.own_names)

    @property
    def corrects(self) -> bool:
        """Whether it is a "No, …", after which nothing asked before holds."""
        return without_answer(self.quote) != self.quote

    @property
    def clauses(self) -> str:
        """The whole clauses that hold the quote: what is cut off a clause may turn it round, or be whom it is about."""
        end = self.start + len(self.quote)
        cuts = list(CLAUSE.finditer(self.message))
        begin = max((cut.end() for cut in cuts if cut.end() <= self.start), default=0)
        close = min((cut.start() for cut in cuts if cut.start() >= end), default=len(self.message))
        return self.message[begin:close]

    @property
    def led_by(self) -> str:
        """What leads up to those clauses in their sentence: "Before," or "Not I,"."""
        return self.sentences.partition(self.clauses)[0] if self.clauses else ""

    @property
    def sentences(self) -> str:
        """The whole sentences that hold the quote."""
        end = self.start + len(self.quote)
        spans = [one for one in read_text(self.message).sentences if one.start < end and self.start < one.end]
        return self.message[spans[0].start : spans[-1].end] if spans else self.quote

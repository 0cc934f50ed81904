"""Two wishes in one sentence: "tutoie-moi, et fais court" is read as two, so that either may be taken back alone."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.cutting import PAUSE, without_link
from nebo.reading.meaning.sentences import Span
from nebo.reading.meaning.telling import ClauseReading

_PLEASE = re.compile(
    r",?\s*\b(?:please|pls|bitte|danke|por favor|porfa|gracias|stp|merci|per favore|grazie)\W*$",
    re.IGNORECASE,
)
# What such wishes are about, as their slots begin ("length:short").
OF_MANNER = ("length", "emoji", "formality", "address")


def part_wishes(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """The two wishes that a sentence joins, each for itself; none where it is one or something else."""
    if not read(span.text).may_be("wish"):
        return []
    before = span.start - (len(span.text) - (span.end - span.start))
    for pause in PAUSE.finditer(span.text):
        left = Span(span.text[: pause.start()], span.start, before + pause.start())
        right = without_link(Span(span.text[pause.end() :], before + pause.end(), span.end))
        first, second = read(left.text), read(_PLEASE.sub("", right.text))
        about = [one.slot.partition(":")[0] for one in (first, second)]
        both = first.may_be("wish") and second.may_be("wish")
        if both and about[0] != about[1] and all(one in OF_MANNER for one in about):
            return [left, right]
    return []

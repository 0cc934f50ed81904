"""Whether a quote supports something to do, or that it is done."""

from __future__ import annotations

import re
from datetime import date

from nebo.reading.meaning.reader import read_sentence, relation
from nebo.reading.support.claims import (
    MOSTLY,
    weigh_figures,
    weigh_manner,
    weigh_names,
    weigh_share,
)
from nebo.reading.support.quoted import QuoteInContext
from nebo.reading.support.verdicts import SUPPORTED, Support, doubt, refuse
from nebo.reading.times.dates import find_due, iter_when
from nebo.reading.wording.polarity import is_denied

OVER = 0.6  # chance of being done or dropped from which a quote opens nothing
AHEAD = 0.3  # chance of being yet to be done, without which a quote must read as a plan itself
HINT = 0.1  # chance of the sentence itself giving something up
SETTLED = 0.5  # chance of being done or dropped from which a quote closes something
_SHOUTED = re.compile(r"\b[^\W\d_]{5,}\b(?<=[A-ZÀ-ÖØ-Þ]{5})")


def weigh_task(text: str, source: QuoteInContext, kind: str = "commitment") -> Support:
    """Something to do must be said by its words, not denied, and not be done already; what is kept up, left open or
    bothers (the other kinds) must be said.
    """
    for fault in (
        weigh_names(text, source),
        weigh_figures(text, source),
        weigh_manner(source, serious=False),
    ):
        if fault and fault.grade == "unsupported":
            return fault
    share = weigh_share(text, source)
    if share < MOSTLY:
        named = "The words quoted say nothing of it."
        return refuse(named) if not share and not _is_near(text, source.quote) else doubt(named)
    if kind != "commitment":
        return SUPPORTED
    if is_denied(source.clauses) != is_denied(text):
        return refuse("The words quoted say the opposite.")
    planned = _is_planned(source.sentences)
    if not planned and _chance(text, source.quote, ("done", "dropped")) >= OVER:
        return doubt("The words quoted say that it is done.")
    if not planned and _chance(text, source.quote, ("not_done", "put_off")) < AHEAD:
        return doubt("The words quoted don't say that it is to be done.")
    return SUPPORTED


def weigh_settled(text: str, source: QuoteInContext) -> Support:
    """That something is done or given up must be what the quote says of it."""
    if is_denied(source.clauses) and not _is_dropped(text, source.clauses):
        return refuse("The words quoted say that it isn't done.")
    if min(_chance(text, words, ("done", "dropped")) for words in (source.quote, source.clauses)) < SETTLED:
        return refuse("The words quoted don't say that it is done.")
    fault = weigh_manner(source, serious=True)
    return fault or SUPPORTED


def supported_due(due: date | None, source: QuoteInContext) -> date | None:
    """A day by which something is to be done, if the quote names it; else the day that the quote does name."""
    if source.on is None:
        return due if due and str(due.day) in source.quote else None
    named = {when.due or when.day for when in iter_when(source.quote, source.on, future=True)}
    if due in named:
        return due
    found = find_due(source.quote, source.on)
    return found.due if found else None


def _is_near(text: str, quote: str) -> bool:
    return _chance(text, quote, ("done", "dropped", "put_off", "not_done", "same")) >= OVER


def _is_dropped(text: str, quote: str) -> bool:
    """A "not" beside a task reads much like giving it up: the sentence itself must say so, too."""
    return _chance(text, quote, ("dropped",)) >= SETTLED and read_sentence(quote).chances["dropped"] >= HINT


def _is_planned(quote: str) -> bool:
    """A plan reads much like what is done; what opens a task is known by its kind."""
    meaning = read_sentence(quote)
    return meaning.may_be("todo") or meaning.may_be("request")


def _chance(text: str, quote: str, kinds: tuple[str, ...]) -> float:
    chances = relation(_SHOUTED.sub(lambda word: word[0].lower(), text), quote)
    return sum(chance for kind, chance in chances.items() if kind in kinds)

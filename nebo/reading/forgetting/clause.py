"""The clause of a sentence that asks to forget: "forget that row" of "we're fine again, please forget that row"."""

from __future__ import annotations

from dataclasses import replace

from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.meaning.telling import DOUBT, TELLING
from nebo.reading.words.bare_request import list_clauses, states, without_lead
from nebo.reading.words.forget_words import begins_to_forget
from nebo.reading.words.naming import named_words
from nebo.reading.words.pauses import split_at_pauses

LEAST = 0.1  # chance of a request about what is kept, from which such an order is one


def without_reasons(request: Sentence) -> Sentence:
    """The request without what stands before and behind its own clause: why it is asked, or that all is well again.

    As it is where no clause by itself surely asks, and names what is meant or begins with "forget that".
    """
    rest = without_lead(request.text)
    clauses = list_clauses(rest)
    asking = [clause for clause in clauses if _asks(clause)] or list(filter(_points, clauses[:1]))
    if len(asking) != 1:
        return request
    behind = clauses[clauses.index(asking[0]) + 1 :]
    return replace(request, text=without_lead(asking[0])) if all(map(_stands_apart, behind)) else request


def _stands_apart(clause: str) -> bool:
    """Whether a clause goes on with no list of what is to be forgotten: "…, my wife reads this"."""
    chances = read_sentence(clause).chances
    return states(clause) or any(chances[kind] >= DOUBT for kind in TELLING)


def _asks(clause: str) -> bool:
    alone = without_lead(clause)
    return bool(named_words(alone)) and (read_sentence(alone).is_sure("forget") or orders_to_forget(alone))


def _points(clause: str) -> bool:
    """Whether it means what was said just now: "please forget that, she told me in confidence"."""
    alone = without_lead(clause)
    return not named_words(alone) and orders_to_forget(alone)


def orders_to_forget(text: str) -> bool:
    """Whether a text begins with that order, and by its meaning may be one: "Forget the umbrella, it's sunny" isn't.

    What stands behind may hide it: "forget the argument with Tom, we sorted it out".
    """
    if not begins_to_forget(text):
        return False
    clauses = {text, without_lead(text), *split_at_pauses(text)[:1]}
    readings = [read_sentence(clause).chances for clause in clauses]
    return max(chances["forget"] + chances["remember"] for chances in readings) >= LEAST

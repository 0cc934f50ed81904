"""The clause of a sentence that asks to forget: "forget that row" of "we're fine again, please forget that row"."""

from __future__ import annotations

import re
from dataclasses import replace

from nebo.reading.meaning.cutting import BELONGS
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.words.forget_words import begins_to_forget
from nebo.reading.words.naming import named_words
from nebo.reading.words.pauses import split_at_pauses

# A clause with a subject or a verb of its own; what has none goes on with a list: "…, my phone number and my email".
LEAST = 0.1  # chance of a request about what is kept, from which such an order is one
_STATES = re.compile(
    r"\b(?:i|we|he|she|it|they|you|is|was|are|were|has|had|did|ich|wir|er|sie|es|ist|war|sind|waren|hat|hatte|haben"
    r"|fue|era|está|estaba|es|son|eran|ha|han|il|elle|on|est|était|sont|c['’]est|c['’]était|è|era|sono|hanno|io|noi)\b",
    re.IGNORECASE,
)


def without_reasons(request: Sentence) -> Sentence:
    """The request without what stands before and behind its own clause: why it is asked, or that all is well again.

    As it is where no clause by itself surely asks, and names what is meant.
    """
    clauses = split_at_pauses(request.text)
    asking = [clause for clause in clauses if _asks(clause)]
    if len(asking) != 1 or any(_goes_on(clause) for clause in clauses[1:]):
        return request
    behind = clauses[clauses.index(asking[0]) + 1 :]
    if not all(_STATES.search(clause) or not named_words(clause) for clause in behind):
        return request
    return replace(request, text=asking[0])


def _goes_on(clause: str) -> bool:
    """Whether it says what the clause before means: „lösch bitte, was ich über Tennis gesagt habe“."""
    belongs = BELONGS.match(clause)
    return belongs is not None and clause[belongs.end() :][:2] not in ("'s", "’s")


def _asks(clause: str) -> bool:
    return bool(named_words(clause)) and (read_sentence(clause).is_sure("forget") or orders_to_forget(clause))


def orders_to_forget(text: str) -> bool:
    """Whether a text begins with that order, and by its meaning may be one: "Forget the umbrella, it's sunny" isn't.

    What stands behind may hide it: "forget the argument with Tom, we sorted it out".
    """
    if not begins_to_forget(text):
        return False
    clauses = (text, *split_at_pauses(text)[:1])
    readings = [read_sentence(clause).chances for clause in clauses]
    return max(chances["forget"] + chances["remember"] for chances in readings) >= LEAST

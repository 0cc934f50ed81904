"""The clause of a sentence that asks to forget: "forget that row" of "we're fine again, please forget that row"."""

from __future__ import annotations

import re
from dataclasses import replace

from nebo.reading.meaning.clauses import BELONGS
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.words.naming import named_words
from nebo.reading.words.pauses import split_at_pauses

# A clause with a subject or a verb of its own; what has none goes on with a list: "…, my phone number and my email".
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
    return bool(named_words(clause)) and read_sentence(clause).is_sure("forget")

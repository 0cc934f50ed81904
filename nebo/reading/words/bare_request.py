"""A request without what leads up to it and the reason behind it: "oh and forget that row, it's embarrassing"."""

from __future__ import annotations

import re

from nebo.reading.words.naming import named_words
from nebo.reading.words.openers import without_opener
from nebo.reading.words.pauses import split_at_pauses

# A clause with a subject or a verb of its own; what has none goes on with a list: "…, my phone number and my email".
_STATES = re.compile(
    r"\b(?:might|could|may|can|will|would|reads?|könnten?|kann|soll|darf|liest|podrían?|puede[ns]?|lee|pourrait|peut"
    r"|potrebbe|può|i|we|he|she|it|they|you|is|was|are|were|has|had|did|ich|wir|er|sie|es|ist|war|sind|waren|hat|hatte|haben"
    r"|nobody|no one|niemand|keine[rn]?|nadie|personne|nessuno|me|se|si|mi|j['’]\w+|weiß|geht|sabe|sait|sa"
    r"|fue|era|está|estaba|es|son|eran|ha|han|il|elle|on|est|était|sont|c['’]est|c['’]était|è|era|sono|hanno|io|noi)\b",
    re.IGNORECASE,
)
# A clause that begins so belongs to the one before it: „lösch bitte, wo ich wohne“.
BELONGS = re.compile(
    r"(?:that|which|who|whom|whose|what|where|when|why|how|if|whether|dass|dat|wo|was|wat|wer|wen|wem|wie|wann|warum|ob|welch\w*"
    r"|que|quien|donde|dónde|cuando|cuándo|cómo|si|qui|quoi|dont|où|quand|comment|che|chi|dove|quando|come|se)\b",
    re.IGNORECASE,
)
_IS = re.compile(r"['’]s\b|\s(?:was|is|were)\b")  # "…, that was private" says something of its own
_LEADING_WORD = re.compile(
    r"(?:ok|okay|so|well|now|just|then|na|also|dann|jetzt|bueno|pues|bon|alors|allora|dai"
    r"|(?:can|could|would|will) you(?: please| kindly| just){0,2}(?= forget\b)|(?:podrías|puedes)(?= olvidar\b)"
    r"|(?:pourrais|peux)-tu(?= oublier\b)|(?:potresti|puoi)(?= dimenticare\b))\s+",
    re.I,
)
MAX_LEADING = 3


def without_lead(text: str) -> str:
    """The request alone: "oh and", "ok so", „ach ja, und“ are off; the text itself where nothing leads up to it."""
    rest = without_opener(text, call=False)
    for _ in range(MAX_LEADING):
        found = _LEADING_WORD.match(rest)
        if found is None:
            break
        rest = without_opener(rest[found.end() :], call=False)
    return rest


def list_clauses(text: str) -> list[str]:
    """The clauses of a request, each with what belongs to it; one where it has no pause."""
    clauses: list[str] = []
    for part in split_at_pauses(text) or [text]:
        if clauses and belongs(part):
            clauses[-1] = f"{clauses[-1]}, {part}"
        else:
            clauses.append(part)
    return clauses


def belongs(clause: str) -> bool:
    """Whether it says what the clause before means: „lösch bitte, was ich über Tennis gesagt habe“."""
    found = BELONGS.match(clause)
    return found is not None and not _IS.match(clause, found.end())


def states(clause: str) -> bool:
    """Whether a clause says something of its own, and doesn't go on with a list; or names nothing at all."""
    return _STATES.search(clause) is not None or not named_words(clause)


def bare_requests(text: str) -> tuple[str, ...]:
    """The request without what leads up to it, and also without the reasons behind it, where it names something."""
    rest = without_lead(text)
    first, *behind = list_clauses(rest)
    shorter = (rest, first) if behind and all(map(states, behind)) else (rest,)
    return tuple(one for one in dict.fromkeys(shorter) if one != text and named_words(one))

"""What two wishes may both be about, by their words: the form of address („Sie“, "tú"), and the language of the answers
to what is written in another.
"""

from __future__ import annotations

import re

from nebo.reading.requests.wishes import LANGUAGE
from nebo.reading.times.calendar_words import COUNTS

_FORM = re.compile(
    r"\b(?:siez\w*|duz\w*|(?:das |per )(?:Sie|du)\b|tute\w+|(?:de|por) (?:usted|tú)|tutoy\w*|vouvoy\w*"
    r"|del (?:tu|lei))\b",
    re.IGNORECASE,
)
# Who writes in a language: the person, under a condition, and not the answers.
_THEY_WRITE = re.compile(
    r"\b(?:I(?:['’]m)?|ich|je|j['’]|escrib[oa]|hablo|hable|scrivo|parlo|écris|parle|schreibe|spreche)\b(?:\W+\w+){0,4}\W*$",
    re.IGNORECASE,
)
# How much an answer may be: "10 words", "five bullet points", „drei Sätze“.
_EXTENT = re.compile(
    rf"\b(?:\d+|one|a couple of|{'|'.join(COUNTS[2:])}) (?:\w+ )?(?:words?|sentences?|lines?|paragraphs?"
    r"|bullets?|bullet points?|points|wörter[n]?|worte?|sätze[n]?|satz|zeilen?|absätze[n]?|stichpunkte?n?"
    r"|palabras|frases?|líneas?|párrafos?"
    r"|puntos|mots|phrases?|lignes?|paragraphes?|parole|fras[ei]|righ[ae]|punti)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:]")


def speaks_of_address(text: str) -> bool:
    """Whether a wish is about formal or familiar pronouns: „bitte sieze mich“, "puedes tutearme"."""
    return _FORM.search(text) is not None


def sets_extent(text: str) -> bool:
    """Whether a wish says how much an answer may be: who asks for ten words asks for no five points any more."""
    return _EXTENT.search(text) is not None


def read_language_rule(text: str) -> tuple[str, frozenset[str]]:
    """The language of the answers, and those the person writes in; empty where a sentence names none, or two."""
    answers: set[str] = set()
    written: set[str] = set()
    for found in LANGUAGE.finditer(text):
        clause = _CLAUSE.split(text[: found.start()])[-1]
        (written if _THEY_WRITE.search(clause) else answers).add(str(found.lastgroup))
    return (answers.pop() if len(answers) == 1 else "", frozenset(written))

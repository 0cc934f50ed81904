"""Whether a text speaks of somebody whom only the words before it name: "I'm calling him on Monday"."""

from __future__ import annotations

import re

# "I'll see her on Thursday", „Ich schreibe ihr eine Mail“; not "her dog"
_HER = (
    r"her(?=[.,;!?]|$| (?:on|at|in|to|by|for|about|with|and|back|again|an?|the|my|our|to\w+|this|next)\b)"
    r"|ihr(?=[.,;!?]|$| (?:ein\w*|kein\w*|das|die|den|bei\w*|am|im|um|zu\w*|mit|morgen|heute|nicht|gern\w*|davon)\b)"
)
# Of the third person, and clitics that no article looks like.
_SOMEBODY = re.compile(
    rf"\b(?:he|she|they|him|them|{_HER}|er|ihn|ihm|ihnen|él|ella|ellos|ellas|elle|elles|lui|lei|loro)\b"
    r"|^(?:y |e |pero )?(?:ya |luego |mañana |hoy )?(?:lo|le|les|la|las|los) "
    r"(?:he|ha|hemos|han|voy|va|vamos|[^\W\d_]+(?:o|é|aré|eré|iré|aremos|amos))\b",
    re.IGNORECASE,
)
# What such a word can stand for, where it comes before it: a name, or "my brother".
_NAMED = re.compile(
    r"(?<!^)(?<![.!?:„“\"] )\b[A-ZÀ-ÖØ-Þ][^\W\d_]+"
    r"|\b(?i:my|our|his|her|their|the|an?|mein\w*|unser\w*|dein\w*|der|die|das|den|dem|ein\w*|mis?|nuestr\w+|tus?|sus?|el"
    r"|un[ao]?|mon|ma|mes|notre|nos|une|mi[oa]|nostr[oa]) [^\W\d_]{3,}"
)
_FIRST = re.compile(r"[A-ZÀ-ÖØ-Þ][^\W\d_]+(?=,| (?:and|und|y|et|e) )")  # "Ada and I think that she …"


def leaves_somebody_unnamed(text: str) -> bool:
    """Whether a pronoun of the text stands for somebody of whom nothing before it in the text tells."""
    pronoun = _SOMEBODY.search(text)
    if pronoun is None:
        return False
    before = text[: pronoun.start()]
    return not (_NAMED.search(before) or _FIRST.match(before))

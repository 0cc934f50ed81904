"""Verbs whose form says who speaks: "soy vegana" and "abito a Bari" have their subject, and are whole sentences."""

from __future__ import annotations

import re

FIRST_PERSON = (
    r"(?i:(?:ya )?(?:no |non )?(?:me llamo|me gustan?|me dedico|mi chiamo|mi piac\w+|soy|estoy|tengo|vivo|trabajo"
    r"|estudio|hablo|toco|juego|hago|uso|llevo|sono|ho|abito|lavoro|faccio|suono|gioco|studio|parlo|porto)\b)"
)
_BEGINS = re.compile(FIRST_PERSON)


def has_bare_verb(clause: str) -> bool:
    """Whether a clause begins with the speaker's own verb, without a pronoun."""
    return _BEGINS.match(clause) is not None

"""Whether a question is about how things were, so that what is over may answer it."""

from __future__ import annotations

import re

from nebo.reading.wording.covering import language_of

_PAST = {
    "en": r"used to|formerly|previous(?:ly)?|former|earlier|before|originally|at first|ex|back then"
    r"|last (?:year|month|time)|history|ago|until|changed?|(?:wh\w+|how) (?:was|were)",
    "de": r"früher\w*|vorher\w*|zuvor|davor|damals|ehemal\w+|einst|ursprünglich|letzte[nrms]? (?:jahr|monat|mal)|bis"
    r"|war(?:en|st)?|gewesen|gewohnt|gearbeitet|geändert",
    "es": r"antes|anterior(?:es|mente)?|antigu[oa]s?|al principio|hasta|cambi(?:ó|ado)|era[ns]?|estaba[ns]?|vivía[ns]?",
    "fr": r"avant|auparavant|ancien(?:ne)?s?|autrefois|jusqu\w*|étai(?:s|t|ent)|habitai\w+|changé",
    "it": r"prima|precedent[ei]|una volta|fino|er[oi]|erano|viveva\w*|abitav\w+|cambiat[oa]",
}
_OF_PAST = {name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _PAST.items()}


def asks_of_the_past(question: str) -> bool:
    """Whether it has a word of the past: "Where did I live before?" has one, "Where do I live?" none."""
    return bool(_OF_PAST.get(language_of(question), _OF_PAST["en"]).search(question))

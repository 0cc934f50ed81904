"""What was to come out on a day, and is out: "Fernweh is out since the 2nd" after "Fernweh kommt am 2. April raus"."""

from __future__ import annotations

import re

from nebo.reading.meaning.reader import Sentence
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.dates import names_time

DOUBT = 0.5  # chance of asking or supposing, from which nothing is out
_CAPITAL = re.compile(r"(?<!\w)[A-ZÀ-ÖØ-Þ][\w'’-]{2,}")
_TO_COME = re.compile(
    r"\b(?:launch(?:es|ing)?|(?:comes?|coming|goes|going|be) (?:out|live)|releases?d?|ships?"
    r"|kommt?\b[^,;!?]{0,40}\b(?:raus|heraus)|erscheint|startet"
    r"|sale|se lanza|se publica|sort(?:ira)?|paraît|esce|uscirà)\b",
    re.IGNORECASE,
)
_IS_OUT = re.compile(
    r"\b(?:(?:is|['’]s) (?:finally |now )?(?:out|live)\b(?! (?:of|on|in|to|for|with)\b)|(?:has )?launched"
    r"|was released|came out"
    r"|(?:ist|sind) (?:[^,;.!?]{0,25} )?(?:draußen|raus|erschienen|gestartet)|ya (?:ha salido|salió|está fuera)"
    r"|(?:est|sont) (?:enfin )?sorti\w*|è (?:finalmente )?uscit[oa])\b",
    re.IGNORECASE,
)


def is_released(known: str, sentence: Sentence) -> bool:
    """Whether what is known tells on which day something of a name was to come out, and a sentence that it has."""
    stated, chances = sentence.text, sentence.meaning.chances
    if not (_TO_COME.search(known) and names_time(known) and _IS_OUT.search(stated)):
        return False
    if denies(stated) or tells_ahead(stated) or max(chances["question"], chances["supposed"]) >= DOUBT:
        return False
    ours, theirs = (set(_CAPITAL.findall(text)) for text in (known, stated))
    return bool(ours & theirs)

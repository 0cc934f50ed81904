"""What the speaker can't eat or drink any more: it sounds like something that ended, and holds from then on."""

from __future__ import annotations

import re

from nebo.reading.meaning.reader import Sentence

DOUBT = 0.5  # chance of asking or supposing, from which it tells nothing
_ANY_MORE = r"\b[^.!?]*\b(?:any ?more|any longer|these days|now|doctor|gp|dietitian)\b"
_CANNOT_HAVE = re.compile(
    rf"\bi(?: can['’]?t| cannot|['’]m not (?:allowed|supposed) to| mustn['’]?t| shouldn['’]?t)"
    rf" (?:eat|drink|tolerate|digest|stomach) (?!any ?more|another|more|this|that|it\\b)[a-z]{_ANY_MORE}"
    r"|\bi (?:can no longer|no longer) (?:eat|drink|tolerate|digest|stomach) [a-z]"
    r"|\bich vertrag(?:e|['’])?\b[^.!?]*\b(?:kein\w*|nicht)\b|\bvertrag(?:e|['’])? ich\b[^.!?]*\b(?:kein\w*|nicht)\b"
    r"|\b(?:ich (?:darf|kann|soll)|(?:darf|kann|soll) ich)\b[^.!?]*\bkein\w* [^.!?]*\bmehr (?:essen|trinken|haben)\b"
    r"|\bya no (?:puedo|debo) (?:comer|tomar|beber) [a-zñ]|\bno tolero (?:la|el|los|las|ning)"
    r"|\bje ne (?:peux|dois) plus (?:manger|boire|prendre) (?:de |d['’])"
    r"|\bje ne (?:supporte|tolère|digère) (?:plus|pas) (?:le|la|les|l['’])"
    r"|\bnon (?:posso|devo) più (?:mangiare|bere|prendere) [a-z]"
    r"|\bnon (?:tollero|digerisco) (?:più )?(?:il|lo|la|i|gli|le|l['’])",
    re.IGNORECASE,
)


def cannot_have(sentence: Sentence) -> bool:
    """Whether the speaker says what they can't eat or drink any more, whoever told them so: „ich vertrag keine Laktose
    mehr, sagt der Arzt“.
    """
    chances = sentence.meaning.chances
    asks = any(chances[kind] >= DOUBT for kind in ("question", "supposed", "request"))
    return not asks and _CANNOT_HAVE.search(sentence.text) is not None

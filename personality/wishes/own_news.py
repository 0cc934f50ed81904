"""What speakers tell of themselves beside a wish: why it lasts, or only their own news, which asks for nothing."""

from __future__ import annotations

import re
from dataclasses import replace

from nebo.reading.meaning.cutting import OWN_SUBJECT, PAUSE
from nebo.reading.meaning.kinds import OF_MANNER, Kind
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.requests.wishes import likely_slots, read_values
from nebo.reading.words.openers import without_opener

ASKS = 0.8  # chance of a request or a wish, together, from which a sentence is one of them
DOUBT = 0.5  # chance of being meant otherwise
REASON_LASTS = 0.9  # chance of telling what lasts, from which a reason makes a request one for all answers
OF_ANSWERS = (
    "format",
    "words",
    "tone",
    "sources",
    "units",
    "language",
)  # slots of what one answer may have, too
_READS = re.compile(
    r"\b(?:read|listen|hear|look|les|lese|hör|höre|seh|sehe|schau|schaue|leo|oigo|miro|veo|lis|écoute|vois|leggo|sento|vedo)\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"^(?:because|since|cause|cuz|weil|da|denn|porque|que|parce que|car|perché)\s+", re.IGNORECASE
)
_NOT_ASKED: tuple[Kind, ...] = (
    "question",
    "quoted",
    "supposed",
    "joking",
    "todo",
    "forget",
    "remember",
    "asks_back",
)
# "me mudo", "nos casamos": the verb says who does it.
_OWN_REFLEXIVE = re.compile(r"\b(?:me [a-zñáéíóú]{2,}o|nos [a-zñáéíóú]+mos)\b", re.IGNORECASE)
_OF_AGENT = re.compile(
    r"\b(?:you|your\w*|u|du|dir|dich|dein\w*|Sie|Ihnen|tú|te|ti|tu|tus|usted|vos|vous|toi|votre|Lei|tuo|tua"
    r"|(?:answer|repl(?:y|ies)|respon|write|written|talk|tone|style|list|bullet|detail|emoji|smiley|joke|formal|casual"
    r"|antwort|schreib|stil|ton|liste|stichpunkt|ausführlich|kurz|förmlich|siez|duz|witz"
    r"|respuesta|escrib|lista|detalle|tute|chiste|largo|corto|breve"
    r"|répon|écri|liste|détail|court|long|rispo|scriv|elenc|dettagl)\w*)\b",
    re.IGNORECASE,
)


def _is_of_manner(slot: str, reason: str) -> bool:
    """Whether it is about the manner of all answers; what is for one piece of work, only if it is how they are read."""
    return slot in OF_MANNER or (slot in OF_ANSWERS and _READS.search(reason) is not None)


def without_reason(sentence: Sentence) -> Sentence:
    """A request about the manner whose reason lasts, as a sure wish: "schreib es als Tabelle, ich les das am Handy"."""
    meaning = sentence.meaning
    asks = meaning.chances["request"] + meaning.chances["wish"] >= ASKS
    if meaning.is_sure("wish") or not asks or any(meaning.chances[kind] >= DOUBT for kind in _NOT_ASKED):
        return sentence
    for pause in PAUSE.finditer(sentence.text):
        head, tail = sentence.text[: pause.start()], _BECAUSE.sub("", sentence.text[pause.end() :])
        reason = read_sentence(tail)
        lasts = reason.chances["lasting"] >= REASON_LASTS and reason.chances["passing"] < DOUBT
        if OWN_SUBJECT.match(tail) and lasts and _is_of_manner(read_sentence(head).slot, tail):
            sure: frozenset[Kind] = frozenset({"wish"})
            wished = replace(meaning, chances={**meaning.chances, "wish": 1.0}, acts=meaning.acts | sure)
            return replace(sentence, text=head, meaning=replace(wished, asks=wished.asks | sure))
    return sentence


def tells_own_news(sentence: Sentence) -> bool:
    """Whether a speaker tells only what they do themselves, and has no word of the agent or its manner: "al final me
    mudo" takes nothing back.
    """
    text = without_opener(sentence.text)
    if not (OWN_SUBJECT.match(text) or _OWN_REFLEXIVE.search(text)) or _OF_AGENT.search(text):
        return False
    return not any(read_values(text, slot) for slot in likely_slots(sentence.meaning.slots))

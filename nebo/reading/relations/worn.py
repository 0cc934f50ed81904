"""What somebody wears, or has in them, until they are well, and is off or out: "the cast is off"."""

from __future__ import annotations

import re

from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.wording.vocabulary import names_other_kin

DOUBT = 0.5  # chance of asking or supposing, from which nothing is off
# One word for each such thing, in five languages: what is called so in one may be told in another.
_AIDS = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"braces?|train tracks|(?:zahn)?(?:spange|klammer)|aparato|brackets"
        r"|appareil(?: dentaire)?|bagues|apparecchio",
        r"cast|plaster(?: cast)?|gips\w*|escayola|yeso|plâtre|gesso",
        r"stitches|staples|fäden|klammern|puntos|grapas|points(?: de suture)?|agrafes|punti",
        r"splint|moon ?boot|orthopa?edic boot|sling|neck brace|collar|schiene|orthese|halskrause|armschlinge|férula"
        r"|cabestrillo|collarín|attelle|minerve|écharpe|tutore|collare",
        r"catheter|drain|feeding tube|katheter|drainage|magensonde|catéter|sonda|drenaje|cathéter|sonde|drain|catetere"
        r"|sondino|drenaggio",
        r"crutch(?:es)?|(?:walking |zimmer )?frame|krücken?|gehhilfen?|rollator|muletas?|andador"
        r"|béquilles?|stampell[ae]",
        r"bandages?|dressing|verband|vendaje|venda|bandage|pansement|benda|fasciatura",
    )
)
_NO_LONGER = (
    r"(?:ya no (?:llevo|uso|necesito)|keine?n? [^,.;!?]{3,20} mehr|no longer|ne \w+ plus|non \w+ più)"
)
_OFF = re.compile(
    r"\b(?:(?:is|are|['’]s|['’]re|was|were|came|got|have come|has come)(?: finally| now| already| all| just)* "
    r"(?:off|out|removed|taken (?:off|out))(?! (?:of|the|my)\b)"
    r"|(?:had|got) [^,;.!?]{3,30} (?:removed|taken (?:off|out)|off|out)"
    r"|(?:^|i['’]m |i am |been )(?:finally |now )?off (?:the|my)"
    r"|(?:ist|sind|kam|kamen) (?:[^,;.!?]{1,25} )?(?:draußen|raus|ab|weg|runter)(?=[,.;!]|$)"
    r"|raus(?:genommen|gekommen)|(?:ab|herunter)genommen|entfernt|(?:wurde|wurden) [^,;.!?]{0,25}gezogen"
    r"|me (?:han|ha) (?:quitado|sacado|retirado)|me (?:quitaron|sacaron)"
    rf"|{_NO_LONGER}"
    r"|(?:on m['’]a|ils m['’]ont) (?:enlevé|retiré|ôté)|mi hanno (?:tolto|levato))\b",
    re.IGNORECASE,
)
_DENIED_END = re.compile(_NO_LONGER, re.IGNORECASE)
_THEIRS = re.compile(r"\w['’]s (?:\w+ )?\w+ (?:is|are)\b", re.IGNORECASE)  # "my daughter's braces are off"


def is_taken_off(known: str, sentence: Sentence) -> bool:
    """Whether such a thing that is known of somebody is off or out, by a sentence that names it."""
    text, meaning = sentence.text, sentence.meaning
    if (
        _OFF.search(text) is None
        or denies(known)
        or tells_ahead(text)
        or names_other_kin(known, text, family=True)
    ):
        return False
    if (denies(text) and not _DENIED_END.search(text)) or max(_unsaid(meaning)) >= DOUBT:
        return False
    same_person = read_sentence(known).is_of_another() or not _THEIRS.search(text)
    return same_person and any(aid.search(known) and aid.search(text) for aid in _AIDS)


def _unsaid(meaning: Meaning) -> tuple[float, ...]:
    return tuple(meaning.chances[kind] for kind in ("question", "supposed", "quoted"))

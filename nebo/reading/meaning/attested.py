"""What somebody who must know says of the speaker is so: "my allergist says I can have walnuts after all".

What others say is theirs to say, and settles nothing. But a doctor's finding, or a test's, is told since it is true.
Only what says how it is counts, no advice, and only of the body, or that something is otherwise than it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from nebo.encoders.weights import Array
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.cutting import OWN_SUBJECT
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.sentences import capital
from nebo.reading.meaning.trades import SURELY, nearness
from nebo.reading.wording.vocabulary import kin_of

OF_BODY = ("health", "allergy", "diet")
LIKELY = 0.3  # chance of being somebody's words, from which it is asked whose they are
TELLS = 0.4  # chance of telling of the body, from which a finding does
_SAYS = re.compile(
    r"(?:(?:and|but|so|well|ok|und|also|aber|y|pero|et|mais|e|ma),? )?"
    r"(?:(?:my|me|the|our|der|die|das|mein\w*|unser\w*|el|la|mi|nuestr[oa]|le|l['’]|mon|ma|il|(?:il|la) mi[oa]) ?)?"
    r"(?P<dr>(?:dr|doctor|doktor|doctora|dra|docteur|dott)\.? (?=[A-ZÀ-Þ]))?"
    r"(?P<who>[^\W\d_][\w-]*) (?:has |have |hat |ha |a )?"
    r"(?:says?|said|told (?:me|us)|tells me|confirm(?:s|ed)|reckons|found(?: out)?|show(?:s|ed)|ruled"
    r"|sagte?|meinte?|bestätigte?|me (?:dice|dijo|ha dicho)|dice|dijo|dicho|confirmó|confirma|dit|confirme|detto)"
    r",? (?:that |dass |que |qu['’]|che )?(?P<claim>\S.*)",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"(?:\w*test|scan|mri|x-?ray|ultrasound|bloods?|biopsy|results?|\w*befund|blutbild|ultraschall|prueba|análisis"
    r"|analyse|examen|esame|analisi)s?",
    re.IGNORECASE,
)
_EXPERT = re.compile(
    r"\w{3,}(?:[oa]log(?:ist|ue|e|in|[oa])?s?|gist|tician|therapist|practitioner|arzt|ärztin)|gp|doc|vet|derm",
    re.IGNORECASE,
)
# Of whom it may be, only who looks at bodies says for sure: "my boss said he's allergic".
_OF_THEM = re.compile(r"(?:s?he|they|er|sie|él|ella|elle|il|lui|lei)\b", re.IGNORECASE)
# Who says what is so at work or at home.
_IN_CHARGE = kin_of("boss") | kin_of("landlord")
# What somebody advises, or supposes, isn't so yet.
_ADVICE = re.compile(
    r"\b(?:should|ought|must|need|had better|have to|better|could|might|maybe|probably|if|soll\w*|muss|müsste|könnte"
    r"|vielleicht|wenn|deber\w+|debo|tengo que|quizás?|si|devrais|dois|faut|peut-être|dovrei|devo|forse)\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:after all|again|no longer|any ?more|from now on|now|only|doch|wieder|nicht mehr|ab jetzt|nur|jetzt|ya"
    r"|al final|otra vez|de nuevo|finalement|de nouveau|ne \w+ plus|di nuovo|non \w+ più)\b",
    re.IGNORECASE,
)
_TOLD_OF = re.compile(
    r"(?:it(?:['’]s|s| is| isn['’]?t| was)|(?:ya |no )*(?:puedo|tengo|soy|estoy)|es ist|das ist|c['’]est|posso|sono"
    r"|(?-i:[A-ZÀ-Þ])[\w-]+(?:['’]s| is| has| isn['’]?t| hasn['’]?t| ist| hat| es| está)) ",
    re.IGNORECASE,
)


def find_claim(text: str, encode: Callable[[str], Array]) -> str:
    """What a doctor, a test or whoever must know it says, in a sentence that tells it; else empty."""
    found = _SAYS.match(text)
    if found is None or _ADVICE.search(found["claim"]) or text.rstrip().endswith("?"):
        return ""
    claim, who = capital(found["claim"]), found["who"]
    if not (OWN_SUBJECT.match(claim) or _TOLD_OF.match(claim) or find_antecedent(claim)):
        return ""
    if kin_of(who.lower()) - _IN_CHARGE:
        return ""
    knows = (
        found["dr"]
        or kin_of(who.lower())
        or _TEST.fullmatch(who)
        or _EXPERT.fullmatch(who)
        or nearness(who, encode) >= SURELY
    )
    return claim if knows else ""


def as_attested(
    text: str, meaning: Meaning, read: Callable[[str], Meaning], encode: Callable[[str], Array]
) -> Meaning:
    """What a sentence is that tells a finding: what that is, where it is of the body or otherwise than before."""
    claim = find_claim(text, encode) if meaning.chances["quoted"] >= LIKELY else ""
    if not claim:
        return meaning
    told = read(claim)
    of_body = max(sum(one.slots[slot] for slot in OF_BODY) for one in (told, meaning)) >= TELLS
    if told.chances["quoted"] >= LIKELY or not (of_body or _OTHERWISE.search(claim)):
        return meaning
    own = meaning if meaning.slot in OF_BODY and told.slot not in OF_BODY else told
    return replace(told, slot=own.slot, slot_chance=own.slot_chance, slots=own.slots)

"""That the speaker has been made something at work: "they've made me sous chef", „ich bin befördert worden“."""

from __future__ import annotations

import re

_SINCE = (
    r"(?: (?:now|just|finally|officially|actually|jetzt|nun|endlich|gerade|ya|por fin|enfin|finalmente))*"
)
# Offices that one is given, in the five languages; an office in a club is one, too, and another matter.
_OFFICE = (
    r"(?:head|lead|leader|senior|principal|mid-level|manager"
    r"|supervisor|director|partner|chef|sous chef|foreman|forewoman|captain|chief"
    r"|coordinator|editor|surveyor|engineer|developer|consultant|analyst|sergeant|inspector|officer|lecturer|professor"
    r"|team ?lead|shift ?lead|store ?manager|assistant manager|deputy"
    r"|\w*leiter(?:in)?|\w*chef(?:in)?|\w*meister(?:in)?|vorarbeiter(?:in)?|partner(?:in)?|direktor(?:in)?|prokurist(?:in)?"
    r"|jef[ea]|encargad[oa]|directora?|coordinadora?|capataz|gerente|supervisora?|oficial|soci[oa]|titular"
    r"|cheffe?|responsable|directeur|directrice|associée?|capo|responsabile|direttore|direttrice|titolare)"
)
_PROMOTED = (
    rf"(?:they(?:['’]ve| have)?|(?:the|my) (?:boss|company|firm|manager)(?:['’]s| has)?|(?:he|she)(?:['’]s| has)?)"
    rf"{_SINCE} (?:made|named|appointed|bumped|moved) me (?:up )?(?:to )?(?:the |an? |their )?"
    rf"(?:[\w-]+ ){{0,3}}?{_OFFICE}",
    rf"(?:i['’]ve been|i was|i got|i['’]m being|^got|^been){_SINCE} (?:made|named|appointed|bumped up to|moved up to)"
    rf" (?:the |an? |to )?(?:[\w-]+ ){{0,3}}?{_OFFICE}",
    r"i(?:['’]ve)?(?: finally| just)* made (?:senior|partner|captain|sergeant|inspector|manager|principal|team lead)",
    r"(?:i['’]ve been|i was|i got|^got|^been|they(?:['’]ve| have)?)(?: just| finally| now)* promoted\b"
    r"(?! (?:him|her|them|my|our|the)\b)(?: me)?",
    rf"(?:haben|hat) (?:sie |man |die chefin |der chef )?mich{_SINCE} (?:[^,.;!?]{{0,25}} )?"
    rf"(?:befördert|zu[mr] {_OFFICE} (?:gemacht|ernannt))",
    rf"mich{_SINCE} (?:haben|hat) (?:sie |man ){_SINCE}zu[mr] {_OFFICE} (?:gemacht|ernannt|befördert)",
    rf"(?:bin|wurde) (?:ich )?(?:[^,.;!?]{{0,30}} )?(?:befördert|zu[mr] {_OFFICE} (?:gemacht|ernannt))",
    r"me (?:han (?:hecho|nombrado|ascendido)|hicieron|nombraron|ascendieron)"
    rf"{_SINCE}(?: (?:a |la |el )?(?:\w+ ){{0,2}}?{_OFFICE})",
    rf"(?:on m['’]a|ils m['’]ont|j['’]ai été){_SINCE} (?:nommée?|promue?)|je suis passée? {_OFFICE}",
    rf"mi hanno{_SINCE} (?:promoss[oa]|nominat[oa]|fatt[oa] {_OFFICE})",
    rf"sono stat[oa]{_SINCE} (?:promoss[oa]|nominat[oa])",
)
_MADE = re.compile(rf"\b(?:{'|'.join(_PROMOTED)})\b", re.IGNORECASE)
_NAMED = re.compile(rf"\b{_OFFICE}\b", re.IGNORECASE)
# Of a team that one plays in, or a club.
_AT_PLAY = re.compile(
    r"\b(?:club|choir|society|committee|side|squad|football|cricket|rugby|netball|hockey|team captain|verein\w*|chor"
    r"|mannschaft\w*|peña|coro|equipo de (?:fútbol|baloncesto)|chorale|squadra)\b",
    re.IGNORECASE,
)


# What nobody is any longer who has been made more.
_LOWER = re.compile(
    r"\b(?:junior|trainee|apprentice\w*|assistant|intern|deputy|associate|probationary|in training|commis"
    r"|auszubildende[rn]?|azubi|lehrling|praktikant(?:in)?|werkstudent(?:in)?|volontär(?:in)?|angehende[rn]?"
    r"|stellvertretende[rn]?|aushilfe"
    r"|aprendi[zc]\w*|ayudante|becari[oa]|en prácticas|subdirectora?|stagiaire|apprentie?|alternante?"
    r"|tirocinante|apprendista|aiuto|vice)\b",
    re.IGNORECASE,
)


def find_lower_rank(text: str) -> str:
    """The word by which somebody learns a trade, or helps at it; empty where there is none."""
    found = _LOWER.search(text)
    return found[0] if found else ""


def names_office(text: str) -> bool:
    """Whether a sentence says what somebody has become: "got promoted!" alone doesn't."""
    return _NAMED.search(text) is not None


def tells_of_promotion(text: str) -> bool:
    """Whether the speaker has been made something at work."""
    return _MADE.search(text) is not None and _AT_PLAY.search(text) is None

"""How many of something there are now, where that was counted before: "down to 28 hives now" of "keeps 34 hives".

Such news barely reads as a fact by itself. So what is known stays, with the other number in it.
"""

from __future__ import annotations

import re

from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.calendar_words import COUNTS, UNITS
from nebo.reading.wording.covering import plain

_NUMBER = rf"\d+|{'|'.join(COUNTS[1:])}"
_COUNTED = re.compile(
    rf"(?<![\w.,:$€£-])(?P<count>{_NUMBER}) (?:(?:little|old|young|new|kleine|alte|junge) )?"
    r"(?P<what>[^\W\d_]{4,})(?![\w-])",
    re.IGNORECASE,
)
# That it is all of them: what is left, or what it has come to.
_ALL = re.compile(
    rf"\b(?:down|up|back) to (?:just |only |about )?(?:{_NUMBER})\b"
    rf"|\bonly (?:got |have )?(?:{_NUMBER}) [\w-]+ left\b|\b(?:{_NUMBER}) [\w-]+ (?:now|left)\b(?! (?:to|over|for)\b)"
    rf"|\b(?:(?:i|we)(?:['’]ve|['’]re| have| are)|there are|that['’]s) (?:now )?(?:got |at )?"
    rf"(?:{_NUMBER}) [\w-]+ (?:now|left)\b"
    rf"|\bnow (?:only )?(?:have |got |at )?(?:{_NUMBER})\b"
    rf"|\b(?:nur noch|jetzt|inzwischen|mittlerweile|übrig|sind es)\b[^,.;]*\b(?:{_NUMBER})\b"
    rf"|\b(?:{_NUMBER}) [^\W\d_]+ (?:übrig|jetzt)\b"
    rf"|\b(?:me|nos) qued(?:a|an)\b[^,.;]*\b(?:{_NUMBER})\b"
    rf"|\b(?:ahora|ya) (?:solo )?(?:tengo|tenemos|son|somos) (?:{_NUMBER})\b"
    rf"|\b(?:il (?:me|nous) reste|plus que|maintenant)\b[^,.;]*\b(?:{_NUMBER})\b"
    rf"|\b(?:mi|ci) (?:resta|restano|rimangono)\b[^,.;]*\b(?:{_NUMBER})\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:more|extra|another|additional|of (?:them|the|my|our)|mehr|weitere|davon|más|otr[oa]s|de ell[oa]s|autres"
    r"|altr[ie])\b",
    re.IGNORECASE,
)
# How often: three a day are no three in all.
_RATE = re.compile(
    r"\b(?:each|per|a (?:day|week|month|year)|pro|jede\w*|am tag|cada|al (?:día|mes)|chaque|par|ogni|al giorno)\b",
    re.IGNORECASE,
)
_HAD = re.compile(
    r"\b(?:had|kept|were|was|used to|hatten?|war(?:en)?|tenía|tuve|tuvimos|había|avait|avions|avev\w+)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"(?:the|their|his|her|der|die|das|el|la|los|las|le|les|il|lo) (?P<who>(?:[^\W\d_]+ ){1,2}?)"
    r"(?:has|have|had|keeps?|runs?|hat|haben|tienen?|a|ont|hanno|ha)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(
    "|".join((*UNITS.values(), "years?", "hours?", "minutes?", "euros?", "pounds", "quid", "dollars"))
)
LETTERS = 4  # by which both count one thing


def tells_what_is_left(text: str) -> bool:
    """Whether a text counts all that there are now of something: "down to 28 hives", „nur noch 9 Hühner“."""
    return _ALL.search(text) is not None and _COUNTED.search(text) is not None


def count_anew(known: str, stated: str) -> str:
    """What is known with the number of which a sentence says that it is all there are now; empty where it says no such
    thing.
    """
    ours, theirs = ([*_COUNTED.finditer(text)] for text in (known, stated))
    if len(ours) != 1 or not theirs or not _ALL.search(stated) or _MORE.search(stated):
        return ""
    if denies(known) or denies(stated) or tells_ahead(stated) or tells_ahead(known) or _HAD.search(known):
        return ""
    if [one.lower() for one in _RATE.findall(known)] != [one.lower() for one in _RATE.findall(stated)]:
        return ""
    (old,) = ours
    same = [one for one in theirs if _is_one(old["what"], one["what"])]
    if len(same) != 1 or same[0]["count"].lower() == old["count"].lower() or not _is_theirs(known, stated):
        return ""
    new = same[0]["count"]
    new = new.title() if old["count"][:1].isupper() else new.lower()
    return f"{known[: old.start('count')]}{new}{known[old.end('count') :]}"


def _is_one(ours: str, theirs: str) -> bool:
    one, other = plain(ours), plain(theirs)
    return (
        one[:LETTERS] == other[:LETTERS]
        and abs(len(one) - len(other)) < LETTERS
        and not _TIMES.fullmatch(one)
    )


def _is_theirs(known: str, stated: str) -> bool:
    """Whether a sentence tells of nobody else than what is known: one that names nobody tells of the speaker."""
    theirs, other = find_antecedent(stated), _OF_ANOTHER.match(stated)
    if other and not any(word in known.lower() for word in other["who"].lower().split()):
        return False
    if theirs is None:
        ours = find_antecedent(own_words(known))
        return ours is None or stated.lower().startswith(ours.who.split()[-1].lower())
    return theirs.who.split()[-1].lower() in known.lower()

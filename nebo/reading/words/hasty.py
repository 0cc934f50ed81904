"""English typed in haste, as it is written with care: "im in leeds on tuesdays" has its apostrophe and its Tuesdays."""

from __future__ import annotations

import re

from nebo.reading.words.kept import kept

_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTHS = r"january|february|april|june|july|august|september|october|november|december"
_DENIED = "do|did|does|have|has|had|is|was|are|were|ca|wo|could|would|should"
# In German "im" stands before a noun: a month, a season, a place.
_GERMAN = (
    r"januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|sommer|winter|herbst|frühling"
    r"|frühjahr|urlaub|moment|büro|garten|haus|jahr|alter|keller|verein|chor|team|homeoffice|kino|park|wald|krankenhaus"
    r"|internet|auto|bett|zug|urlaub|augenblick|grunde"
)
_IM = re.compile(
    r"(?:^|(?<=[,;:.!?–—-] )|(?<=\band )|(?<=\bbut )|(?<=\bso )|(?<=\bnow )|(?<=\bhi )|(?<=\bhey )|(?<=\bhiya )"
    r"|(?<=\bhello )|(?<=\bthink )|(?<=\bcause )|(?<=\bbecause )|(?<=\bsince )|(?<=\bwhen )|(?<=\bif )|(?<=\bthat )"
    rf"|(?<=\bor )|(?<=\bfri )|(?<=\botherwise ))im\b(?=\s)(?! (?:{_GERMAN})\b)",
    re.IGNORECASE,
)
_APOSTROPHES = (
    (_IM, "I'm"),
    (re.compile(r"\b(?:ive|i['’]ve)\b", re.IGNORECASE), "I've"),
    (re.compile(rf"\b({_DENIED})nt\b", re.IGNORECASE), r"\1n't"),
    (
        re.compile(r"\b(she|he|that|there|what)s(?= (?:an?|the|my|been|got|not|in|from|on|at|gone)\b)"),
        r"\1's",
    ),
)
# Words cut short, where the words beside them leave no doubt that they are English.
_CUT_SHORT = (
    (re.compile(r"\b(we|you|u|they|of us) r\b", re.IGNORECASE), r"\1 are"),
    (
        re.compile(r"(?<=\w )w/?(?= (?:my|the|his|her|our|their|an?|me|you|him|them|us|[A-Z][a-z]+)\b)"),
        "with",
    ),
    (re.compile(r"\b(do|did|can|could|would|will|are|if|thank|know) u\b", re.IGNORECASE), r"\1 you"),
    (re.compile(r"\bu (know|are|can|should|have|do|were|said|think|need|told)\b", re.IGNORECASE), r"you \1"),
    (
        re.compile(r"\b(used|want|wanted|going|goin|need|trying|tryin) 2 (?=[a-z]{2})", re.IGNORECASE),
        r"\1 to ",
    ),
    (re.compile(r"\bhav\b"), "have"),
    (re.compile(r"\b([Hh]e|[Ss]he)s\b(?= \w)"), r"\1's"),
    (re.compile(r"\b([Mm]y) names (?=[A-Z][a-z])"), r"\1 name's "),
    (re.compile(r"\bnite\b"), "night"),
    # "Me mam" is hers, but "me mam n dad" at the end of "tell me" isn't.
    (
        re.compile(
            r"(?:(?<=^)|(?<=[,;.!?] )|(?<=\band )|(?<=\bbut )|(?<=\bso ))([Mm])e "
            r"(?=(?:mam|mum|mom|dad|da|nan|gran|brother|sister|wife|missus|husband|partner|son|daughter|lad|lass|mate|boss|landlord|neighbou?r|doctor|dentist|back"
            r"|knee|hip|car|van|house|flat|job|shop|\w{3,}(?:gist|tist|cian|pist))\b)"
        ),
        r"\1y ",
    ),
    (re.compile(r"(?<=\b[Mm]e )n(?= [A-Za-z]{2,})|(?<=\w )n(?= (?:me|I|i)\b)"), "and"),
    (re.compile(r"\b(is|are|was|were|['’]s|['’]re) grand(?= (?:again|now|by me|with me|so)\b)"), r"\1 fine"),
    (
        re.compile(
            r"\b((?:go|work|do|driv|think|mov|mak|hav|tak|liv|stay|learn|train|plann|try|study|look|gett|com|start|teach|play"
            r"|talk|feel|wait|read|writ|build|cook|runn|eat|sleep)in)(?:['’](?=\s|$)|\b)",
            re.IGNORECASE,
        ),
        r"\1g",
    ),
)
_GERMAN_WORDS = re.compile(
    r"\b(?:ich|wir|er|ist|sind|und|oder|aber|nicht|der|das|dem|den|eine?[nmr]?|auf|für|jetzt|bei|von|seit)\b",
    re.IGNORECASE,
)
_ANY_IM = re.compile(rf"\bim\b(?! (?:{_GERMAN})\b)", re.IGNORECASE)  # in a text that is English
_CAPITALS = (
    (re.compile(r"\bi['’](?P<end>m|ll|d)\b"), r"I'\g<end>"),
    (re.compile(r"\bi\b(?!\.e)"), "I"),
)
_TONGUES = (
    "english|german|french|spanish|italian|welsh|irish|dutch|portuguese|norwegian|swedish|danish|finnish|japanese|chinese"
    "|korean|arabic|russian|turkish|greek|hindi|urdu|catalan|scottish|british|american|ukrainian"
)
_CALENDAR = re.compile(rf"\b(?:{_DAYS}|{_MONTHS}|{_TONGUES}|(?<=\bin )(?:march|may)|(?<=\d )(?:march|may))\b")


@kept
def write_apostrophes(text: str) -> str:
    """The same words with the apostrophes that English has; other languages as they are."""
    for pattern, written in _APOSTROPHES:
        if pattern is _IM and _GERMAN_WORDS.search(text):  # "wir wohnen jetzt in Kiel, im Norden"
            continue
        text = pattern.sub(written, text)
    return text


def write_words(text: str) -> str:
    """The same words as they are spelt: "we r goin w my mum" with "are", "going" and "with"."""
    for pattern, written in _CUT_SHORT:
        text = pattern.sub(written, text)
    return text


def write_out(text: str) -> str:
    """The same words with the apostrophes and the capitals that English has."""
    text = _ANY_IM.sub("I'm", write_apostrophes(text))
    for pattern, written in _CAPITALS:
        text = pattern.sub(written, text)
    return _CALENDAR.sub(lambda found: found[0].capitalize(), text)

"""Whether a sentence tells what is yet to come: by its verb, in five languages.

"Hedda's moving to Tromsø in spring" says where she will live, not where she lives.
"""

from __future__ import annotations

import re

from nebo.reading.times.calendar_words import SEASONS
from nebo.reading.times.dates import names_time
from nebo.reading.wording.covering import language_of
from nebo.reading.words.kept import kept

_SEASON = re.compile(rf"\b(?:{'|'.join(SEASONS.values())})\b", re.IGNORECASE)
# What holds already, or came true.
_HOLDS = re.compile(
    r"\b(?:now|nowadays|these days|already|finally|since|jetzt|nun|inzwischen|mittlerweile|endlich|seit|ya|ahora"
    r"|por fin|desde|maintenant|désormais|enfin|depuis|adesso|ora|ormai|finalmente)\b",
    re.IGNORECASE,
)
# Verbs of what is meant to be; and of a change that takes no time, which in the present is to come.
_ENGLISH = (
    r"(?:(?<!my )(?<!the )(?<!\ba )will|going to|gonna|about to|due to|(?:plan(?:s|ning)?|wants?|hop(?:es?|ing)"
    r"|intends?|would like|['’]d like) to|thinking of)\b|['’]ll\b"
    r"|(?:\b(?:am|is|are)|['’](?:m|s|re)) (?:(?:all|both|also|probably|hopefully|definitely) )?"
    r"(?:moving|starting|leaving|joining|switching|transferring|retiring|relocating|marrying|closing|finishing|quitting)\b"
)
_GERMAN = (
    r"(?:werde|wird|werden|(?<!my )(?<!the )(?<!\ba )will|wollen|möchten?|plan(?:e|t|en)|überleg(?:e|t|en)"
    r"|zieh(?:e|t|en)?|fang(?:e|en)?|fängt|wechs(?:le|elt|eln)|heirat(?:e|et|en)|kündig(?:e|t|en))\b"
)
_SPANISH = (
    r"(?:(?:voy|va|vamos|van) a \w+[aei]r(?:me|se|nos)?|(?:quier[eo]n?|queremos|piens[aeo]n?|pensamos)"
    r" \w+[aei]r(?:me|se|nos)?|(?:me|se) (?:mud[ao]n?|traslad[ao]n?|cas[ao]n?))\b"
)
_FRENCH = r"(?:(?:veux|veut|voulons|veulent) \w+re?|déménag(?:e|ent|eons))\b"
_ITALIAN = (
    r"(?:(?:vado|va|andiamo|vanno) a \w+re|(?:voglio|vuole|vogliamo|vogliono) \w+r[escm]\w*"
    r"|[mc]?i? ?trasferi(?:sco|sce|amo|scono))\b"
)
_MEANT = re.compile(
    rf"(?:\b|(?=['’]))(?:{'|'.join((_ENGLISH, _GERMAN, _SPANISH, _FRENCH, _ITALIAN))})", re.IGNORECASE
)
# What somebody has applied for, they have not got.
_APPLIED = re.compile(
    r"\b(?:applied (?:for|to)|beworben|(?:he|ha) (?:solicitado|presentado mi candidatura)|solicit[éó]|postul(?:é|ó|ado)"
    r"|(?:j['’]ai|a) postulé|me he presentado a|(?:j['’]ai|on a) candidaté|fatto domanda)\b",
    re.IGNORECASE,
)
# Tenses, whose endings mean something else in other languages.
_FUTURE = {
    "es": re.compile(r"\b\w{3,}[aei]r(?:é|á|án|emos)\b"),
    "fr": re.compile(
        r"\b(?:vais|va|allons|vont) (?:\w+ )?\w+re?\b|\b\w{3,}(?:erai|eras|erons|eront|irai|iras|irons|iront)\b"
    ),
    "it": re.compile(r"\b\w{3,}(?:erò|irò|erà|irà|eremo|iremo|eranno|iranno)\b"),
}
# With a time these tell of it as well: "starts on 1 June".
_THEN = re.compile(
    r"\b(?:(?:start|begin|move|leave|join|retire|finish)s?|ends|closes|(?:fäng|fang|beginn|geh|hör)(?:e|t|en)?"
    r"|(?:empiez|empez|comienz|comenz|termin|acab|nos mud|nos traslad|nos cas)(?:o|a|an|amos)"
    r"|(?:commenc|emménag|quitt|s['’]install|m['’]install)(?:e|ent|eons)|(?:inizi|cominci|lasci)(?:o|a|amo|ano))\b",
    re.IGNORECASE,
)
# "From 1 April I'm at the hospital", „ab Oktober bin ich …“; "from 2019 to 2021" is over.
_FROM_THEN = re.compile(
    r"^(?:\w+ ){0,3}?(?:from|as of|as from|ab|a partir del?|à partir du|à partir de|dès) "
    r"(?:(?:the|next|dem|le|el) )?[^,!?]{2,20}? "
    r"(?:i['’](?:m|ll)|i am|i will|we['’](?:re|ll)|bin ich|arbeite ich|mache? ich|sind wir|haben wir|estoy"
    r"|trabajo|je)\b",
    re.IGNORECASE,
)
# German tells the past by a participle, with a verb in the present before it: „ist im März nach Kiel gezogen“.
_PERFECT = re.compile(
    r"\b(?:bin|ist|sind|habe?|hat|haben|wurden?|war(?:en)?)\b.*\b(?:\w*ge\w{3,}(?:en|t)|\w+(?:iert|standen|kommen))\b",
    re.IGNORECASE,
)


def holds_now(text: str) -> bool:
    """Whether a text says by a word that something is so now: "now", „inzwischen“, "ya"."""
    return _HOLDS.search(text) is not None


@kept
def tells_ahead(text: str) -> bool:
    """Whether a text tells what is to come, and says nothing that holds now."""
    if _HOLDS.search(text):
        return False
    if _APPLIED.search(text):
        return True
    language = language_of(text)
    if language == "de" and _PERFECT.search(text):
        return False
    if _MEANT.search(text) or (language in _FUTURE and _FUTURE[language].search(text)):
        return True
    then = _THEN.search(text) or _FROM_THEN.match(text)
    return bool(then and (names_time(text) or _SEASON.search(text)))

"""Things to do that are listed behind a colon: "Need to: book the van, tell the school and get Bramble jabbed".

Behind such words everything is something to do, whatever it is called: „wir müssen noch: Zaun flicken, Steuer“.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nebo.reading.requests.several import MAX_ACTS, list_acts

MIN_CHARS = 3  # of one thing to do
MAX_WORDS = 12  # of one; more is no list, but a sentence with a colon
HEAD_WORDS = 9  # before the colon, at most
_HEADS = r"""
(?:things?|stuff|jobs?|errands|bits) (?:still |left )?to (?:do|sort|get done)
(?:things?|stuff|jobs?|errands|bits|what) (?:I|we) (?:still )?(?:have|need|ought) to do
(?:my |our |the )?(?:to-?dos?|to-?do list|task list|list|chores|errands)
(?:what['’]?s |still )?(?:left|open|outstanding|to (?:do|sort))(?: to do)?
(?:still )?(?:on|for) (?:my|our|the) (?:list|plate|to-?do list)
(?:(?:ich|wir) )?(?:muss|müssen|sollte|sollten)(?: ich| wir)?(?: noch)?(?: (?:machen|erledigen|tun))?
(?:ich|wir) hab(?:e|en)? noch zu (?:machen|erledigen|tun)
(?:was )?(?:noch )?(?:zu (?:tun|erledigen|machen)|offen|ansteht|fehlt)(?: ist)?
(?:es )?steht noch an|(?:noch )?auf (?:der|meiner|unserer) liste|(?:meine |unsere )?(?:to-?dos?|aufgaben|erledigungen)
(?:me|nos) (?:queda|toca)n?(?: por hacer)?|(?:me|nos) falta por hacer
(?:tengo|tenemos)(?: aún| todavía)? (?:que hacer|pendientes?|por hacer)
(?:cosas |tareas )?(?:pendientes?|por hacer)|(?:en|de) (?:mi|la|nuestra) lista
(?:il )?(?:me |nous )?reste(?: encore)? à faire|(?:choses )?à faire|sur ma liste
(?:je|on|nous) (?:dois|doit|devons)(?: encore)?
(?:cose )?da fare|(?:mi|ci) (?:resta|manca)(?: da fare)?|nella (?:mia )?lista|(?:devo|dobbiamo)(?: ancora)?
"""
_WHEN = (
    r"(?:now|then|today|tomorrow|tonight|this (?:week|weekend|month)|next week|heute|morgen|jetzt|diese woche|hoy"
    r"|mañana|esta semana|cette semaine"
    r"|demain|aujourd['’]hui|oggi|domani|questa settimana"
    r"|(?:before|by|bis|antes del?|avant|entro) .{2,20})"
)
_HEAD = re.compile(rf"(?:{'|'.join(_HEADS.strip().splitlines())})(?:,? {_WHEN})?", re.IGNORECASE)
_COLON = re.compile(r"\s*(?::|\s[–—-]\s)\s*")
_COMMA = re.compile(r"\s*[,;]\s+(?:(?:and|und|y|et|e|plus)\s+)?(?:then |also |dann |auch )?")
_LAST = re.compile(r"\s+(?:and|und|y|et|e|&)\s+")
# What is only said of an item: „…, hat man drei Monate Zeit“.
_SAID_OF_IT = re.compile(
    r"(?:(?:hat|habe|ist|sind|geht|kostet|dauert|muss|soll|kann|man|das|es|it|that|there|you|they|is|are|it['’]s|that['’]s"
    r"|hay|es|está|tarda|cuesta|il y a|c['’]est|è|ci vuole)\b)(?= \S)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"\s*(?:\n|^)\s*(?:[-*•]|\d+[.)])\s+")


class Listed(NamedTuple):
    """What stands before the colon, and the things behind it."""

    head: str
    acts: list[str]


def split_listed(text: str) -> Listed | None:
    """The head and the several things of a list behind a colon, or None. Whether the head leads up to something to do
    is told by `is_head`, or by whoever knows the words that do.
    """
    colon = _COLON.search(text)
    if colon is None or not text[: colon.start()].strip():
        return None
    head, rest = text[: colon.start()].strip(), text[colon.end() :].strip(" .!")
    acts = _list_items(rest, text)
    fits = len(acts) <= MAX_ACTS and all(
        len(act) >= MIN_CHARS and len(act.split()) <= MAX_WORDS for act in acts
    )
    return Listed(head, acts) if len(head.split()) <= HEAD_WORDS and len(acts) > 1 and fits else None


def is_head(head: str) -> bool:
    """Whether words that stand before a colon say that what follows is to be done."""
    return _HEAD.fullmatch(head) is not None


def _list_items(rest: str, text: str) -> list[str]:
    parts = [part.strip(" .!") for part in _BULLET.split(rest) if part.strip(" .!")]
    if len(parts) == 1:
        parts = [part for part in _COMMA.split(rest) if part and not _SAID_OF_IT.match(part)] or [rest]
    *first, last = parts
    pair = _LAST.split(last)
    both = list_acts(last, text, led=True)
    if len(both) == 1 and len(pair) == len(first[:1]) + 1:  # "a, b and c" of things without a verb
        both = pair
    return [*first, *both]

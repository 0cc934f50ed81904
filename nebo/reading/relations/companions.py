"""Who only keeps company in a fact: "runs a shop in Ghent with her brother Wim" is of her, whatever Wim does."""

from __future__ import annotations

import re

from nebo.reading.meaning.sentences import capital
from nebo.reading.relations.own_words import own_words
from nebo.reading.wording.covering import content_words
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import names_family

LEAST = 3  # words that a fact without names tells beside its company; "lives with Tom" is over where Tom moves out
_WITH = r"\b(?:with|mit|con|avec|met)\s+(?:[^\W\d_A-ZÀ-Þ]+\s+){0,3}"
_SPEAKER = re.compile(
    r"\b(?:I|we|us|me|ich|wir|uns|yo|nosotr[oa]s|nos|je|nous|io|noi|ci)\b|\b[ij]['’]", re.IGNORECASE
)


def tells_of_company(known: str, stated: str) -> bool:
    """Whether a sentence is about somebody whom a fact of the speaker names as company alone, not about the speaker."""
    if _SPEAKER.search(stated):
        return False
    words = {word.lower() for word in re.findall(r"[^\W\d_][\w-]*", stated)}
    for name in names_of(known):
        company = re.search(rf"{_WITH}{re.escape(name)}\b", known)
        if company is None or name.lower() not in words:
            continue
        rest = own_words(f"{known[: company.start()]}{known[company.end() :]}")
        return bool(names_of(rest)) or len(set(content_words(rest)) - {"user"}) >= LEAST
    return False


# "with their brother Wim", „mit meinem Bruder Wim“: who that is holds, wherever they live.
_RELATIVE = re.compile(
    r"\b(?:with|mit|con|avec) (?P<mine>their|my|mein\w*|mi|mon|ma|mio|mia) (?P<kin>[^\W\d_]+),?"
    r" (?P<name>[A-ZÀ-Þ][\w'’-]+)"
)
_WHOSE = re.compile(r"(?P<who>The user|[A-ZÀ-Þ][\w-]+)(?P<says>:)? ")
_MINE = {"meiner": "meine", "meinem": "mein", "meinen": "mein"}
_CALLED = {
    "mein": "heißt",
    "meine": "heißt",
    "mi": "se llama",
    "mon": "s'appelle",
    "ma": "s'appelle",
    "mio": "si chiama",
}


def find_relative_beside(known: str, stated: str) -> tuple[str, str]:
    """Who a relative of the speaker's is, and the name, where a fact tells it only besides and a sentence says nothing
    of them: "Joan's brother is called Wim" of "Joan lives in Ghent with their brother Wim"; else two empty texts.
    """
    found, whose = _RELATIVE.search(known), _WHOSE.match(known)
    if found is None or not names_family(found["kin"]) or names_family(stated):
        return "", ""
    name = found["name"]
    if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", stated, re.IGNORECASE):
        return "", ""
    mine = _MINE.get(found["mine"].lower(), found["mine"].lower())
    if mine in ("their", "my"):
        who = f"{whose['who']}'s" if whose and not whose["says"] else "My"
        return f"{who} {found['kin']} is called {name}.", name
    lead = f"{whose['who']}: " if whose and whose["says"] else ""
    return f"{lead}{capital(mine)} {found['kin']} {_CALLED.get(mine, 'si chiama')} {name}.", name

"""A fact about the speaker as they would say it: memories are mostly worded in third person, the reader knows people's
own words.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from nebo.reading.words.kept import KEPT
from nebo.reading.words.languages import is_english

_NOBODY = (
    r"(?:the |der |die |el |la |le |l['’]|il |lo )?(?:user|person|speaker|nutzer(?:in)?|benutzer(?:in)?|usuari[oa]"
    r"|utilisateur|utilisatrice|utente|they|she|he)"
)
_SAYS = re.compile(r"^[\w .'’-]{1,60}:\s+(?=\S)")  # "Jonas: Ich wohne in Bremen."
_VERB = re.compile(r"(?P<verb>[A-Za-z]+)(?P<rest>[ .].*)?$", re.DOTALL)
_OWN_FORMS = {"is": "am", "has": "have", "does": "do", "goes": "go", "was": "was", "isn't": "am not"}


def own_words(value: str, names: Collection[str] = ()) -> str:
    """A fact about the speaker as they would say it, near enough for the reader: "Lena lives in Porto." is
    "I live in Porto."; where there is no telling, as it is.
    """
    return _own_words(value, tuple(names))


@lru_cache(KEPT)
def _own_words(value: str, names: tuple[str, ...]) -> str:
    text = " ".join(value.split())
    if lead := _SAYS.match(text):
        return text[lead.end() :] if _is_named(text[: lead.end() - 1].rstrip(" :"), names) else text
    subject = find_subject(names).match(text)
    if subject and subject["of"]:
        return f"My {text[subject.end() :]}"
    rest = text[subject.end() :] if subject else text
    if not is_english(text) or (subject is None and not starts_with_verb(text)):
        return rest
    found = _VERB.match(rest)
    return f"I {_own_form(found['verb'])}{found['rest'] or ''}" if found else rest


def in_own_words(value: str, name: str) -> str:
    """A fact as its person would say it, where it begins with who they are; else as it is.

    It may have been worded when less of their name was known: "Tamar lives …" of Tamar Lindqvist.
    """
    names = tuple(dict.fromkeys((name, name.split(" ", 1)[0]))) if name.strip() else ()
    begins = find_subject(names).match(value)
    return own_words(value, names) if begins and value[:1].isupper() else value


@lru_cache(256)
def _subject_of(names: tuple[str, ...]) -> re.Pattern[str]:
    known = [_NOBODY, *(re.escape(name) for name in sorted(names, key=len, reverse=True) if name.strip())]
    return re.compile(rf"(?:{'|'.join(known)})(?:(?P<of>['’]s)\s+|\s+(?=\S))", re.IGNORECASE)


def find_subject(names: Collection[str]) -> re.Pattern[str]:
    return _subject_of(tuple(names))


def _is_named(lead: str, names: Collection[str]) -> bool:
    return not names or lead.lower() in {name.lower() for name in names}


def starts_with_verb(text: str) -> bool:
    """Whether an English fact begins with its verb, in third person or past: "Lives in …", "Started at …"."""
    first = text.split(" ", 1)[0].lower()
    if first in _OWN_FORMS or first in ("chose", "got", "left", "became", "went", "took"):
        return True
    is_form = first.endswith("ed") or (first.endswith("s") and first[-2:-1] not in ("s", "u"))
    return is_form and first.isalpha() and len(first) > 3


def _own_form(verb: str) -> str:
    """A third person's verb in the first: "lives" is "live"."""
    low = verb.lower()
    if low in _OWN_FORMS:
        return _OWN_FORMS[low]
    if low.endswith("ies") and len(low) > 4:
        return f"{low[:-3]}y"
    if low.endswith(("sses", "shes", "ches", "xes", "zes")):
        return low[:-2]
    return low[:-1] if low.endswith("s") and not low.endswith("ss") else low

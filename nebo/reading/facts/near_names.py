"""Who else is named in what somebody tells of themselves, and names known already that are typed in small letters.

"Wohne mit meiner freundin Jule in Altona" tells of the speaker, and that there is a Jule; "jule left" tells of her.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nebo.reading.meaning.given_names import likeness
from nebo.reading.meaning.reader import encode
from nebo.reading.wording.covering import is_light
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.stop_words import ENGLISH, GRAMMAR

MAYBE = 0.0  # log-odds from which a word with a capital beside one for a relative is a name
SHORTEST = 3  # letters of a name that is known in small letters too
_NAME = r"[A-ZÀ-ÖØ-Þ][^\W\d_A-Z]{2,14}"
_THE = r"(?:die|der|den|dem|la|el|le|il|lo)"
_WORD = re.compile(r"[^\W\d_]+")
_BEHIND = re.compile(
    rf"(?:,? |:? ?(?: [^\W\d_]+){{1,5}}, )(?:{_THE} )?(?P<name>{_NAME})(?![\w'’-])"
    rf"(?P<more>(?:(?:, | (?:and|und|y|et|e) |, (?:and|und|y|et|e) )(?:{_THE} )?{_NAME}(?![\w'’-]))*)"
)
_LISTED = re.compile(rf": (?P<name>{_NAME})(?P<more>,[^.!?;]*)?")
_EACH = re.compile(rf"(?:^|, | (?:and|und|y|et|e) )(?:{_THE} )?(?P<name>{_NAME})(?![\w'’-])")
# Where a known name stands in small letters: first, or behind a word that leads to whom it is about.
_LEADS = (
    r"(?:and|with|from|for|to|of|und|mit|von|für|bei|zu|die|der|den|dem|dass|wie|y|e|a|con|de|para|la|el"
    r"|que|et|avec|pour"
    r"|chez|à|di|da|per|il|ma|mi|mein|meine|mon)"
)


def list_beside_kin(text: str) -> list[str]:
    """The names that stand beside a word for a relative or friend: "my sister Lena", "dos niños: Lola y Álvaro"."""
    names: dict[str, None] = {}
    for kin in _WORD.finditer(text):
        if not kin_of(kin[0].lower()):
            continue
        found = _BEHIND.match(text, kin.end()) or _LISTED.match(text, kin.end())
        if found:
            names |= dict.fromkeys(
                [found["name"], *(one["name"] for one in _EACH.finditer(found["more"] or ""))]
            )
    return [name for name in names if not kin_of(name.lower()) and may_be_name(name)]


def may_be_name(word: str) -> bool:
    """Whether a word rather looks like a given name than not."""
    return likeness(word, encode) >= MAYBE


def write_known_names(names: Iterable[str], text: str) -> str:
    """A text with a capital where one of these names stands in small letters: "paco está ya en casa", "con nico"."""
    for name in names:
        low = name.lower()
        if len(low) < SHORTEST or low not in text or is_light(low) or low in GRAMMAR or low in ENGLISH:
            continue
        led = rf"(?:(?<=^)|(?<=[.!?,;:] )|(?<!\w)(?P<lead>{_LEADS} )){re.escape(low)}(?![\w'’-])"
        text = re.sub(led, rf"\g<lead>{name}", text)
    return text

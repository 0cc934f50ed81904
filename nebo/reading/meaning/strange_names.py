"""A sentence about somebody whose name reads like another word: "Makesh left the firm" reads like a supposition.

Where its first word is surely a name and it does what somebody by that name would do, it is read with a plain name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.encoders.weights import Array
from nebo.reading.meaning.given_names import likeness
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.words.bare_verbs import THIRD_PERSON

SURELY = 1.5  # log-odds from which a word before such a verb is a name; "Whatley" has 1.7, "Picture" 1.1
DOUBT = 0.5  # chance of one of these, from which the name may be to blame
UNMEANT: tuple[Kind, ...] = ("question", "supposed", "quoted", "joking")
PLAIN = "Anna"
_PAST = (
    r"left|quit|went|came|got|won|lost|sold|bought|took|gave|told|said|met|died|became|began|broke|fell|found|kept|made"
    r"|put|ran|sent|taught|wrote|stood|handed|[a-z]{3,}ed|[a-zà-ÿ]{2,}(?:ó|ò|zog|ging|kam|verließ)|zog|ging|kam|verließ"
)
_DOES = re.compile(
    rf"(?P<name>[A-ZÀ-ÖØ-Þ][a-zß-ÿ]{{2,14}})(?= (?:{'|'.join(THIRD_PERSON.values())}|{_PAST})\b|['’]s [a-zß-ÿ])"
)


def past_strange_name(text: str, encode: Callable[[str], Array], read: Callable[[Array], Meaning]) -> Meaning:
    """What the heads read in a sentence; with a plain name for the one that it begins with, where it is only not meant
    because of that.
    """
    meaning = read(encode(text))
    if _is_meant(meaning) or text.rstrip().endswith("?"):
        return meaning
    found = _DOES.match(text)
    if found is None or likeness(found["name"], encode) < SURELY:
        return meaning
    plainly = read(encode(f"{PLAIN}{text[found.end('name') :]}"))
    return plainly if _is_meant(plainly) else meaning


def _is_meant(meaning: Meaning) -> bool:
    return max(meaning.chances[kind] for kind in UNMEANT) < DOUBT

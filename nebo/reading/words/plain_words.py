"""Idioms in plain words, as whoever reads meanings knows them: "I'm on lates" is "I work late shifts".

What people say is kept as they said it; only what it means is read of the plain words.
"""

from __future__ import annotations

import re

from nebo.reading.words.hasty import write_apostrophes
from nebo.reading.words.kept import kept

_SHIFT = {
    "earlies": "early shifts",
    "lates": "late shifts",
    "backs": "late shifts",
    "nights": "night shifts",
    "days": "day shifts",
}
# "on lates now"; "on nights this week" passes.
_ON_SHIFT = re.compile(
    r"(?P<who>(?<![\w'’])(?:I|he|she|we|they)(?:['’](?:m|s|re|ve)|(?: am| is| are| have| has))?)"
    r"(?P<turn> (?:been put|gone|moved|switched|swapped|changed))? (?:back )?(?:on|on ?to|to) (?:the )?"
    rf"(?P<shift>{'|'.join(_SHIFT)})\b"
    r"(?! (?:this week|tonight|tomorrow|next|when|where|like|that|with|off|out|of|i|we)\b)",
    re.IGNORECASE,
)
_WORKING = re.compile(
    rf"(?P<verb>\b(?:work|works|working|do|does|doing) (?:the )?)(?P<shift>{'|'.join(_SHIFT)})\b",
    re.IGNORECASE,
)
_PLAIN = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        (r"(?<!n['’]t)(?<!not)(?<!never)(?:['’]s|['’]ve| has| have)? (?:just )?handed (?:in (?:my|his|her|their) notice"
         r"|(?:my|his|her|their) notice in)\b", " has resigned"),
        (r"(?<!n['’]t)(?<!not)(?<!never)(?:(?:['’]s| has)(?: just| finally)? (?:come|moved)| (?:came|moved)) (?:back )?"
         r"(?:in|to live) with (us|me)\b", r" lives with \1 now"),
        (r"\bright as rain( again)?\b", r"completely fine again"),
        (r"\b(?:back to|like) (?:brand )?new again\b", "completely fine again"),
        (r"\b(?:we['’]re|we are) (?:all )?(?:friends|good|mates|talking|speaking|on good terms)(?: now)? again\b",
         "we've made up"),
        (r"(?<=, )(?:it['’]s )?all good again\b", "we've made up"),
        (r"\b(?:we |we['’]ve |have |)(?:buried the hatchet|patched (?:it|things) up|kissed and made up)\b",
         "we've made up"),
    )
)  # fmt: skip


@kept
def in_plain_words(text: str) -> str:
    """An English text with plain words for its idioms; any other as it is."""
    text = _ON_SHIFT.sub(_name_shift, text)
    text = _WORKING.sub(lambda found: f"{found['verb']}{_SHIFT[found['shift'].lower()]}", text)
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    return text


@kept
def in_plain_spelling(text: str) -> str:
    """The same with single blanks and the apostrophes that English has: as meanings are read."""
    return in_plain_words(write_apostrophes(" ".join(text.split())))


def _name_shift(found: re.Match[str]) -> str:
    who = re.sub(r"['’]\w+$| \w+$", "", found["who"])
    verb = "works" if who.lower() in ("he", "she") else "work"
    now = " now" if found["turn"] else ""
    return f"{who} {verb} {_SHIFT[found['shift'].lower()]}{now}"

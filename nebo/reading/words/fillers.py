"""Words amid a statement that say only how somebody feels about it: "unfortunately", „übrigens“, "por desgracia"."""

from __future__ import annotations

import re

from nebo.reading.words.hasty import write_words
from nebo.reading.words.openers import without_greeting

_FEELINGS = (
    "(?:lol|lmao|haha)(?=,)"
    r"|unfortunately|sadly|luckily|fortunately|thankfully|obviously|by the way|btw|tbh|ngl|übrigens|leider(?! gottes)"
    r"|glücklicherweise|zum Glück|offensichtlich|bekanntlich|por desgracia|desgraciadamente|lamentablemente"
    r"|por suerte|afortunadamente|por cierto|malheureusement|heureusement|d['’]ailleurs|purtroppo"
    r"|sfortunatamente|fortunatamente|per fortuna|tra l['’]altro"
)
_AMID = re.compile(rf"(?P<before>,?)\s+(?:{_FEELINGS})(?=\s+\S|\s*[.!,…]|\s*$)(?P<after>,?)", re.IGNORECASE)
# Of oneself, "apparently" is only surprised; of others it may be hearsay.
_SURPRISED = re.compile(
    r"(?<=\w),?\s+(?:apparently|anscheinend|offenbar|por lo visto|apparemment|a quanto pare)(?=\s*(?:[.!,…]|$))",
    re.IGNORECASE,
)
# "Quick intro: Ravi Menon, …": what follows is said of oneself.
_INTRODUCES = (
    (
        re.compile(
            r"(?:(?:a |just a )?(?:quick|short|brief|little) (?:intro(?:duction)?|bio)|about me)\s*[:–—-]\s*(?=[A-Z])",
            re.IGNORECASE,
        ),
        "I'm ",
    ),
    (re.compile(r"(?:kurz )?zu mir\s*[:–—-]\s*(?=[A-ZÄÖÜ])", re.IGNORECASE), "Ich bin "),
    (re.compile(r"sobre mí\s*[:–—-]\s*(?=[A-ZÁÉÍÓÚ])", re.IGNORECASE), "Soy "),
)
_OWN = re.compile(
    r"(?:i|i['’]?m|i['’]?ve|we|my|ich|wir|mein\w*|yo|soy|estoy|tengo|mi|je|j['’]|mon|ma|io|sono|ho)\b",
    re.IGNORECASE,
)


def without_fillers(text: str) -> str:
    """The same statement, spelt out and without such words; questions, and a text that would be left without any, as
    they are.
    """
    if text.rstrip().endswith("?"):
        return text
    bare = _AMID.sub(_pause_left, write_words(without_greeting(text)))
    for lead, plain in _INTRODUCES:
        bare = lead.sub(plain, bare, count=1) if lead.match(bare) else bare
    if _OWN.match(bare):
        bare = _SURPRISED.sub("", bare)
    return bare if bare.strip() else text


def _pause_left(filler: re.Match[str]) -> str:
    """The comma that stood behind such a word, unless one before it stood for both."""
    return "," if filler["after"] and not filler["before"] else ""

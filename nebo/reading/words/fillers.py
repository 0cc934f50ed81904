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
# "I'm about to leave that and open a bakery": what "that" is stands somewhere else, and goes without saying.
_LEAVES_THAT = re.compile(
    r"\b(?P<who>I(?:['’](?:m|ll|d)| am| will)? "
    r"(?:(?:just|soon|about to|going to|planning to|hoping to|want to|like to) )*)"
    r"(?:leave|quit|give up|stop|pack in|drop|chuck)(?: all)? (?:that|this|it)(?: behind| up| in)? and (?=[a-z])",
    re.IGNORECASE,
)
# "Wednesdays I'm at climbing so nothing then": what follows for who plans, and no part of what is told.
_SO_NOT_THEN = re.compile(
    r",? so (?:nothing|none of (?:that|those)|not|no good) ?(?:then|those days|on those days)?(?=[\s.!]*$)"
    r"|,? so no [a-z]+ (?:then|on those days)(?=[\s.!]*$)",
    re.IGNORECASE,
)
# "Well that's me retired": said of oneself in the north.
_THAT_IS_ME = re.compile(
    r"^(?:(?:well|so|right),? )?that['’]?s me (?=(?:retired|qualified|single|sober|[a-z]+ed)\b)",
    re.IGNORECASE,
)
# "two things: …", "quick update: …": what follows says all of it.
_ANNOUNCES = re.compile(
    r"^(?:(?:and |so |ok(?:ay)?,? |right,? )?(?:(?:an? )?(?:two|three|four|five|few|couple(?: of)?|several|some"
    r"|bunch of|quick|other|another|one(?: more| other| last)?|last|small|bits? of|big)(?: quick| more| other| of)* )"
    r"(?:things?|updates?|news|points?|notes?|bits?|changes?|questions?)(?: for you| today| this week| from me)?"
    r"|(?:zwei|drei|vier|ein paar|mehrere|kurze?s?|noch (?:eine?s?|zwei|was))"
    r" (?:sachen?|dinge?|neuigkeiten|punkte|updates?)"
    r"|(?:dos|tres|cuatro|varias|un par de|una|otra) (?:cosas?|novedad(?:es)?|noticias?)"
    r"|(?:deux|trois|plusieurs|quelques|une|autre) (?:petites? )?(?:choses?|nouvelles?|infos?)"
    r"|(?:due|tre|un paio di|una|altra|alcune) (?:cose|cosa|novità|notizi[ae])"
    r"|(?:so |well,? |ok(?:ay)?,? )?(?:i did it|it['’]?s official|(?:big |great )?news(?: ?flash)?|plot twist"
    r"|guess what|long story short|so here goes|fun fact)|(?:also )?(?:ich habs? getan|es ist raus)"
    r"|(?:es oficial|lo hice|notición)|(?:c['’]est officiel|grande nouvelle)|(?:è ufficiale|grande notizia)"
    r") ?: ?(?=\w)",
    re.IGNORECASE,
)
# Whoever says what is not so and what is needs no word that they were wrong: „hab mich vertan: nicht Ulm, sondern …“.
_WAS_WRONG = re.compile(
    r"^(?:(?:außerdem|übrigens|ach|und|oh|also|and|btw|además|y|aussi|inoltre|e),? )*"
    r"(?:(?:ich )?habe? (?:ich )?mich (?:\w+ )?(?:vertan|geirrt)|i (?:was wrong|got (?:it|that) wrong|made a mistake)"
    r"|me (?:confundí|equivoqué)|je me suis trompée?|mi sono sbagliat[oa])(?: \w+)?[,;:.–—-]+\s+"
    r"(?=.*\b(?:nicht\b.*\bsondern|not\b.*\bbut|no\b.*\bsino|pas\b.*\bmais|non\b.*\bma)\b)",
    re.IGNORECASE,
)
# "On another note, …" asks nobody to note anything.
_TURNS_TO = re.compile(
    r"^on (?:another|a different|a lighter|a side|a brighter|that|a related) (?:note|topic|subject)\s*[,:–—-]\s*"
    r"(?=\S+ \S)",
    re.IGNORECASE,
)
_FORGET_I_SAID = re.compile(  # "can you forget I said that actually"
    r"^(?:(?:can|could|will|would) you )?(?:(?:please|pls|just) )*forget (?:that )?(?:I|i)(?:['’]ve)? (?:ever )?"
    r"(?:said|told you|mentioned|wrote|typed) (?:that|this|it|anything|any of (?:that|it))"
    r"(?:,? (?:actually|though|please|pls|after all))?(?=[\s.!?]*$)",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"(?:i|i['’]?m|i['’]?ve|we|my|ich|wir|mein\w*|yo|soy|estoy|tengo|mi|je|j['’]|mon|ma|io|sono|ho)\b",
    re.IGNORECASE,
)


def without_fillers(text: str) -> str:
    """The same statement, spelt out and without such words; questions, and a text that would be left without any, as
    they are.
    """
    text = _FORGET_I_SAID.sub("please forget that", text)
    if text.rstrip().endswith("?"):
        return text
    text = _THAT_IS_ME.sub("I'm ", _ANNOUNCES.sub("", _WAS_WRONG.sub("", _TURNS_TO.sub("", text))))
    text = _SO_NOT_THEN.sub("", text)
    bare = _AMID.sub(_pause_left, write_words(without_greeting(_LEAVES_THAT.sub(r"\g<who>", text))))
    for lead, plain in _INTRODUCES:
        bare = lead.sub(plain, bare, count=1) if lead.match(bare) else bare
    if _OWN.match(bare):
        bare = _SURPRISED.sub("", bare)
    return bare if bare.strip() else text


def _pause_left(filler: re.Match[str]) -> str:
    """The comma that stood behind such a word, unless one before it stood for both."""
    return "," if filler["after"] and not filler["before"] else ""

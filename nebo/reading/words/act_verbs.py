"""The verb of a thing to do, by which words name one: "renew the permit", „das Auto ummelden“, "llamar al banco"."""

from __future__ import annotations

import re

from nebo.reading.words.stop_words import words

MIN_WORDS = 2  # of each thing to do: what is done, and with what
# What English tasks begin with. "Go and buy", "try and find" are one.
ENGLISH = words(
    """
    add apply arrange ask assemble back bake book borrow bring buy call cancel change charge chase check choose
    claim clean clear close collect confirm contact cook cut decide deliver deploy do donate download draft drop
    email empty fetch fill file find finish fit fix get give hand hang hire install insure invite iron learn lend
    let mail make measure meet mend merge message mow move open order organise organize pack paint pay phone pick
    plan plant post practise prepare print put read register remind renew rent repair replace reply reschedule
    return review ring schedule sell send set sew sign sort start submit switch take talk tell test text thank tidy
    transfer translate try unpack update upload visit wash water wrap write
    """
)
# "have the boiler looked at"
_CAUSED = re.compile(
    r"(?:have|get) (?:the|my|our|his|her|their|an?|\w+['’]s) .*\b(?:[a-z]{2,}ed|done|seen|cut|put|set|read)\b",
    re.IGNORECASE,
)
ACT_PAUSE = re.compile(r"\s*[,;]\s+(?:(?:and|und|y|et|e)\s+)?|\s+(?:and|und|y|et|e|&)\s+", re.IGNORECASE)
INFINITIVE_LAST = re.compile(r"\b[a-zäöüß]{2,}(?:en|ern|eln|tun)$")
_COUNTED_LAST = re.compile(r"\b\d+ [a-zäöüß]+$")  # „20 seiten“ is no verb
_INFINITIVE_FIRST = {
    "es": re.compile(r"[a-záéíóúñ]+(?:[aei]r|ír)(?:me|te|se|l[aeo]s?|nos)?\b", re.IGNORECASE),
    "fr": re.compile(
        r"(?:(?:me|m'|se|s'|le|la|les|l')\s?)?[a-zàâçéèêëîïôûù]+(?:er|ir|re|oir)\b", re.IGNORECASE
    ),
    "it": re.compile(r"[a-zàèéìòù]+(?:[aei]re|rre|[aei]r(?:si|mi|l[aeio]|gli|ne))\b", re.IGNORECASE),
}


def begins_act(act: str, language: str) -> bool:
    """Whether words name something to do by its verb: "renew the permit", „das Auto ummelden“."""
    return is_act(first_of(act, language), language)


def first_of(behind: str, language: str) -> str:
    """What stands up to the next pause; in German, where the verb comes last, up to the first that ends with one."""
    if language != "de":
        return behind
    ends = [one.start() for one in ACT_PAUSE.finditer(behind)] + [len(behind)]
    found = (behind[:end] for end in ends if INFINITIVE_LAST.search(behind[:end].rstrip(" .!")))
    return next(found, behind)


def is_act(part: str, language: str) -> bool:
    """Whether words name one thing to do, by its verb and what it is done with."""
    text = part.strip(" .!")
    if len(text.split()) < MIN_WORDS:
        return False
    if language == "de":
        return INFINITIVE_LAST.search(text) is not None and not _COUNTED_LAST.search(text)
    first = _INFINITIVE_FIRST.get(language)
    if first:
        return first.match(text) is not None
    return text.split()[0].lower() in ENGLISH or _CAUSED.match(text) is not None

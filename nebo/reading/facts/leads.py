"""What is asked to be remembered, without the asking: "please remember that …", „merk dir bitte, dass …“."""

from __future__ import annotations

import re

from nebo.reading.meaning.antecedents import name_alone
from nebo.reading.meaning.sentences import capital

_POLITE = (
    r"(?:(?:(?:can|could|would|will) you|please|pls|kindly|just|also|and|so|ok(?:ay)?|hey|hi"
    r"|I(?:'d like| want| need) you to|bitte|und|kannst du|könntest du|könn(?:t)?en Sie|du sollst(?: dir)?"
    r"|por favor|porfa|y|puedes|podrías|quiero que|s'il te plaît|s'il vous plaît|stp|et|peux-tu|tu peux"
    r"|pourrais-tu|pouvez-vous|per favore|e|puoi|potresti|mi)[\s,]+){0,4}"
)
_VERB = (
    r"(?:remember|keep in mind|bear in mind|don't (?:you )?forget|make a note|take (?:a )?note|note|save|store"
    r"|memori[sz]e|write (?:this |it )?down|jot (?:this |it )?down|put (?:this |it )?down"
    r"|for (?:your|the|my) (?:notes?|records?|future)"
    r"|merk(?:e|en)? (?:dir|euch|Sie sich|mal)|merken|notier(?:e|en)?|speicher(?:e|n)?|behalt(?:e|en)?|vergiss nicht"
    r"|denk dran|schreib(?:e)? (?:dir|mit|auf)|halt(?:e)? (?:mal )?fest|präg(?:e)? dir"
    r"|recuerd[ae]|recordar|acuérdate|ten (?:en cuenta|presente)|apunt[ae](?:r|te)?|apúntate|anot[ae](?:r)?"
    r"|guard[ae](?:r)?|memoriza|no (?:te )?olvides"
    r"|(?:n')?oublie(?:z)? pas|rappelle-toi|souviens-toi|te souvenir|retiens|retenir|not(?:e|ez|er)"
    r"|enregistre(?:r)?|gard(?:e|er)|mémorise(?:r)?"
    r"|ricorda(?:ti|re|rti)?|tieni (?:a mente|presente)|segna(?:ti|re|telo)?|annota(?:ti|re)?|memorizza|salva(?:re)?"
    r"|non (?:ti )?(?:dimenticare|scordare))\b"
)
_NAMES = (
    r"(?:the|an?|my|our|your|his|her|their|I|I'm|we|der|die|das|den|mein\w*|unser\w*|el|la|los|las|mis?"
    r"|nuestr\w*|le|les|l'"
    r"|mon|ma|mes|notre|nos|il|lo|gli|i|mio|mia|miei|mie|nostr\w*)"
)
_FILLER = rf"(?:(?!\b{_NAMES}\b)[^:\n]){{0,40}}?"
_LEAD = re.compile(
    rf"\s*{_POLITE}{_VERB}(?:[^:\n]{{0,40}}?\s?:\s+|{_FILLER}[\s,](?P<link>that|dass|de que|que|qu'"
    rf"|che)(?:\s+|(?<='))"
    rf"|[\s,]+(?={_NAMES}\b)(?!das (?:ein|ab|auf|mal|bitte)\b))",
    re.IGNORECASE,
)
_AROUND = " \t,;:?!.–—-"
_PREFERENCE = re.compile(  # "… considering my preference for algebra over graphs"
    r"^my preference for (?!.*\b(?:is|are|was|were|has|have|comes?|makes?)\b)", re.IGNORECASE
)
_CLEFT = re.compile(  # "It's Bethan who does the sound now"
    r"^(?:(?i:it['’]s|it is|it will be|it['’]ll be)(?: now)? "
    r"(?P<who>(?:(?i:my|our|[A-ZÀ-Þ][\w-]+['’]s) [\w-]+(?: [A-Z][\w-]+)?|[A-ZÀ-Þ][\w'’-]+)),? who "
    r"(?=\w+s\b|is\b|has\b|will\b|\w+ed\b))"
)
_WITH = re.compile(
    r"With (?P<who>my|our|[A-ZÀ-Þ][\w-]+['’]s) (?P<noun>(?:[\w-]+ ){1,4}?)"
    r"(?P<verb>(?!wedding|meeting|training|building|evening|morning|red\b|bed\b)[a-z]{2,}(?:ing|ed))\b"
    r"(?P<rest>(?:(?!, (?:i|we|my|our|it|the|he|she|they)\b).)*)",
    re.IGNORECASE,
)
# "As a paramedic from Leith, how do I …" says that one is a paramedic from Leith.
_PLACE = r"(?P<rest> (?:%s)(?: (?!(?:I|i|ich|yo|je|io|my|we|wir)\b)[\w'’-]+){1,3}(?:, [A-ZÀ-Þ][\w-]+)*)\.?"
_AS_ONE = (
    (
        re.compile(
            r"As (?P<what>an? (?:[\w-]+ ){0,2}?[\w-]+)" + _PLACE % "from|in|at|for|living in|based in"
        ),
        "I'm",
    ),
    (
        re.compile(
            r"As (?P<what>an? (?:[\w-]+ ){0,2}?[\w-]+)(?P<rest> (?:with|who) (?:an? |my |no )?[^,;]{3,60})\.?"
        ),
        "I'm",
    ),
    (re.compile(r"Als (?P<what>[A-ZÄÖÜ][\w-]+)" + _PLACE % "aus|in|bei|im"), "Ich bin"),
    (re.compile(r"Como (?P<what>[\w-]+)" + _PLACE % "de|en"), "Soy"),
    (re.compile(r"En tant qu(?:e |['’])(?P<what>[\w-]+)" + _PLACE % "de|à|dans|chez"), "Je suis"),
    (re.compile(r"Come (?P<what>[\w-]+)" + _PLACE % "di|a|in|presso"), "Sono"),
)
_SUBJECT = re.compile(
    r"(?P<subject>ich|wir|er|sie|es|man)\s+(?P<rest>(?:(?!\b(?:und|oder|weder)\b)[^,;])+?)\s+(?P<verb>\w+)",
    re.IGNORECASE,
)


def without_lead(text: str) -> str:
    """The words to be kept; the text itself where no lead stands before them, or nothing behind it."""
    lead = _LEAD.match(text.replace("’", "'"))
    rest = text[lead.end() :].strip(_AROUND) if lead else ""
    if lead is None or len(rest.split()) < 2:
        return capital(text.strip())
    return capital(_as_main_clause(rest) if (lead["link"] or "").lower() == "dass" else rest)


def open_with(clause: str) -> str:
    """A clause that only says what is so as one that says it: "With my contract extended through May" as "My contract
    is extended through May"; any other as it stands.
    """
    clause = name_alone(_CLEFT.sub(r"\g<who> ", _PREFERENCE.sub("I prefer ", clause)))
    for lead, being in _AS_ONE:
        if one := lead.fullmatch(clause):
            return f"{being} {one['what']}{one['rest']}"
    found = _WITH.fullmatch(clause)
    return f"{capital(found['who'])} {found['noun']}is {found['verb']}{found['rest']}" if found else clause


def _as_main_clause(clause: str) -> str:
    """A German subclause with its verb in second place; where that isn't plain, the subclause as it stands."""
    plain = _SUBJECT.fullmatch(clause)
    return f"{plain['subject']} {plain['verb']} {plain['rest']}" if plain else f"dass {clause}"

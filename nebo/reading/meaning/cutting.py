"""Where a sentence pauses, so that what stands before and behind may say two things."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nebo.reading.meaning.conditions import depends
from nebo.reading.meaning.sentences import Span
from nebo.reading.words.bare_request import BELONGS
from nebo.reading.words.bare_verbs import FIRST_PERSON
from nebo.reading.words.openers import BUT

MAX_PAUSES = 4  # of a sentence that are tried, each takes two readings
_LINKS = rf"(?:and|but|so|und|aber|doch|y|pero|et|mais|donc|e|{BUT}|però|quindi)"
PAUSE = re.compile(rf"\s*[;:]\s+|\s*,\s+(?!(?:19|20)\d\d\b)|\s+[-–—]+\s+|\s+(?={_LINKS}\s)")
# After "and" without a comma, what begins so has a subject of its own: "and my wife teaches", but not "and teach".
LINKED = rf"(?:{_LINKS}\s+)?"
OWN = (
    r"(?i:(?:i|i['’]?m|my|we|our|the|ich|mein\w*|wir|unser\w*|je|mon|ma|mes|nous|nos|notre|yo|mis?"
    r"|nuestr\w+|io|mi[oa]"
    r"|miei|mie|nostr\w+)\b|j['’])"
)
# "…, and Wednesdays I'm at choir": when, before who.
WHEN = (
    r"(?i:(?:(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:mornings?|afternoons?|evenings?|nights?))?,? "
    r"|(?:at |on )?weekends?,? )(?=(?:i|we|my|our)\b))?"
)
OWN_SUBJECT = re.compile(rf"{LINKED}{WHEN}(?:{OWN}|{FIRST_PERSON})")
LINK = re.compile(rf"{_LINKS}\s+")
# "…, Tom and I are moving", „…, mein Bruder und ich ziehen um“: the two of them.
_AND_I = re.compile(r"(?:and|und|y|et|e)\s+(?:i|ich|yo|moi|io)\b", re.IGNORECASE)
_ENDS_IN_MANNER, _MANNER = re.compile(r"\b[a-z]{3,}ly$"), re.compile(r"(?:and |or )?[a-z]{3,}ly\b")
_ENDS_IN_QUALITY = re.compile(r"\b(?:for|of|with|about|into) (?!\w+(?:s|ing)$)[a-z]+$")
_QUALIFIED = re.compile(r"(?:and )?(?!(?:play|work|teach|run|speak|study|have|own)\b)[a-z]+ [a-z]+s[.!]*")
_ENDS_IN_PURPOSE = re.compile(r"\bto [a-z]+(?: [\w'’]+){1,3}$")
_FURTHER_ENDS = re.compile(
    r"[a-z]+(?<!ing)(?<!ly) (?!is\b|was\b|are\b)(?:[\w'’]+ ){1,3}and [a-z]+(?<!ing) [^,]+"
)
_ASKS = re.compile(
    rf"{LINKED}(?:also |then |auch |también )?(?:how|what|can|could|would|should|do|does|did|is|are|will|any|wie|was"
    r"|kannst|könntest|können|soll(?:te|ten|en)?|hast|gibt|irgend\w+|cómo|qué|puedes|podrías|debo|debería"
    r"|comment|quels?"
    r"|quelles?|peux|pourrais|est-ce|come|cosa|puoi|potresti|dovrei)\b",
    re.IGNORECASE,
)
# "…, but I'm not sure how to fit it in": a question, too, though nobody is asked.
_WONDERS = (
    r"(?:i['’]?m|i am) (?:\w+ )?(?:(?:not|un)(?: \w+)? ?sure|wondering|unsure)(?: about)?|i (?:don['’]?t know|wonder)"
    r"|ich (?:weiß|bin mir)(?: \w+)? nicht(?: sicher)?,|(?:yo )?no (?:sé|tengo claro)|je ne sais pas|(?:io )?non so"
)
_INDIRECTLY = (
    r"(?:how|what|if|whether|which|where|when|why|who|wie|was|ob|wo|wann|welche\w?|cómo|qué|si|cuál|comment"
    r"|quoi|quelle?"
    r"|come|cosa|se|quale)"
)
_AS_SOMEONE = re.compile(r"as some(?:one|body) who\b", re.IGNORECASE)
_ASKS_ONE = re.compile(  # so plainly that nobody needs the question mark
    rf"{LINKED}(?:(?:can|could|would|will) you|what should|what (?:are|is|would be) (?:some|the best|a good"
    rf"|your)\b|how (?:can|do|should)|is (?:that|this|it|there)\b"
    r"|if (?:i|we) (?:ever )?ask (?:you )?(?:for|about)|(?:falls|wenn) ich (?:dich )?(?:mal |je )?(?:frage|um)"
    r"|si (?:alguna vez )?te pido|si (?:jamais )?je te demande|se (?:mai )?ti chiedo"
    r"|which (?:one|of (?:them|these|those|the (?:two|three))) (?:is|are|would|should|do|does|suits|fits)\b"
    r"|should i\b"
    r"|what do you (?:think|suggest|recommend|reckon)|do you (?:think|reckon)|does (?:that|this"
    r"|it) (?:make sense|sound)"
    r"|was (?:meinst|denkst|hältst) du|welche[rs]? (?:davon |der beiden )?(?:ist|wäre)|qué (?:opinas"
    r"|te parece|me recomiendas)"
    r"|cuál (?:es|sería|me)|qu['’]en penses-tu|lequel est|cosa ne pensi"
    r"|any (?:[\w'’-]+ ){0,3}?(?:tips|advice|ideas|suggestions|recommendations|thoughts)\b"
    r"|kannst du|könntest du|puedes|podrías|peux-tu|pourrais-tu|puoi|potresti"
    rf"|(?:{_WONDERS}) {_INDIRECTLY}\b)",
    re.IGNORECASE,
)
# "users, ratings, and gift cards", "both the Fiesta and Golf to see …": what "and" joins there says nothing alone.
_ENDS_LISTED = re.compile(r", (?:[\w'’%-]+ ){0,2}[\w'’%-]+$")
_LAST_LISTED = re.compile(
    rf"(?:and|or|und|oder|y|o|et|ou|e)\s+(?!{OWN}\b|{FIRST_PERSON}|(?:an?|eine?n?|una?|une|work|live|study"
    rf"|teach|have|am|own|speak|run"
    r"|play|go)\b)"
    r"(?:[\w'’%-]+ ){0,2}[\w'’%-]+(?=[,.;!]|$)",
    re.IGNORECASE,
)
_LISTED_NEXT = re.compile(
    rf"(?!{OWN}\b)(?:(?:[\w'’%-]+ ){{0,2}}[\w'’%-]+, )+(?:and|or|und|oder|y|o|et|ou|e) (?!{OWN}\b|{FIRST_PERSON})"
)
_BOTH = re.compile(r"\b(?:both|between|either|sowohl|zwischen|entre|tra)\b[^,]*$", re.IGNORECASE)
# "between the barn for 900, the mill for 1,100, and …": the last of three or more is still to come.
_BETWEEN = re.compile(
    r"\b(?:choose|decide|decid\w+|choosing|torn|entscheide\w*|schwanke|eleg\w+|choisir|scegliere)\b"
    r"[^,;]*?\b(?:between|zwischen|entre|tra|fra)\b(?!.*\b(?:and|und|y|et|e)\s)",
    re.IGNORECASE,
)
# "not only light but also cheap": one thing of both.
_NOT_ONLY = re.compile(
    r"\b(?:not (?:only|just)|nicht nur|no s[oó]lo|non seulement|pas seulement|non solo)\b[^;]*$",
    re.IGNORECASE,
)
_BUT_ALSO = re.compile(r"(?:but|sondern|sino|mais|ma)\b", re.IGNORECASE)
_WITH_WHOM = re.compile(rf"(?:(?:{OWN}|[a-zß-ÿ]{{2,3}})\s+)?[^\W\d_][\w'’-]*")


def cut(span: Span) -> Iterator[tuple[Span, Span]]:
    """What stands before and behind each of its first pauses."""
    before = span.start - (len(span.text) - (span.end - span.start))  # words that it shares stand before it
    pauses = [
        one for one in PAUSE.finditer(span.text) if " " in span.text[: one.start()].strip()
    ]  # not "me and …"
    for pause in pauses[:MAX_PAUSES]:
        left, right = span.text[: pause.start()], span.text[pause.end() :]
        if _is_of_both(left, right) or is_inside(left, right):
            continue
        if left.strip() and right.strip() and not BELONGS.match(right) and not depends(right):
            end, start = before + pause.start(), before + pause.end()
            yield Span(left, span.start, end), Span(right, start, span.end)


def cut_before_question(span: Span) -> tuple[Span, Span] | None:
    """What is told before the question that a sentence ends in: "My rent goes up in May, how should I adjust?"."""
    begins = _ASKS if span.text.rstrip().endswith("?") else _ASKS_ONE
    pause = next((one for one in PAUSE.finditer(span.text) if begins.match(span.text, one.end())), None)
    if pause is None or _AS_SOMEONE.match(span.text):  # who that is, only the main clause says
        return None
    before = span.start - (len(span.text) - (span.end - span.start))
    left, right = span.text[: pause.start()], span.text[pause.end() :]
    return Span(left, span.start, before + pause.start()), Span(right, before + pause.end(), span.end)


def begins_to_ask(text: str) -> bool:
    """Whether a text begins with a question, with or without its mark: "What should I cook for six, …"."""
    return _ASKS_ONE.match(text) is not None


def _is_of_both(left: str, right: str) -> bool:
    """Whether a pause stands between two who do it together."""
    if not _AND_I.match(right):
        return False
    clause = left[max((one.end() for one in PAUSE.finditer(left)), default=0) :]
    return _WITH_WHOM.fullmatch(clause.strip()) is not None


def is_inside(left: str, right: str) -> bool:
    """Whether a pause stands in brackets, or between words of one kind before what they belong to: "physically,
    emotionally", "for unique, trendy pieces".
    """
    in_brackets = left.count("(") > left.count(")")
    manners = _ENDS_IN_MANNER.search(left) and _MANNER.match(right)
    not_only = _NOT_ONLY.search(left) and _BUT_ALSO.match(right)
    if in_brackets or manners or not_only or closes_list(left, right):
        return True
    ends = _ENDS_IN_PURPOSE.search(left) and _FURTHER_ENDS.fullmatch(right)
    listed = _BOTH.search(left) or _BETWEEN.search(left)
    return bool(listed or ends or (_ENDS_IN_QUALITY.search(left) and _QUALIFIED.fullmatch(right)))


def closes_list(left: str, right: str) -> bool:
    """Whether a pause stands before the last of a list: "for users, ratings, and gift cards"."""
    return _ENDS_LISTED.search(left) is not None and _LAST_LISTED.match(right) is not None


def goes_on_listing(right: str) -> bool:
    """Whether what stands behind a pause is the next of a list: "…, 35% protein, and 25% fat"."""
    return _LISTED_NEXT.match(right) is not None


def without_link(span: Span) -> Span:
    """A clause without the "and" that ties it to the one before."""
    link = LINK.match(span.text)
    return Span(span.text[link.end() :], span.start + link.end(), span.end) if link else span


def first_part(span: Span) -> Span:
    """What stands before the first pause."""
    return next(cut(span), (span, span))[0]

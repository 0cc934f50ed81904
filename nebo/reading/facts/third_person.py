"""A person's own clause with its subject named: "I'm allergic to nuts" of Lena gives "Lena is allergic to nuts".

Only English is turned, and only where its first words allow it by their form. Everything else keeps the person's own
words behind the name ("Jonas: Ich wohne in Bremen."), which says the same and cannot be garbled.
"""

from __future__ import annotations

import re

from nebo.reading.meaning.sentences import capital
from nebo.reading.words.stop_words import words

NAMELESS = "The user"

_CONTRACTED = {"m": "is", "ve": "has", "ll": "will", "re": "are"}
_KEPT = words(
    """
    can could will would should must may might shall was had did went got moved made bought took came
    saw met left found lost grew became began broke brought built fell felt gave heard held kept knew
    led paid ran said sold sent sat slept spoke spent stood swam taught told thought understood won wore
    wrote quit drove flew ate drank chose dealt drew fought forgot rode rose sang taught threw woke
    won't can't couldn't wouldn't shouldn't wasn't didn't cannot hadn't mustn't
    """
)
_IRREGULAR = {"am": "is", "have": "has", "do": "does", "go": "goes", "don't": "doesn't", "haven't": "hasn't"}
_ADVERBS = words(
    """
    also always just really still never actually usually often already finally recently currently now
    mostly only absolutely totally definitely honestly officially sometimes normally rarely generally
    personally even both regularly typically mainly lately basically formerly originally once probably
    """
)
# Forms that are present and past alike, or of which a rule can't tell: the person's own words are kept.
_UNCLEAR = words(
    """
    no not put read cut let set hit hurt cost shut bet spread myself and or i you we that this who which
    """
)
_NO_VERBS = words(
    """
    the a an my our it that this to not in on at so then also i we
    """
)
_SUBJECT = re.compile(
    r"(?<![\w-])I(?![-/])(?:['’](?P<short>m|ve|ll))?(?=\s)"
    r"(?P<adverbs>(?:\s+(?!(?:rely|apply|supply|reply|fly|imply|comply|multiply|rally)\b)[a-z]+ly\b"
    r"|\s+(?:also|just|still|never|always|often|now|no longer|only|once|even|both)\b)*)"
    r"(?:\s+(?P<verb>[A-Za-z]+(?:['’]t)?(?![\w-]))(?P<joined> (?:and|or) [a-z]+(?= |$))?)?"
)
_OWN = re.compile(r"\b(?:(?P<my>[Mm]y|[Oo]ur)|me)\b(?! (?:god|goodness|bad)\b)")
_PLURAL = re.compile(r"\b(?:we|us|ourselves|ours|let['’]s)(?:['’]\w+)?\b", re.IGNORECASE)
_AND_I = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) [\w-]+(?: [\w-]+)? and I\b"
    r"|\band I\b(?! (?:also|still|just|never|always|really)\b)(?=\s+(?:am|are|were|have|had|went|got|run)\b)"
)
_QUOTED = re.compile(r"[\"“”„«»]")
_FIRST = re.compile(r"(?<![\w-])(?:I(?![-/])|I['’]\w+|me|[Mm]y|[Oo]ur|mine|myself)\b")
_LATER = (
    (re.compile(r"\bI['’]m\b"), "they're"),
    (re.compile(r"\bI['’]ve\b"), "they've"),
    (re.compile(r"\bI['’]ll\b"), "they'll"),
    (re.compile(r"\bI['’]d\b"), "they'd"),
    (re.compile(r"\bI am\b"), "they are"),
    (re.compile(r"\bI was\b"), "they were"),
    (re.compile(r"(?<![\w-])I\b(?![-/])"), "they"),
    (re.compile(r"\bmyself\b"), "themselves"),
    (re.compile(r"\bmine\b"), "theirs"),
    (re.compile(r"\b(?:my|our)\b", re.IGNORECASE), "their"),
    (re.compile(r"\bme\b"), "them"),
)


# Verbs that are joined to the first one further on: "lives in Leeds and work as a baker".
_FURTHER = re.compile(
    r"(?<= and )(?:work|live|study)(?= (?:as|at|for|in|with)\b)|(?<= and )(?:have|am|teach|own|speak|play|sing|swim|eat"
    r"|drive|prefer|enjoy|collect)(?= )"
)
# "Never been on a team", "Lost my job": without the "I", a rule would take something else for the subject.
_ELIDED = re.compile(
    r"(?:Never|Been|Busy|Always|Still|Just|Lost|Got|Went|Had|Made|Found|Bought|Moved|Started|Finished|Took|Met|Saw"
    r"|Joined|Quit|Left|Tried|Spent|Won)\b(?! (?:I|we|my|our)\b(?! (?:job|mum|mom|dad|phone|keys?|place)\b))"
)
_HASTY = (
    (re.compile(r"\b(?:im|i['’]m)\b", re.IGNORECASE), "I'm"),
    (re.compile(r"\b(?:ive|i['’]ve)\b", re.IGNORECASE), "I've"),
    (re.compile(r"\bi['’]ll\b"), "I'll"),
    (re.compile(r"\bi\b"), "I"),
    (re.compile(r"\b(do|did|does|have|is|was|ca|wo|could|would|should)nt\b"), r"\1n't"),
)


def name_subject(clause: str, *, speaker: str, english: bool) -> str:
    """The clause as a sentence that says whom it is about; `speaker` may be empty."""
    text = " ".join(clause.split()).strip(" ,;:-–—")
    if english:
        for pattern, plain in _HASTY:
            text = pattern.sub(plain, text)
    text = capital(text)
    turned = _turn(text, speaker or NAMELESS.lower()) if english else None
    if turned is None:
        turned = f"{speaker}: {text}" if speaker else text
    turned = capital(turned)
    return turned if turned[-1:] in ".!?…" else f"{turned}."


def _turn(text: str, name: str) -> str | None:
    """The clause in third person; None where its form doesn't tell how."""
    if _PLURAL.search(text) or _QUOTED.search(text) or _AND_I.search(text):
        return None
    if _ELIDED.match(text):
        return None
    if not _FIRST.search(text):
        return text
    found = _SUBJECT.search(text)
    own = _OWN.search(text)
    if found is None or (own is not None and own.start() < found.start()):
        return _with_owner(text, name, own)
    verb = _third_person(found)
    if verb is None:
        return None
    before, rest = _later(text[: found.start()]), _later(text[found.end() :])
    if found["verb"] and verb.split()[-1] != found["verb"].lower():
        rest = _FURTHER.sub(lambda further: _verb(further[0]), rest)
    return f"{before}{name}{verb}{rest}"


def _with_owner(text: str, name: str, own: re.Match[str] | None) -> str | None:
    """`My sister is vegan` of Lena: "Lena's sister is vegan"; `it helps me`: "it helps Lena"."""
    if own is None:
        return None
    before, rest = _later(text[: own.start()]), _later(text[own.end() :])
    return f"{before}{name}'s{rest}" if own["my"] else f"{before}{name}{rest}"


def _third_person(found: re.Match[str]) -> str | None:
    """The words between the subject and the rest: " never eats"."""
    adverbs, verb = found["adverbs"] or "", found["verb"] or ""
    if short := found["short"]:
        return f" {_CONTRACTED[short]}{adverbs}" + (f" {verb}" if verb else "")
    low = verb.lower().replace("’", "'")
    if not low or low in _UNCLEAR or low in _ADVERBS:
        return None
    turned = _verb(low)
    return f"{adverbs} {turned}{_join(found['joined'] or '', alike=turned != low)}"


def _join(joined: str, *, alike: bool) -> str:
    """A verb that is joined to the first one is turned like it: "practise and train"."""
    if not alike or not joined or joined.endswith(("s", "ed", "ing", "ly")):
        return joined
    link, verb = joined.split()
    return f" {link} {verb if verb in _NO_VERBS else _verb(verb)}"


def _verb(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in _KEPT or (verb.endswith("ed") and verb not in ("need", "feed", "breed", "speed", "bleed")):
        return verb
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else "s")


def _later(text: str) -> str:
    """What follows the subject, told of them."""
    for pattern, replacement in _LATER:
        text = pattern.sub(replacement, text)
    return text

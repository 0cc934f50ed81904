"""What somebody did and what happened to them, with its day."""

from __future__ import annotations

import re

from nebo.llm.rules.english.dates import When
from nebo.llm.rules.english.phrasing import (
    ends_in_pronoun,
    in_third_person,
    is_short_enough,
    say,
    slug,
    trim,
    without_when,
)
from nebo.llm.rules.english.rules import ADVERBS, Made, Reading, rule
from nebo.llm.rules.wordlists import words

_ANY = re.compile(r"\w")
_VERBS: dict[str, re.Pattern[str]] = dict.fromkeys(
    words(
        "started signed finished painted joined attended visited bought drew built adopted applied "
        "graduated met watched published launched opened quit won celebrated hosted volunteered "
        "traveled travelled flew drove camped hiked swam cooked baked planted learned completed "
        "enrolled donated organized organised performed sold created designed recorded contacted "
        "booked "
        "explored read wrote passed broke moved retired climbed biked ran rode sang danced practiced "
        "knitted fixed repaired renovated installed registered submitted interviewed presented "
        "taught mentored coached competed auditioned exhibited received earned ordered packed mailed "
        "roasted picked adopted rescued proposed divorced married failed missed sailed skied surfed "
        "photographed filmed edited released recovered returned toured dined hung went saw played made took"
    ),
    _ANY,
) | {
    "had": re.compile(
        r"(?:an? (?:baby|picnic|party|interview|accident|miscarriage|surgery|operation|car accident"
        r"|setback|meeting|barbecue|bbq|dinner|fight|check-?up|c-section|talk|date|great time at"
        r"|blast at)|surgery|my first|our first)"
    ),
    "got": re.compile(
        r"(?:married|engaged|divorced|promoted|fired|laid off|hurt|injured|diagnosed|accepted|hired"
        r"|(?:an?|another|my|our|two) |into (?:an? |the |[A-Z]))"
    ),
    "left": re.compile(r"(?:my|our|the (?:company|team|job)|for|school|college) ?"),
    "lost": re.compile(r"(?:my|our|the (?:game|match)|\d+) ?"),
    "did": re.compile(r"(?:an?|my|our) (?!lot|bit|great job|good job|best)\w"),
    "tried": re.compile(r"(?!to\b|and\b|that\b|it\b)\w"),
    "gave": re.compile(r"(?:an?|my) (?!lot|bit|shot|try|damn|me\b)\w"),
    "was": re.compile(
        r"(?:diagnosed|promoted|born|hired|fired|laid off|accepted|invited to|elected|hospitali[sz]ed"
        r"|awarded|selected|nominated|admitted) ?"
    ),
    "talked": re.compile(r"(?:about (?:my|our) |at (?:my|the|a) |to (?:my|our) )"),
    "spoke": re.compile(r"(?:about (?:my|our) |at (?:my|the|a) |to (?:my|our) )"),
    "shared": re.compile(r"(?:my|our) (?!thoughts?|opinion|feelings?)"),
    "were": re.compile(r"(?:invited to|in an accident|evicted|married in) ?"),
}
_NO_OBJECT = re.compile(
    r"(?:it|that|this|them|these|those|one|him|her|you|there|here|what|how|why|when|where|who"
    r"|whether|so|such|me|us|sure|sense|up to|off on|through|well|wrong|on to|on with|ahead|back "
    r"to (?:the|my) (?:point|question)"
    r"|from (?:one|there|this)|out of|late|over time|a (?:difference|mistake|look|while|point|joke"
    r"|call|decision|lot|good|great|positive|huge|big|real|move|fool|promise|deal|chance|huge"
    r"|good point)"
    r"|progress|a big|some|time|everything|nothing|something|anything|all|my (?:time|mind|word)"
    r"|for granted|into account|care of (?:it|that|this)|the (?:time|chance|opportunity|liberty"
    r"|impression|idea|point|same|error|code)|an error|errors?|an issue|a bug|a problem|away|by"
    r"|to (?:see|think|feel|realize|know|care|get|be|understand|notice))\b",
    re.IGNORECASE,
)
_GREAT = re.compile(
    r"\b(?:married|engaged|divorced|born|baby|adopted|moved|graduated|diagnosed|promoted|retired"
    r"|fired|hired|new job|surgery|accident|miscarriage|won|launched|published|quit|passed"
    r"|applied)\b"
)
_MAKING = words(
    "painted made drew built bought wrote read finished visited baked knitted designed created recorded"
)
_POINTED = re.compile(
    r"(?:this|that|these|those) (?!is\b|was\b|you\b|i\b|we\b|he\b|she\b|it\b|they\b|in\b|at\b|on\b"
    r"|for\b|with\b|because\b|when\b|after\b|one\b|to\b)\w+",
    re.IGNORECASE,
)
_COMPANY = (
    r"(?:(?P<company>(?:my|the|our) [\w ]{2,25}?) and I|(?:me and|I and) (?P<company2>my [\w "
    r"]{2,25}?)|I|we|my (?P<company3>family|fam) and I)"
)
_HELPERS = r"(?:['’]ve|['’]d| have| had| did)?"


def _event(found: Reading) -> Made:
    verb, rest = found["verb"].lower(), trim(found["rest"])
    allowed = _VERBS[verb]
    if (
        not allowed.match(rest)
        or (_NO_OBJECT.match(rest) and not _pointed_out(verb, rest))
        or not is_short_enough(rest)
    ):
        return None
    done, when = without_when(rest, found.on)
    if not when:
        _, when = without_when(found.clause.lead, found.on)
    done = trim(done)
    return _took_place(found, f"{verb} {_tidy(done)}", done, when)


def _pointed_out(verb: str, rest: str) -> bool:
    """Whether "that" only points ("I painted that lake sunrise"), as with things one makes or buys."""
    return verb in _MAKING and bool(_POINTED.match(rest))


def _took_place(found: Reading, predicate: str, done: str, when: When | None) -> Made:
    if not slug(done) or ends_in_pronoun(done) or re.search(r"\byou(?:r|['’]\w+)?\b", done, re.IGNORECASE):
        return None
    company = found["company"] or found["company2"] or found["company3"]
    if company and "with" not in predicate:
        predicate += f" with {in_third_person(company[:1].lower() + company[1:])}"
    moment = f"-{when.day or slug(when.label, 4)}" if when else ""
    value, key = say(found.turn.speaker, predicate, when), f"event/{slug(predicate)}{moment}"
    return found.states(
        "event",
        key,
        value,
        done,
        category="entities",
        importance=2 if _GREAT.search(predicate) else 1,
        tags=("event",),
    )


def _tidy(text: str) -> str:
    return re.sub(r"\s+([,.])", r"\1", re.sub(r"\b(?:just|finally|also|actually|even)\s+", "", text))


_VERB = r"(?P<verb>" + "|".join(sorted(_VERBS, key=len, reverse=True)) + ")"
RULES = (rule(rf"{_COMPANY}{_HELPERS} {ADVERBS}{_VERB} (?P<rest>.{{3,220}})", _event),)

"""What somebody works on, and what they decided."""

from __future__ import annotations

import re

from nebo.llm.rules.english.phrasing import is_short_enough, say, slug, trim, without_when
from nebo.llm.rules.english.rules import ADVERBS, IM, NAME, Made, Reading, rule

_NOT_PROJECTS = re.compile(
    r"(?:for|one|another|with|it|that|this|them|these|those|being|becoming|getting|making"
    r"|building up|myself|my(?:self)?$|some|something|things?|stuff|a (?:bug|problem|question|task"
    r"|issue|thing|fix|few)|the (?:bug|problem|issue|same)|\w+ing\b|an (?:issue|error|answer)"
    r"|homework|how|what)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:an?|the|my|our|some|new)\s+(?:new\s+)?|(?:\s+(?:and|where|who|whose|for|at|with|in|on|to"
    r"|that|which|using|about|called|named|from|next|by|,).*$)|,.*$",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"(?:\w+ )?(?:projects?|things?|ideas?|piece|while)", re.IGNORECASE)
_GATED = re.compile(r"(?:not to decide|it|that|this|later|nothing)\b", re.IGNORECASE)


def _works_on(found: Reading) -> Made:
    what = trim(found["what"])
    if _NOT_PROJECTS.match(what) or not slug(what) or not is_short_enough(what):
        return None
    rest, when = without_when(what, found.on, future=True)
    value = say(found.turn.speaker, f"is {found['doing'].lower()} {rest}", when)
    return _project(found, _label(rest), value)


def _called(found: Reading) -> Made:
    name = trim(found["name"])
    return _project(found, name, say(found.turn.speaker, f"has a project called {name}"))


def _project(found: Reading, label: str, value: str) -> Made:
    if not slug(label):
        return None
    entity = {"type": "project", "entity": label, "entity_type": "project", "category": "entities"}
    return found.states(
        "project", f"project/{slug(label, 4)}", value, label, importance=2, tags=("project",), **entity
    )


def _label(what: str) -> str:
    """The name in a description: of "a project about bees" that is "bees project"; none of a plain "project"."""
    label = " ".join(re.sub(_LABEL, "", re.sub(_LABEL, "", what)).split()[:6])
    if not _PLAIN.fullmatch(label):
        return label
    topic = re.search(r"\b(?:about|called|named|on|for) (?P<topic>(?:[\w'’-]+ ?){1,5})", what)
    return f"{trim(topic['topic'])} project" if topic else ""


def _decided(found: Reading) -> Made:
    what = trim(found["what"])
    if _GATED.match(what) or not slug(what) or not is_short_enough(what):
        return None
    rest, when = without_when(what, found.on, future=True)
    how = {
        "against": "decided against",
        "on": "decided on",
        "that": "decided that",
        "not to": "decided not to",
    }.get(found["way"].lower(), "decided to")
    return _decision(found, say(found.turn.speaker, f"{how} {rest}", when), rest)


def _goes_with(found: Reading) -> Made:
    what = trim(found["what"])
    if (
        _GATED.match(what)
        or re.match(r"(?:you|your|them|her|him|my gut|the flow)\b", what, re.IGNORECASE)
        or not slug(what)
        or not is_short_enough(what)
    ):
        return None
    return _decision(found, say(found.turn.speaker, f"decided to go with {what}"), what)


def _chose(found: Reading) -> Made:
    what = trim(found["what"])
    if (
        re.match(r"(?:them|it|you|that|this|him|her|to\b)\b", what, re.IGNORECASE)
        or not slug(what)
        or not is_short_enough(what)
    ):
        return None
    return _decision(found, say(found.turn.speaker, f"{found['verb'].lower()} {what}"), what)


def _decision(found: Reading, value: str, what: str) -> Made:
    return found.states(
        "decision",
        f"decision/{slug(what, 5)}",
        value,
        what,
        category="decisions",
        importance=2,
        tags=("decision",),
    )


RULES = (
    rule(
        rf"(?:{IM}|we['’]re |we are |I(?:['’]ve| have) been |we(?:['’]ve| have) been "
        rf"){ADVERBS}(?P<doing>working on|building|developing|launching|prototyping|redesigning"
        rf"|shipping|designing) (?P<what>.{{3,140}})",
        _works_on,
    ),
    rule(
        r"(?:my|our|the) (?:new |side |current |latest )?(?:project|app|startup|company|product|book"
        rf"|novel|podcast|band)(?: is|['’]s) (?:called|named) (?P<name>[\"“']?{NAME}[\"”']?)",
        _called,
    ),
    rule(
        rf"(?:I|we)(?:['’]ve| have)? {ADVERBS}(?:decided|agreed|settled) (?P<way>not to|to|on|that"
        rf"|against) (?P<what>.{{3,160}})",
        _decided,
    ),
    rule(
        r"(?:let['’]?s|let us|we['’]ll|we will|I['’]ll|I will|we['’]re going to|I['’]m going to) "
        r"(?:just )?go (?:ahead )?with (?P<what>.{2,120})",
        _goes_with,
    ),
    rule(
        rf"(?:I|we)(?:['’]ve| have)? {ADVERBS}(?P<verb>chose|picked(?! up| out| on)|opted for|went with"
        rf"|settled on) (?P<what>.{{3,120}})",
        _chose,
    ),
    rule(
        r"(?:the|our|final) decision(?: is|['’]s| was) (?P<way>not to|to|that)? ?(?P<what>.{3,120})", _decided
    ),
)

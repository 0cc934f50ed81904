"""What somebody does again and again, has, and is after."""

from __future__ import annotations

import re

from nebo.llm.rules.english.phrasing import is_short_enough, say, slug, third_person_verb, trim, without_when
from nebo.llm.rules.english.rules import ADVERBS, IM, NAME, Made, Reading, rule
from nebo.llm.rules.wordlists import words

_OFTEN = (
    r"(?P<often>usually|always|never|often|typically|normally|regularly|rarely|seldom|tend to"
    r"|mostly|generally)"
)
_INNER = words(
    "think thought know knew feel felt wonder wondered want wanted say said find found love loved hate "
    "hated have had been be am was wish wished believe believed remember forget forgot appreciate need "
    "needed get got hope hoped understand understood realize realized see saw expect expected seem mean "
    "meant look looked imagine imagined dream dreamed try tried stop stopped will would could can did do "
    "does made went took gave came told heard let learned met tend admire cherish enjoy keep just also "
    "really only even still already finally recently usually always never often actually now both all so "
    "kind ran wrote drove ate drank swam slept bought brought caught sang spent sold"
)
_PAST = re.compile(r"\w+ed$")
_RHYTHM = (
    r"(?:every|each) (?:single |other )?(?:day|morning|evening|night|week|weekend|month|year"
    r"|summer|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?"
    r"|(?:once|twice|(?:a few|several|many|\w+) times) (?:a|per) (?:day|week|month|year)|on (?:mon"
    r"|tues|wednes|thurs|fri|satur|sun)days|on weekends|daily|weekly"
)
_HAS_ONE = (
    r"(?:(?:younger|older|little|big|twin|young|small|beautiful|lovely|adopted|rescue|teenage"
    r"|grown|cute|black|white|orange|golden) )*"
    r"(?:kids?|child(?:ren)?|sons?|daughters?|brothers?|sisters?|siblings?|twins|triplets"
    r"|grandkids|grandchildren|dogs?|cats?|puppy|puppies|kittens?|rabbits?|horses?|hamsters?"
    r"|guinea pigs?"
    r"|parrots?|birds?|chickens?|fish|turtles?|pets?|bikes?|motorcycle|car|house|apartment|boat"
    r"|garden|greenhouse|degree|phd|ph\.d\.?|master['’]s|mba|tattoos?|blog|podcast|youtube channel"
    r"|startup|bakery|shop"
    r"|business|etsy shop|studio)"
)
_DOES = (
    r"(?P<verb>teach|mentor|volunteer|coach|own|study|play|drive|practi[cs]e|collect|sing|manage"
    r"|lead|garden|commute|suffer from|wear|smoke|swim|meditate|foster|tutor|knit|surf|ski|climb"
    r"|dance|brew|run)"
)
_NOT_DONE = re.compile(
    r"(?:it|that|this|them|these|those|you|your|around|along|with you|a (?:role|part)|out|into"
    r"|late|away|off|as|the same|up|by|to|for you|through|(?:of|with|about|for|from) (?:it|this"
    r"|that|them|you)|an? (?:ton|lot|bit|while|break|moment)|the time|some time|and|lately"
    r"|notes)\b",
    re.IGNORECASE,
)
_ONGOING = (
    r"(?P<verb>learning|training|planning|preparing|writing|reading|saving|looking for|starting"
    r"|taking|teaching|volunteering|organizing|organising|hosting|moving|opening|attending"
    r"|expecting"
    r"|recovering|renovating|applying|pursuing|mentoring|researching|practi[cs]ing|dating"
    r"|redecorating|rehearsing|knitting|coaching|running|taking care of|raising|carving out"
    r"|trying to (?:quit|lose|learn|save|eat|get pregnant|get back))"
)
_IDLE = words(
    "thinking feeling trying wondering meaning hoping having getting going keeping doing waiting talking "
    "seeing telling saying being asking calling dying struggling told busy"
)


def _habit(found: Reading) -> Made:
    often, verb, rest = found["often"].lower(), found["verb"].lower(), trim(found["rest"])
    inner = verb in _INNER and not (verb == "look" and rest.startswith("forward"))
    if inner or _PAST.match(verb) or not is_short_enough(f"{verb} {rest}"):
        return None
    doing = verb if often == "tend to" else third_person_verb(verb)
    manner = "tends to" if often == "tend to" else often
    return _repeats(found, f"{manner} {doing} {rest}".strip(), f"{verb} {rest}")


def _rhythm(found: Reading) -> Made:
    verb, rest = found["verb"].lower(), found["rest"]
    if (
        verb in _INNER - {"try", "keep"}
        or not (slug(rest) or slug(verb))
        or (verb in ("go", "do") and not slug(rest))
        or _PAST.match(verb)
        or not is_short_enough(rest)
    ):
        return None
    return _repeats(
        found,
        f"{third_person_verb(verb)} {trim(rest)} {_small(found['rhythm'])}".replace("  ", " "),
        f"{verb} {rest}",
    )


def _leading_rhythm(found: Reading) -> Made:
    if not re.fullmatch(_RHYTHM, found.clause.lead, re.IGNORECASE):
        return None
    verb, rest = found["verb"].lower(), trim(found["rest"])
    if verb in _INNER or _PAST.match(verb):
        return None
    return _repeats(
        found,
        f"{third_person_verb(verb)} {rest} {_small(found.clause.lead)}".replace("  ", " "),
        f"{verb} {rest}",
    )


def _small(text: str) -> str:
    """Without the capital of a sentence's beginning; "Tuesday" keeps its own."""
    return text[:1].lower() + text[1:]


def _repeats(found: Reading, predicate: str, done: str) -> Made:
    key = slug(done, 4)
    return (
        found.says("habit", f"habit/{key}", predicate, done.strip(), fact_type="habit", tags=("habit",))
        if key
        else None
    )


def _has(found: Reading) -> Made:
    what = trim(f"{found['count']} {found['thing']}")
    what += f" {found['named']}" if found["named"] else ""
    noun = re.sub(r"s$", "", found["thing"].split()[-1].lower())
    return found.says("fact", f"has/{slug(noun)}", f"has {what}", what, tags=("has",))


def _does(found: Reading) -> Made:
    verb, what = found["verb"].lower(), trim(found["what"])
    if (
        _NOT_DONE.match(what)
        or not slug(what)
        or not is_short_enough(what)
        or (verb == "run" and not re.match(r"(?:an?|my|our|the)\b", what))
    ):
        return None
    what, _ = without_when(what, None)
    return found.says(
        "fact",
        f"fact/{slug(verb)}-{slug(what, 4)}",
        f"{third_person_verb(verb.split()[0])}{verb[len(verb.split()[0]) :]} {what}",
        what,
    )


def _ongoing(found: Reading) -> Made:
    verb, rest = found["verb"].lower(), trim(found["what"])
    rest, when = without_when(rest, found.on, future=True)
    if _NOT_DONE.match(rest) or not slug(rest) or not is_short_enough(rest):
        return None
    value = say(found.turn.speaker, f"is {verb} {rest}", when)
    return found.states("fact", f"fact/{slug(verb, 2)}-{slug(rest, 4)}", value, rest, category="entities")


def _planned(found: Reading) -> Made:
    """`I'm having an art show next month`: a plan only with its time."""
    rest, when = without_when(trim(f"{found['what']} {found.clause.lead}"), found.on, future=True)
    if (
        not when
        or not slug(rest)
        or _NOT_DONE.match(rest)
        or re.match(r"(?:be|have|try|see if|let|tell|say|ask|make sure|need)\b", rest)
    ):
        return None
    value = say(found.turn.speaker, f"is {found['verb'].lower()} {rest}", when)
    return found.states("event", f"event/{slug(rest)}", value, rest, category="entities", due=when.day)


def _has_been(found: Reading) -> Made:
    verb, rest = found["verb"].lower(), trim(found["what"])
    rest, when = without_when(rest, found.on)
    if (
        verb in _IDLE
        or "each other" in rest
        or _NOT_DONE.match(rest)
        or not slug(rest)
        or not is_short_enough(rest)
    ):
        return None
    value = say(found.turn.speaker, f"has been {verb} {rest}", when)
    return found.states("fact", f"fact/{verb}-{slug(rest, 4)}", value, rest, category="entities")


def _has_done(found: Reading) -> Made:
    verb, rest = found["verb"].lower(), trim(found["what"])
    return (
        found.says("fact", f"fact/{verb}-{slug(rest, 4)}", f"has {verb} {rest}", rest, category="entities")
        if slug(rest)
        else None
    )


def _used_to(found: Reading) -> Made:
    rest = trim(found["what"])
    if (
        not slug(rest)
        or not is_short_enough(rest)
        or re.match(r"(?:be|think|feel|have|love it|hate it|it|that|this|being|the idea)\b", rest)
    ):
        return None
    return found.says("fact", f"fact/used-to-{slug(rest, 4)}", f"used to {rest}", rest, category="entities")


def _goal(found: Reading) -> Made:
    rest = trim(found["what"])
    if (
        not slug(rest)
        or not is_short_enough(rest)
        or re.match(r"(?:know|see|say|ask|thank|tell|make sure|understand|\w+ (?:it|that)\b)", rest)
    ):
        return None
    return found.says("fact", f"goal/{slug(rest, 4)}", f"wants to {rest}", rest, importance=2, tags=("goal",))


RULES = (
    rule(rf"(?:I|we) {ADVERBS}{_OFTEN} (?P<verb>[a-z]+)(?P<rest>(?: .{{1,160}})?)$", _habit),
    rule(rf"(?:I|we) (?P<verb>[a-z]+) (?P<rest>.{{0,100}}?)\b(?P<rhythm>{_RHYTHM})(?=$|[\s,.!])", _rhythm),
    rule(r"(?:I|we) (?P<verb>[a-z]+)(?P<rest>(?: .{1,120})?)$", _leading_rhythm),
    rule(
        r"(?:I|we)(?:['’]ve got| have| also have| now have|['’]ve) (?P<count>an?|one|two|three|four"
        rf"|five|six|seven|\d|no) (?P<thing>{_HAS_ONE})"
        rf"(?P<named>(?:,? (?:called|named) {NAME}(?:(?:, | and |, and ){NAME})*)?)(?=$"
        rf"|[\s,.!])(?! (?:problem|issue|question|idea"
        r"|appointment|show|name|food|party))",
        _has,
    ),
    rule(
        r"(?:I|we)(?:['’]ve| have) (?P<verb>known|owned|played|worked|lived|practiced|coached|taught"
        r"|collected|studied) (?P<what>.{0,80}\bfor (?:about |over |almost |nearly )?(?:the (?:last"
        r"|past) )?(?:\w+|a few) (?:years?|months?|decades?)\b)",
        _has_done,
    ),
    rule(r"(?:I|we) used to (?P<what>.{3,160})", _used_to),
    rule(
        rf"I {ADVERBS}(?:usually |mainly |always |primarily )?(?P<verb>use) (?P<what>{NAME}.{{0,40}})", _does
    ),
    rule(
        r"my (?:main |biggest |ultimate |new year['’]s |long-term |life )?(?:goal|dream|ambition|aim"
        r"|resolution)(?:['’]s| is) to (?P<what>.{3,160})",
        _goal,
    ),
    rule(
        r"I(?:['’]ve always dreamed of becoming| want to (?=become|be an? )| plan to| intend to|['’]m "
        r"determined to| am determined to) ?(?P<what>(?:an? |become |be )?.{3,120})",
        _goal,
    ),
    rule(rf"(?:I|we) {ADVERBS}{_DOES} (?P<what>.{{2,100}})", _does),
    rule(rf"(?:{IM}|we['’]re |we are ){ADVERBS}{_ONGOING} (?P<what>.{{3,140}})", _ongoing),
    rule(
        rf"(?:{IM}|we['’]re |we are ){ADVERBS}(?P<verb>having|going to|getting|visiting|flying to"
        r"|meeting|seeing|leaving for|launching|performing|presenting|turning|celebrating|putting "
        rf"together|throwing|graduating) (?P<what>.{{3,140}})",
        _planned,
    ),
    rule(
        rf"(?:I|we)(?:['’]ve| have) {ADVERBS}been (?P<verb>[a-z]+ing|to|a|an|in) (?P<what>.{{3,140}})",
        _has_been,
    ),
)

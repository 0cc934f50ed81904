"""What is somebody's: things with their names and makes, measures, days to come, and the clubs they are in."""

from __future__ import annotations

import re

from nebo.llm.rules.english.phrasing import is_short_enough, slug, trim, without_when
from nebo.llm.rules.english.rules import IM, NAME, Made, Reading, rule

_THINGS = (
    r"phone|mobile|laptop|computer|pc|tablet|car|van|bike|bicycle|motorbike|motorcycle|scooter|boat|yacht|camera|guitar"
    r"|piano|violin|instrument|house|flat|apartment|office|desk|garden|keyboard|watch|tv|printer|router|blog|podcast"
    r"|website|shop|company|startup|band|team|choir|orchestra|editor|browser|operating system|bank"
    r"|gym|school|university"
    r"|hometown|pet|bakery|studio|newsletter|channel"
)
_MEASURES = (
    r"(?:shoe|dress|ring|shirt|hat|trouser|clothing) size|blood (?:type|group)|height|weight|(?:star|zodiac) sign"
    r"|(?:usual |go-to |regular )?(?:coffee |lunch |breakfast |drink )?order|commute|house number|native language"
    r"|mother tongue|first language|major|bedtime|budget|lucky number|maiden name|middle name|last name|surname"
)
_DAYS = (
    r"(?:wedding )?anniversary|name day|exam|finals|appointment|wedding|interview|surgery|operation|graduation|deadline"
    r"|due date|holidays?|vacation|trip|concert|recital|marathon|race|flight|train|check-?up|move"
    r"|launch|defen[cs]e|viva"
    r"|presentation|performance|exhibition|conference"
)
_ON_A_DAY = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|(?:january|february|march"
    r"|april|may|june|july|august|september|october|november|december)\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\d{1,2}[:.]\d{2}|\d{1,2} ?(?:am|pm)\b|tomorrow|next (?:week|month|year)|(?:19|20)\d\d)",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(r"(?:an? |the |called |named |made by )|(?-i:[A-Z])", re.IGNORECASE)
_PASSING = re.compile(
    r"(?:an? (?:bit|little|lot|mess|disaster|joke|pain|problem|nightmare|good|great|bad|big|real|total|dream|wreck)\b"
    r"|the (?:best|worst|same|problem|one|only|reason|first|last)\b)",
    re.IGNORECASE,
)


def _thing(found: Reading) -> Made:
    """`My phone is a Fairphone`, `my boat is called Seagull`; not how it happens to be just now."""
    thing, what = found["thing"].lower(), trim(found["what"])
    if not _DESCRIBED.match(what) or _PASSING.match(what) or not is_short_enough(what) or not slug(what):
        return None
    return _slot(found, f"has/{slug(thing)}", thing, what)


def _measure(found: Reading) -> Made:
    what = trim(found["what"])
    if not is_short_enough(what) or len(what.split()) > 8:
        return None
    thing = re.sub(r"^(?:usual|go-to|regular) ", "", found["thing"].lower())
    return _slot(found, f"user/{slug(thing)}", thing, what)


def _day(found: Reading) -> Made:
    """Only with its day or time."""
    what = trim(found["what"])
    if not _ON_A_DAY.search(what) or not is_short_enough(what):
        return None
    rest, when = without_when(what, found.on, future=True)
    thing = f"{found['thing']} {found['more']}".strip()
    said = f"{thing} {found['verb'].lower()} {rest}".strip() + (f" ({when.label})" if when else "")
    return found.states(
        "fact",
        f"date/{slug(thing)}",
        f"{_owner(found)} {said}",
        what,
        category="entities",
        importance=2,
        tags=("date",),
    )


def _appointment(found: Reading) -> Made:
    what = trim(found["what"])
    if not _ON_A_DAY.search(what) or re.search(r"\b(?:tomorrow|next \w+)\b", what, re.IGNORECASE):
        return None
    thing = found["thing"].lower()
    return found.says(
        "fact", f"date/{slug(f'{thing} {what}', 4)}", f"has {found['article'].lower()} {thing} {what}", what,
        category="entities", importance=2, tags=("date",),
    )  # fmt: skip


def _member(found: Reading) -> Made:
    club = trim(found["club"])
    if not slug(club) or len(club.split()) > 8:
        return None
    return found.says("fact", f"member/{slug(club)}", f"is a member of {club}", club, tags=("member",))


def _slot(found: Reading, key: str, thing: str, what: str) -> Made:
    return found.states("fact", key, f"{_owner(found)} {thing} is {what}", what, tags=(slug(thing),))


def _owner(found: Reading) -> str:
    return found.owner[:1].upper() + found.owner[1:]


_MY = r"(?:my|our)(?: new| old| current| trusty| little| beloved)?"
RULES = (
    rule(rf"{_MY} (?P<thing>{_MEASURES}) (?:is|are)(?: an?(?= order))? (?P<what>.{{1,60}})", _measure),
    rule(rf"(?:the )?name of my (?P<thing>{_THINGS}) is (?P<what>{NAME})", _thing),
    rule(rf"{_MY} (?P<thing>{_THINGS}) is (?P<what>.{{2,80}})", _thing),
    rule(
        rf"{_MY} (?P<thing>{_DAYS})(?P<more>(?: (?:to|with|for|at|in) [\w'’ .-]{{2,40}}?)?) "
        r"(?P<verb>is|are|starts?|leaves?|departs?|takes place|begins?)(?: set for)? (?P<what>.{3,60})",
        _day,
    ),
    rule(
        rf"(?:I|we)(?:['’]ve got| have|['’]ve) (?P<article>an?) (?P<thing>{_DAYS}) (?P<what>.{{3,80}})", _appointment
    ),
    rule(rf"(?:{IM}|we['’]re )(?:a |an active |a proud )?member of (?P<club>.{{3,60}})", _member),
)  # fmt: skip

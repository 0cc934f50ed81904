"""Where somebody lives, and by which clock."""

from __future__ import annotations

import re

from nebo.llm.rules.english.phrasing import say, slug, trim, without_when
from nebo.llm.rules.english.rules import IM, NAME, Made, Reading, rule
from nebo.llm.rules.statements import Statement

_PLACE = (
    rf"(?P<place>(?:the )?{NAME}(?:(?:, | / | in (?:the )?){NAME}){{0,2}}|[a-z]{{3,14}}(?: "
    rf"[a-z]{{3,14}}){{0,2}}(?:, [a-z ]{{2,14}})?)"
)
_ENDS = (
    r"(?=$|[,.!;]| (?:now|with|and|but|for|since|at the moment|these days|currently|right now|last"
    r"|this|next|about|which|where|in|near|because|so|\w+ (?:years?|months?|weeks?) ago|as"
    r"|from)\b)"
)
_NOT_PLACES = re.compile(
    r"^(?:the |a |an |my |our |your |fear|hope|peace|harmony|constant|different|denial|hell|heaven"
    r"|here|there|this|that|with|alone|together|another|new|old|small|big|"
    r"it|town|cities|city|house|apartment|place|sin|pain|same|two|one|is|was|now|next|over|out|up"
    r"|down|back|forward|bed|sleep|tears|front)\b"
)
_ZONES = (
    r"(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z]\w+(?:/\w+)?"
    r"|(?:UTC|GMT)\s?(?:[+-−]\s?\d{1,2}(?::?\d{2})?)?"
    r"|(?-i:[ECMP][SD]?T|CES?T|W?EST|WES?T|EES?T|BST|IST|JST|KST|SGT|HKT|AE[SD]?T|AC[SD]T|AWST"
    r"|NZ[SD]?T|AK[SD]?T|HST|MSK|BRT|ART|GST|PKT|ICT|WIB)"
    r"|(?:US |U\.S\. )?(?:Eastern|Central|Mountain|Pacific|Atlantic|Central European|Eastern "
    r"European|Western European|India|Indian|Japan|China|Korea|British|Irish|Australian Eastern"
    r"|Alaska|Hawaii|Moscow|Berlin|London|New York|Paris|Tokyo|Sydney)(?: (?:standard|daylight|summer))? time"
)
_TAIL = r"(?: (?:time ?zone|timezone|time))?(?=$|[\s,.!;])"


def _place(found: Reading) -> Made:
    place = _clean_place(found["place"])
    return _lives_in(found, place) if place else None


def _moved(found: Reading) -> Made:
    place = _clean_place(found["place"])
    if not place:
        return None
    _, when = without_when(f"{found.clause.lead} {found.clause.text}", found.on)
    where = f"moved to {place}" + (f" from {trim(found['origin'])}" if found["origin"] else "")
    moved = found.states(
        "event",
        f"event/moved-{slug(place)}",
        say(found.turn.speaker, where, when),
        place,
        category="entities",
        importance=2,
    )
    return [_lives_in(found, place), moved]


def _lives_in(found: Reading, place: str) -> Statement:
    entity = {"entity": place, "entity_type": "place"}
    return found.says(
        "place", "user/location", f"lives in {place}", place, importance=2, tags=("location",), **entity
    )


def _clean_place(text: str) -> str:
    """A place's name, the smaller one first; small letters are allowed, a plain noun isn't."""
    place = re.split(r",? (?:in the|in) (?=[A-Z])", text.strip(" ,.!"))
    return _capitalised(", ".join(place))


def _capitalised(place: str) -> str:
    if place != place.lower():
        return place
    return "" if _NOT_PLACES.match(place) or len(place.split()) > 2 else place.title()


def _zone(found: Reading) -> Made:
    zone = re.sub(r"\s*([+−-])\s*", r"\1", found["zone"])
    return found.says(
        "timezone", "user/timezone", f"is in the timezone {zone}", zone, importance=2, tags=("timezone",)
    )


RULES = (
    rule(rf"my (?:local )?time ?zone(?:['’]s| is)(?: set to| now)?:? (?P<zone>{_ZONES}){_TAIL}", _zone),
    rule(
        rf"(?:{IM}|we['’]?re |we are )(?:currently |now )?(?:in|on|at) (?:the )?(?P<zone>{_ZONES}){_TAIL}",
        _zone,
    ),
    rule(rf"I (?:work|live|operate) (?:in|on) (?:the )?(?P<zone>{_ZONES}){_TAIL}", _zone),
    rule(
        r"(?:I|we)(?:['’]ve| have)? (?:just |recently |finally |now |also )*(?:moved|relocated) "
        rf"(?:from (?P<origin>{NAME}) )?(?:back |over )?to {_PLACE}{_ENDS}",
        _moved,
    ),
    rule(
        r"(?:I|we)(?: currently| now| still| actually| both)* (?:live|reside) (?:over |here |right "
        rf"|alone )*in {_PLACE}{_ENDS}",
        _place,
    ),
    rule(
        rf"(?:{IM}|we['’]?re |we are )(?:currently |now |still |actually )*(?:living|based|located"
        rf"|residing|settled) (?:out of|in|at|near) {_PLACE}{_ENDS}",
        _place,
    ),
    rule(rf"my (?:home|hometown now|current (?:city|location|home)) is (?:in )?{_PLACE}{_ENDS}", _place),
)
ANYWHERE = (
    rule(
        rf"\bmy home (?:country|town|city|state)(?: of|,| is|['’]s) (?P<place>(?:the )?{NAME})(?=$|[\s,.!])",
        lambda found: _home(found),
        anywhere=True,
    ),
)


def _home(found: Reading) -> Made:
    place = trim(found["place"])
    return found.says("fact", "user/origin", f"is from {place}", place, importance=2, tags=("origin",))

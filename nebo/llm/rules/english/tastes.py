"""What somebody likes, prefers and can't stand."""

from __future__ import annotations

import re

from nebo.llm.rules.english.phrasing import (
    ends_in_pronoun,
    in_third_person,
    is_short_enough,
    slug,
    third_person_verb,
    trim,
)
from nebo.llm.rules.english.rules import ADVERBS, IM, Made, Reading, rule

MAX_TASTE_WORDS = 16  # words; what is liked in more is an opinion of the moment

_NOT_LIKED = re.compile(
    r"(?:it|its|it['’]s|that|this|these|those|you|your|yours|him|her|his|them|their|what|how|where"
    r"|when|why|who|the way|the (?:idea|fact|thought|look|sound|vibe|details?)"
    r"|to (?:think|know|say|hear|see|believe|have|be|get|help|do|go|make|let|thank|ask|point|use)"
    r"|seeing|hearing|knowing|having|getting|being|if|every\w*|all|so|being|my (?:job|life)?$"
    r"|one|ones|both|another|some|any|something|anything|nothing|here|there|talking to|chatting)\b",
    re.IGNORECASE,
)
_KNOWN_THE = re.compile(
    r"the (?:beach|mountains?|ocean|sea|outdoors|rain|snow|cold|heat|summer|winter|autumn|fall"
    r"|spring|city|countryside|forest|theat(?:er|re)|cinema|gym|opera|woods|desert|dark"
    r"|guitar|piano|violin|beatles|simpsons|[A-Z]\w+)(?: \w+)?$"
)
_VERBS = r"(?P<verb>like|love|enjoy|adore|prefer|hate|dislike|detest|loathe|despise|appreciate)"
_FANCY = {
    "keen on": "is keen on",
    "into": "is into",
    "obsessed with": "is obsessed with",
    "a fan of": "is a fan of",
    "fond of": "is fond of",
}


def _likes(found: Reading) -> Made:
    verb, what = found["verb"].lower(), trim(found["what"])
    if verb == "appreciate" or not _is_taste(what):
        return None
    if verb == "prefer":
        return _prefers(found, what)
    return _taste(found, what, f"{third_person_verb(verb)} {what}")


def _dislikes(found: Reading) -> Made:
    what = trim(found["what"])
    if not _is_taste(what):
        return None
    verb = found["verb"].lower()
    negated = "can't stand" if "stand" in verb or "bear" in verb else f"does not {re.split(r'[ ]', verb)[-1]}"
    return _taste(found, what, f"{negated} {what}")


def _fan(found: Reading) -> Made:
    what = trim(found["what"])
    if not _is_taste(what):
        return None
    manner = re.sub(
        r"^(?:a )?(?:(?:big|huge|massive|real|great|total) )*fan of", "a fan of", found["manner"].lower()
    )
    return _taste(found, what, f"{_FANCY.get(manner, 'is ' + manner)} {what}")


def _taste(found: Reading, what: str, predicate: str) -> Made:
    key = f"preference/{slug(re.sub(r'^to ', '', what))}"
    return found.says("preference", key, predicate, what, fact_type="preference", tags=("preference",))


def _prefers(found: Reading, what: str) -> Made:
    """One of two is one slot, whichever way round it is said."""
    pair = re.split(r"\s+(?:over|to|rather than|instead of|more than|than)\s+", what, maxsplit=1)
    if pair[0].lower() == "to" or what.lower().startswith("to "):
        pair = re.split(r"\s+(?:over|rather than|instead of)\s+(?:to )?", what[3:], maxsplit=1)
    key = "-or-".join(sorted(filter(None, (slug(part, 3) for part in pair))))
    if not key:
        return None
    return found.says(
        "preference",
        f"preference/{key}",
        f"prefers {what}",
        what,
        fact_type="preference",
        tags=("preference",),
    )


def _favourite(found: Reading) -> Made:
    topic = re.sub(r"(?<=[lv])our\b", "or", found["topic"].lower()).replace(
        "theatre", "theater"
    )  # one spelling, one slot
    what = trim(found["what"])
    if not _is_favourite(topic, what):
        return None
    predicate = f"has {what} as their favorite {topic}"
    return found.says(
        "preference", f"favorite/{slug(topic)}", predicate, what, fact_type="preference", tags=("favorite",)
    )


def _is_favourite(topic: str, what: str) -> bool:
    if re.match(r"(?:part|thing|moment|memory|memories|bit|one|ones|time|day|so far)\b", topic) or not slug(
        topic
    ):
        return False
    return (
        bool(slug(what))
        and len(what.split()) <= MAX_TASTE_WORDS
        and not re.match(r"(?:it|that|this|when|how|probably|hard|tough|not)\b", what.lower())
    )


def _is_taste(what: str) -> bool:
    if not is_short_enough(what) or len(what.split()) > MAX_TASTE_WORDS or not slug(what) or "\x00" in what:
        return False
    if _NOT_LIKED.match(what) or ends_in_pronoun(what):
        return False
    return not re.match(r"the\b", what, re.IGNORECASE) or bool(_KNOWN_THE.match(what))


def _interests(found: Reading) -> Made:
    what = trim(found["what"])
    if not _is_taste(what) or re.match(r"not\b|\w+ed\b", what):
        return None
    topic = "hobby" if found["topic"].lower().startswith("hobb") else "passion"
    return found.says(
        "preference",
        f"user/{topic}",
        f"has {in_third_person(what)} as {topic}",
        what,
        fact_type="preference",
        tags=("interest",),
    )


RULES = (
    rule(
        rf"(?:I|we) {ADVERBS}(?P<verb>can['’]?t stand|cannot stand|can['’]?t bear|don['’]?t (?:really "
        r"|particularly )?(?:like|enjoy|love|want)|do not (?:like|enjoy)|am not a fan of) "
        rf"(?P<what>.{{2,160}})",
        lambda found: None if "want" in found["verb"] or "fan" in found["verb"] else _dislikes(found),
    ),
    rule(
        rf"(?:I|we|my (?:kids|family|wife and I|husband and I|kids and I)) {ADVERBS}{_VERBS} "
        rf"(?P<what>.{{2,160}})",
        lambda found: (
            None
            if found.match.group().lower().startswith(("my kids ", "my family "))
            and " and i " not in found.match.group().lower()
            else _likes(found)
        ),
    ),
    rule(
        rf"{IM}{ADVERBS}(?:very |super |big |pretty )*(?P<manner>(?:a )?(?:(?:big|huge|massive|real"
        r"|great|total) )*fan of|keen on|into|obsessed with|fond of|passionate about|addicted to"
        rf"|afraid of|scared of|terrified of) (?P<what>.{{2,120}})",
        _fan,
    ),
    rule(
        r"my (?:(?:all[- ]time|absolute|personal|current) )?(?:favou?rite|fave|fav) (?P<topic>[\w "
        r"-]{2,30}?)(?:['’]s| is| are| has (?:always )?been)(?: probably| definitely| definitely still"
        r"| still)? (?P<what>.{2,100})",
        _favourite,
    ),
    rule(
        r"(?P<what>[\w'’ &-]{2,50}?)(?:['’]s| is| are) my (?:(?:all[- ]time|absolute|personal) "
        r")?(?:favou?rite|fave|fav) (?P<topic>[\w -]{2,30})$",
        _favourite,
    ),
    rule(r"my (?P<topic>hobby|hobbies|passions?)(?: is| are|['’]s) (?P<what>.{2,100})", _interests),
)

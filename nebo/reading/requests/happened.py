"""Whether what was to be seen to has taken place, told without a word of the errand: "the climbing wall was a hit" of
"Book the climbing wall", "Dionne's mum came too" of "Tell Dionne's mum".
"""

from __future__ import annotations

import re

from nebo.reading.words.naming import find_named, named_words
from nebo.reading.words.openers import without_opener
from nebo.reading.words.pauses import split_at_pauses

_AHEAD = re.compile(  # what leads up to something else
    r"(?P<verb>book|reserve|order|buy|hire|rent|arrange|organi[sz]e|plan|get|find|invite|tell|ask|ring|call|phone|email"
    r"|text|visit|see|bake|make|have|paint|fix|mend|sort|fill|do|clean|clear|build|put|hang|wash)\b",
    re.IGNORECASE,
)
# Errands after which somebody, or something, comes; and those after which only a service does: "the plumber's been".
_COMING = ("invite", "tell", "book", "order", "hire", "have", "get")
_SERVED = ("ring", "call", "phone", "email", "text", "ask")
_OF = r"^(?:the |our |my )?(?P<what>[^,;.!?]+?)"
_VERY = (
    r"(?:(?:an?|so|really|absolutely|such|just|pretty|quite|very|total|huge|big|massive|proper|completely) )*"
)
_GOOD = (
    r"(?:hit|success|triumph|laugh|joy|dream|treat|doddle|breeze|great|brilliant|lovely|fun|amazing|fantastic|perfect"
    r"|delicious|mental|wonderful|excellent|beautiful|gorgeous|superb|ace|magic|worth it|easy|quick|painless"
    r"|(?:\w+[- ]){1,2}minute job)"
)
_PAST = r"(?:yesterday|last (?:week|night|month|\w+day)|this morning|the other day|on \w+day)"
_WENT = re.compile(
    rf"{_OF} (?:(?:was|were) (?:{_VERY}{_GOOD}|{_PAST})|(?:only|just|merely) (?:needed|wanted)"
    r"|went (?:really |very |so )?(?:well|fine|great|smoothly|down a storm)"
    r"|(?:only )?took (?:only |just |about )?(?:\w+ ){0,2}(?:seconds?|minutes?|mins?|hours?|no time|ages|forever))\b"
    r"(?! (?:last (?:time|year)|before|when i was|at [A-Z]\w+['’]s|the last time))",
    re.IGNORECASE,
)
_CAME = re.compile(
    rf"{_OF}(?: (?:came|turned up|arrived|showed up)(?: (?:too|as well|along|over|round))*"
    r"(?=[,.;!]|\W*$| (?:on|at|with|this|and)\b)|(?:['’]s| has| have) been(?: and gone)?(?=[,.;!]|\W*$))",
    re.IGNORECASE,
)
# "The bank said yes", of who was to be asked.
_ANSWERED = re.compile(
    rf"{_OF} (?:(?:has |have )?(?:said (?:yes|no|ok(?:ay)?|that|it|we|they|he|she|i)|agreed|refused|approved|answered"
    r"|replied|turned (?:me|us|it) down|(?:got|came) back (?:to (?:me|us)|with)"
    r"|(?:rang|called|wrote) (?:me |us )?back))\b",
    re.IGNORECASE,
)
# "They slept on the camp bed": what was to be got is in use.
_TO_GET = ("find", "buy", "get", "order", "hire", "book", "rent", "borrow")
_USED = re.compile(
    r"\b(?:slept (?:on|in)|wore|used|ate|drank|drove|played on|rode|stayed (?:at|in)|sat on) (?:the|our|my|that) "
    r"(?P<what>[^,;.!?]+)",
    re.IGNORECASE,
)
# "Neville did it in his good trousers", behind what names it.
_DID_IT = re.compile(
    r"\b(?:[A-ZÀ-Þ][\w-]+|(?i:he|she|they|we|i)) (?:did|sorted|fixed|handled|took care of) (?:it|that|them|those)\b"
)
# "Ask my boss for a reference": what they gave.
_ASKED_FOR = re.compile(r"(?:ask|chase|get)\b.*?\b(?:for|from)\b(?P<what>.*)$", re.IGNORECASE)
_GAVE = re.compile(r"\b(?:wrote|gave|sent|lent|got|handed) (?:me|us) (?P<what>[^,;.!?]+)", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never|no|\w+n['’]t|should|must|need(?:s|ed)? to|will)\b", re.IGNORECASE)
# What stands behind the object of an errand.
_BEHIND = re.compile(
    r"\b(?:about|for|from|with|at|on|to|before|by|in|looked|seen|done|that|who|whether|if)\b", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"['’]s\b")


def has_happened(text: str, todo: str) -> bool:
    """Whether a text tells what could only be told once the errand was done, by the errand's own matter."""
    ahead = _AHEAD.match(todo)
    if ahead is None:
        return False
    head = _head_of(todo[ahead.end() :])
    parts = [without_opener(part) for part in split_at_pauses(text) or [text]]
    verb = ahead["verb"].lower()
    came = [
        part for part in parts if verb in _COMING or (verb in _SERVED and part.lower().startswith("the "))
    ]
    got = parts if verb in _TO_GET else []
    told = [
        *((_WENT, part) for part in parts),
        *((_CAME, part) for part in came),
        *((_USED, part) for part in got),
        *((_ANSWERED, part) for part in (parts if verb in _SERVED else [])),
    ]
    took_place = (found for pattern, part in told if (found := pattern.search(part)))
    if any(not _DENIED.search(found[0]) and _is_matter(found["what"], head, todo) for found in took_place):
        return True
    return any(_was_given(part, todo) for part in parts) or _did_it(text, head)


def may_have_happened(text: str) -> bool:
    """Whether a text may tell so of anything."""
    return any(pattern.search(text) for pattern in (_WENT, _CAME, _USED, _DID_IT, _GAVE, _ANSWERED))


def _head_of(behind_verb: str) -> str:
    """The noun that an errand is about: "vet" of "the vet about Pickle's limp"."""
    found = _BEHIND.search(behind_verb)
    words = _POSSESSIVE.sub("", behind_verb[: found.start()] if found else behind_verb).split()
    return words[-1].strip(".,;!?").lower() if words else ""


def _is_matter(what: str, head: str, todo: str) -> bool:
    """Whether what is told of is the errand's matter, and nothing that the errand doesn't name."""
    named = named_words(what)
    return bool(named and head) and bool(find_named({head}, what)) and find_named(named, todo) == named


def _was_given(part: str, todo: str) -> bool:
    asked, gave = _ASKED_FOR.match(todo), _GAVE.search(part)
    wanted = named_words(asked["what"]) if asked else frozenset()
    return gave is not None and bool(wanted) and find_named(wanted, gave["what"]) == wanted


def _did_it(text: str, head: str) -> bool:
    found = _DID_IT.search(text)
    before = text[: found.start()] if found else ""
    return bool(head and before) and not _DENIED.search(text) and bool(find_named({head}, before))

"""What stays open beside errands: habits somebody means to keep, threads to come back to, and what keeps bothering."""

from __future__ import annotations

import re

from nebo.llm.rules.english.dates import find_when
from nebo.llm.rules.english.phrasing import in_third_person, is_short_enough, slug, trim
from nebo.llm.rules.english.rules import ADVERBS, Made, Reading, rule

_OFTEN = (
    r"(?:(?:every|each) (?:single |other )?(?:day|morning|evening|night|week|weekday|weekend|month|\w+day)|daily|weekly"
    r"|(?:once|twice|three times|\d times) an? (?:day|week|month))"
)
_LATER = (
    r"(?:later|next time|another time|some other time|tomorrow|next \w+|on \w+day"
    r"|when we (?:meet|talk|speak) (?:again|next))"
)
_BOTHERS = (
    r"(?:forgetting|losing|missing|oversleeping|procrastinating|failing|falling|mixing|waking|messing|running (?:late"
    r"|out)|putting (?:it )?off|getting (?:distracted|lost|stuck|interrupted|headaches))"
)
_BREAKS = (
    r"(?:crashing|breaking|failing|freezing|leaking|disconnecting|dying|hanging|overheating|stalling|acting up"
    r"|waking me|interrupting|cancell?ing|ignoring|complaining|bothering)"
)


def _open(found: Reading, kind: str, text: str) -> Made:
    words = trim(text)
    if not slug(words) or not is_short_enough(words):
        return None
    turned = in_third_person(words)
    when = find_when(found.match.group(), found.on, future=True) if kind == "thread" else None
    return found.states(
        "task",
        f"{kind}/{slug(words, 5)}",
        f"{turned[:1].upper()}{turned[1:]}",
        words,
        due=when.day if when else None,
        tags=("task", kind),
    )


def _habit(found: Reading) -> Made:
    return _open(found, "habit", found["what"])


def _thread(found: Reading) -> Made:
    return _open(found, "thread", f"{found['verb']} {found['what']}")


def _friction(found: Reading) -> Made:
    return _open(found, "friction", found["what"])


def _struggle(found: Reading) -> Made:
    return _open(found, "friction", f"Struggles with {found['what']}")


def _keeping(found: Reading) -> Made:
    return _open(found, "friction", re.sub(r"^keep\b", "keeps", found["what"], flags=re.IGNORECASE))


RULES = (
    rule(
        r"(?:I(?:['’]m| am) (?:going|trying) to|I(?:['’]ll| will)|I (?:want|plan|intend|aim) to|my goal is to)"
        rf" (?:start )?(?P<what>.{{3,80}}?\b{_OFTEN})",
        _habit,
    ),
    rule(
        r"(?:let['’]?s|we(?:['’]ll| will)|I(?:['’]ll| will| want to)) (?P<verb>talk (?:more )?about"
        rf"|come back to|get back to|return to|continue(?: with)?|discuss|pick up|revisit)"
        rf" (?P<what>.{{3,120}}?) {_LATER}\W*$",
        _thread,
    ),
    rule(rf"I {ADVERBS}(?P<what>keep (?:on )?{_BOTHERS}\b.{{0,100}})", _keeping),
    rule(
        rf"I(?:['’]m| am)? {ADVERBS}(?:struggle|struggling|having trouble|fed up|frustrated) with (?P<what>.{{3,100}})",
        _struggle,
    ),
    rule(
        rf"(?P<what>(?:the|my|our) [\w'’ -]{{2,60}}? (?:keeps? (?:on )?{_BREAKS}|drives? me (?:crazy|mad|nuts)"
        r"|is driving me (?:crazy|mad|nuts))\b.{0,60})",
        _friction,
    ),
)

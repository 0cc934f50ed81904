"""A request beside what is told: "I'm coeliac, can you plan meals?", "…, so please don't hold on to that"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import permutations

from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.cutting import (
    OWN_SUBJECT,
    begins_to_ask,
    cut,
    cut_before_question,
    goes_on_listing,
    without_link,
)
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.sentences import Span
from nebo.reading.meaning.telling import (
    ASKING,
    DOUBT,
    TELLING,
    WORTH_TELLING,
    ClauseReading,
    tells,
)
from nebo.reading.wording.elided import name_speaker
from nebo.reading.wording.named_thing import name_thing
from nebo.reading.words.bare_verbs import has_bare_verb
from nebo.reading.words.languages import is_english

# Chance from which a sentence may hide such a request; of forgetting, one in twenty others has it.
HINTS: Mapping[Kind, float] = {"forget": 0.01, "request": 0.5, "question": 0.5, "wish": 0.3}
# "…, so please don't hold on to that"
_UNSAYS = re.compile(
    r"(?:\s*[,;]|\s+[-–—])?\s+(?:(?:and|so|but|please|pls),? )*(?=(?:please )?(?:don['’]?t|do not) \w+(?: \w+){0,3}? "
    r"(?:it|that|this|any of (?:it|that|this))\W*$)",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+and\s")
# A subject of its own and a verb, or what needs none: "allergic to nuts", "no mushrooms for my wife".
_CLAUSE = re.compile(
    r"(?:(?!for\b|like\b|maybe\b)[^\W\d_][\w'’-]*,? ){1,5}?(?:is|are|was|were|has|have|had|can['’]?t|cannot|can|will"
    r"|won['’]?t|doesn['’]?t|don['’]?t|ist|sind|hat|haben|kann|mag|es|son|está|tiene|est|sont|a|ont|è|sono|ha|hanno)\b"
    r"|[A-ZÀ-Þ][\w'’-]+ [a-z]+(?:s|ed|t)\b|\w+['’]s\b|(?:no|not|never|only|allergic|keine?|nicht|nur|sin|sans|senza)\b",
    re.IGNORECASE,
)
REMEMBERS = 0.8  # chance of asking to have something remembered, from which a clause by itself does


def part_request(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """Two: one side asks for something, the other tells something. None where nothing is asked for."""
    return (
        _part_unsaying(span, read)
        or _part_led_by_question(span, read)
        or _part_remembered(span, read)
        or _part_errand(span, read)
        or _part_asking(span, read)
    )


def _part_remembered(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """What is to be remembered, and what is to be done: "remember that Mum likes vases, I want to throw one"."""
    for left, right in cut(span):
        rest = without_link(right)
        remembers = OWN_SUBJECT.match(rest.text) and read(f"{left.text}.").chances["remember"] >= REMEMBERS
        if remembers and read(rest.text).may_be("todo"):
            whole = Span(f"{left.text}.", left.start, left.end)  # its full stop tells what it is
            return [whole, replace(rest, text=name_thing(left.text, rest.text))]
    return []


def _part_errand(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """What is to be done, and what is told of another matter: "I need to call the bank, and my son has flu"."""
    if not read(span.text).may_be("todo"):
        return []
    for left, right in cut(span):
        rest = without_link(right)
        has_subject = OWN_SUBJECT.match(rest.text) or find_antecedent(rest.text)
        if has_subject and any(
            _is_beside_errand(*both) for both in permutations((read(left.text), read(rest.text)))
        ):
            return [left, rest]
    return []


def _is_beside_errand(errand: ClauseReading, telling: ClauseReading) -> bool:
    """Whether the first is to be done, and the second tells something and is nothing of that kind."""
    return errand.chances["todo"] >= DOUBT and telling.chances["todo"] < DOUBT and tells(telling)


def _part_asking(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    chances = read(span.text).chances
    asks = [
        kind for kind in ASKING if chances[kind] >= HINTS[kind] and (kind == "forget" or ":" not in span.text)
    ]
    if not asks or max(chances[kind] for kind in TELLING) < HINTS["forget"]:
        return _part_question(span, read)
    apart: list[tuple[Span, Span]] = []
    for left, right in cut(span):
        if goes_on_listing(right.text):
            continue
        first, second = read(left.text), read(right.text)
        if says_of_whom(without_link(right).text) and any(_stand_apart(first, second, kind) for kind in asks):
            return [left, right]
        if any(_stand_apart(second, first, kind) for kind in asks):
            apart.append((left, right))
    if not apart:
        return _part_question(span, read)
    told, asked = apart[-1]  # as much as tells: "allergic, well, intolerant" and "so no milk please"
    question = cut_before_question(span)
    if question and question[0].end > told.end:  # "between the Olive and the Hearth; how can I keep it up?"
        told, asked = replace(question[0], read_as=told.text), question[1]
    return [told, asked]


def says_of_whom(text: str) -> bool:
    """Whether what stands behind a question is a clause of its own, and no more of what is asked: "…, 35 % protein, and
    25 % fat", "for my work and travel".
    """
    return (
        OWN_SUBJECT.match(text) is not None
        or find_antecedent(text) is not None
        or name_speaker(text) != text
        or _CLAUSE.match(text) is not None
    )


def is_joined_thing(span: Span, left: Span, rest: Span) -> bool:
    """Whether "and" without a comma joins but the next thing: "using Ghost for the blog and Stripe for sales"."""
    joined = _AND.match(span.text, len(left.text)) is not None and is_english(rest.text)
    return joined and not (says_of_whom(rest.text) or has_bare_verb(rest.text))


def _part_led_by_question(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """A question without its mark, and what is told behind it: "what should I cook, and mum can't have prawns"."""
    if not begins_to_ask(span.text) or ":" in span.text or span.text.rstrip().endswith("?"):
        return []
    parts = ((left, without_link(right)) for left, right in cut(span))
    told = ((left, rest) for left, rest in parts if says_of_whom(rest.text) and tells(read(rest.text)))
    return next(([left, rest] for left, rest in told), [])


def _part_unsaying(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """What is told, and the order behind it not to keep it; none where it ends in no such order."""
    found = _UNSAYS.search(span.text)
    if found is None or not found.start() or not read(span.text[found.end() :]).may_be("forget"):
        return []
    before = span.start - (len(span.text) - (span.end - span.start))
    told = Span(span.text[: found.start()], span.start, before + found.start())
    return [told, Span(span.text[found.end() :], before + found.end(), span.end)]


def _part_question(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """What is told, and the question behind it; none where it tells nothing."""
    parts = cut_before_question(span)
    return list(parts) if parts and tells(read(parts[0].text)) else []


def opens_material(span: Span, read: Callable[[str], ClauseReading]) -> bool:
    """Whether what follows is a text to work on, and nobody's own words: "Can you translate this: …"."""
    return ":" in span.text and read(span.text).chances["request"] >= HINTS["request"]


def _stand_apart(asking: ClauseReading, telling: ClauseReading, asks: Kind) -> bool:
    """Whether one of two is the request and the other says something of its own."""
    if not asking.may_be(asks) or any(telling.may_be(kind) for kind in ASKING):
        return False
    worth_keeping = asks == "forget" or telling.worth["good"] >= WORTH_TELLING
    return worth_keeping and any(telling.chances[kind] >= DOUBT for kind in TELLING)

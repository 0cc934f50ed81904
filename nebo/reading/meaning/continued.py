"""What is told in two sentences and in neither alone: "The kitten's here. She's called Blodwen".

Two that follow each other are read as one where the second leans on the first ("Starts after Easter.", "She's tabby.",
"18 December, tiny."), or where neither is worth keeping; and only if what both say together is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.sentences import Span, capital
from nebo.reading.meaning.telling import DOUBT, TELLING, UNMEANT, ClauseReading, tells
from nebo.reading.times.dates import names_time
from nebo.reading.wording.covering import language_of
from nebo.reading.wording.names import names_of
from nebo.reading.words.bare_verbs import THIRD_PERSON, has_bare_verb

TOGETHER = 0.9  # worth of both together, from which they are kept as one
LEANING = 0.6  # the same, where the second is worth keeping but for what it leaves out
HINT = 0.05  # worth or chance of telling of one of them, below which there is nothing to tell
TRIVIAL = (
    0.9  # chance of saying nothing, from which a sentence opens none: "Been a few days since we talked."
)
MAX_CHARS = 200  # of both; what is longer is a story
MAX_DETAIL_WORDS = 8
# What two sentences tell that say little alone; opinions and tastes are rather made up from them.
NEWS = (
    "name", "age", "birthday", "home", "work", "education", "partner", "family", "friend", "pet", "diet", "allergy",
    "possession", "event", "travel", "plan", "project",
)  # fmt: skip
# Sentences that are read for something else stay by themselves.
APART: tuple[Kind, ...] = (
    "asks_back", "forget", "wish", "wish_back", "todo", "done", "put_off", "dropped", "confidence", "remember",
    "correction", "request", "question",
)  # fmt: skip
_PRONOUN = re.compile(
    r"(?:and |und |y |et |e )?(?:he|she|it|they|his|hers?|its|their|that|this|er|sie|es|das|dies\w*|sein\w*|ihr\w*"
    r"|él|ella|ellos|eso|il|elle|ils|elles|c['’]|ça|lui|lei)(?:['’]\w+)?\b",
    re.IGNORECASE,
)
_GOES_ON = {
    language: re.compile(rf"(?:starts?|begins?|{verbs.removeprefix('(?:')}\b", re.IGNORECASE)
    for language, verbs in THIRD_PERSON.items()
}
_VERB = re.compile(
    r"\b(?:i|we|he|she|it|they|you|ich|wir|er|sie|es|yo|je|j['’]\w+|nous|on|io|noi|is|are|was|were|has|had|ist|sind|war|hat"
    r"|son|est|sont|è|sono)\b|['’](?:s|m|re|ve)\b",
    re.IGNORECASE,
)
# Of what the sentence before told of, its name: "It has to take a cat. Her name's Pudding"; or what it is: „Wir haben
# einen Hund! Einen Mischling“.
_NAMES_IT = re.compile(
    r"(?:(?:and|und|y|et|e) )?(?:(?:his|her|its|their) names?(?: is| are|['’]s)"
    r"|(?:(?:he|she|it)(?: is|['’]s)|they(?: are|['’]re)) (?:called|named)|(?:er|sie|es) heiß(?:t|en)|se llaman?"
    r"|(?:il|elle)s? s['’]appellent?|si chiama(?:no)?) (?=[A-ZÀ-ÖØ-Þ])",
    re.IGNORECASE,
)
_OF_ITS_KIND = re.compile(r"(?:an?|ein(?:en?)?|un[ae']?|uno) ", re.IGNORECASE)
# "Relieved mostly.", "Knackered."
_ASIDE = re.compile(r"(?:[^\W\d_]+ )?(?:[^\W\d_]+ly|[^\W\d_]+ed)[.!…]*", re.IGNORECASE)
_STOPS = re.compile(r"[.!?…:]\W*$")


def join_continued(parts: list[Span], read: Callable[[str], ClauseReading]) -> list[Span]:
    """The sentences of a message, those that tell something together as one."""
    joined: list[Span] = []
    for part in parts:
        together = _join(joined[-1], part, read) if joined else None
        if together is None:
            joined.append(part)
        else:
            joined[-1] = together
    return joined


def _join(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    if left.read_as or right.read_as or len(left.text) + len(right.text) > MAX_CHARS or _is_aside(left.text):
        return None
    first, second = read(left.text), read(right.text)
    if _stands_apart(first) or _stands_apart(second) or left.text.rstrip().endswith("?"):
        return None
    least = _least_worth(left.text, first, right.text, second)
    if least is None:
        return None
    stop = " " if _STOPS.search(left.text) else ". "
    text = f"{left.text}{stop}{capital(right.text) if stop == ' ' else right.text}"
    both = read(text)
    kept = both.worth["good"] >= least and max(both.chances[kind] for kind in TELLING) >= DOUBT
    is_news = tells(first) or tells(second) or (both.slot in NEWS and _has_figure(text))
    return Span(text, left.start, right.end) if kept and is_news and not _is_unmeant(both) else None


def _is_aside(text: str) -> bool:
    """Whether a word or two name nobody and nothing that could be meant further on: "Relieved mostly."."""
    return _ASIDE.fullmatch(text.strip()) is not None and not _has_figure(text)


def _least_worth(left: str, first: ClauseReading, right: str, second: ClauseReading) -> float | None:
    """From which worth of both they are one; None where they aren't."""
    leans = _leans(right)
    if tells(first) and names_it(right):
        return LEANING
    if tells(second):
        is_of_its_kind = tells(first) and first.slot == second.slot and _OF_ITS_KIND.match(right)
        return LEANING if is_of_its_kind or (leans and not tells(first)) else None
    if tells(first):
        is_detail = (
            len(right.split()) <= MAX_DETAIL_WORDS and not _VERB.search(right) and _has_detail(left, right)
        )
        return max(TOGETHER, first.worth["good"]) if is_detail else None
    if not leans and (max(_hint(first), _hint(second)) < DOUBT or first.worth["trivial"] >= TRIVIAL):
        return None
    return TOGETHER if max(_hint(first), _hint(second)) >= HINT else None


def names_it(text: str) -> bool:
    """Whether a sentence says what is called so that was told of right before: "Her name's Pudding"."""
    return _NAMES_IT.match(text) is not None


def _leans(text: str) -> bool:
    """Whether a sentence leaves out whom or what it is about, or says "she"."""
    goes_on = _GOES_ON.get(language_of(text))
    verb = goes_on is not None and goes_on.match(text) and not has_bare_verb(text)
    return bool(_PRONOUN.match(text) or verb)


def _has_detail(left: str, right: str) -> bool:
    """Whether the second has a number or a name; every German noun looks like one."""
    if language_of(left) == "de":
        return any(map(str.isdigit, right))
    return _has_figure(right) or (_GOES_ON["en"].match(right) is not None and names_time(right))


def _has_figure(text: str) -> bool:
    return any(letter.isdigit() for letter in text) or bool(names_of(f"… {text}"))


def _hint(one: ClauseReading) -> float:
    """How much it has of something that is worth telling."""
    return max(one.worth["good"], *(one.chances[kind] for kind in TELLING))


def _stands_apart(one: ClauseReading) -> bool:
    return any(one.may_be(kind) for kind in APART) or _is_unmeant(one)


def _is_unmeant(one: ClauseReading) -> bool:
    return any(one.chances[kind] >= DOUBT for kind in UNMEANT)

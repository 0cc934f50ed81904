"""One sentence that says two things is read as two: "I'm coeliac, can you plan meals?", "I'm Ines, I'm a nurse"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from nebo.reading.meaning.antecedents import find_antecedent, name_antecedent
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.sentences import Span
from nebo.reading.wording.names import names_of
from nebo.reading.words.bare_verbs import FIRST_PERSON, has_bare_verb

TELLING: tuple[Kind, ...] = ("lasting", "relative", "other", "event", "ended")
MAX_PAUSES = 4  # of a sentence that are tried, each takes two readings
ASKING: tuple[Kind, ...] = ("forget", "request", "question", "wish")
# Chance from which a sentence may hide such a request; of forgetting, one in twenty others has it.
HINTS: Mapping[Kind, float] = {"forget": 0.01, "request": 0.5, "question": 0.5, "wish": 0.3}
WORTH_TELLING = 0.9  # of a clause beside another, from which it stands by itself
PLAINLY_WORTH = 0.75  # where it surely tells something
SURE = 0.9
PLAIN_ANSWER = 0.8  # chance of a slot from which a clause plainly answers that question
PLAIN_FACT = 0.95  # of a clause, from which what is remarked on it says nothing more
STUMP_WORDS = (
    2  # of a clause that says nothing without the one before, unless it is a name: "…, I'm allergic."
)
LEAST_WORDS = 4  # of a clause before "and I …": "my brother and I work there" is one
DOUBT = 0.5  # chance from which a clause tells something, or doesn't mean it
UNMEANT: tuple[Kind, ...] = ("supposed", "quoted", "joking")

_PAUSE = re.compile(
    r"\s*[;:,]\s+|\s+[-–—]+\s+|\s+(?=(?:and|but|so|und|aber|doch|y|pero|et|mais|donc|e|ma|però|quindi)\s)"
)
# A clause that begins so belongs to the one before it: „lösch bitte, wo ich wohne“.
BELONGS = re.compile(
    r"(?:that|which|who|whom|whose|what|where|when|why|how|if|whether|dass|wo|was|wer|wen|wem|wie|wann|warum|ob|welch\w*"
    r"|que|quien|donde|dónde|cuando|cuándo|cómo|si|qui|quoi|dont|où|quand|comment|che|chi|dove|quando|come|se)\b",
    re.IGNORECASE,
)


# After "and" without a comma, what begins so has a subject of its own: "and my wife teaches", but not "and teach".
_LINKED = r"(?:(?:and|but|so|und|aber|doch|y|pero|et|mais|donc|e|ma|però|quindi)\s+)?"
_OWN = (
    r"(?i:(?:i|i['’]?m|my|we|our|the|ich|mein\w*|wir|unser\w*|je|mon|ma|mes|nous|nos|notre|yo|mis?|nuestr\w+|io|mi[oa]"
    r"|miei|mie|nostr\w+)\b|j['’])"
)
_OWN_SUBJECT = re.compile(rf"{_LINKED}(?:{_OWN}|{FIRST_PERSON})")
_SUBJECT = re.compile(rf"{_LINKED}(?:{_OWN}|{FIRST_PERSON}|[A-Z])")
# "in Rua das Flores, Porto, third floor", „dos gatas, Nube y Trufa, y …“
_APPOSITION = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]*(?: (?:(?:and|und|y|et|e) )?[A-ZÀ-ÖØ-Þ][\w'’-]*)*(?:,|$)")
_SPEAKER = re.compile(r"^[^\W\d_][\w'’-]*(?: [\w'’-]+)?\s?: ")  # "Ines: Ich wohne in Porto"
# "Lena, my niece, …": who it is about, or who is spoken to; no clause.
_NAME_ALONE = re.compile(
    rf"(?!I\b|Ich\b|Je\b|J['’]|Yo\b|Io\b|{FIRST_PERSON})[A-ZÀ-ÖØ-Þ][\w'’-]*(?: [A-ZÀ-ÖØ-Þ][\w'’-]*){{0,2}}"
)
_LINK = re.compile(r"(?:and|but|so|und|aber|doch|y|pero|et|mais|donc|e|ma|però|quindi)\s+")
# A verb that shares its subject with the one before: "I live in Leeds and work as a baker", „… und habe zwei Katzen“.
_SHARES = (
    (re.compile(r"I\b"), re.compile(r"(?:work|live|study|teach|have|am|own|speak|run|play|go) ")),
    (
        re.compile(r"Ich\b", re.IGNORECASE),
        re.compile(
            r"(?!(?:die|[mdsk]?eine|ihre|unsere|eure|diese|jene|jede|alle|viele|beide|ohne|heute|gerne|ganze)\b)"
            r"(?:[a-zäöüß]+e|bin|kann|will|mag|muss|darf) "
        ),
    ),
)
# What somebody is, told once for several: "I'm Nadja, 34, a nurse in Graz". Of an age, Romance languages say "has".
_BEING = re.compile(
    r"(?:^|[,;:–—.!]\s+|\s(?=ich|soy|je))(?:(?:so|also|hi|hey|hallo|hola)\s+)?"
    r"(?P<be>i['’]?m|i am|ich bin|(?:yo )?soy|je suis|(?:io )?sono)\s",
    re.IGNORECASE,
)
_HAVING = {"soy": "tengo", "yo soy": "tengo", "je suis": "j'ai", "sono": "ho", "io sono": "ho"}
_AGE = re.compile(
    r"\d{1,2}(?: (?:years old|Jahre(?: alt)?|años|ans|anni))?(?=\s*(?:,|$|and\b|und\b|y\b|et\b|e\b))"
)
# What begins with one of these says where or with whom, and leans on the verb before it: "y con mi suegra".
_LEANS = re.compile(
    r"(?:at|with|without|from|by|near|of|than|mit|ohne|bei|von|aus|nach|als|con|sin|desde|cerca|avec|sans|chez|depuis"
    r"|senza|dal?|presso)\b",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?!(?:now|then|here|there|it|that|this|which|what|who)\b)[a-z]+ (?:[a-z]+ )?(?:is|are|was) ",
    re.IGNORECASE,
)


class ClauseReading(Protocol):
    """What a sentence was read to be."""

    @property
    def slot(self) -> str: ...

    @property
    def slot_chance(self) -> float: ...

    @property
    def chances(self) -> Mapping[str, float]: ...

    @property
    def worth(self) -> Mapping[str, float]: ...

    def may_be(self, kind: Kind) -> bool: ...


def list_parts(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """The sentence as it is, or in parts that each say something of their own."""
    return _part_request(span, read) or _part_facts(span, read)


def _part_request(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """Two: one side asks for something, the other tells something. None where nothing is asked for."""
    chances = read(span.text).chances
    asks = [
        kind for kind in ASKING if chances[kind] >= HINTS[kind] and (kind == "forget" or ":" not in span.text)
    ]
    if not asks or max(chances[kind] for kind in TELLING) < HINTS["forget"]:
        return []
    apart: list[tuple[Span, Span]] = []
    for left, right in _cut(span):
        first, second = read(left.text), read(right.text)
        if any(_stand_apart(first, second, kind) for kind in asks):
            return [left, right]
        if any(_stand_apart(second, first, kind) for kind in asks):
            apart.append((left, right))
    return (
        list(apart[-1]) if apart else []
    )  # as much as tells: "allergic, well, intolerant" and "so no milk please"


def _part_facts(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """Each clause that is worth keeping by itself, if they answer different questions."""
    if not _PAUSE.search(span.text):
        return [span]
    if not _tells(read(span.text)):
        return _part_named(span, read) or _part_aside(span, read)
    for left, right in _cut(span):
        if _NAME_ALONE.fullmatch(left.text) or not _tells(read(left.text)):
            continue
        rest = _find_rest(span, left, right, read)
        if rest is not None:
            return [left, *_part_facts(rest, read)]
    return [span]


def _find_rest(span: Span, left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """What stands behind a clause, as something of its own; None where it belongs to it."""
    rest = _without_link(right)
    same_subject = _with_subject(left, rest)
    if not same_subject and (being := _with_being(left, rest, read)):
        return being
    if _is_stump(rest, read) or _LEANS.match(rest.text):
        return None
    named = _with_antecedent(left, rest)
    if named and _differs(read(left.text), read(named.text)):
        return named
    if same_subject and _tells(read(same_subject.text)):
        return same_subject
    apart = _follows_alone(span, left, right) and _differs(read(left.text), read(rest.text))
    return rest if apart else None


def _part_named(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """Who somebody is called, and what they do: "Her name's Isla, she plays the viola"."""
    for left, right in _cut(span):
        named = _with_antecedent(left, _without_link(right))
        if named and _tells(read(named.text)):
            return [left, *_part_facts(named, read)]
    return []


def _part_aside(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """A plain fact, and what is only remarked on it: "Soy celíaca, imagínate, una cocinera …"."""
    whole = read(span.text)
    unmeant = any(whole.chances[kind] >= DOUBT for kind in (*UNMEANT, "correction"))
    if unmeant or whole.chances["lasting"] < DOUBT or whole.worth["good"] < DOUBT:
        return [span]
    for left, right in _cut(span):
        telling = read(left.text)
        if _tells(telling) and min(telling.chances["lasting"], telling.worth["good"]) >= PLAIN_FACT:
            return [left, right]
    return [span]


def _differs(first: ClauseReading, second: ClauseReading) -> bool:
    """Whether a second clause tells of another matter than the first."""
    return _tells(second) and _question(first) != _question(second)


def _is_stump(span: Span, read: Callable[[str], ClauseReading]) -> bool:
    return len(span.text.split()) <= STUMP_WORDS and read(span.text).slot != "name"


def _with_subject(left: Span, right: Span) -> Span | None:
    """`work as a designer` after "I live in Leipzig and": with the "I" that both share."""
    for subject, verb in _SHARES:
        shared = subject.match(left.text)
        if shared and verb.match(right.text):
            return Span(f"{shared[0]} {right.text}", right.start, right.end)
    return None


def _with_being(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """`34, a nurse` after "I'm Nadja, ": with the "I'm" that all of it shares, where that answers another question."""
    be = find_being(left.text) or next((be for be, have in _HAVING.items() if _has_age(left.text, have)), "")
    if not be or _STATES.match(right.text) or _OWN_SUBJECT.match(right.text):
        return None
    composed = say_of_oneself(right, be, read, is_part=True)
    if composed is None:
        return None
    slot, parts = read(left.text).slot, (read(_first_part(one).text) for one in (composed, right))
    return composed if any(part.slot != slot and part.slot_chance >= DOUBT for part in parts) else None


def _with_antecedent(left: Span, right: Span) -> Span | None:
    """`she's in hospital` after "My mum Jean broke her hip, ": with whom it is about."""
    antecedent = find_antecedent(left.text)
    named = name_antecedent(right.text, antecedent) if antecedent else ""
    return Span(named, right.start, right.end) if named else None


def say_of_oneself(
    span: Span, be: str, read: Callable[[str], ClauseReading], *, is_part: bool = False
) -> Span | None:
    """What somebody is, told without a verb, with the words for "I am" before it; None where it may be something else.

    It must tell something of the speaker with and without them, since "I'm cats and pollen" reads well enough; a part
    of the same sentence may also answer a question plainly.
    """
    age = _AGE.match(span.text)
    verb = _HAVING.get(be.lower(), be) if age else be
    composed = Span(f"{verb} {span.text}", span.start, span.end)
    bare, whole = read(_first_part(span).text), read(_first_part(composed).text)
    is_plain = is_part and whole.slot_chance >= PLAIN_ANSWER and whole.worth["good"] >= PLAIN_FACT
    is_own = age or is_plain or (_tells(bare) and bare.chances["lasting"] > bare.chances["relative"])
    return composed if is_own and _tells(whole) and whole.chances["lasting"] >= DOUBT else None


def _has_age(text: str, have: str) -> bool:
    begin, age = text[: len(have)].lower(), text[len(have) :].strip()
    return begin == have and _AGE.fullmatch(age) is not None


def find_being(text: str) -> str:
    """The words by which a text says what the speaker is, as "I'm"; empty where it doesn't."""
    found = list(_BEING.finditer(text))
    return found[-1]["be"] if found else ""


def _first_part(span: Span) -> Span:
    return next(_cut(span), (span, span))[0]


def _follows_alone(span: Span, left: Span, right: Span) -> bool:
    """Whether the right side can have a subject of its own."""
    clause = _without_link(right).text
    parted = span.text[left.end - span.start : right.start - span.start].strip() != "" or has_bare_verb(
        clause
    )
    if _APPOSITION.match(clause) or (not parted and len(left.text.split()) < LEAST_WORDS):
        return False
    leads = _LINK if parted else _SUBJECT
    return any(one.match(right.text) for one in (leads, _SUBJECT, *([_STATES] if parted else [])))


def _without_link(span: Span) -> Span:
    link = _LINK.match(span.text)
    return Span(span.text[link.end() :], span.start + link.end(), span.end) if link else span


def _tells(one: ClauseReading) -> bool:
    """Whether a clause is worth keeping by itself, in earnest."""
    chances = one.chances
    tells = max(chances[kind] for kind in TELLING)
    return (
        one.worth["good"] >= (PLAINLY_WORTH if tells >= SURE else WORTH_TELLING)
        and tells >= DOUBT
        and all(chances[kind] < DOUBT for kind in UNMEANT)
        and not any(one.may_be(kind) for kind in ASKING)
    )


def _question(one: ClauseReading) -> tuple[str, str]:
    """What a clause is about: its slot, and whether that is the speaker's own."""
    return one.slot, max(("lasting", "relative", "other"), key=one.chances.__getitem__)


def says_several(fact: str) -> bool:
    """Whether a fact by its form says more than one thing: "I live in Leeds, and my wife teaches"."""
    return _PAUSE.search(without_speaker(fact)) is not None


def without_speaker(fact: str) -> str:
    """A fact in the words of who told it: "Ines: Ich wohne in Porto" without the name."""
    return _SPEAKER.sub("", fact).strip(" ,;:")


def find_main_clause(fact: str, read: Callable[[str], ClauseReading]) -> str:
    """The first clause of a fact, where none of the rest tells anything of its own or names anything; else empty."""
    first, *rest = list_clauses(fact)
    alone = _tells(read(first)) and not any(
        _may_tell(read(clause)) or names_of(f"… {clause}") for clause in rest
    )
    return first if rest and alone else ""


def list_telling_clauses(fact: str, read: Callable[[str], ClauseReading]) -> list[str]:
    """The clauses of a fact that each tell something by themselves."""
    return [clause for clause in list_clauses(fact) if _tells(read(clause))]


def list_clauses(fact: str) -> list[str]:
    """The clauses of a fact, as its pauses part them; the first few."""
    text = without_speaker(fact)
    cuts = [(0, 0), *((one.start(), one.end()) for one in _PAUSE.finditer(text))][: MAX_PAUSES + 1]
    ends = [*(start for start, _ in cuts[1:]), len(text)]
    return [text[begin:end] for (_, begin), end in zip(cuts, ends, strict=True)]


def _may_tell(one: ClauseReading) -> bool:
    return one.worth["good"] >= DOUBT and max(one.chances[kind] for kind in TELLING) >= DOUBT


def opens_material(span: Span, read: Callable[[str], ClauseReading]) -> bool:
    """Whether what follows is a text to work on, and nobody's own words: "Can you translate this: …"."""
    return ":" in span.text and read(span.text).chances["request"] >= HINTS["request"]


def _stand_apart(asking: ClauseReading, telling: ClauseReading, asks: Kind) -> bool:
    """Whether one of two is the request and the other says something of its own."""
    if not asking.may_be(asks) or any(telling.may_be(kind) for kind in ASKING):
        return False
    worth_keeping = asks == "forget" or telling.worth["good"] >= WORTH_TELLING
    return worth_keeping and any(telling.chances[kind] >= DOUBT for kind in TELLING)


def _cut(span: Span) -> Iterator[tuple[Span, Span]]:
    before = span.start - (len(span.text) - (span.end - span.start))  # words that it shares stand before it
    for pause in list(_PAUSE.finditer(span.text))[:MAX_PAUSES]:
        left, right = span.text[: pause.start()], span.text[pause.end() :]
        if left.strip() and right.strip() and not BELONGS.match(right):
            end, start = before + pause.start(), before + pause.end()
            yield Span(left, span.start, end), Span(right, start, span.end)

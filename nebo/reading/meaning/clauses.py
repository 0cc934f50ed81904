"""One sentence that says two things is read as two: "I'm coeliac, can you plan meals?", "I'm Ines, I'm a nurse"."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.breathless import cut_breathless
from nebo.reading.meaning.conditions import binds, depends
from nebo.reading.meaning.cutting import (
    LINK,
    LINKED,
    MAX_PAUSES,
    OWN,
    OWN_SUBJECT,
    PAUSE,
    WHEN,
    cut,
    goes_on_listing,
    without_link,
)
from nebo.reading.meaning.introduced import name_introduced
from nebo.reading.meaning.labels import without_label
from nebo.reading.meaning.remarks import is_remark
from nebo.reading.meaning.requests_apart import is_joined_thing, part_request
from nebo.reading.meaning.sentences import Span
from nebo.reading.meaning.sharing import (
    STATES,
    find_being,
    find_workplace,
    goes_on,
    name_earlier,
    share_subject,
)
from nebo.reading.meaning.telling import (
    DOUBT,
    PLAINLY_WORTH,
    TELLING,
    UNMEANT,
    ClauseReading,
    question_of,
    tells,
)
from nebo.reading.meaning.two_wishes import part_wishes
from nebo.reading.wording.names import names_of
from nebo.reading.words.bare_verbs import FIRST_PERSON, has_bare_verb
from nebo.reading.words.openers import without_opener

STUMP_WORDS = 2  # of a clause that says nothing without the one before, unless it is a name: "I'm allergic."
LEAST_WORDS = 4  # of a clause before "and I …": "my brother and I work there" is one
_SUBJECT = re.compile(rf"{LINKED}{WHEN}(?:{OWN}|{FIRST_PERSON}|[A-Z])")
# "in Rua das Flores, Porto, third floor", „dos gatas, Nube y Trufa, y …“
# "two kids, Nell (9) and Rory who's 13"
_NAME = r"[A-ZÀ-ÖØ-Þ][\w'’-]*(?: \([^()]*\))?"
_APPOSITION = re.compile(
    rf"{_NAME}(?: (?:(?:and|und|y|et|e) )?{_NAME})*(?:,|\W*$|\s(?:who|aged|que|qui|che)\b)"
)
_NO_CLAUSE = re.compile(
    r"(?:[A-ZÀ-Þ\d][\w'’-]* )+(?:to|for|with|in|on|at) "
)  # "and Lisbon to see which suits me"
_SPEAKER = re.compile(r"^[^\W\d_][\w'’-]*(?: [\w'’-]+)?\s?: ")  # "Ines: Ich wohne in Porto"
# "Lena, my niece, …": who it is about, or who is spoken to; no clause.
_NAME_ALONE = re.compile(
    rf"(?!I\b|Ich\b|Je\b|J['’]|Yo\b|Io\b|{FIRST_PERSON})[A-ZÀ-ÖØ-Þ][\w'’-]*(?: [A-ZÀ-ÖØ-Þ][\w'’-]*){{0,2}}"
)
_KIN = (
    r"(?i:my|our|meine?|unsere?|mis?|nuestr[oa]|mon|ma|mes|notre|(?:il )?mio|(?:la )?mia|nostr[oa]) "
    r"(?:(?:little|young|old|best|beste[rn]?|mejor|meilleure?|migliore) )?[^\W\d_]+"
)
_KIN_ALONE = re.compile(rf"{_KIN},?(?: [A-ZÀ-ÖØ-Þ][\w'’-]*,?)*")
# "Starts in September, I'm going part time from then."
_LEADS_OFF = re.compile(
    r"(?P<lead>(?:starts|begins|finishes|ends) (?:in |on |from |at )?(?P<when>[^,]{3,25})), (?=(?:I|we|my|our|i)\b)",
    re.IGNORECASE,
)
_KIN_NAMED = re.compile(rf"({_KIN}), ([A-ZÀ-ÖØ-Þ][\w'’-]*), (?=[a-zß-ÿ])")  # "mi padre, Paco, vive en Cádiz"
_OWN_CLAUSE = re.compile(r"(?:i|i['’]?m|i['’]?ve|ich|je|j['’]\w+|estoy|sto|yo|io)\s+\S+\s+\S+", re.IGNORECASE)
MAY_TELL = 0.4  # worth of a clause from which it may tell what the whole sentence does
_OF_US = re.compile(
    r"(?:we|wir|nosotr[oa]s|nous|on|noi)\s|(?:tenemos|vivimos|abbiamo|viviamo)\b", re.IGNORECASE
)
_POINTS_BACK = re.compile(
    r"\b(?:he|him|his|she|her|hers|they|them|their|er|ihn|ihm|sein\w*|sie|ihr\w*|deren|dessen|él|ella|l[aoe]s?|sus?|il|elle"
    r"|lui|leur|lei|suo|sua|both|together|there|beide|zusammen|dort|juntos|ensemble|insieme)\b",
    re.IGNORECASE,
)
_OF_THE_LAST = re.compile(r"(?:who|which) (?!(?:is|are|was) (?:called|named)\b)[^,;]+$", re.IGNORECASE)
_OPPOSES = re.compile(r"(?:but|aber|doch|pero|mais|ma|però)\s", re.IGNORECASE)
OF_BODY = ("allergy", "diet", "health")  # slots of what may harm if it is taken for a joke
A_JOKE = 0.1  # chance of not being meant, from which a clause is no plain fact
PLAIN_FACT = 0.95  # of a clause, from which what is remarked on it says nothing more
# What begins with one of these says where or with whom, and leans on the verb before it: "y con mi suegra".
_LEANS = re.compile(
    r"(?:at|with|without|from|by|near|of|than|mit|ohne|bei|von|aus|nach|als|con|sin|desde|cerca|avec|sans|chez|depuis"
    r"|senza|dal?|presso)\b",
    re.IGNORECASE,
)


def list_parts(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """The sentence as it is, or in parts that each say something of their own."""
    span = _join_name(span)
    if leading := _LEADS_OFF.match(span.text):
        lead, rest = _apart_from_lead(span, leading)
        return [lead, *list_parts(rest, read)]
    parts = (
        part_wishes(span, read)
        or part_request(span, read)
        or _part_said(span, read)
        or _part_facts(span, read)
    )
    return [part for one in parts for part in find_workplace(one, read) or [one]]


def _apart_from_lead(span: Span, leading: re.Match[str]) -> tuple[Span, Span]:
    """What begins, as it was told of in the sentence before, and what the speaker does from then."""
    before = span.start - (len(span.text) - (span.end - span.start))
    rest = re.sub(r"\b(?:from|since) then\b", f"from {leading['when']}", span.text[leading.end() :])
    lead = Span(leading["lead"], span.start, before + leading.end("lead"))
    return lead, Span(rest, before + leading.end(), span.end)


def _join_name(span: Span) -> Span:
    """A relative's name without the commas around it, which part nothing: "mi padre Paco vive en Cádiz"."""
    joined = _KIN_NAMED.sub(r"\1 \2 ", span.text, count=1) if _KIN_NAMED.match(span.text) else span.text
    return span if joined == span.text else Span(joined, span.start, span.end)


# What somebody says of it, behind what is told of them: "Jovana lives in Graz and keeps saying I should come".
_AND_SAYS = re.compile(
    r",?\s+(?:and|und|y|et|e)\s+(?:(?:always|keeps?|siempre|toujours|sempre)\s+)?"
    r"(?:says?|saying|tells? me|sagt|meint|dice|dit)\b"
    r"(?=\s+\S+\s+\S)",
    re.IGNORECASE,
)


def _part_said(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """What is told of somebody, and what they say; none where it isn't read as somebody's words."""
    said = _AND_SAYS.search(span.text)
    if (
        said is None
        or read(span.text).chances["quoted"] < DOUBT
        or not tells(read(span.text[: said.start()]))
    ):
        return []
    before = span.start - (len(span.text) - (span.end - span.start))
    left = Span(span.text[: said.start()], span.start, before + said.start())
    return [left, Span(span.text[said.end() :].strip(), before + said.end(), span.end)]


def _part_facts(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """Each clause that is worth keeping by itself, if they answer different questions."""
    if not PAUSE.search(span.text) or read(span.text).may_be("confidence"):  # which is asked for all of it
        return [span]
    if not tells(read(span.text)):
        if labelled := without_label(span, read):
            return [labelled] if labelled.read_as else _part_facts(labelled, read)
        return _part_named(span, read) or _with_exception(span, read) or _part_aside(span, read)
    for left, right in cut(span):
        if _is_noun(left.text) or binds(left.text, right.text) or goes_on(left, right):
            continue
        rest = _find_rest(span, left, right, read) if tells(read(_without_opener(left.text))) else None
        ways = (_find_introduced, _find_supposed, _find_own)
        rest = rest or next((found for way in ways if (found := way(left, right, read))), None)
        if rest is not None:
            return [_without_greeting(left, read), *_part_facts(rest, read)]
    if parted := cut_breathless(span, read):
        return [_without_greeting(parted[0], read), *_part_facts(parted[1], read)]
    return _part_unequal(span, read)


def _is_noun(text: str) -> bool:
    """Whether it only names somebody: "Lena", "my twins Edie"."""
    return bool(_NAME_ALONE.fullmatch(text) or _KIN_ALONE.fullmatch(text))


def _without_opener(text: str) -> str:
    return without_opener(text, call=False)


def _without_greeting(left: Span, read: Callable[[str], ClauseReading]) -> Span:
    """A clause without the greeting before it, where it tells nothing with it: "hiya im priya"."""
    bare = _without_opener(left.text)
    if bare == left.text or not left.text.endswith(bare) or tells(read(left.text)):
        return left
    return Span(bare, left.start + len(left.text) - len(bare), left.end)


def _find_introduced(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """What is told of whom the clause before names, said as whose they are: "my little girl Maisie is 3"."""
    rest = without_link(right)
    named = name_introduced(left.text, rest.text)
    return Span(named, rest.start, rest.end) if named and tells(read(named)) else None


def _find_supposed(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """What is only thought of, behind what is so: "…, and we're thinking of moving there"."""
    rest = without_link(right)
    if not OWN_SUBJECT.match(rest.text) or not tells(read(_without_opener(left.text))):
        return None
    return rest if read(rest.text).chances["supposed"] >= DOUBT else None


def _find_own(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """What speakers tell of themselves, behind somebody who isn't named: "She keeps the house, I've found a flat"."""
    rest, of_another = without_link(right), _POINTS_BACK.match(left.text)
    return rest if of_another and OWN_SUBJECT.match(rest.text) and tells(read(rest.text)) else None


def _part_unequal(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """What somebody tells of themselves, which alone says little, and what they tell of a relative.

    The first is read as the whole is, which says more of them than the second does.
    """
    for left, right in cut(span):
        rest, own = without_link(right), read(left.text)
        if _APPOSITION.match(rest.text):  # the next of a list
            continue
        if not (_OWN_CLAUSE.match(left.text) and find_antecedent(rest.text)) or binds(left.text, right.text):
            continue
        may_tell = (
            own.worth["good"] >= MAY_TELL and own.worth["trivial"] < DOUBT and not _is_of_somebody(left)
        )
        if may_tell and tells(read(rest.text)) and read(span.text).chances["lasting"] >= DOUBT:
            return [Span(left.text, left.start, left.end, read_as=span.text), rest]
    return [span]


def _is_of_somebody(left: Span) -> bool:
    return find_antecedent(left.text) is not None


def _find_rest(span: Span, left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """What stands behind a clause, as something of its own; None where it belongs to it."""
    rest = without_link(right)
    if shared := share_subject(left, right, read):
        return shared
    named = name_earlier(left, rest)
    if (
        named
        and tells(read(named.text))
        and (not _OPPOSES.match(right.text) or _differs(read(left.text), read(named.text)))
    ):
        return named
    if _is_stump(rest, read) or _LEANS.match(rest.text) or not _follows_alone(span, left, right):
        return None
    if is_joined_thing(span, left, rest):
        return None
    apart = _differs(read(left.text), read(rest.text)) or _is_of_another(left, rest, read)
    return rest if apart else None


def _part_named(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """Who somebody is called, and what they do: "Her name's Isla, she plays the viola"."""
    for left, right in cut(span):
        named = name_earlier(left, without_link(right))
        if named and tells(read(named.text)):
            return [left, *_part_facts(named, read)]
    return []


def _with_exception(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """A fact with a condition behind it, which it is kept with and read without: „…, außer wenn meine Oma kocht“; or
    with what is said of whom it names last: "her budgie, Sultan, who screams".
    """
    pauses = PAUSE.finditer(span.text)
    tails = ((one, span.text[one.end() :]) for one in pauses)
    pause = next((one for one, tail in tails if depends(tail) or _OF_THE_LAST.match(tail)), None)
    head = span.text[: pause.start()] if pause else ""
    return [Span(span.text, span.start, span.end, read_as=head)] if head and tells(read(head)) else []


def _part_aside(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """A plain fact, and what is only remarked on it: "Soy celíaca, imagínate, una cocinera …"."""
    whole = read(span.text)
    if whole.chances["joking"] >= DOUBT:
        return _part_earnest(span, read) or _without_quip(span, read)
    unmeant = any(whole.chances[kind] >= DOUBT for kind in (*UNMEANT, "correction"))
    telling = max(whole.chances[kind] for kind in TELLING)
    if unmeant or telling < DOUBT or whole.worth["good"] < DOUBT:
        return [span]
    for left, right in cut(span):
        if _APPOSITION.match(right.text) or goes_on_listing(
            right.text
        ):  # "I'm using Flask, Flask-CORS, and …"
            continue
        clause = read(left.text)
        plain = (
            min(clause.chances["lasting"], clause.worth["good"]) >= PLAIN_FACT
            and whole.chances["lasting"] >= DOUBT
        )
        remarked = _is_parted(span, left, right) and is_remark(right.text, read)
        if tells(clause) and (plain or remarked):
            return [left, right]
    return [span]


def _part_earnest(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """Two facts about the body, each said in earnest: "I'm a vegetarian and allergic to nuts"."""
    for left, right in cut(span):
        rest = without_link(right)
        if be := find_being(left.text):
            rest = Span(f"{be} {rest.text}", rest.start, rest.end)
        if all(_is_of_body(read(one.text)) for one in (left, rest)):
            return [left, rest]
    return []


def _is_of_body(one: ClauseReading) -> bool:
    earnest = all(one.chances[kind] < DOUBT for kind in UNMEANT)
    return earnest and one.slot in OF_BODY and min(one.worth["good"], one.chances["lasting"]) >= PLAINLY_WORTH


def _without_quip(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """A plain fact said in earnest, and the quip behind it: "I'm allergic to cats, great timing"."""
    for left, right in cut(span):
        clause = read(left.text)
        earnest = all(clause.chances[kind] < A_JOKE for kind in UNMEANT)
        plain = min(clause.chances["lasting"], clause.worth["good"]) >= PLAIN_FACT
        if earnest and plain and _is_parted(span, left, right) and is_remark(right.text, read):
            return [left, right]
    return [span]


def _differs(first: ClauseReading, second: ClauseReading) -> bool:
    """Whether a second clause tells of another matter than the first."""
    return tells(second) and question_of(first) != question_of(second)


def _is_of_another(left: Span, rest: Span, read: Callable[[str], ClauseReading]) -> bool:
    """Whether the second clause tells of somebody else: "my daughter plays the cello and my son does judo", "my wife
    Silke teaches, we have three kids".
    """
    first, second = find_antecedent(left.text), find_antecedent(rest.text)
    if first and not second:
        alone = _OF_US.match(rest.text) and not _POINTS_BACK.search(rest.text)
        return bool(alone) and tells(read(rest.text))
    return bool(first and second and first.who != second.who) and tells(read(rest.text))


def _is_stump(span: Span, read: Callable[[str], ClauseReading]) -> bool:
    bare = len(span.text.split()) + has_bare_verb(span.text) <= STUMP_WORDS
    return bare and read(span.text).slot != "name"


def _is_parted(span: Span, left: Span, right: Span) -> bool:
    """Whether a comma or a dash stands between, rather than a mere "so" or "and"."""
    return span.text[len(left.text) : len(span.text) - len(right.text)].strip() != ""


def _follows_alone(span: Span, left: Span, right: Span) -> bool:
    """Whether the right side can have a subject of its own."""
    clause = without_link(right).text
    parted = _is_parted(span, left, right) or has_bare_verb(clause)
    if (
        _APPOSITION.match(clause)
        or _NO_CLAUSE.match(clause)
        or (not parted and len(left.text.split()) < LEAST_WORDS and not find_being(left.text))
    ):
        return False
    leads = LINK if parted else _SUBJECT
    return any(one.match(right.text) for one in (leads, _SUBJECT, *([STATES] if parted else [])))


def says_several(fact: str) -> bool:
    """Whether a fact by its form says more than one thing: "I live in Leeds, and my wife teaches"."""
    return PAUSE.search(without_speaker(fact)) is not None


def without_speaker(fact: str) -> str:
    """A fact in the words of who told it: "Ines: Ich wohne in Porto" without the name."""
    return _SPEAKER.sub("", fact).strip(" ,;:")


def find_main_clause(fact: str, read: Callable[[str], ClauseReading]) -> str:
    """The first clause of a fact, where none of the rest tells anything of its own or names anything; else empty."""
    first, *rest = list_clauses(fact)
    alone = tells(read(first)) and not any(
        _may_tell(read(clause)) or names_of(f"… {clause}") for clause in rest
    )
    return first if rest and alone else ""


def list_telling_clauses(fact: str, read: Callable[[str], ClauseReading]) -> list[str]:
    """The clauses of a fact that each tell something by themselves."""
    return [clause for clause in list_clauses(fact) if tells(read(clause))]


def list_clauses(fact: str) -> list[str]:
    """The clauses of a fact, as its pauses part them; the first few."""
    text = without_speaker(fact)
    cuts = [(0, 0), *((one.start(), one.end()) for one in PAUSE.finditer(text))][: MAX_PAUSES + 1]
    ends = [*(start for start, _ in cuts[1:]), len(text)]
    return [text[begin:end] for (_, begin), end in zip(cuts, ends, strict=True)]


def _may_tell(one: ClauseReading) -> bool:
    return one.worth["good"] >= DOUBT and max(one.chances[kind] for kind in TELLING) >= DOUBT

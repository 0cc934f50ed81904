"""What a clause shares with the one before it: its subject, its "I'm", or somebody named there."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.reading.meaning.antecedents import find_antecedent, name_antecedent
from nebo.reading.meaning.conditions import has_condition
from nebo.reading.meaning.cutting import OWN_SUBJECT, first_part, without_link
from nebo.reading.meaning.introduced import agree, name_introduced
from nebo.reading.meaning.sentences import Span
from nebo.reading.meaning.telling import DOUBT, ClauseReading, tells
from nebo.reading.times.calendar_words import COUNTS
from nebo.reading.wording.covering import language_of
from nebo.reading.words.bare_verbs import CLIPPED, THIRD_PERSON
from nebo.reading.words.hasty import write_apostrophes
from nebo.reading.words.openers import without_opener

PLAIN_ANSWER = 0.8  # chance of a slot from which a clause plainly answers that question
PLAIN_FACT = 0.95  # of a clause, from which it says something plainly
STUMP_WORDS = 2  # of a clause that says nothing without the one before
WORKTIME_WORDS = 5
HAD = ("family", "pet", "possession")  # slots of what somebody has
# A verb that shares its subject with the one before: "I live in Leeds and work as a baker", „… und habe zwei Katzen“.
_SHARES = (
    (
        re.compile(r"(?P<who>I)(?:['’]?(?:m|ve)| am)?\b", re.IGNORECASE),
        re.compile(r"(?:work|live|study|teach|have|am|own|speak|run|play|go) "),
    ),
    (
        re.compile(r"(?P<who>Ich)\b", re.IGNORECASE),
        re.compile(
            r"(?!(?:die|[mdsk]?eine|ihre|unsere|eure|diese|jene|jede|alle|viele|beide|ohne|heute|gerne|ganze)\b)"
            rf"(?:[a-zäöüß]+e|bin|hab|kann|will|mag|muss|darf|{CLIPPED}) "
        ),
    ),
)
_FOLLOWS = re.compile(r"(?:so|also|daher|donc|quindi|así que|por eso)\b", re.IGNORECASE)
_AM = {"de": "ich", "es": "soy", "fr": "je", "it": "sono"}
_HAVE = {"en": "I have", "de": "ich habe", "es": "tengo", "fr": "j'ai", "it": "ho"}
_WORK = {"en": "I work", "de": "ich arbeite", "es": "trabajo", "fr": "je travaille", "it": "faccio"}
_ENGLISH = ("i'm", "i’m", "im", "i am")
_COUNTED = re.compile(
    r"(?:\d+|an?|one|two|three|four|no|ein\w*|zwei|drei|vier|kein\w*|una?|dos|tres|cuatro|une|deux|trois"
    r"|quatre|due|tre"
    r"|quattro) [^\W\d_]+",
    re.IGNORECASE,
)
# When somebody works: by day or night, all week or part of it.
_WORKTIME = re.compile(
    r"\b(?:shifts?|earlies|lates|nights?|nightshifts?|part[- ]time|full[- ]time|weekends|mornings|evenings|remotely"
    r"|from home"
    r"|(?:Tag|Nacht|Spät|Früh|Wechsel)?(?:dienst|schicht)\w*|nachts|Teilzeit|Vollzeit|Homeoffice|noches?|turnos?"
    r"|media jornada|tiempo parcial|jornada completa|nuit|mi-temps|temps partiel|temps plein|notte|turni"
    r"|tempo pieno)\b",
    re.IGNORECASE,
)
_IS = re.compile(r"\b(?:is|are|was|were|ist|sind|war|es|son|está|est|sont|è|sono)\b", re.IGNORECASE)
_IS_CALLED = re.compile(
    r"\b(?:se llaman?|hei(?:ß|ss)(?:t|en)|s['’]appellent?|si chiaman?o?)\b", re.IGNORECASE
)
_STILL = "(?:still|also|now|never|always|often|auch|noch|jetzt|todavía|también|ahora|ancora|anche|ora)"
_DUTY = re.compile(r"\w*(?:dienst|schicht)\w*", re.IGNORECASE)
_PLACE = r"(?P<place>[A-ZÀ-ÖØ-Þ][\w'’-]+(?:[ -][A-ZÀ-ÖØ-Þ][\w'’-]+){0,2})[.!]*"
_WHAT = r"(?:[^\W\d_][\w-]* ){0,3}?[^\W\d_][\w-]*"
_LED = r"(?:(?:hi|hey|hiya|hello|hallo|hola|so|also|salut|ciao),? )?"
_WORKPLACE = (
    (
        "I work",
        re.compile(
            rf"(?P<what>{_LED}(?i:i['’]?m|i am|i work as) (?:an? ){_WHAT}?)(?: (?:up|down|over|out|back))?"
            rf" (?P<where>in {_PLACE})"
        ),
    ),
    ("ich arbeite", re.compile(rf"(?P<what>{_LED}(?i:ich bin) {_WHAT}) (?P<where>in {_PLACE})")),
    ("je travaille", re.compile(rf"(?P<what>{_LED}(?i:je suis) {_WHAT}) (?P<where>à {_PLACE})")),
    ("lavoro", re.compile(rf"(?P<what>{_LED}(?i:sono|faccio il|faccio la) {_WHAT}) (?P<where>a {_PLACE})")),
)
# The same of where somebody is from: „ich bin Tischlerin aus Husum“.
_ORIGIN = (
    ("I'm", re.compile(rf"(?P<what>{_LED}(?i:i['’]?m|i am) an? {_WHAT}) (?P<where>from {_PLACE})")),
    ("ich bin", re.compile(rf"(?P<what>{_LED}(?i:ich bin) {_WHAT}) (?P<where>aus {_PLACE})")),
)
# A state or a field, and nowhere: „in Rente“, "in AI".
_NO_PLACE = re.compile(
    r"(?:[A-Z]{2,}\b|Rente|Pension|Elternzeit|Karenz|Ausbildung|Kurzarbeit|Altersteilzeit|Training|Year"
    r"|Sales|Marketing)"
)
_NO_NOUN = re.compile(
    r"(?:an?|the|my|our|one|in|out|off|up|on|at|from|near|with|between|also|now|currently|not|no|very|\w+ed"
    r"|\w+ing|free-?lance(?! [a-z])"
    r"|part-time|full-time)\b|[A-Z\d]",
)
_POINTS = re.compile(r"\b(?:it|that|there|this|them|too|dort|dabei|damit|allí|eso|là|lì)\W*$", re.IGNORECASE)
# What somebody is, told once for several: "I'm Nadja, 34, a nurse in Graz". Of an age, Romance languages say "has".
_BEING = re.compile(
    r"(?:^|[,;:–—.!]\s+|\s(?=ich|soy|je))(?:(?:so|also|hi|hey|hiya|hello|hallo|hola|salut|ciao)\s+)?"
    r"(?P<be>i['’]?m|i am|ich bin|(?:yo )?soy|je suis|(?:io )?sono)\s(?!(?-i:[a-z]\w*ing)\b)",
    re.IGNORECASE,
)
# How somebody is to what, of which more may follow: "I'm keen on opera and jazz".
_OF_WHAT = re.compile(
    r"\b(?:i['’]?m|i am|ich bin|soy|estoy|je suis|sono) (?:(?:\w+ly|very|really|so|also|pretty|quite|sehr"
    r"|auch|total|muy"
    r"|también|très|aussi|molto|anche) )*(?!(?:in|from|at|of|not|only|just|an?|the)\b)[^\W\d_]{3,} (?:about"
    r"|in|to|of|for|on"
    r"|at|with|by|gegen|für|auf|von|mit|in|an|a|al|de|del|con|en|por|à|aux?|pour|par|di|per|da)\b[^,;]*$"
    r"|\b(?:i['’]?m|i am) (?:\w+ )?into\b[^,;]*$",
    re.IGNORECASE,
)
_AND_MORE = re.compile(r"(?:and|or|und|oder|y|e|o|u|et|ou)\s+(?!an?\b|eine?\b|una?\b|une\b)", re.IGNORECASE)
# "Hi, Moira here.": what follows without a verb is told of her, too.
_NAME_HERE = re.compile(
    r"^(?:(?:hi|hey|hiya|hello)(?: there| all)?,? )?(?!(?:it|that|this|im|we|they|he|she|you|what|who"
    r"|nobody|somebody|everyone|still"
    r"|not|right|over|out|up|down|in|back|from|and|i|all|new|live|living|born|raised)\b)[^\W\d_][\w-]+ here[.!]*$",
    re.IGNORECASE,
)
# How long somebody has been it: "thirty one years, out of the Gateshead depot".
_SINCE = re.compile(
    rf"(?:\b(?:{'|'.join(COUNTS[1:])}|\w+ty|\d{{1,2}})\b[ -]?)+(?:years|months)(?! old)\b", re.IGNORECASE
)
# Another verb of the speaker's, behind which what follows shares that one: "soy profe, doy física y química".
_OWN_VERB = (
    r"(?:doy|voy|estoy|tengo|llevo|trabajo|curro|enseño|imparto|estudio|vivo|hago|escribo|dirijo|cuido"
    r"|vendo|toco|lavoro"
    r"|insegno|faccio|ho|scrivo|gestisco|suono|(?:j['’]|je\s+)[^\W\d_]+)\b"
)
_DOES_TOO = re.compile(rf"(?:^|[,;]\s+)(?:(?:y|e|et)\s+)?{_OWN_VERB}", re.IGNORECASE)
_HAVING = {"soy": "tengo", "yo soy": "tengo", "je suis": "j'ai", "sono": "ho", "io sono": "ho"}
_AGE = re.compile(
    r"\d{1,2}(?: (?:years old|Jahre(?: alt)?|años|ans|anni))?(?=\s*(?:,|$|and\b|und\b|y\b|et\b|e\b))"
)
# „from German and English“ is one, "from Leeds and 34" two.
_OPEN_PLACE = re.compile(
    r"\b(?:from|into|to|between|of|for|with|aus|von|zwischen|mit|del?|entre|con|du|avec|di"
    r"|tra)\s+[A-ZÀ-ÖØ-Þ][\w'’-]*$"
)
_AND_NAME = re.compile(r"(?:and|und|y|et|e)\s+[A-ZÀ-ÖØ-Þ](?!['’\s])")
_OURS = re.compile(
    r"\b(?:[Ii]|we|ich|wir|nosotr[oa]s|nous|noi)\b"
)  # "At work we use Flutter": its own subject
_AGED = re.compile(r"(?P<who>(?!(?i:it|that|this|there)\b)[^,]+?)(?:['’]s| is) \d{1,3}")
_HOW = re.compile(
    r"(?:on (?:his|her|their) own|alone|in|at|an?|very|retired|married|single|widowed|divorced)\b"
)
# "shona sings", a name in small letters
_DOES = re.compile(rf"(?!who\b|which\b|that\b)[a-z][\w'’-]+ {THIRD_PERSON['en']}\b")
STATES = re.compile(
    r"(?!(?:now|then|here|there|it|that|this|which|what|who)\b)[a-z]+ (?:[a-z]+ )?(?:is|are|was) ",
    re.IGNORECASE,
)


_ENDS_COUNTED = re.compile(rf"\b(?:\d|{'|'.join(COUNTS[2:])}) (?:[^\W\d_]+ )?[^\W\d_]+$", re.IGNORECASE)
_NAMES_THEM = re.compile(
    r"(?-i:[A-ZÀ-Þ])[\w'’-]+,? (?:\(?(?:is |de |ist |aged? |d['’])?\d{1,2}\)?(?: (?:años|jahre|years|ans|anni))?,? )?"
    r"(?:and|und|y|e|et|,) (?-i:[A-ZÀ-Þ])[\w'’-]+(?:,? \(?(?:is |de |ist |aged? |d['’])?\d{1,2}\)?.{0,12})?\W*$",
    re.IGNORECASE,
)


def goes_on(left: Span, right: Span) -> bool:
    """Whether what stands behind "and" is one more of what a preposition before it has: "from German and English"; or
    who they are that were counted before it: "two kids, Bruno is 9 and Lía 5".
    """
    names_counted = _ENDS_COUNTED.search(left.text) and _NAMES_THEM.match(right.text)
    return bool(names_counted or (_OPEN_PLACE.search(left.text) and _AND_NAME.match(right.text)))


def share_subject(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """What stands behind a clause with the "I" or the "I'm" of that clause; None where it doesn't share it."""
    rest = without_link(right)
    if _FOLLOWS.match(right.text):
        return None
    if apart := _with_age(left, rest, read) or _behind_name(left, rest, read):
        return apart
    for subject, verb in _SHARES:
        shared = subject.match(without_opener(left.text))
        if shared and verb.match(rest.text):
            whole = Span(f"{shared['who']} {rest.text}", rest.start, rest.end)
            long = len(rest.text.split()) > STUMP_WORDS and not has_condition(rest.text)
            return whole if long and tells(read(whole.text)) else None
    ways = (_with_being, _with_having) if _is_trade(rest, read) else (_with_having, _with_being)
    found = next((found for way in (*ways, _with_working) if (found := way(left, rest, read))), None)
    one_more = _AND_MORE.match(right.text) and _OF_WHAT.search(left.text)
    return None if found and one_more and read(found.text).slot != "diet" else found  # nobody is a jazz


def _with_age(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """`on his own in Pickering` after "My dad is 83, ": what somebody is besides their age, which changes alone."""
    aged = _AGED.fullmatch(left.text)
    if aged is None or not _HOW.match(right.text):
        return None
    whole = Span(f"{aged['who']} is {right.text}", right.start, right.end)
    return whole if tells(read(whole.text)) else None


def _behind_name(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """`tengo 71 años y mi nieta …` after "me llamo Eusebio, ": a name is told alone, where what follows tells something
    else before its next pause.
    """
    own, first = read(left.text), read(first_part(right).text)
    if own.slot != "name" or not tells(own) or first.slot == "name" or not OWN_SUBJECT.match(right.text):
        return None
    return right if tells(first) else None


def _is_trade(part: Span, read: Callable[[str], ClauseReading]) -> bool:
    """Whether an English part with an article names what somebody does for a living: "a carpenter from Husum"."""
    return re.match(r"an? ", part.text) is not None and read(f"I'm {part.text}").slot == "work"


def _with_being(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """`34, a nurse` after "I'm Nadja, ": with the "I'm" that all of it shares, where that answers another question."""
    be = _find_own_being(left.text)
    shares = (verb for who, verb in _SHARES if who.match(without_opener(left.text)))
    has_verb = any(verb.match(right.text) for verb in shares) or _IS.search(first_part(right).text)
    if (
        not be
        or has_verb
        or any(_DOES_TOO.search(part) for part in (left.text, right.text))
        or STATES.match(right.text)
        or OWN_SUBJECT.match(right.text)
    ):
        return None
    composed = say_of_oneself(right, be, read, is_part=True)
    if composed is None:
        return None
    slot, parts = read(left.text).slot, (read(first_part(one).text) for one in (composed, right))
    return composed if any(part.slot != slot and part.slot_chance >= DOUBT for part in parts) else None


def _find_own_being(text: str) -> str:
    return find_being(text) or next((be for be, have in _HAVING.items() if _has_age(text, have)), "")


def _with_having(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """`two kids` after "I'm a nurse, ": what somebody has, counted."""
    be = _find_own_being(left.text)
    if not be or not _COUNTED.match(right.text) or _AGE.match(right.text):
        return None
    composed = Span(f"{_HAVE[language_of_being(be)]} {right.text}", right.start, right.end)
    whole = read(first_part(composed).text)
    return composed if whole.slot in HAD and tells(whole) else None


def _with_working(left: Span, right: Span, read: Callable[[str], ClauseReading]) -> Span | None:
    """`night shifts mostly` after "I'm a paramedic, ": when somebody works."""
    before = read(left.text)
    has_verb = OWN_SUBJECT.match(right.text) or _IS.search(right.text)
    if has_verb or not _WORKTIME.search(right.text) or len(first_part(right).text.split()) > WORKTIME_WORDS:
        return None
    if before.slot != "work" or before.chances["lasting"] < DOUBT or not (be := _find_own_being(left.text)):
        return None
    verb = _WORK[language_of_being(be)]
    if verb == "ich arbeite" and _DUTY.search(right.text):
        verb = "ich habe"
    composed = Span(f"{verb} {right.text}", right.start, right.end)
    return composed if tells(read(composed.text)) else None


def language_of_being(be: str) -> str:
    """The language of words for "I am"."""
    low = be.lower()
    return next((name for name, word in _AM.items() if word in low.split()), "en")


def find_workplace(span: Span, read: Callable[[str], ClauseReading]) -> list[Span]:
    """What somebody is, and in which town: "I'm a paramedic in Leeds" as two, since either may change alone."""
    for verb, pattern in (*_WORKPLACE, *_ORIGIN):
        found = pattern.fullmatch(span.text)
        if found is None or read(span.text).slot != "work" or _NO_PLACE.match(found["place"]):
            continue
        before = span.start - (len(span.text) - (span.end - span.start))
        place = Span(f"{verb} {found['where']}", before + found.start("where"), span.end)
        head = Span(found["what"], span.start, before + found.end("what"))
        if found["where"].startswith(("from ", "aus ")) and read(place.text).slot not in ("origin", "home"):
            return []  # „aus Leidenschaft“
        return [head, place] if tells(read(head.text)) and tells(read(place.text)) else []
    return []


def name_earlier(left: Span, right: Span) -> Span | None:
    """`she's in hospital` after "My mum Jean broke her hip, ": with whom it is about, named by the clause before."""
    antecedent = find_antecedent(left.text)
    named = name_introduced(left.text, right.text)
    if not named and antecedent:
        they = re.match(r"they(?=['’](?:re|ve)\b| (?:are|have|were)\b)", right.text)
        if they:
            named = f"{antecedent.who}{agree(right.text[they.end() :], many=False)}"
        else:
            named = name_antecedent(right.text, antecedent) or _with_verb(
                antecedent.who, left.text, right.text
            )
    return Span(named, right.start, right.end) if named and not _POINTS.search(named) else None


def _with_verb(who: str, left: str, right: str) -> str:
    verb = re.match(rf"(?:{_STILL} )?{THIRD_PERSON[language_of(left)]} ", right)
    aside = re.search(
        rf"{re.escape(who)}(?:,| (?:who|which|der|die|que|qui|che)\b)", left
    )  # "Jamie, who's 80, lives"
    return f"{who} {right}" if verb and not (aside or has_condition(right)) else ""


def say_of_oneself(
    span: Span, be: str, read: Callable[[str], ClauseReading], *, is_part: bool = False
) -> Span | None:
    """What somebody is, told without a verb, with the words for "I am" before it; None where it may be something else.

    It must tell something of the speaker with and without them, since "I'm cats and pollen" reads well enough; a part
    of the same sentence may also answer a question plainly. What has a subject of its own says nothing of the kind.
    """
    age = _AGE.match(span.text)
    first = age[0] if age else first_part(span).text
    has_subject = (
        OWN_SUBJECT.match(span.text)
        or _OURS.search(first)
        or _IS_CALLED.search(first)
        or _DOES.match(span.text)
    )
    if has_subject or _SINCE.match(span.text):
        return None
    written = write_apostrophes(f"{be} ").strip()
    verb = _HAVING.get(be.lower(), written) if age else written
    article = "" if age or be.lower() not in _ENGLISH else _article(first, read)
    composed = Span(f"{verb} {article}{span.text}", span.start, span.end)
    bare, whole = read(first), read(first_part(composed).text)
    is_plain = is_part and whole.slot_chance >= PLAIN_ANSWER and whole.worth["good"] >= PLAIN_FACT
    is_own = age or is_plain or (tells(bare) and bare.chances["lasting"] > bare.chances["relative"])
    return composed if is_own and tells(whole) and whole.chances["lasting"] >= DOUBT else None


def _article(what: str, read: Callable[[str], ClauseReading]) -> str:
    """What English has before what somebody is, where it was left out: "electrician"."""
    if _NO_NOUN.match(what) or read(f"I'm a {what}").slot != "work":
        return ""
    return "an " if what[:1].lower() in "aeiou" else "a "


def _has_age(text: str, have: str) -> bool:
    begin, age = text[: len(have)].lower(), text[len(have) :].strip()
    return begin == have and _AGE.fullmatch(age) is not None


def find_being(text: str) -> str:
    """The words by which a text says what the speaker is, as "I'm"; empty where it doesn't."""
    found = list(_BEING.finditer(text))
    return found[-1]["be"] if found else "I'm" if _NAME_HERE.search(text) else ""

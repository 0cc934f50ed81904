"""A person's own clause with its subject named: "I'm allergic to nuts" of Lena gives "Lena is allergic to nuts".

Only English is turned, and only where its first words allow it by their form. Everything else keeps the person's own
words behind the name ("Jonas: Ich wohne in Bremen."), which says the same and cannot be garbled.
"""

from __future__ import annotations

import re

from nebo.reading.meaning.sentences import capital
from nebo.reading.wording.elided import name_ich, name_whom
from nebo.reading.words.hasty import write_out
from nebo.reading.words.stop_words import words

NAMELESS = "The user"

_CONTRACTED = {"m": "is", "ve": "has", "ll": "will", "re": "are"}
_KEPT = words(
    """
    can could will would should must may might shall was had did went got moved made bought took came
    saw met left found lost grew became began broke brought built fell felt gave heard held kept knew
    led paid ran said sold sent sat slept spoke spent stood swam taught told thought understood won wore
    wrote quit drove flew ate drank chose dealt drew fought forgot rode rose sang taught threw woke
    forgave overcame withdrew hid caught froze stole sank hung dug fed shook stuck bent lent swore tore wove swept
    rang bit blew bled bred bore burnt clung crept dreamt fled flung ground laid lay learnt leant leapt lit mistook
    overheard overslept shot shone shrank slid smelt sought sped spelt spilt spoilt spun sprang stank stole stung
    strode struck swelled swung trod understood undid upset wept whizzed withstood wound became foresaw rebuilt retook
    are were aren't weren't won't can't couldn't wouldn't shouldn't wasn't didn't cannot hadn't mustn't
    """
)
_IRREGULAR = {"am": "is", "have": "has", "do": "does", "go": "goes", "don't": "doesn't", "haven't": "hasn't"}
_ADVERBS = words(
    """
    also always just really still never actually usually often already finally recently currently now
    mostly only absolutely totally definitely honestly officially sometimes normally rarely generally
    personally even both regularly typically mainly lately basically formerly originally once probably last
    ever almost quite rather seldom sorta kinda maybe perhaps soon then first later
    """
)
_MISSPELT = ("tley", "lley", "aly", "atly")  # adverbs typed in haste; as verbs they would be turned
# Forms that are present and past alike, or of which a rule can't tell: the person's own words are kept.
_UNCLEAR = words(
    """
    no not put read cut let set hit hurt cost shut bet spread myself and or i you we that this who which
    """
)
_NO_VERBS = words(
    """
    the a an my our it that this to not in on at so then also i we
    """
)
_SUBJECT = re.compile(
    r"(?<![\w-])I(?![-/])(?:['’](?P<short>m|ve|ll))?(?=\s)"
    r"(?P<adverbs>(?:\s+(?!(?:rely|apply|supply|reply|fly|imply|comply|multiply|rally)\b)[a-z]+ly\b"
    r"|\s+(?:also|just|still|never|always|often|now|no longer|only|once|even|both"
    r"|first|later|sometimes|soon|already)\b|(?<=ly)\s+\([^()]*\))*)"
    r"(?:\s+(?P<verb>(?:co-|re-|pre-|over-)?[A-Za-z]+(?:['’]t)?(?![\w-]))(?P<joined> (?:and|or) [a-z]+(?= |$))?)?"
)
_OWN = re.compile(r"\b(?:(?P<my>[Mm]y|[Oo]ur)|me)\b(?! (?:god|goodness|bad)\b)")
_PLURAL = re.compile(r"\b(?:we|us|ourselves|ours|let['’]s)(?:['’]\w+)?\b", re.IGNORECASE)
_AND_I = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) [\w-]+(?: [\w-]+)? and I\b"
    r"|\band I\b(?! (?:also|still|just|never|always|really)\b)(?=\s+(?:am|are|were|have|had|went|got|run)\b)"
)
TERM_WORDS = 4  # in quotation marks, at most, that name something
# A clause that led up to another one, alone: "Now that I have the papers" says that I have them.
_LED_CLAUSE = re.compile(r"^(?:now that|since)\s+(?=(?:I|my)\b(?!.*,))", re.IGNORECASE)
_FOR_ME = re.compile(r"^(?:as )?for me,?\s+(?=I\b)", re.IGNORECASE)
_SAID_WRONG = re.compile(
    r"^(?:(?:no|oh|sorry|oops|wait|hang on|hold on|scratch that|correction)[,.!]?\s+)+I (?:said|wrote"
    r"|told you|thought)"
    r"(?: that)? (?P<what>(?:[Tt]he|[Mm]y|[Oo]ur|[A-Z])[^,]*?) (?P<be>is|was|are|were) (?:[^,;]|,(?=\d))+[,;] "
    r"(?:but )?(?:it|that|they)(?:['’]s|['’]re| is| are| was| were) (?:actually |really |now )?(?P<new>.+)$",
    re.IGNORECASE,
)
_IS_SHORT = re.compile(r"(?<=\w)['’]s $")
_QUOTED = re.compile(r"[\"“”„«»]")
_FIRST = re.compile(r"(?<![\w-])(?:I(?![-/])|I['’]\w+|me|[Mm]y|[Oo]ur|mine|myself)\b")
_LATER = (
    (re.compile(r"\bI['’]m\b"), "they're"),
    (re.compile(r"\bI['’]ve\b"), "they've"),
    (re.compile(r"\bI['’]ll\b"), "they'll"),
    (re.compile(r"\bI['’]d\b"), "they'd"),
    (re.compile(r"\bI am\b"), "they are"),
    (re.compile(r"\bI was\b"), "they were"),
    (re.compile(r"(?<![\w-])I\b(?![-/])"), "they"),
    (re.compile(r"\bmyself\b"), "themselves"),
    (re.compile(r"\bmine\b"), "theirs"),
    (re.compile(r"\b(?:my|our)\b", re.IGNORECASE), "their"),
    (re.compile(r"\bme\b"), "them"),
)


_OF_TWO = (
    (re.compile(r"\b[Ww]e\b"), "they"),
    (re.compile(r"\b[Oo]ur\b"), "their"),
    (re.compile(r"\bus\b"), "them"),
    (re.compile(r"\bourselves\b"), "themselves"),
    (re.compile(r"\bours\b"), "theirs"),
)
_OPENED = {"ve": "have", "re": "are"}


# Verbs that are joined to the first one further on: "lives in Leeds and work as a baker".
_FURTHER = re.compile(
    r"(?<= and )(?:work|live|study)(?= (?:as|at|for|in|with)\b)|(?<= and )(?:have|am|teach|own|speak|play"
    r"|sing|swim|eat"
    r"|drive|prefer|enjoy|collect)(?= )"
    r"|(?<= and )(?:move|start|begin|leave|fly)(?= (?:on|in|at|to|out|back|from|next)\b)"
)
# "starting at the mart in July": what is under way, or about to be, of whoever says so.
_UNDERWAY = re.compile(
    r"^(?P<now>(?:also|now|still|currently|just) )?(?P<does>(?:starting|moving|working|living|studying"
    r"|training|renting"
    r"|staying|commuting|learning|retiring|expecting) (?!from (?!home)|with|up|out|this)(?!.* (?:is|was|are"
    r"|were|means|makes"
    r"|will|would|has|takes|feels|sounds) |.*\b[a-z]+s me\b)[^,]+)",
    re.IGNORECASE,
)
_DOING = re.compile(r"[A-Z][a-z]+ing, ")  # "Swimming, Tuesday mornings": who does isn't said
_TO_DO = re.compile(
    r"\bto [a-z]+\b[^,;]* and "
)  # "hope to leave Leeds and move to Spain": both are hoped for
# "Me and my wife Tamsin have twins", "my wife Tamsin and I have twins", "Tamsin and I have twins"
_PAIR_VERB = (
    r"(?:(?:have|are|were|had|got|went|live|work|run|want|like|love|own|rent|share|play|go|eat|just|both|also|never"
    r"|don't|can't"
    r"|(?:are|have|do|did|were|could|would|wo)n['’]t|met|grew|moved|bought|sold|took|drive|speak|use|need|keep|plan"
    r"|'ve|'re)\b|[a-z]+ed\b)"
)
_PAIR = re.compile(
    rf"(?:[Mm]e and (?:(?:my|our) (?P<other>[\w-]+(?: [\w'’-]+){{0,2}}?)"
    rf"|(?P<named>[A-ZÀ-ÖØ-Þ][\w'’-]+))(?= {_PAIR_VERB})"
    rf"|(?:(?:[Mm]y|[Oo]ur) (?P<first>[\w-]+(?: [\w'’-]+){{0,2}})|(?P<known>(?!(?:The|Then|But|So|And|Now|If)\b)"
    r"[A-ZÀ-ÖØ-Þ][\w'’-]+)) and (?:I|me)(?= (?!was\b)[a-z]|['’](?:ve|re)\b))"
)
_CLAUSE_BEFORE = re.compile(r"(?:,|\b(?:and|but|so))\s+$")
# Of those whom "we" means, each does it alone as well, but not where they do it to each other.
_EACH_OTHER = re.compile(
    r"\b(?:each other|together|both|met|married|wed|wedding|engaged|divorced|split|broke up|dating|dated|anniversary"
    r"|couple|of us|let['’]s|disagree|argue\w*|fight|fought|fell out|made up|made peace|reconciled"
    r"|(?:talk|sort|work|patch)\w* (?:it|things) (?:all )?(?:out|over|through|up))\b",
    re.IGNORECASE,
)
_WE = (
    (re.compile(r"\b[Ww]e['’]re\b|\b[Ww]e are\b"), "I am"),
    (re.compile(r"\b[Ww]e were\b"), "I was"),
    (re.compile(r"\b[Ww]e(?=['’](?:ve|ll)\b|\s)"), "I"),
    (re.compile(r"\b[Oo]ur\b"), "my"),
    (re.compile(r"\bus\b"), "me"),
    (re.compile(r"\bourselves\b"), "myself"),
    (re.compile(r"\bours\b"), "mine"),
)
_INVERTED = re.compile(r"\b(?:had|should|were|do|did|have|can|will|would|could|am|was)\s+$", re.IGNORECASE)
_OWN_FIRST = re.compile(
    r"[Mm]y [\w-]+ (?:(?!\b(?:[Ww]e|I)\b).)*"
)  # who "we" are with: "my girlfriend …, we …"
_BEGINS_OWN = re.compile(r"(?:I(?:['’](?:m|ve|ll|d))?|My [\w-]+)\s")
# "I watch films, hike, and have friends round": which of them are verbs isn't told by a rule.
_LISTED_VERBS = re.compile(
    r"I (?:\w+ly )?[a-z]+(?<!ed) [^,;]+(?:, [a-z]+(?<!s)(?: [a-z]+){0,2})+,? and (?:have|am|go|do|work|live"
    r"|play|make|spend|see)\b"
)
_I_FIRST = re.compile(r"(?:(?!\b[Ww]e\b|\b[Oo]ur\b).)*?(?<![\w-])I\b")
# Without the "I", a rule would take something else for the subject.
_ELIDED = re.compile(
    r"(?:Never|Been|Busy|Always|Still|Just|Lost|Got|Went|Had|Made|Found|Bought|Moved|Started|Finished|Took|Met|Saw"
    r"|Joined|Quit|Left|Tried|Spent|Won)\b(?! (?:I|we|my|our)\b)"
)
_AFTER_A_STOP = re.compile(r"(?<=[a-z\d)][.!?] )(?:the user|they|their|them)\b")
_CRIES = re.compile(r"\s*!+$")
# How sure somebody is, behind what they say: "so pescatarian I guess".
_HEDGES = re.compile(
    r",? (?:I (?:guess|think|suppose|reckon|believe|hope|imagine)|(?:I )?(?:dunno|don['’]t know))[.!]*$",
    re.IGNORECASE,
)
_HERE = re.compile(r"(?P<name>[A-ZÀ-ÖØ-Þ][\w'’-]+(?: [A-ZÀ-ÖØ-Þ][\w'’-]+)?) here\W*")  # "Oskar here"


def name_subject(clause: str, *, speaker: str, english: bool, ours: bool = False) -> str:
    """The clause as a sentence that says whom it is about; `speaker` may be empty.

    `ours`: what "we" do in it, the speaker does as well.
    """
    text = _SAID_WRONG.sub(_right, " ".join(clause.split()).strip(" ,;:-–—"))
    text = name_whom(capital(write_out(_HEDGES.sub("", text)))) if english else capital(name_ich(text))
    if english:
        text = _UNDERWAY.sub(
            lambda found: f"I'm {(found['now'] or '').lower()}{_lower_first(found['does'])}", text
        )
    turned = _turn(text, speaker or NAMELESS.lower(), ours=ours) if english else None
    if turned is None or (turned == text and _DOING.match(text)):
        turned = f"{speaker}: {text}" if speaker else text
    turned = _CRIES.sub(".", _AFTER_A_STOP.sub(lambda found: capital(found[0]), capital(turned)))
    return turned if turned[-1:] in ".?…" else f"{turned}."


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _turn(text: str, name: str, *, ours: bool) -> str | None:
    """The clause in third person; None where its form doesn't tell how."""
    if here := _HERE.fullmatch(text):
        return f"{name} is called {here['name']}"
    if pair := _PAIR.match(text):
        return None if _QUOTED.search(text) else _turn_pair(text, pair, name)
    if _LISTED_VERBS.match(text):
        return None
    text = _of_one(text) if ours else _of_several(text)
    pairs = _AND_I.search(text) is not None and not _BEGINS_OWN.match(text)
    if _PLURAL.search(text) or pairs or _quotes_somebody(text):
        return None
    return _turn_own(_FOR_ME.sub("", _LED_CLAUSE.sub("", text)), name)


def _right(found: re.Match[str]) -> str:
    """What is put right, as it is: of "No wait, I said the fee is 30, it's 40" that the fee is 40."""
    verb = {"was": "is", "were": "are"}.get(found["be"].lower(), found["be"])
    return f"{found['what']} {verb} {found['new']}"


def _quotes_somebody(text: str) -> bool:
    """Whether words stand in quotation marks that somebody may have said; a title or a term is what it is."""
    parts = _QUOTED.split(text)
    if len(parts) % 2 == 0:
        return True
    inside = parts[1::2]
    return any(_FIRST.search(one) or (len(one.split()) > TERM_WORDS and not _is_title(one)) for one in inside)


def _is_title(words: str) -> bool:
    """Whether most words have a capital, as those of a book: "The Five Dysfunctions of a Team"."""
    told = words.split()
    return len(told) > 1 and sum(word[:1].isupper() for word in told) * 2 > len(told)


def _of_one(text: str) -> str:
    """What "we" do, said of the one who speaks; the text itself where they do it to each other."""
    each_other, of_another = _EACH_OTHER.search(text), _OWN_FIRST.match(text)
    if not _PLURAL.search(text) or (each_other and not of_another):
        return text
    for pattern, singular in _OF_TWO if each_other or _I_FIRST.match(text) else _WE:
        text = pattern.sub(singular, text)
    return text


def _of_several(text: str) -> str:
    """What the speaker does with others, named before "we": "I debated with Jo and we sold the van"."""
    if not _BEGINS_OWN.match(text) or not _PLURAL.search(text):
        return text
    for pattern, theirs in _OF_TWO:
        text = pattern.sub(theirs, text)
    return text


def _turn_own(text: str, name: str) -> str | None:
    """What somebody says of themselves or of what is theirs, told of them."""
    if _ELIDED.match(text):
        return None
    if not _FIRST.search(text):
        return text
    found = _SUBJECT.search(text)
    own = _OWN.search(text)
    if found is None or (own is not None and own.start() < found.start()):
        return _with_owner(text, name, own)
    verb = _third_person(found)
    if verb is None or _INVERTED.search(text[: found.start()]):
        return None
    before, rest = _later(text[: found.start()]), _later(text[found.end() :])
    if found["short"] or (found["verb"] and verb.split()[-1] != found["verb"].lower()):
        rest = rest if _TO_DO.search(rest) else _FURTHER.sub(lambda further: _verb(further[0]), rest)
    return f"{before}{name}{verb}{rest}"


def _turn_pair(text: str, pair: re.Match[str], name: str) -> str | None:
    """Two who do something: "Lena and their wife Tamsin have twins"; None where what follows is of one of them."""
    rest = text[pair.end() :]
    own = _SUBJECT.search(rest)
    verb = _third_person(own) if own and _CLAUSE_BEFORE.search(rest[: own.start()]) else None
    if own and verb:
        rest = f"{rest[: own.start()]}{name}{verb}{rest[own.end() :]}"
    if re.search(r"(?<![\w-])I\b", rest):
        return None
    rest = re.sub(r"\b[Mm]y\b", f"{name}'s", re.sub(r"\bme\b", name, rest))
    for pattern, singular in _OF_TWO:
        rest = pattern.sub(singular, rest)
    verb = re.sub(r"^['’](ve|re)\b", lambda short: f" {_OPENED[short[1]]}", rest)
    other = pair["named"] or pair["known"] or f"their {pair['other'] or pair['first']}"
    return f"{name} and {other}{verb}"


def _with_owner(text: str, name: str, own: re.Match[str] | None) -> str | None:
    """`My sister is vegan` of Lena: "Lena's sister is vegan"; `it helps me`: "it helps Lena"."""
    if own is None:
        return None
    before = _IS_SHORT.sub(" is ", _later(text[: own.start()]))  # "Inka's my stepdaughter"
    rest = text[own.end() :]
    found = _SUBJECT.search(rest)
    verb = (
        _third_person(found) if found else None
    )  # "they" would be the relative: "her brother marries, I'm best man"
    if found and verb:
        rest = f"{rest[: found.start()]}{name}{verb}{rest[found.end() :]}"
    rest = _later(rest)
    return f"{before}{name}'s{rest}" if own["my"] else f"{before}{name}{rest}"


def _third_person(found: re.Match[str]) -> str | None:
    """The words between the subject and the rest: " never eats"."""
    adverbs, verb = found["adverbs"] or "", found["verb"] or ""
    if short := found["short"]:
        return f" {_CONTRACTED[short]}{adverbs}" + (f" {verb}{found['joined'] or ''}" if verb else "")
    low = verb.lower().replace("’", "'")
    if not low or low in _UNCLEAR or low in _ADVERBS or low.endswith(_MISSPELT):
        return None
    turned = _verb(low)
    return f"{adverbs} {turned}{_join(found['joined'] or '', alike=turned != low)}"


def _join(joined: str, *, alike: bool) -> str:
    """A verb that is joined to the first one is turned like it: "practise and train"."""
    if not alike or not joined or joined.endswith(("s", "ed", "ing", "ly")):
        return joined
    link, verb = joined.split()
    return f" {link} {verb if verb in _NO_VERBS else _verb(verb)}"


def _verb(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in _KEPT or (verb.endswith("ed") and verb not in ("need", "feed", "breed", "speed", "bleed")):
        return verb
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else "s")


def _later(text: str) -> str:
    """What follows the subject, told of them."""
    for pattern, replacement in _LATER:
        text = pattern.sub(replacement, text)
    return text

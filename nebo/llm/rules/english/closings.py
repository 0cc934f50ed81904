"""What an English message says is settled: done ("I called the dentist"), or given up ("never mind about the car").

It takes what is unmistakable alone. A question, an intention, a hedge, a "but", a part of the whole, somebody
else's doing or what was long ago closes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nebo.llm.rules.english import guards
from nebo.llm.rules.english.clauses import Clause, list_clauses
from nebo.llm.rules.statements import Closing, Turn
from nebo.llm.rules.wordlists import words

FINISHING = words("finish complet wrap conclud")  # stems of verbs that end a piece of work
MAKING = words(
    "finish complet writ prepar mak do draft read work learn study studi clean fix repair paint build design edit "
    "review updat translat plan practic pack solv creat cook bak wash mow"
)  # stems of verbs whose work is over when it is finished
PASSING_ON = words(
    "send submit email mail return giv deliv hand show present post ship"
)  # … and of those it isn't
SAME_VERB = {"phon": "call", "ring": "call", "telephon": "call", "purchas": "buy", "get": "buy", "mum": "mom"}
SAME_THING = {"mum": "mom", "mother": "mom", "dad": "father", "fridg": "refrigerator"}
IRREGULAR = {
    "paid": "pay", "sent": "send", "bought": "buy", "wrote": "write", "written": "write", "met": "meet", "got": "get",
    "gotten": "get", "did": "do", "done": "do", "made": "make", "took": "take", "taken": "take", "went": "go",
    "gone": "go", "saw": "see", "seen": "see", "fed": "feed", "told": "tell", "gave": "give", "given": "give",
    "brought": "bring", "read": "read", "put": "put", "cut": "cut", "found": "find", "spoke": "speak",
    "spoken": "speak", "sold": "sell", "rang": "ring", "swept": "sweep", "built": "build", "hung": "hang",
    "drew": "draw", "drawn": "draw", "ran": "run", "taught": "teach", "chose": "choose", "chosen": "choose",
    "lent": "lend", "withdrew": "withdraw", "set": "set", "drove": "drive", "driven": "drive", "hid": "hide",
}  # fmt: skip
_EMPTY = words(
    "a an the my our your their his her its this that these those some any all of and or it them him us me i we you "
    "they he she one ones thing things stuff up off out in back down over on onto into away around to for at with "
    "from about by as is are was were be been just already finally now today yesterday tonight tomorrow well too "
    "myself ourselves rest whole entire new next task todo reminder item"
)
_PREPOSITIONS = words("to for at with from about by")
_ADVERBS = (
    r"(?:(?:just|already|finally|actually|also|now|since|successfully|officially|today|yesterday|this "
    r"(?:morning|afternoon|week)|at last|both|all)\s+)*"
)
_PARTICIPLE = rf"(?:\w+ed|{'|'.join(sorted(IRREGULAR))})"
_SETTLED = r"(?:done|finished|complete|completed|sorted(?: out)?|settled|taken care of|handled|dealt with|wrapped up)"
_NOT_QUITE = re.compile(
    r"\b(?:not|never|almost|nearly|half|halfway|partly|partially|part|most|some of|mostly|but|though|although"
    r"|however|except|yet|still|tried|trying|instead|wrong|wish|wanted|meant|forgot|unfortunately|until|when|while"
    r"|once|used to|always|usually|often|sometimes|every|each|last (?:week|month|year|summer|winter|spring|autumn"
    r"|fall|time|night)|ago|years?|cannot)\b|n['’]t\b",
    re.IGNORECASE,
)
_IN_VAIN = re.compile(
    r"\b(?:nobody|no one|they didn['’]t) (?:answered|answer|picked up|pick up)|no answer|voicemail|line was busy"
    r"|(?:was|were) closed|didn['’]t work|failed\b",
    re.IGNORECASE,
)
_ADJUNCT = re.compile(
    r"\s+(?:to|for|at|with|from|about|on|in|by|via|because|since|so|before|after|this|today|yesterday|tonight"
    r"|already|too|as well|now|earlier|finally|right|that|which|who|and (?:he|she|it|they|everything|that|there|all))"
    r"\b.*$",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,.!…]*(?:\b(?:any ?more|any longer|after all|now|today|please|for now|as well|too|then|thanks|thank you)\b"
    r"[\s,.!…]*)*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")

_DONE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:I|we)(?:['’]m|['’]re| am| are)? ?(?:all |now |finally |just )*(?:done|finished|through)(?: with)? "
        r"(?P<what>.+)",
        r"(?:all )?(?:done|finished) with (?P<what>.+)",
        rf"(?:I|we)(?:['’]ve| have)? {_ADVERBS}(?:took|taken) care of (?P<what>.+)",
        rf"(?:I|we)(?:['’]ve| have)? {_ADVERBS}(?:sorted(?: out)?|dealt with|handled|(?:checked|ticked|crossed) off)"
        r" (?P<what>.+)",
        rf"(?:I|we)(?:['’]ve| have)? {_ADVERBS}(?:got|gotten|had) (?P<what>.+?) {_SETTLED}",
        rf"(?:I|we)(?:['’]ve| have)? {_ADVERBS}(?:managed|remembered|got around) to (?P<act>.+)",
        r"(?:I|we) did (?!(?:the|my|our|a|an|it|that|this|some|all|so)\b)(?P<act>.+)",
        rf"(?P<what>(?!(?:I|we|you|he|she|they|it|that|this|what)\b).+?)(?:['’]s| is| are| has been| have been| was"
        rf"| were| got) {_ADVERBS}{_SETTLED}",
        rf"(?P<what>(?!(?:I|we|you|he|she|they|it|that|this|what|my (?:wife|husband|partner|friend))\b).+?)"
        rf"(?:['’]s| is| are| has been| have been| got) {_ADVERBS}(?P<verb>{_PARTICIPLE})",
        r"(?:done|finished|completed)\s?[:–—-]\s?(?P<what>.+)",
        r"(?P<what>(?!(?:I|we|you)\b).+?)\s?[:–—-]\s?(?:done|finished|completed)",
        rf"(?:I|we)(?:['’]ve| have)? {_ADVERBS}(?P<verb>{_PARTICIPLE}) (?P<object>.+)",
        rf"(?P<verb>{_PARTICIPLE}) (?P<object>(?:the|my|our)\b.+)",
    )
)
_DROPPED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:never ?mind|nvm)(?: about)? (?P<what>.+)",
        r"(?:you can |please |let['’]s )*(?:drop|scrap|scratch|cancel|skip) (?:the |my |that )?(?:todo|to-do|task"
        r"|reminder|item)(?: to| about| for| of)? (?P<what>.+)",
        r"(?:I|we)(?: no longer| do not any ?more) (?:need|have) to (?P<act>.+)",
        r"(?:I|we) (?:don['’]?t|do not) (?:need|have) to (?P<act>.+?) (?:any ?more|any longer|after all)",
        r"(?:there['’]s |there is )?no (?:longer any )?need to (?P<act>.+)",
        r"(?:I|we)(?:['’]ve| have)? decided (?:not to (?P<act>.+)|against (?P<what>.+))",
        r"(?:I|we)(?:['’]m| am|['’]re| are) not going to (?P<act>.+?) (?:any ?more|any longer|after all)",
        r"(?P<what>(?!(?:I|we|you|it|that|this)\b).+?) (?:is|are) (?:no longer needed|not needed any ?more)",
    )
)


@dataclass(frozen=True, slots=True)
class _Doing:
    """What is done to what: the verb's stem, the stems of its object, of all its words, and of each preposition."""

    verb: str
    head: frozenset[str]
    all: frozenset[str]
    beside: dict[str, frozenset[str]]


def read(turn: Turn) -> list[Closing]:
    """What a message says is settled, in its order; nothing of a message that speaks for nobody."""
    if guards.is_joke_or_material(turn.text) or _IN_VAIN.search(turn.text):
        return []
    return [closing for clause in list_clauses(turn.text) if (closing := _read_clause(clause))]


def is_about(closing: Closing, text: str) -> bool:
    """Whether what was settled is what `text` (an open commitment such as "Call the dentist") is about."""
    doing, meant = _doing_of(_without_label(text)), _doing_of_closing(closing)
    if not meant.head or not meant.head <= doing.all or _clash(meant, doing):
        return False
    if closing.outcome == "dropped" and not meant.verb:
        return bool(meant.head & doing.head)
    return doing.head <= meant.all and _same_act(meant.verb, doing.verb)


def _read_clause(clause: Clause) -> Closing | None:
    text = _TAIL.sub("", clause.text.strip())
    if clause.asks or guards.is_hedged_request(clause):
        return None
    for pattern in _DROPPED:
        if match := pattern.fullmatch(clause.text.strip().rstrip(".!… ")):
            return _closing("dropped", match, clause)
    if guards.is_doubtful(clause) or guards.asks_outright(clause) or _NOT_QUITE.search(clause.sentence):
        return None
    found = (match for pattern in _DONE if (match := pattern.fullmatch(text)))
    return next((_closing("done", match, clause) for match in found), None)


def _closing(outcome: str, match: re.Match[str], clause: Clause) -> Closing | None:
    named = match.groupdict()
    verb = named.get("verb") or ""
    what = _TAIL.sub("", named.get("what") or named.get("object") or "")
    act = _TAIL.sub("", named.get("act") or "")
    if gerund := re.match(r"(?:about )?(\w{2,}ing)\s+(.+)", what, re.IGNORECASE):
        act, what = _of_gerund(gerund, what, ends=outcome == "done" and (not verb or stem(verb) in FINISHING))
    phrase = act or (f"{verb} {what}" if verb else what)
    closing = Closing(outcome, phrase, bool(act or verb), clause.start, clause.end)  # type: ignore[arg-type]
    return closing if _doing_of_closing(closing).head else None


def _of_gerund(gerund: re.Match[str], what: str, *, ends: bool) -> tuple[str, str]:
    """`writing the report`: once that is ended the report is; `calling the vet` is an act, ended or not."""
    if ends and stem(gerund[1]) in MAKING:
        return "", gerund[2]
    return f"{gerund[1]} {gerund[2]}", what


def _doing_of_closing(closing: Closing) -> _Doing:
    return _doing_of(closing.phrase) if closing.has_verb else _parse("", closing.phrase)


def _doing_of(text: str) -> _Doing:
    """`Call the dentist about the bill`: a verb and what it is done to."""
    first, _, rest = text.strip().partition(" ")
    verb = stem(first)
    return _parse(SAME_VERB.get(verb, verb), rest)


def _parse(verb: str, rest: str) -> _Doing:
    object_ = re.sub(
        r"^\s*(?:(?:up|off|out|in|back|down|over|on|to|for|at|with)\s+)+", "", f"{rest} ", flags=re.I
    )
    head = _ADJUNCT.sub("", f" {object_.strip()}")
    return _Doing(verb, _things(head), _things(rest), dict(_beside(object_)))


def _beside(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """`to Anna` gives ("to", {"anna"})."""
    for match in re.finditer(r"\b(\w+)\s+((?:(?!\b(?:to|for|at|with|from|about|by|on|in)\b).)+)", text):
        if match[1].lower() in _PREPOSITIONS:
            yield match[1].lower(), _things(match[2])


def _clash(meant: _Doing, doing: _Doing) -> bool:
    """Sent to Bob is not sent to Anna."""
    shared = meant.beside.keys() & doing.beside.keys()
    return any(meant.beside[name] and not meant.beside[name] & doing.beside[name] for name in shared)


def _same_act(done: str, wanted: str) -> bool:
    if not done:
        return wanted not in PASSING_ON
    return done == wanted or (done in FINISHING and wanted in MAKING)


def _things(text: str) -> frozenset[str]:
    found = (word.lower().replace("’", "'").removesuffix("'s") for word in _WORD.findall(text))
    stems = (stem(word) for word in found if word not in _EMPTY)
    return frozenset(SAME_THING.get(word, word) for word in stems)


def stem(word: str) -> str:
    """A word without its commonest endings: "called", "calling" and "calls" are one, and so is "paid" with "pay"."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    word = IRREGULAR.get(word, word)
    if len(word) > 3:
        word = re.sub(r"(?:ing|ed|es|s|e)$", "", word)
        word = re.sub(r"([^aeiouls])\1$", r"\1", word)
    return re.sub(r"y$", "i", word)


def _without_label(text: str) -> str:
    """A task's text without the day it names: `Call the vet (9 May 2023)`."""
    return re.sub(r"\s*\([^)]*\)\s*$", "", text).rstrip(" .!")

"""What a message asks of the agent's manner or person, found by rule, with exact positions. Nothing is decided here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from memories.sensitive import find_sensitive, redact
from nebo.llm.rules.english.clauses import Clause, list_clauses
from personality.safety import is_unsafe, is_unsafe_value, may_be_unsafe
from personality.wish_rules import HINTS, RULES, Rule, Value
from personality.wish_words import UNLASTING

Mode = Literal["explicit", "hedged", "passing", "hint", "reported", "hypothetical"]
WEIGHT: dict[Mode, float] = {
    "explicit": 0.95,
    "hedged": 0.60,
    "passing": 0.60,  # "keep it short" may be about one answer
    "hint": 0.35,
    "reported": 0.0,
    "hypothetical": 0.0,
}  # how much one saying of it weighs, 0 to 1
MAX_WISHES = 20  # of one message
MAX_READ_CHARS = 20_000  # characters of a message; what is longer is pasted
MAX_QUOTE_CHARS = 300  # characters
REMOVED = "[secret removed]"
UNSAFE_FIELD = "rules"  # where a wish that names nothing else is filed

# Most messages have none of these and are read no further.
_HAS_A_WORD_FOR_IT = re.compile(
    r"\b(?:you|your|yourself|be|become|act|play|pretend|keep|make|use|add|include|call|answers?|reply|respond|write"
    r"|speak|talk|stop|quit|don|not|advice|suggestions|always|never|from now|in future|emojis?|smileys?|emoticons?"
    r"|shorter|briefer|detail|long|lang|wordy|tl;?dr|text|too|ignore|disregard|forget|reveal|override|bypass|system"
    r"|prompt|rules?|antworte|schreib|sprich|sei|nenn|nenne|dich|mich|keine|weniger|du)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|i guess|i suppose|not sure|i think|kind of|sort of|wonder(?:ing)? if"
    r"|vielleicht|eventuell)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:what if|if|unless|suppose|supposing|imagine|hypothetically|as though|let['’]s say|in case|whether|ever"
    r"|wish|wenn|falls|angenommen)\b",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"\b(?:if (?:you (?:don['’]?t mind|can|could|would|like|want|please)|possible|that['’]?s (?:ok|okay|fine|alright)"
    r"|it['’]?s (?:ok|okay|possible))|wenn (?:möglich|es geht)|for ever|forever)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:told|tell|tells|asked|asks|ask|said|says|saying|wants|wanted|wrote|writes|think|thinks|heard|claims?"
    r"|(?:my|our|his|her|their|the other|another) (?:\w+ ){0,2}(?:bot|assistant|boss|wife|husband|sister|brother|mother"
    r"|father|mom|dad|son|daughter|friend|teacher|colleague|team|doctor|client|customer)s?"
    r"|(?:she|he|they|we|i) (?:should|must|has|have|need|needs|try|tries|will|would|can|could|am|is|are|was|were))\b"
    r"|^\s*(?:the|our|his|her|their|every\w*|all|some|no) [\w ]{0,40}?"
    r"\b(?:should|must|has to|have to|needs? to|ought to|will|shall|can)\b",
    re.IGNORECASE,
)
_FOR_ME = re.compile(r"\bI(?:['’]d| would| want| need| like| prefer| think| guess| wish)\b", re.IGNORECASE)
_POLITE_QUESTION = re.compile(
    r"\b(?:can|could|would|will) you\b|\b(?:can|could|may) (?:i|we) call you\b|\bkannst du|könntest du",
    re.IGNORECASE,
)
_ASKS_LEAVE = re.compile(r"\b(?:can|could|may|might|shall|should) (?:i|we) call you\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wish:
    """A field, the value wanted (empty: as it was), how it was said, and where: `start` to `end` of the message."""

    field: str
    value: str
    mode: Mode
    quote: str
    start: int
    end: int
    unsafe: bool = False
    given_weight: float | None = None

    @property
    def weight(self) -> float:
        return WEIGHT[self.mode] if self.given_weight is None else self.given_weight

    @property
    def is_explicit(self) -> bool:
        return self.mode == "explicit"


def find_wishes(text: str) -> list[Wish]:
    """The wishes of one message in its order; of one that asks for what is unsafe, all are unsafe."""
    read = text[:MAX_READ_CHARS]
    if not _HAS_A_WORD_FOR_IT.search(read):
        return []
    clauses = list(list_clauses(read))
    wishes = [wish for clause in clauses for wish in _wishes_of(clause, read)]
    if wishes or may_be_unsafe(read):
        alarming = [clause for clause in clauses if is_unsafe(clause.text)]
        if alarming:
            wishes = [_as_unsafe(wish) for wish in wishes] or [_alarm(alarming[0], read)]
    return _distinct(wishes)[:MAX_WISHES]


def _wishes_of(clause: Clause, text: str) -> Iterator[Wish]:
    if UNLASTING.search(clause.text):
        return
    plain = [
        _wish(clause, text, match, value, _mode(clause, match, rule))
        for rule, match, value in _read(RULES, clause)
    ]
    known = [wish for wish in plain if wish.field != "rules"]
    yield from known or plain  # "always answer in German" is a language, not a rule beside it
    if not clause.asks:
        yield from (_wish(clause, text, match, value, "hint") for _, match, value in _read(HINTS, clause))


def _read(rules: Iterable[Rule], clause: Clause) -> Iterator[tuple[Rule, re.Match[str], Value]]:
    for rule in rules:
        for match in rule.pattern.finditer(clause.text):
            yield from ((rule, match, value) for value in rule.values(match))


def _wish(clause: Clause, text: str, match: re.Match[str], value: Value, mode: Mode) -> Wish:
    secret = _is_secret(value.text, text)
    unsafe = secret or is_unsafe_value(value.field, value.text)
    return Wish(
        field=value.field,
        value=REMOVED if secret else redact(value.text),
        mode=mode,
        quote=_quote(clause, text),
        start=clause.start + match.start(),
        end=clause.start + match.end(),
        unsafe=unsafe,
    )


def _mode(clause: Clause, match: re.Match[str], rule: Rule) -> Mode:
    before = f"{clause.before} {clause.text[: match.start()]}"
    sentence = _COURTESY.sub("", clause.sentence)
    if _OTHERS.search(_FOR_ME.sub("", before)):
        return "reported"
    if _CONDITION.search(sentence):
        return "hypothetical"
    if _HEDGE.search(clause.sentence) or _ASKS_LEAVE.search(clause.text):
        return "hedged"
    if clause.asks and not _POLITE_QUESTION.search(clause.text):
        return "hypothetical"
    return "passing" if rule.passing else "explicit"


def _quote(clause: Clause, text: str) -> str:
    """The clause's words without what the message gives away elsewhere as a secret."""
    words = text[clause.start : clause.end]
    for secret in find_sensitive(text):
        words = words.replace(text[secret.start : secret.end], REMOVED)
    return redact(words)[:MAX_QUOTE_CHARS]


def _is_secret(value: str, text: str) -> bool:
    """Whether the value is what the message itself calls a password, key or card."""
    return bool(value) and any(
        value.casefold() in text[m.start : m.end].casefold() for m in find_sensitive(text)
    )


def _as_unsafe(wish: Wish) -> Wish:
    return Wish(wish.field, wish.value, wish.mode, wish.quote, wish.start, wish.end, unsafe=True)


def _alarm(clause: Clause, text: str) -> Wish:
    """An order that goes for the rules themselves is a wish of its own, so that its refusal can be told."""
    quote = _quote(clause, text)
    return Wish(UNSAFE_FIELD, quote, "explicit", quote, clause.start, clause.end, unsafe=True)


def _distinct(wishes: list[Wish]) -> list[Wish]:
    """In order, each field and value once, the plainest saying of it; a hint beside a plain wish says nothing."""
    best: dict[tuple[str, str], Wish] = {}
    for wish in sorted(wishes, key=lambda wish: (wish.start, -wish.weight)):
        known = best.get((wish.field, wish.value.casefold()))
        if known is None or wish.weight > known.weight:
            best[wish.field, wish.value.casefold()] = wish
    plain = {wish.field for wish in best.values() if wish.mode != "hint"}
    kept = [wish for wish in best.values() if wish.mode != "hint" or wish.field not in plain]
    return sorted(kept, key=lambda wish: wish.start)

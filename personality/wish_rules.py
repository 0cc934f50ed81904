"""How people say what they want of an agent: patterns, and the value that each of them means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from personality.wish_words import (
    A_PART,
    A_PART_TOO,
    ALONE,
    AN_EMOJI,
    ANSWERS,
    CASUAL,
    EMOJIS,
    END,
    FORMAL,
    GO,
    IT,
    IT_WAS,
    LANGUAGE,
    LANGUAGES,
    LASTING,
    LATER,
    LESS,
    LONG,
    MORE,
    NAME,
    NO,
    NO_NAMES,
    NO_PARTS,
    PROPER,
    RATHER,
    ROLES,
    SHORT,
    SOUND,
    TONES,
    VERBS,
    any_of,
)  # fmt: skip

NAME_CHARS = 40  # characters of a name
PART_CHARS = 80  # characters of a role or a creature
PART_WORDS = 5  # of a role or a creature; what is longer is a story
RULE_CHARS = 200  # characters of a rule


@dataclass(frozen=True, slots=True)
class Value:
    """A field of the persona and what it should be; empty: as the team made it."""

    field: str
    text: str


@dataclass(frozen=True)
class Rule:
    """A pattern and the values it means; `passing` says that it may be about one answer only."""

    text: str
    values: Callable[[re.Match[str]], Iterable[Value]]
    passing: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """`text`, compiled when it is first asked for: most commands need none of them."""
        return re.compile(self.text, re.IGNORECASE)


def _said(values: Callable[[re.Match[str]], Iterable[Value]], *patterns: str) -> Rule:
    return Rule(any_of(*patterns), values)


def _fixed(field: str, text: str, *patterns: str, passing: bool = False) -> Rule:
    return Rule(any_of(*patterns), lambda match: (Value(field, text),), passing)


def _line(text: str, limit: int) -> str:
    return " ".join(text.replace("\x00", " ").split())[:limit].strip(" ,;:.!?-'’")


def _name(match: re.Match[str]) -> Iterable[Value]:
    name = _line(re.sub(r"\s+(?:now|please|instead)$", "", match["name"], flags=re.IGNORECASE), NAME_CHARS)
    if not name or name.casefold().split()[0] in NO_NAMES:
        return ()
    return (Value("name", name[0].upper() + name[1:]),)


def _part(match: re.Match[str]) -> Iterable[Value]:
    """`a pirate` is a creature; `my coach`, or anything that is an office, a role."""
    groups = match.groupdict()
    what = _line(groups["what"] or groups.get("what2") or "", PART_CHARS)
    article = (groups["article"] or groups.get("article2") or "").casefold()
    if not what or len(what.split()) > PART_WORDS or NO_PARTS.search(what):
        return ()
    if article == "my":
        return (Value("role", f"their {what}"),)
    if ROLES.search(what):
        return (Value("role", f"{article} {what}"),)
    return (Value("creature", what),)


def _tone(match: re.Match[str]) -> Iterable[Value]:
    tone = match["tone"].casefold()
    return (Value("voice_style", f"less {tone}" if match.groupdict().get("less") else tone),)


def _language(match: re.Match[str]) -> Iterable[Value]:
    return (Value("language", LANGUAGES[match["language"].casefold()]),)


def _emoji(match: re.Match[str]) -> Iterable[Value]:
    return (Value("emoji", match["emoji"]),)


def _rule(match: re.Match[str]) -> Iterable[Value]:
    often = (match.groupdict().get("often") or "").capitalize()
    text = _line(f"{often} {match['verb']} {match['rest']}", RULE_CHARS)
    return (Value("rules", text[0].upper() + text[1:]),) if len(text.split()) > 1 else ()


_OWN_NAME = rf"{GO}(?:use|go back to|take) your (?:own|old|real|original|usual|normal) name\b"
_I_WILL = r"I(?:['’]ll| will|['’]m going to| want to|['’]d like to| would like to)"
NAMES = (
    _said(_name, rf"{GO}(?:call|name|rename) yourself {NAME}{END}"),
    _said(
        _name,
        rf"{GO}(?:{_I_WILL}|let me|let['’]s|(?:can|could|may) (?:I|we)|we(?:['’]ll| will)) call you {PROPER}{END}",
    ),
    _said(
        _name,
        rf"{GO}(?:your (?:new )?name (?:is|will be|shall be|should be)(?: now)?"
        r"|(?:you(?:['’]re| are)|be) (?:now )?(?:called|named)|you(?:['’]ll| will) (?:now )?be (?:called|named)"
        rf"|go by|answer to|change your name to|take the name) (?:the name )?{PROPER}{END}",
    ),
    _said(
        _name,
        rf"{GO}(?:you(?:['’]re| are) now|(?<=on )you(?:['’]re| are)|(?<=on, )you(?:['’]re| are)) {PROPER}{END}",
    ),
    _said(
        _name,
        rf"{GO}(?:nenne? dich|du heißt(?: jetzt)?|dein name ist(?: jetzt)?|ich nenne dich(?: jetzt)?) {NAME}{END}",
    ),
    _fixed("name", "", _OWN_NAME),
)
PARTS = (
    _said(_part, rf"{GO}you(?:['’]re| are) (?:now {A_PART}{END}|{A_PART_TOO} (?:now|{LASTING})\b)"),
    _said(_part, rf"{LATER}you(?:['’]re| are|['’]ll be| will be) {A_PART}{END}"),
    _said(
        _part,
        rf"{GO}(?:be|become|play|act as|act like|behave like|talk like|speak like|pretend to be"
        rf"|pretend you(?:['’]re| are)|take (?:on|up) the (?:role|part|persona) of|sei|spiel) {A_PART}{END}",
    ),
    _fixed(
        "creature",
        "",
        rf"{GO}(?:stop|quit) (?:being|acting|talking|speaking|playing|pretending)(?: to be)?(?: like| as)? "
        r"(?:an?|the|my) (?!bit |little )\w+",
        r"\b(?:just )?be (?:yourself|your (?:normal|old) self) again\b",
        r"\bgo back to (?:being yourself|normal|your (?:normal|old) self)\b",
    ),
)
LENGTHS = (
    _fixed("response_length", "short", rf"{GO}(?:keep|make) {ANSWERS} {MORE}{SHORT}\b"),
    _fixed("response_length", "short", rf"{GO}(?:keep|make) {IT} {MORE}{SHORT}\b", passing=True),
    _fixed(
        "response_length",
        "short",
        rf"{GO}be {MORE}{SHORT}\b",
        rf"{GO}(?:I (?:prefer|like|want|need)|give me|use|write|send) {MORE}{SHORT} (?:and \w+ )?{ANSWERS}",
        rf"{GO}(?:answer|reply|respond|write|antworte) "
        rf"{MORE}(?:{SHORT}|briefly|concisely|with fewer words|in (?:few|fewer) words)\b",
        rf"{GO}be less (?:verbose|wordy)",
        rf"{GO}{SHORT} {ANSWERS}{END}",
        rf"{GO}(?:don['’]?t|stop) (?:ramble|rambling|writing (?:so much|essays|novels))",
        r"\bfasse? dich kurz",
    ),
    _fixed(
        "response_length",
        "detailed",
        rf"{GO}(?:keep|make) {ANSWERS} {MORE}{LONG}\b",
        rf"{GO}be {MORE}{LONG}\b",
        rf"{GO}(?:I (?:prefer|like|want|need)|give me|write|send) {MORE}{LONG} {ANSWERS}",
        rf"{GO}(?:answer|reply|respond|explain|antworte) {MORE}(?:in (?:more |greater )?detail|{LONG})\b",
        rf"{GO}go into (?:more|greater) detail",
    ),
)
FORMALITY = (
    _fixed(
        "formality",
        "formal",
        rf"{GO}{SOUND} {MORE}{FORMAL}(?:ly)?\b",
        rf"{GO}(?:use|keep) (?:a |an )?{MORE}{FORMAL} (?:tone|style|language|manner)",
        rf"{GO}(?:be|sound) less {CASUAL}\b",
        r"\bsiez(?:e|en)? mich",
    ),
    _fixed(
        "formality",
        "casual",
        rf"{GO}{SOUND} {MORE}{CASUAL}(?:ly)?\b",
        rf"{GO}(?:use|keep) (?:a |an )?{MORE}{CASUAL} (?:tone|style|language|manner)",
        rf"{GO}(?:be|sound) less {FORMAL}\b",
        rf"{GO}(?:don['’]?t|stop) be(?:ing)? so {FORMAL}\b",
        r"\bduz(?:e|en)? mich",
    ),
)
_IF_YOU_WERE = r"I(?:['’]d| would) (?:like|love|prefer) it if you were"
MANNERS = (
    _fixed(
        "emoji_usage",
        "none",
        rf"{GO}{NO} (?:any |the |those |all (?:the |those )?|your |so many )*{EMOJIS}\b",
    ),
    _fixed(
        "emoji_usage",
        "minimal",
        rf"{GO}(?:use |with )?{LESS} {EMOJIS}\b",
        rf"{GO}(?:don['’]?t|do not) use so many {EMOJIS}",
    ),
    _fixed(
        "emoji_usage", "frequent", rf"{GO}(?:use|add|include|with) (?:more|lots of|plenty of|many) {EMOJIS}\b"
    ),
    _fixed(
        "emoji_usage",
        "moderate",
        rf"{GO}(?:use|add|include) (?:some |a few )?{EMOJIS}\b",
        rf"\b{EMOJIS} are (?:ok|okay|fine)\b",
    ),
    _said(
        _tone,
        rf"{GO}(?:be|sound|sei|get|become|{_IF_YOU_WERE}) (?P<less>less )?{MORE}(?P<tone>{TONES})\b"
        rf"(?! (?:and )?{SHORT})",
    ),
    _said(
        _tone,
        rf"{GO}(?:use|keep|take|adopt) (?:a |an )?(?P<less>less )?{MORE}(?P<tone>{TONES}) "
        r"(?:tone|style|voice|manner)",
    ),
    _fixed(
        "proactivity", "high", rf"{GO}(?:be more proactive|take (?:more|the) initiative|make suggestions)\b"
    ),
    _fixed(
        "proactivity",
        "low",
        rf"{GO}be less proactive\b",
        rf"{GO}(?:don['’]?t|do not|stop) (?:mak(?:e|ing)|offer(?:ing)?|giv(?:e|ing)) (?:me )?"
        r"(?:unasked |unsolicited )?(?:suggestions|advice)\b",
        rf"{GO}only answer what I ask\b",
    ),
    _said(
        _language,
        rf"{GO}(?:always |only |nur |immer )?(?:answer|reply|respond|speak|talk|write|chat|antworte|sprich|schreibe?)"
        r"(?: to me| with me| me| back| mir| mit mir)?(?: only| always| nur| immer| ab jetzt| von nun an| bitte)*"
        rf" (?:in|auf|only) {LANGUAGE}\b",
    ),
    _said(_language, rf"{GO}(?:switch|change) to {LANGUAGE}\b(?= (?:{LASTING}|please)|$)"),
    _said(_emoji, rf"{GO}use {AN_EMOJI} as your (?:signature )?emoji"),
    _said(_emoji, rf"\byour (?:signature )?emoji (?:is|should be) {AN_EMOJI}"),
)
ORDERS = (
    _said(_rule, rf"{ALONE}(?P<often>always|never) (?P<verb>{VERBS}) (?P<rest>.{{2,180}})"),
    _said(
        _rule,
        rf"{LATER}(?:please |you should |you must |I want you to )?(?P<verb>{VERBS}) (?P<rest>.{{2,180}})",
    ),
)
RULES = (*NAMES, *PARTS, *LENGTHS, *FORMALITY, *MANNERS, *ORDERS)

_TOO_MANY = r"(?:\b(?:so|too) |^)many"
HINTS = (
    _fixed(
        "response_length",
        "short",
        rf"^{IT_WAS}{RATHER}(?: too)? (?:long|long-winded|wordy|verbose|lang)\b",
        r"^(?:a bit |a little |way |far )?too (?:long|wordy|much text)\b",
        r"^(?:a bit|a little) (?:long|wordy|lang)$",
        r"\btl;?dr\b",
        r"\bwall of text\b",
        r"^(?:that|this)(?:['’]s| is| was) (?:a lot|so much|too much) (?:of text|to read)",
    ),
    _fixed(
        "response_length",
        "detailed",
        rf"^{IT_WAS}{RATHER} too (?:short|brief|terse)\b",
        r"^(?:not enough|too little) detail\b",
        r"^(?:a bit|way) too (?:short|brief)\b",
    ),
    _fixed(
        "emoji_usage",
        "minimal",
        rf"{_TOO_MANY} {EMOJIS}\b",
        rf"^{IT_WAS}{RATHER} (?:a lot|lots) of {EMOJIS}\b",
    ),
    _fixed(
        "formality",
        "casual",
        rf"^{IT_WAS}{RATHER}(?: too)? (?:stiff|formal|robotic)\b",
        r"^you sound (?:so |too |a bit |like a )*(?:stiff|formal|robot(?:ic)?)\b",
    ),
    _fixed(
        "formality",
        "formal",
        rf"^{IT_WAS}{RATHER}(?: too)? (?:casual|informal|unprofessional|chummy)\b",
        r"^you sound (?:so |too |a bit )*(?:casual|unprofessional)\b",
    ),
    _fixed(
        "proactivity",
        "low",
        rf"{_TOO_MANY} (?:questions|suggestions)\b",
        r"^you (?:keep|are always) (?:asking|suggesting)\b",
    ),
)


def compile_wish_rules() -> None:
    """All patterns, now and not at first use: some 0.2 s."""
    for rule in (*RULES, *HINTS):
        rule.pattern  # noqa: B018  compiled by being looked at

"""How somebody wants to be answered."""

from __future__ import annotations

import re
from collections.abc import Callable

from nebo.llm.rules.english.phrasing import is_short_enough, slug, trim
from nebo.llm.rules.english.rules import Made, Reading, rule
from nebo.llm.rules.statements import Statement

LASTING = re.compile(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|for future|every time"
    r"|whenever|generally|in general|as a rule|by default|stop|all your|your (?:answers|replies"
    r"|responses)|I prefer|I like)\b",
    re.IGNORECASE,
)
_ANSWERS = (
    r"(?:(?:your|the|my|all) )?(?:(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?"
    r"|summaries|texts?|emails?))"
)
_IT = rf"(?:it|them|this|that|things|everything|{_ANSWERS})"
_MORE = (
    r"(?:(?:more|a bit more|a little more|very|really|as|super|extra|a bit|a little|quite|less|a "
    r"bit less|much|too|so) )*"
)
_SHORT = r"short(?:er)?|brief(?:er)?|concise|succinct|terse|to the point|snappy|crisp|compact"
_LONG = r"detailed|thorough|in[- ]depth|long(?:er)?|comprehensive|verbose|extensive|elaborate"
_TONES = (
    r"formal|informal|casual|friendly|direct|blunt|honest|warm|professional|polite|playful|funny"
    r"|humorous|witty|serious|patient|kind|gentle|encouraging|critical|sarcastic|relaxed|chatty"
    r"|neutral|objective"
    r"|supportive|empathetic|straightforward|personal|technical|specific|careful|precise"
    r"|enthusiastic|cheerful|conversational"
)
_FORMATS = (
    r"bullet points?|bullets|bulleted lists?|numbered lists?|lists|tables?|markdown|headings?"
    r"|headers|code blocks?|emojis?|emoticons?|exclamation marks?|jargon|buzzwords|acronyms"
    r"|hashtags|bold(?: text)?|em[- ]dashes"
)
_WANT = r"(?:I )?(?:(?:just |really |also |much )*(?:prefer|like|love|want|need|appreciate)|['’]?d like|would like)"
_BEING = rf"(?:all |the )*{_ANSWERS}(?: (?:that are|which are|to be|kept|being))? "  # "answers that are …"
_NOT = (
    r"(?:stop|quit|avoid|no more|don['’]?t|do not|never|skip|drop|less|fewer|please no|no|without"
    r"|leave out|cut)"
)
_DIRECTIVES = (
    r"(?:answer|reply|respond|use|write|call|include|start|end|ask|give|format|cite|show|explain"
    r"|speak|talk|add|avoid|check|sign|send|mention|keep|put|quote|provide|suggest|address|refer"
    r"|spell|summari[sz]e|translate|stick|be|remind|round|convert|assume)"
)
_STRICT = (
    r"(?:answer|reply|respond|use|write|include|cite|show|format|spell|summari[sz]e|address|refer"
    r"|call me|ask me|ask before|give me|start (?:your|with)|end (?:your|with)|speak|explain"
    r"|translate|convert)"
)
_LATER = (
    r"(?:from now on|going forward|in (?:the )?future|for future reference|by default|every "
    r"time(?: I ask| you answer)?|as a rule|in general)"
)


LATER = re.compile(rf"{_LATER}[,:]? (?:please )?", re.IGNORECASE)


def _fixed(slot: str, trait: str, wish: str) -> Callable[[Reading], Made]:
    return lambda found: _wish(found, slot, trait, wish)


def _wish(found: Reading, slot: str, trait: str, wish: str) -> Statement:
    """A trait that gathers weight, in a slot where the last word said holds."""
    return found.says(
        "style",
        f"style/{trait}",
        wish,
        trait,
        category="styles",
        fact_type="preference",
        importance=2,
        tags=("style",),
        slot=slot,
    )


def _tone(found: Reading) -> Made:
    tone, more = found["tone"].lower(), found["more"].lower()
    less = "less" in more.split() or "too" in more.split() or bool(found.match.groupdict().get("not"))
    wish = f"wants replies that are {'less ' if less else ''}{tone}"
    return _wish(
        found,
        "formality" if tone in ("formal", "informal", "casual", "professional") else "tone",
        ("less-" if less else "") + slug(tone),
        wish,
    )


def _format(found: Reading) -> Made:
    what = found["format"].lower().rstrip("s")
    without = bool(found["not"])
    plural = what + ("" if what in ("markdown", "jargon") else "s")
    return _wish(
        found,
        slug(what),
        f"{'no-' if without else ''}{slug(plural)}",
        f"wants {'no ' if without else ''}{plural} in replies",
    )


def _language(found: Reading) -> Made:
    language = found["language"]
    return _wish(found, "language", f"in-{slug(language)}", f"wants replies in {language}")


def _stop(found: Reading) -> Made:
    rest = trim(found["rest"])
    if not slug(rest) or len(rest.split()) > 14:
        return None
    return _free(found, f"stop-{slug(rest, 4)}", f"wants the assistant to stop {rest}")


def _standing(found: Reading) -> Made:
    verb, rest = found["verb"].lower(), trim(found["rest"])
    if not slug(f"{verb} {rest}") or not is_short_enough(rest):
        return None
    never = found["often"].lower() == "never"
    how = f"never to {verb}" if never else f"to {verb}"
    if re.search(r"\b(?:if|unless)\b", found.clause.sentence, re.IGNORECASE):
        return None
    its = re.sub(r"\byou\b", "it", re.sub(r"\byour\b", "its", rest, flags=re.IGNORECASE), flags=re.IGNORECASE)
    return _free(
        found, f"{'never-' if never else ''}{slug(f'{verb} {rest}', 5)}", f"wants the assistant {how} {its}"
    )


def _free(found: Reading, trait: str, wish: str) -> Made:
    return found.says(
        "style",
        f"style/{trait}",
        wish,
        trait,
        category="styles",
        fact_type="preference",
        importance=2,
        tags=("style",),
    )


RULES = (
    rule(
        rf"(?:(?:keep|make) {_IT}|{_WANT} {_BEING}) ?{_MORE}(?:{_SHORT})\b",
        _fixed("length", "short-replies", "wants short replies"),
    ),
    rule(rf"be {_MORE}(?:{_SHORT})\b", _fixed("length", "short-replies", "wants short replies")),
    rule(
        rf"(?:(?:I )?(?:prefer|like|want|need)|give me|use|write) {_MORE}(?:{_SHORT}) (?:and \w+ "
        rf")?{_ANSWERS}",
        _fixed("length", "short-replies", "wants short replies"),
    ),
    rule(
        r"(?:don['’]?t|do not|stop) (?:ramble|rambling|be (?:so|too) (?:verbose|wordy|long)|being "
        r"(?:so )?(?:verbose|wordy)|write (?:so much|essays|novels))|(?:be )?less (?:verbose|wordy)",
        _fixed("length", "short-replies", "wants short replies"),
    ),
    rule(
        rf"(?:be|make {_IT}|keep {_IT}|{_WANT} {_BEING}) ?{_MORE}(?:{_LONG})\b|go into (?:more |greater )?detail"
        rf"|(?:{_WANT}|give me|write) {_MORE}(?:{_LONG}) {_ANSWERS}|explain (?:\w+ )?in (?:more )?detail",
        _fixed("length", "detailed-replies", "wants detailed replies"),
    ),
    rule(
        rf"(?:be|sound|act|keep {_IT}|make {_IT}|{_WANT} {_BEING}) ?(?P<more>{_MORE})(?P<tone>{_TONES})\b"
        r"(?= with me|,? please| in (?:your|all)|,? when\b|$)",
        _tone,
    ),
    rule(
        rf"(?P<not>don['’]?t|do not|stop) (?:be|being|sound|sounding) (?P<more>{_MORE})(?P<tone>{_TONES})\b",
        _tone,
    ),
    rule(
        rf"(?:(?:use|write in|speak in|keep|{_WANT}) (?:a |an |the )?(?P<more>{_MORE})(?P<tone>{_TONES})"
        rf" (?:tone|style|language|voice|manner|{_ANSWERS}))",
        _tone,
    ),
    rule(
        rf"(?P<not>(?:{_WANT} )?{_NOT}) (?:using |use |with |add |adding |include |including |put |putting |the "
        rf"|any |so many |all the |those |your )*(?P<format>{_FORMATS})\b",
        _format,
    ),
    rule(
        rf"(?P<not>(?!))?(?:use|add|include|{_WANT}(?: {_ANSWERS} (?:in|as|with))?|give me|format \w+ (?:as|with|in)"
        r"|answer (?:in|with|using)|reply (?:in|with|using)|respond (?:in|with|using)) (?:more |some "
        rf"|lots of )?(?P<format>{_FORMATS})\b",
        _format,
    ),
    rule(
        rf"(?:{_WANT} {_BEING}|(?:always |only )?(?:answer|reply|respond|speak|talk|write|chat)(?: to me| with me"
        r"| me| back)?)(?: only| always)? ?in (?P<language>(?-i:[A-Z][a-z]{3,12})|english|german|french"
        r"|spanish|italian|portuguese|dutch|japanese|chinese)\b",
        _language,
    ),
    rule(
        r"explain (?:it |things |stuff |everything |this )?(?:simply|in simple|in plain|like I['’]?m "
        r"(?:five|5)|in layman)|(?:use|in) (?:simple (?:words|terms|language)|plain (?:english"
        rf"|language|words)|layman['’]?s terms)|{_WANT} (?:simple|plain|easy) (?:words|terms|language|english)",
        _fixed("wording", "simple-words", "wants simple words"),
    ),
    rule(
        r"(?:don['’]?t|do not|stop) sugar-?coat(?:ing)?|give it to me straight|be straight with me"
        rf"|{_WANT} straight talk",
        _fixed("tone", "straight-talk", "wants straight talk"),
    ),
    rule(
        r"(?:use|I use|I prefer|stick to|give me|always use) (?P<u>the )?metric(?: system| units)?",
        _fixed("units", "metric-units", "uses metric units"),
    ),
    rule(
        r"(?:use|I use|I prefer|stick to|give me|always use) (?P<u>the )?imperial(?: system| units)?",
        _fixed("units", "imperial-units", "uses imperial units"),
    ),
    rule(
        r"(?:stop|quit|no more) (?P<rest>(?:saying|using|calling me|asking|repeating|apologi[sz]ing"
        r"|adding|starting|ending|writing|giving|sending|telling me|thanking|reminding|summari[sz]ing"
        r"|explaining)\b.{0,80})",
        _stop,
    ),
    rule(rf"(?P<often>always|never) (?P<verb>{_STRICT}) (?P<rest>.{{2,120}})", _standing),
    rule(
        rf"(?P<often>{_LATER})[,:]? (?:please |you should |you can |I(?:['’]d like| want) you to "
        rf")?(?P<verb>{_DIRECTIVES}) (?P<rest>.{{2,120}})",
        _standing,
    ),
    rule(
        rf"(?P<often>(?!))?(?P<verb>{_DIRECTIVES}) (?P<rest>.{{2,100}}?),? (?:from now on|going forward"
        r"|in (?:the )?future|by default|every time)$",
        _standing,
    ),
)

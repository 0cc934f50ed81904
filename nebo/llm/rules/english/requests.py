"""What somebody asks to have remembered, forgotten, or done."""

from __future__ import annotations

import re

from nebo.llm.rules.english.phrasing import in_third_person, is_short_enough, slug, trim, without_when
from nebo.llm.rules.english.rules import ADVERBS, Made, Reading, rule

MAX_NOTED_CHARS = (
    1000  # of a message; a longer one's notes are part of a brief, unless they are about the speaker
)
POLITE = re.compile(
    r"(?:(?:(?:can|could|would|will) you(?: please| also| just)?|please|pls|kindly|just|you can"
    r"|I(?:['’]d like| would like| want| need) you to|make sure (?:to|you)|be sure to|try to"
    r"|also)\s+){1,3}",
    re.IGNORECASE,
)
_MEMO = (
    r"(?:please |always |also |and |just )*(?:remember|keep in mind|bear in mind|don['’]?t forget"
    r"|make a note|take note|note|save|memori[sz]e|for (?:the )?future(?: reference)?|for "
    r"reference|global memory)"
    r"(?: globally| for (?:me|later|next time|the future|future reference))?"
)
# Without "that" or a colon it must go on with the speaker's own things: "Remember, you are strong" is comfort.
REMEMBER = re.compile(
    rf"{_MEMO}(?:(?: of)?,? (?:that|the following|this)[:,]? (?!you['’]?(?:re|ve)?\b)|: ?|,? "
    r"(?=(?:I|my|we|our)\b))(?!(?:time|day|one|when|what|where|how|who|why|if|moment|night"
    r"|feeling)\b)",
    re.IGNORECASE,
)
_ERRANDS = (
    r"(?:call|phone|ring|email|e-mail|text|message|buy|get (?:my|some|groceries|milk|new)|book|pay"
    r"|pick up|send|finish|submit|renew|schedule|prepare|practi[cs]e|return|visit|clean|fix|repair"
    r"|register|apply|file|cancel|order|meet|write to|water|feed|pack"
    r"|print|sign|update my|drop off|take (?:out|the|my)|make an appointment|see (?:the|my|a) "
    r"(?:doctor|dentist|vet)|go to the|review|follow up|reply to|study for|wash|mow|confirm"
    r"|reschedule|collect|talk to my)"
)
_NOT_TASKS = re.compile(
    r"(?:it|that|this|them|be|have|know|understand|ask you|see|say|admit|thank|think|tell you"
    r"|agree|go now|run)\b",
    re.IGNORECASE,
)


_COMFORT = re.compile(
    r"\b(?:yourself|your\w*|you(?! (?:should|must|need|can|may)\b)|you['’]\w+)\b", re.IGNORECASE
)


def note(found: Reading) -> Made:
    """What is to be remembered and is no fact of the grammar's own: kept as a note."""
    text = trim(found["what"])
    if not slug(text) or not 2 <= len(text.split()) <= 60 or _COMFORT.search(text):
        return None
    if len(found.turn.text) > MAX_NOTED_CHARS and not re.match(r"(?:I|my|we|our)\b", text, re.IGNORECASE):
        return None
    turned = re.sub(r"^their\b", found.owner, in_third_person(text), flags=re.IGNORECASE)
    value = f"{turned[:1].upper()}{turned[1:]}"
    return found.states("remember", f"note/{slug(text, 5)}", value, text, importance=2, tags=("remember",))


def _forget(found: Reading) -> Made:
    what = trim(found["what"])
    if (
        not slug(what)
        or len(what.split()) > 20
        or re.match(
            r"(?:it|that|this|me|him|her|us|about it|to\b|all previous|previous|your)\b(?! \w+)",
            what,
            re.IGNORECASE,
        )
    ):
        return None
    return found.states(
        "forget", f"forget/{slug(what, 5)}", f"Forget {in_third_person(what)}", what, importance=0
    )


def _task(found: Reading) -> Made:
    rest, when = without_when(trim(found["what"]), found.on, future=True)
    rest = trim(re.sub(r"\s*\b(?:on|by|at|until|for)$", "", rest))
    if _NOT_TASKS.match(rest) or not slug(rest) or not is_short_enough(rest):
        return None
    text = in_third_person(rest)
    value = f"{text[:1].upper()}{text[1:]}" + (f" ({when.label})" if when else "")
    return found.states(
        "task", f"task/{slug(rest, 5)}", value, rest, due=when.day if when else None, tags=("task",)
    )


RULES = (
    rule(
        r"(?:forget|erase|delete|remove|drop|wipe) (?:that |about |what (?:I|you) (?:said|know|have"
        r"|remember) about |everything (?:I said |you know )?about |anything about |the (?:fact|memory"
        r"|note) (?:that |about )|my memory of |all (?:memories|notes) about )+(?P<what>.{2,120})",
        _forget,
    ),
    rule(
        r"(?:forget|delete|remove|erase) (?P<what>my [\w' -]{2,60}?)(?: from (?:your )?memory| please)?$",
        _forget,
    ),
    rule(r"(?:stop|no longer) remember(?:ing)? (?:that )?(?P<what>.{2,120})", _forget),
    rule(
        r"remind me (?:again )?(?:(?:tomorrow|later|tonight|next \w+|on \w+|in \w+ \w+) )?(?:to|about"
        r"|of|that I (?:need|have) to) (?P<what>.{2,160})",
        _task,
    ),
    rule(r"(?:don['’]?t let me forget|help me remember) (?:to|about) (?P<what>.{2,160})", _task),
    rule(r"(?:to-?do|task|action item|my task)s?: ?(?P<what>.{3,160})", _task),
    rule(
        rf"(?:I|we) {ADVERBS}(?:need to|have to|must|gotta|['’]ve got to|got to|['’]ll have to) "
        rf"(?P<what>{_ERRANDS}\b.{{2,140}})",
        _task,
    ),
    rule(r"I(?:['’]ve)? (?:promised|committed) (?:\w+ )?to (?P<what>.{3,140})", _task),
    rule(
        r"(?:I|we)(?:['’]ll| will|['’]m going to| am going to) "
        rf"(?P<what>{_ERRANDS}\b.{{2,120}}\b(?:tomorrow|tonight|next \w+|this \w+|on \w+day|by "
        rf"\w+)\b.{{0,40}})",
        _task,
    ),
)

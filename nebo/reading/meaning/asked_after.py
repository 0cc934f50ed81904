"""An errand that somebody else asks after, and what is said of it in a word or two: "And the flour?", "Ordered it this
morning". Only in English.
"""

from __future__ import annotations

import re

from nebo.reading.meaning.answered import without_leads
from nebo.reading.meaning.sentences import capital, list_sentences

MAX_WORDS = 10  # of an answer that says that an errand is done
_PAST = {
    "send": "sent",
    "buy": "bought",
    "get": "got",
    "ring": "rang",
    "pay": "paid",
    "tell": "told",
    "find": "found",
}
# An errand that is asked after, by its thing alone: "And the flour?", "How's the stairlift coming along?".
_ASKED_AFTER = re.compile(
    r"(?:(?:and|what about|how about|any (?:news|luck) (?:on|with|about|from)|how(?: is|['’]s| are| did)) )?"
    r"(?P<what>(?:the|your) (?:[\w'’-]+ ){0,3}?[\w'’-]+?)"
    r"(?: (?:coming along|coming on|going|looking|then|yet|go|sorted|done|booked|ordered|sent))?",
    re.IGNORECASE,
)
_REMINDED = re.compile(  # "You mentioned the gas people."
    r"(?:you (?:mentioned|still have|still need|had|wanted)(?: to [a-z]+)?|there(?:['’]s| is| are)(?: still)?) "
    r"(?P<what>(?:the|your) (?:[\w'’-]+ ){0,3}?[\w'’-]+)[.!]*",
    re.IGNORECASE,
)
# The same by the act: "Have you booked the van yet?", "Did you manage to send the payslips?"
_ASKED_WHETHER = re.compile(
    r"(?:have you (?P<done>[a-z]+)|did you (?:manage to |get round to |remember to )?(?P<act>[a-z]+)) (?P<what>.+?)"
    r"(?: (?:yet|already|in the end|then))?",
    re.IGNORECASE,
)
_IT = r"(?:it|them|that|those|these)"
_AGREES = re.compile(
    r"(?:yes|yeah|yep|yup|aye|all done|done|sure|of course|i have|i did)(?=[\s,.!]|$)", re.IGNORECASE
)
_IS_DONE = re.compile(
    r"(?:(?:i|we)(?:['’]ve)? )?(?:all )?(?P<done>done|sorted|finished)(?: (?:that|it|them))?(?P<rest>[\s,.!].*)?"
    r"|(?P<bare>[a-z]{3,}ed|sent|bought|paid|found|sold)(?P<when>(?:[,.!…]|\s+(?:finally|already|yesterday|today|last|this|on)\b).*)?",
    re.IGNORECASE,
)
_DID = re.compile(
    rf"(?P<lead>(?:(?:i|we)(?:['’]ve| have)? )?(?:(?:just|already|finally) )?[a-z]{{3,}}(?: (?:off|in|up|out|back))?)"
    rf" {_IT}\b"
    r"(?P<rest>.*)",
    re.IGNORECASE,
)
_IT_IS = re.compile(
    r"(?:it|they|that)(?P<rest>(?:['’](?:s|re|ve)| is| are| has| have| came| arrived)\b.*)", re.IGNORECASE
)


def state_done(asked: str, answer: str) -> str:
    """What an answer says is done of the errand that was asked after, with its thing named: "Ordered it this morning"
    behind "And the flour?" is "Ordered the flour this morning"; empty where neither is plain.
    """
    question = without_leads(([one.text for one in list_sentences(asked)] or [""])[-1].strip())
    reminded = _REMINDED.fullmatch(question)
    if not (question.endswith("?") or reminded) or answer.rstrip().endswith("?"):
        return ""
    if reminded:
        return _say_of(reminded["what"].replace("your ", "the ", 1), answer.strip())
    question = question.rstrip("? ")
    text = answer.strip()
    if act := _ASKED_WHETHER.fullmatch(question):
        done = act["done"] or _PAST.get(act["act"].lower(), "") or f"{act['act'].rstrip('e')}ed"
        return f"I {done} {act['what']}." if _AGREES.match(text) and len(text.split()) <= MAX_WORDS else ""
    after = _ASKED_AFTER.fullmatch(question)
    return _say_of(after["what"].replace("your ", "the ", 1), text) if after else ""


def _say_of(what: str, answer: str) -> str:
    """The answer with the thing in the place of "it"."""
    text = re.sub(r"^(?:yes|yeah|yep|yup|aye|oh|well)[,.!]?\s+", "", answer, flags=re.IGNORECASE)
    if len(text.split()) > MAX_WORDS:
        return ""
    if done := _IS_DONE.fullmatch(text):
        return (
            f"{capital(what)} is {(done['done'] or done['bare']).lower()}{done['rest'] or done['when'] or ''}"
        )
    if did := _DID.fullmatch(text):
        return capital(f"{did['lead']} {what}{did['rest']}")
    is_so = _IT_IS.fullmatch(text)
    return f"{capital(what)}{is_so['rest']}" if is_so else ""

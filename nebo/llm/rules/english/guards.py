"""What makes a sentence no fact: questions, conditions, hedges, other people's words, fiction, jokes."""

from __future__ import annotations

import re

from nebo.llm.rules.english.clauses import Clause

_CONDITION = re.compile(
    r"\b(?:if|unless|suppose|supposing|imagine|pretend|hypothetically|wish(?:ed)?|as though"
    r"|let['’]s say|in case|whether|provided that)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:might|maybe|perhaps|probably|possibly|would|could|should|may(?= (?:be|have|not|go|try"
    r"|want|need|move|get|take|start|live|work|end|well))"
    r"|guess|suppose|supposedly|allegedly|apparently|not sure|unsure|not certain|thinking (?:about"
    r"|of)|considering|wondering"
    r"|toying with|tempted to|hoping to|kind of like(?= i)|almost|nearly|as if|if only|can['’]?t wait)\b"
    r"|\b(?:i|we|you|he|she|they)['’]d\b(?! (?:been|gone|had|never been))",
    re.IGNORECASE,
)
_BELIEF = re.compile(r"\b(?:i|we) (?:think|believe|feel like|doubt|assume|imagine|bet|hope)\b", re.IGNORECASE)
_REPORT = re.compile(
    r"\b(?:said|says|saying|told|tells|asked|asks|claims?|claimed|replied|wrote|writes|quoted?"
    r"|quoting|joked|shouted|like,|goes|thinks|believes"
    r"|thought|character|lyrics?|according to|heard (?:that )?|for example|e\.g\.|example:|story"
    r"|joke|dreamed|dreamt)\b",
    re.IGNORECASE,
)
_MY_OWN = re.compile(
    r"\b(?:as|like) I (?:said|mentioned|told you)\b", re.IGNORECASE
)  # no other person's words
_JOKE = re.compile(
    r"\b(?:just kidding|jk|kidding|not really|just joking|april fools?|/s)(?!\w)", re.IGNORECASE
)
_MATERIAL = re.compile(
    r"\s*(?:(?:please|hey|hi|hello|ok|can you|could you|would you|will you|help me|i need you to"
    r"|i want you to)[\s,]+){0,4}"
    r"(?:write|draft|compose|translate|rewrite|re-write|proofread|summari[sz]e|paraphrase|edit"
    r"|correct|fix|improve|rephrase|polish|analy[sz]e"
    r"|review|explain|classify|continue|complete|role-?play|act as|pretend|imagine|you are"
    r"|simulate|generate|create)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\b(?:act as|role-?play|pretend (?:to be|you)|you are (?:a|an|now)\b|imagine (?:you|that)|in "
    r"the voice of)\b",
    re.IGNORECASE,
)
_QUESTION_START = re.compile(
    r"(?:do|does|did|am|is|are|was|were|can|could|would|will|should|have|has|had|what|who|whom"
    r"|whose|which|when|where|why|how)\b",
    re.IGNORECASE,
)


def is_joke_or_material(text: str) -> bool:
    """Whether a whole message speaks for nobody: it takes itself back, or is text to work on, or a part to play."""
    if _JOKE.search(text):
        return True
    head = text[:200]
    return bool(_ROLE.search(head) or (_MATERIAL.match(head) and re.search(r"[:\n\"“]", text)))


def is_doubtful(clause: Clause) -> bool:
    """Whether a clause states nothing: a question, a condition, a hedge, or somebody else's words."""
    if clause.asks or _CONDITION.search(clause.sentence):
        return True
    before = _MY_OWN.sub("", clause.before)
    return bool(_HEDGE.search(clause.text) or _BELIEF.search(before) or _REPORT.search(before))


def is_hedged_request(clause: Clause) -> bool:
    """Whether a request isn't one: it stands under a condition, or in somebody else's mouth."""
    return bool(_CONDITION.search(clause.before) or _REPORT.search(clause.before))


def asks_outright(clause: Clause) -> bool:
    """Whether a clause begins like a question, question mark or not."""
    return bool(_QUESTION_START.match(clause.text))

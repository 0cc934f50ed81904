"""Clauses that tell what a thing is by something that happened: "the party she gave in May".

A day in such a clause is that of what happened, not one by which something is to be done. Known by grammar, in five
languages: a relative pronoun (in English also the bare subject behind a noun), a verb in the past, and few words
between it and the day; in German the day stands between the pronoun and the verb.
"""

from __future__ import annotations

import re

# English: past forms that can't be participles, and those that can ("the car serviced on Friday" is no past).
_PAST = (
    "ate|became|began|blew|broke|came|chose|did|drank|drew|drove|fell|flew|forgot|froze|gave|grew|hid|knew|rang|rode"
    "|rose|sang|saw|shook|spoke|stole|swam|swore|threw|took|tore|was|went|were|woke|wore|wrote"
)
_EITHER = (
    "bought|brought|built|caught|found|got|had|heard|held|kept|led|left|lent|lost|made|met|paid|said|sent|sold|spent"
    r"|taught|told|won|\w{2,}[^e\W]ed"
)
_WHOSE = "my|your|his|her|our|their"
_NO_NOUN = r"(?!(?:before|after|when|if|until|till|once|because|while|and|or|but|as|since|so)\b)"
_A_THING = rf"(?:the|an?|this|these|those|{_WHOSE})\s+(?:{_NO_NOUN}[\w’-]+\s+){{1,2}}"
_DONE = rf"(?:(?:just|already|only|had|has|have|'ve|’ve)\s+)*(?:{_PAST}|{_EITHER})"
_ENGLISH = (
    rf"(?:that|which|who|whom)\s+(?:[\w'’-]+\s+)??{_DONE}"
    rf"|{_A_THING}(?:(?:i|you|he|she|it|we|they)\s+{_DONE}|(?:{_WHOSE})\s+[\w’-]+\s+{_DONE}"
    rf"|{_NO_NOUN}[\w’-]+\s+(?:{_PAST}))"
)
# Spanish, French, Italian: the pronoun, pronouns of the object, at most a word or two of the subject, the verb.
_SPANISH = (
    r"que\s+(?:(?:me|te|lo|la|le|nos|os|los|las|les|se)\s+)*(?:\w+\s+){0,2}?(?:(?:he|has|ha|hemos|han"
    r"|había)\s+\w+[ai]do"
    r"|dio|dieron|di|hizo|hice|hicieron|vino|vinieron|fue|fueron|trajo|traje|puso|puse|dijo|dije|tuvo|tuve"
    r"|\w+(?:ó|é|aste|iste|aron|ieron))"
)
_FRENCH = (
    r"(?:qui|que|qu['’])\s*(?:(?:me|te|le|la|les|nous|vous|se|j['’]|m['’]|t['’]|l['’]|s['’]|il|elle|on|ils"
    r"|elles|tu)\s*)*"
    r"(?:\w+\s+)??(?:ai|as|a|avons|avez|ont|suis|es|est|sommes|êtes|sont)\s+\w+(?:é|i|u|is|it|ert|eint)(?:e|es|s)?"
)
_ITALIAN = (
    r"che\s+(?:(?:mi|ti|ci|vi|lo|la|li|le|si)\s+)*(?:\w+\s+)??(?:ho|hai|ha|abbiamo|avete|hanno|sono|sei|è"
    r"|siamo|siete)\s+"
    r"\w+(?:[aiu]t|tt|st|s|rt)[oaie]"
)
_STILL = r"(?:\s+(?!(?:to|and|or|but|so|will|would|must|should|y|o|pero|et|ou|mais|e|ma)\b)[\w'’-]+){0,4}\s+$"
_BEFORE_THE_DAY = re.compile(rf"\b(?:{'|'.join((_ENGLISH, _SPANISH, _FRENCH, _ITALIAN))})\b{_STILL}")
# German: from the pronoun to the day, and from the day to the verb at the end of the clause.
_OPENS = re.compile(r",\s*(?:der|die|das|den|dem|dessen|deren|denen|welche[mnrs]?)\s+[^,]*$")
_CLOSES = re.compile(
    r"^[^,.;!?]*\b(?:hat|hatte|hast|habe|haben|hatten|ist|war|waren|sind|worden|wurden?|kam|kamen|gab|gaben"
    r"|ging|gingen"
    r"|nahm|lag|lagen|stand|rief|schrieb|\w{2,}[^aeiouäöü\W]te[nt]?)\s*(?:[,.;!?]|$)"
)

_TOLD_PAST = re.compile(
    rf"\b(?:{_PAST}|{_EITHER})\b|\b(?:habe?|hat|haben|bin|ist|sind|wurden?"
    rf"|waren?)\b.*\b(?:\w*ge\w{{2,}}(?:t|en)|\w{{3,}}iert)\b"
    r"|\b(?:he|ha|hemos|han)\s+\w+[ai]do\b|\b\w{2,}(?:é|ó|aron|ieron|imos)\b|\b(?:fui|fue|hizo|hice|tuve"
    r"|tuvo|dio|di)\b"
    r"|\b(?:j['’]ai|ai|a|avons|ont|suis|est|sommes)\s+\w{2,}(?:é|i|u)e?s?\b"
    r"|\b(?:ho|ha|abbiamo|hanno|sono|è|siamo)\s+\w+(?:[aiu]t|tt|st|s|rt)[oaie]\b",
    re.IGNORECASE,
)
CLAUSE_CHARS = 300  # to either side of the day that its clause may reach


def tells_past(text: str) -> bool:
    """Whether a sentence has a verb in the past: what it tells has happened."""
    return _TOLD_PAST.search(text) is not None


def is_past_clause(text: str, start: int, end: int) -> bool:
    """Whether the day at `text[start:end]` is that of something that has happened, in a clause about a thing."""
    low = max(0, start - CLAUSE_CHARS)
    words, start, end = text[low : end + CLAUSE_CHARS].lower(), start - low, end - low
    if _OPENS.search(words[:end]) and _CLOSES.match(words[end:]):
        return True
    return _BEFORE_THE_DAY.search(f"{words[:start].rstrip()} ") is not None

"""The person or the agent: who of the two said what a question is after.

What is remembered of a conversation with an agent is mostly what the person said; the agent's own words, longer and
nearer to the question's wording, would otherwise bury it. They come first where the question asks for them ("which
recipe did you suggest?"). Only forms of the second person in the past tell that, and "your …": "can you suggest one?"
asks for something new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

USER = "User"
ASSISTANT = "Assistant"
QUESTION_CHARS = 800  # enough to tell; keeps a long text as quick as a short one
SPEAKERS: Mapping[str, str] = {"user": USER, "assistant": ASSISTANT}  # what nameless ones are called

# How much what each of them said is what the question is after.
AFTER_ASSISTANT: Mapping[str, float] = {USER: 0.0, ASSISTANT: 1.0}
AFTER_BOTH: Mapping[str, float] = {USER: 1.0, ASSISTANT: 1.0}
AFTER_USER: Mapping[str, float] = {USER: 1.0, ASSISTANT: 0.0}
UNNAMED: Mapping[str, float] = {USER: 0.75, ASSISTANT: 0.25}  # facts are told by the person, but who knows

ENGLISH = (
    r"did you|the (?:assistant|ai|bot)|your|"
    r"you(?:[’'](?:d|ve))?(?: (?:had|have|just|once|also|first|last|originally|previously|already))* "
    r"(?:(?!need|feed|speed|bleed|breed|\w+ceed)\w+ed|"
    r"said|told|gave|found|made|wrote|came|put|chose|drew|showed|set|sent|thought|got|laid)"
)
GERMAN = (
    r"hattest|hatten sie|deine?[mnrs]?|"
    r"(?:hast|haben sie)\b.{0,80}\b(?:\w*ge(?:sagt|geben|nannt|meint|schrieben|schickt|macht|rechnet|zeigt|raten|"
    r"funden|plant|listet|stellt|schlagen|zählt)|empfohlen|erklärt|beschrieben|berechnet|entworfen|erwähnt|verraten)|"
    r"du\b.{0,60}\b(?:sagtest|meintest|nanntest|erwähntest|erzähltest|erklärtest|zeigtest|schicktest|machtest|"
    r"rechnetest|fandest|gabst|schriebst|empfahlst|schlugst)"
)
SPANISH = (
    r"tus?|(?:me|nos) (?:l[aeo]s? )?\w+(?:aste|iste)|dijiste|recomendaste|sugeriste|propusiste|aconsejaste|mencionaste|"
    r"explicaste|comentaste|escribiste|pusiste|calculaste|encontraste|indicaste|"
    r"(?:has|habías) (?:\w+[ai]do|dicho|puesto|hecho|escrito)"
)
OTHERS = (
    r"tu (?:m[’']|nous )?(?:as|avais)|vous (?:m[’'])?(?:avez|aviez)|(?:mi )?(?:hai|avevi) \w+(?:ato|uto|ito|tto|sto)|"
    r"você (?:\w+ou|disse|deu|sugeriu)|\w{2,}(?:mıştın|miştin|muştun|müştün)|(?:söyle|öner|anlat|yaz|ver|de)[dt][iı]n"
)
CHINESE = r"[你您](?:之前|上次|曾经?|刚才|已经)?(?:说|推荐|建议|给|告诉|提到|列|写)"
ARABIC = r"قلت لي|قلتَ|اقترحت|أوصيت|نصحت|ذكرت لي|أخبرتني"
ASKS_OF_ASSISTANT = re.compile(
    rf"\b(?:{ENGLISH}|{GERMAN}|{SPANISH}|{OTHERS})\b|{CHINESE}|{ARABIC}", re.IGNORECASE
)
ASKS_OF_BOTH = re.compile(
    r"\b(?:did we (?:agree|decide|discuss|settle|speak|talk)|"
    r"we (?:talked|spoke|discussed|agreed|decided|settled|chatted|went (?:over|through))|"
    r"our (?:last |previous |earlier |past )*(?:chat|conversation|discussion|session|talk)s?|"
    r"(?:haben|hatten) wir\b.{0,60}\b(?:besprochen|geredet|vereinbart|entschieden)|"
    r"(?:hablamos|acordamos|quedamos|decidimos|comentamos)|konuş(?:tuk|muştuk))\b|"
    r"我们(?:之前|上次)?(?:聊|讨论|谈|说)|تحدثنا|ناقشنا",
    re.IGNORECASE,
)
# "In which order did I mention them in our conversations?" is after what the person said.
WHAT_ONE_SAID = re.compile(
    r"\bI (?:(?:had|have|first|also|ever) )*(?:bring|brought|mention|mentioned|raised?|told|said|asked?|shared?)\b|"
    r"\bich\b.{0,80}\b(?:erwähnt|angesprochen|erzählt|gesagt|gefragt|genannt) (?:habe|hatte)\b|"
    r"\b(?:mencioné|conté|dije|pregunté|planteé)\b",
    re.IGNORECASE,
)
# "What did we decide when I mentioned it?" is after what both said.
BOTH_TALKED = re.compile(r"\b(?:we|wir|when|after|als|nachdem|cuando|\w+[aei]mos)\b", re.IGNORECASE)
ASKS_OF_USER = re.compile(
    r"\b(?:I|me|my|mine|myself|we|us|our|ours|users?|ich|mich|mir|meine?[mnrs]?|wir|uns|unsere?[mnrs]?|nutzer\w*|"
    r"yo|mí|mis?|conmigo|nos|nosotr[oa]s|nuestr[oa]s?|usuari[oa]s?|je|moi|mon|mes|nous|notre|nos|io|mio|miei|mie|"
    r"eu|meus?|minhas?|benim|bana|biz|bizim|kullanıcı\w*)\b|[我咱]|أنا|لدي|عندي",
    re.IGNORECASE,
)

# What was talked about, whoever said it; "the summary you wrote" asks for the agent's words alone.
ASKS_TO_SUM_UP = re.compile(
    r"\b(?:(?:give|write|provide|make|need|want|get|like|have)\b.{0,60}\b(?:summary|overview|recap)|summari[sz]e|recap|"
    r"sum (?:it |this |everything |all )?up|fass\w*\b.{0,80}\bzusammen|zusammenfass\w*|"
    r"(?:haz|dame|hazme|quiero|necesito)\b.{0,40}\b(?:resumen|síntesis)|resume|resumir)\b|总结|概括|لخص",
    re.IGNORECASE,
)

# "How much did I pay for the one you suggested?": the other clause names whoever did not say it.
ASKS_OF_ONESELF = re.compile(
    r"\b(?:did|do|have|had|was|were|am|are|should|could|can|would|will) (?:I|we)\b|"
    r"\b(?:habe?n?|hatten?|bin|sind|war(?:en)?|soll(?:te)?n?|kann|können|muss|müssen) (?:ich|wir)\b",
    re.IGNORECASE,
)
REQUEST = re.compile(r"\b(?:remind|tell) (?:me|us)\b", re.IGNORECASE)  # says nothing of oneself
SENTENCE = re.compile(r"[^.!?。！？؟\n]+[.!?。！？؟\n]*")
QUESTION_MARKS = ("?", "？", "؟")


def find_shares(question: str) -> Mapping[str, float]:
    """How much of what a question is after was probably said by each of the two, 0..1.

    The questions in a message tell it; if they are unclear, its statements do. Several questions are after everything
    that any of them is after.
    """
    sentences = [sentence.strip() for sentence in SENTENCE.findall(question[:QUESTION_CHARS])]
    asked = [sentence for sentence in sentences if sentence.endswith(QUESTION_MARKS)]
    return _merge(asked) or _merge(sentences) or UNNAMED


def is_after_agent(question: str) -> bool:
    """Whether it is after what the agent said, and nothing else."""
    return find_shares(question) == AFTER_ASSISTANT


def _merge(sentences: Iterable[str]) -> Mapping[str, float] | None:
    found = [shares for sentence in sentences if (shares := _shares_of(sentence))]
    return {role: max(shares[role] for shares in found) for role in (USER, ASSISTANT)} if found else None


def _shares_of(sentence: str) -> Mapping[str, float] | None:
    """What one sentence tells, if it does."""
    sentence = REQUEST.sub("", sentence)
    if ASKS_OF_BOTH.search(sentence):
        return AFTER_USER if _is_after_what_one_said(sentence) else AFTER_BOTH
    if ASKS_OF_ASSISTANT.search(sentence):
        return AFTER_BOTH if ASKS_OF_ONESELF.search(sentence) else AFTER_ASSISTANT
    if ASKS_TO_SUM_UP.search(sentence):
        return AFTER_BOTH
    return AFTER_USER if ASKS_OF_USER.search(sentence) else None


def _is_after_what_one_said(sentence: str) -> bool:
    """Whether, of what was talked about, it asks for the person's part: "everything I mentioned in our talks"."""
    others = ASKS_OF_ASSISTANT.search(sentence) or BOTH_TALKED.search(sentence)
    return WHAT_ONE_SAID.search(sentence) is not None and not others

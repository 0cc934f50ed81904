"""What ties somebody to a place, a firm, a thing or a name: who reads about Kyoto doesn't live there.

Such claims are made of small words and a name, so that every word of them is soon found in a quote that says another
thing. The quote must have such a verb itself, or answer the question that the claim answers.
"""

from __future__ import annotations

import re

from nebo.reading.facts.values import find_value
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.meaning.sentences import list_sentences
from nebo.reading.support.verdicts import Support, doubt, refuse
from nebo.reading.wording.covering import content_words, find_uncovered, list_words
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import TIED, TIES

ANSWERS, HARDLY = 0.85, 0.1  # chance that a sentence answers the same question
APART = "The words quoted don't say how the two belong together."
# Who talks or reads about a thing need not have it.
_TOPIC = re.compile(r"\b(?:about|über|sobre|au sujet|à propos|riguardo|di cosa)\b", re.IGNORECASE)
_SLOTS = {
    "home": ("home",),
    "work": ("work",),
    "have": ("pet", "family", "partner", "possession", "health", "allergy", "diet"),
    "like": ("taste", "diet", "hobby"),
}
_PERFECT = re.compile(
    r"\b(?:has|have|hat|haben|ha|han)\s+(?:\w+ly )?(?:been|\w+(?:ed|t|en|do|to|ta|ti|da))\b", re.IGNORECASE
)
_A_UN = re.compile(r"^(?:(?:il|elle)\s)?a (?:une?|des|deux|trois|quatre)\s", re.IGNORECASE)
# Who has walked a dog need not have one.
_DONE = re.compile(
    r"(?:\b(?:has|have|had|ai|as|a|avons|avez|ont|ho|hai|ha|abbiamo|hanno)|['’]ve)\s+"
    r"(?P<what>\w+(?:ed|é|ée|és|ées|ato|ito|uto))\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"^(?:\S+\s){0,2}?(?:(?:is |are )?(?:called|named)|goes by|name(?: is|:)|hei(?:ß|ss)t|se llama|s['’]appelle"
    r"|si chiama)\s",
    re.IGNORECASE,
)


def weigh_ties(claim: str, quote: str, question: str) -> Support | None:
    """What is wrong with a tie that a claim makes; None where the quote makes it too, or the claim none."""
    topical = bool(_TOPIC.search(quote)) and not _TOPIC.search(claim)
    made = set(list_words(_PERFECT.sub("", claim))) | ({"possède"} if _A_UN.match(claim) else set())
    spoken = set(list_words(_DONE.sub(r"\g<what>", quote))) | set(list_words(question))
    for tie, verbs in TIED.items():
        if verbs & made and not TIES[tie] & spoken:
            chance = _chance(_SLOTS[tie], claim, quote, question)
            loose = tie == "like" and chance < ANSWERS  # liking is worded in many ways
            return doubt(APART) if loose or (topical and chance >= HARDLY) else _weigh(chance)
    if _NAMED.match(claim) and _is_bare(claim) and not find_value("name", quote):
        return _weigh(_chance(("name",), claim, quote, question))
    return None


def _weigh(chance: float) -> Support | None:
    if chance >= ANSWERS:
        return None
    return refuse(APART) if chance < HARDLY else doubt(APART)


def _chance(slots: tuple[str, ...], claim: str, quote: str, question: str) -> float:
    texts = [text for text in (quote, question, *_list_saying(claim, quote)) if text]
    return max(sum(read_sentence(text).slots[slot] for slot in slots) for text in texts)


def _list_saying(claim: str, quote: str) -> list[str]:
    """Of several sentences that are quoted those that have a word of the claim's: "got promoted! senior clerk now"."""
    parts = [one.text for one in list_sentences(quote)]
    words = content_words(claim)
    saying = [part for part in parts if len(find_uncovered(words, list_words(part))) < len(words)]
    return saying if len(parts) > 1 else []


def _is_bare(claim: str) -> bool:
    """Whether a claim has nothing but small words and names."""
    names = {word for name in names_of(claim) for word in list_words(name)}
    return not [word for word in content_words(claim) if word not in names]

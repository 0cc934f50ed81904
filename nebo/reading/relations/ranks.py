"""Who does the same work in another rank: "senior surveyor as of today" after "junior surveyor"."""

from __future__ import annotations

import re

from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.same_fact import denies

LASTS = 0.5  # chance of something lasting, from which a sentence tells what somebody is
_RANK = re.compile(
    r"\b(?P<rank>junior|senior|deputy|assistant|associate|trainee|apprentice|head|lead|chief|principal|staff"
    r"|stellvertretende[rn]?|leitende[rn]?|angehende[rn]?|sous) (?P<what>[^\W\d_]{3,})",
    re.IGNORECASE,
)


def has_risen(known: str, sentence: Sentence) -> bool:
    """Whether a sentence of the speaker's names another rank of the work that is known of them."""
    old, meaning = read_sentence(known), sentence.meaning
    ours, theirs = _ranks(known), _ranks(sentence.text)
    differ = any(theirs[what] != ours[what] for what in ours.keys() & theirs)
    own = not old.is_of_another() and not meaning.is_of_another() and not denies(sentence.text)
    return differ and own and "work" in (old.slot, meaning.slot) and meaning.chances["lasting"] >= LASTS


def _ranks(text: str) -> dict[str, str]:
    """What somebody is, and in which rank."""
    return {one["what"].lower(): one["rank"].lower() for one in _RANK.finditer(text)}

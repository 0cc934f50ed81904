"""Who does the same work in another rank: "senior surveyor as of today" after "junior surveyor"; and whoever was
learning it, or helping, once they have been made more ("they've made me sous chef") or have learned it.
"""

from __future__ import annotations

import re

from nebo.reading.facts.values import find_job
from nebo.reading.meaning.promotions import find_lower_rank, names_office, tells_of_promotion
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.plans import holds_now, tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.wording.covering import content_words
from nebo.reading.wording.polarity import is_past

LASTS = 0.5  # chance of something lasting, from which a sentence tells what somebody is
STEM_CHARS = 5  # letters with which both name the work: "teaching assistant", "teacher"
_RANK = re.compile(
    r"\b(?P<rank>junior|senior|deputy|assistant|associate|trainee|apprentice|head|lead|chief|principal|staff"
    r"|stellvertretende[rn]?|leitende[rn]?|angehende[rn]?|sous)[ -](?P<what>[^\W\d_]{3,})",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(
    r"\b(?:i(?:['’]ve|['’]m| am| have)?(?: just| finally| now| fully)* qualified (?:as\b|now\b|[^\W\d_])"
    r"|i(?:['’]ve| have)?(?: just| finally| now)* (?:finished|completed|passed) (?:my|the) (?:apprenticeship|training"
    r"|traineeship|internship)"
    r"|(?:meine |die )?(?:ausbildung|lehre) (?:ist )?(?:fertig|abgeschlossen|bestanden)|ausgelernt"
    r"|he (?:terminado|acabado) (?:las prácticas|el aprendizaje)|j['’]ai (?:fini|terminé) mon (?:apprentissage|stage)"
    r"|ho finito (?:l['’]apprendistato|il tirocinio))\b",
    re.IGNORECASE,
)
# Somebody else of that rank: "I work with a senior developer now". And what isn't yet, or was once.
_WITH_ONE = re.compile(
    r"\b(?:with|for|under|beside|alongside|mit|bei|unter|neben|con|para|bajo|avec|pour|sous|per|sotto)"
    r" (?:an?|the|my|our|two|three|some|eine[mrn]?|meine[mrn]?|una?|mi|une|mon|ma|il|la)\b[^,.;!?]{0,20}?"
    r"\b(?:junior|senior|deputy|lead|head|chief|principal|leitende[rn]?)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:was|were|war|era|ero|fui|étais) (?:an? |eine? |una? |une )?[^,.;!?]{3,40}\b(?:once|back then|before|at first"
    r"|mal|früher|damals|antes|entonces|avant|autrefois|prima|una volta)\b",
    re.IGNORECASE,
)


def has_risen(known: str, sentence: Sentence) -> bool:
    """Whether a sentence of the speaker's names another rank of the work that is known of them."""
    old, meaning, text = read_sentence(known), sentence.meaning, sentence.text
    own = not old.is_of_another() and not meaning.is_of_another() and not denies(text)
    if not own or "work" not in (old.slot, meaning.slot) or keeps_rank(known, text):
        return False
    if _is_made_more(known, sentence) or _has_learned(known, sentence):
        return True
    ours, theirs = _ranks(known), _ranks(text)
    differ = any(theirs[what] != ours[what] for what in ours.keys() & theirs)
    return differ and meaning.chances["lasting"] >= LASTS


def keeps_rank(known: str, stated: str) -> bool:
    """Whether a sentence names another rank of the same work, and says that it isn't the speaker's, or was once."""
    mine = {*_ranks(known).values(), find_lower_rank(known).lower()} - {""}
    if not mine or not set(_ranks(stated).values()) - mine:  # who is "no junior any more" is one no longer
        return False
    return denies(stated) or is_past(stated) or bool(_WITH_ONE.search(stated) or _ONCE.search(stated))


def _is_made_more(known: str, sentence: Sentence) -> bool:
    """Whether the speaker has been made something else than the lower rank that is known of them."""
    lower, text = find_lower_rank(known), sentence.text
    if not lower or tells_ahead(text) or not (tells_of_promotion(text) and names_office(text)):
        return False
    is_job = bool(find_job(known)) or read_sentence(known).slot == "work"
    left = re.search(rf"\b(?:from|vom|von der|de|da) {re.escape(lower)}\b", text, re.IGNORECASE)
    return is_job and (left is not None or lower.lower() not in text.lower())


def _has_learned(known: str, sentence: Sentence) -> bool:
    """Whether the speaker has learned the work that they were learning, or does it now in earnest."""
    lower, text = find_lower_rank(known), sentence.text
    if (
        not lower
        or tells_ahead(text)
        or find_lower_rank(text)
        or not (_QUALIFIED.search(text) or holds_now(text))
    ):
        return False
    ours, theirs = ({word[:STEM_CHARS] for word in content_words(one)} for one in (_job(known), _job(text)))
    same = (ours - {lower[:STEM_CHARS].lower()}) & theirs
    return bool(same) and sentence.meaning.chances["lasting"] >= LASTS


def _job(text: str) -> str:
    """What a sentence says that somebody works as, or else all of it."""
    return find_job(text) or text


def _ranks(text: str) -> dict[str, str]:
    """What somebody is, and in which rank."""
    return {one["what"].lower(): one["rank"].lower() for one in _RANK.finditer(text)}

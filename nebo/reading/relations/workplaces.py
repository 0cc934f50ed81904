"""Where somebody works, and nothing more, holds no longer once they have left their job: "quit at Lumio"."""

from __future__ import annotations

import re

from nebo.reading.meaning.reader import Sentence, read_sentence

SURELY = 0.8  # chance of an end or an event, from which somebody has left their job
DOUBT = 0.5  # chance of asking or supposing, from which they haven't
_BARE = re.compile(
    r"(?:[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?|the user) works? (?:in|near|out of)"
    r" (?P<place>[A-ZÀ-ÖØ-Þ][\w'’-]*(?: [A-Z][\w'’-]*)?)[.!]?"
)
_HAS_LEFT = re.compile(
    r"\bI(?:['’]ve| have)?(?: just| finally| now)? (?:quit|resigned|left my job|handed in my notice)\b"
    r"(?! (?:smoking|drinking|sugar))"
    r"|\bich habe? (?:(?!nicht\b)[^\s,;.!?]+ ){0,5}gekündigt\b|\b(?:he dejado|dejé) (?:mi|el) trabajo\b"
    r"|\bj['’]ai (?:quitté mon (?:travail|poste|boulot)|démissionné)\b|\bmi sono licenziat[oa]\b",
    re.IGNORECASE,
)


def has_left_workplace(known: str, sentence: Sentence) -> bool:
    """Whether the speaker has left their job, and what is known says only in which place they work."""
    chances = sentence.meaning.chances
    if _BARE.fullmatch(known.strip()) is None or _HAS_LEFT.search(sentence.text) is None:
        return False
    if max(chances["question"], chances["supposed"], chances["quoted"]) >= DOUBT:
        return False
    is_own = not read_sentence(known).is_of_another() or known.startswith(("I ", "The user "))
    of_work = sentence.meaning.slots.get("work", 0.0) >= DOUBT
    return is_own and of_work and max(chances["ended"], chances["event"]) >= SURELY

"""Whether a sentence that puts something right means something else than what is known."""

from __future__ import annotations

import re

from nebo.reading.meaning.put_right import corrects_another, corrects_what_else
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.restatement import stems

# "Scratch what I said about Figma, we use Penpot" says which matter it means.
_TAKES_BACK = re.compile(
    r"\b(?:(?:scratch|strike|ignore|disregard) what i (?:said|told you|wrote)(?: (?:earlier|before))?"
    r" (?:about|on|regarding) (?P<en>[^,;:.!?]{2,40})"
    r"|streich,? was ich (?:über|zu|von) (?P<de>[^,;:.!?]{2,40}?) (?:gesagt|erzählt) hab"
    r"|(?:ignora|olvida) lo que dije (?:de|sobre) (?P<es>[^,;:.!?]{2,40}))",
    re.IGNORECASE,
)


def means_another(known: str, sentence: Sentence) -> bool:
    """Whether it corrects, or takes back by its name, another thing."""
    same_slot = read_sentence(known).slot == sentence.meaning.slot
    taken_back = _TAKES_BACK.search(sentence.text)
    if taken_back and not same_slot:
        what = next(filter(None, taken_back.groups()))
        return stems(what).isdisjoint(stems(known))
    if not sentence.meaning.is_sure("correction"):
        return False
    return (not same_slot and corrects_what_else(known, sentence.text)) or corrects_another(
        known, sentence.text
    )

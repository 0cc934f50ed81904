"""What has been given up for another thing, where a sentence names both: "moved my notes from Notion to Obsidian"."""

from __future__ import annotations

import re

from nebo.reading.meaning.reader import Sentence, read_sentence, relation
from nebo.reading.relations.endings import shared_names
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies

SURELY = 0.85  # chance of being over of what was left for another thing
UNSURE = 0.5  # chance of one of these, from which nothing was changed
UNSAID = ("supposed", "question", "quoted", "request", "todo")
LEFT_ALONE = (
    "home", "name", "age", "birthday", "family", "partner", "friend", "pet", "health", "allergy", "travel", "education",
    "origin", "event",
)  # fmt: skip  # slots of what is given up in other ways
CHOSEN = ("tool", "decision", "format")  # of these, what is used for one purpose
_THING = r"[^,;.!?]{2,40}?"
_END = (
    r"(?=$|[,;.!?]| (?:since|because|in|last|this|at|on|for|and|so|but|now|weil|seit|letzte\w*|im|und|desde|porque|hace"
    r"|este|y|depuis|et|parce|da|perché|e)\b)"
)
_MOVED = r"(?:moved|switched|swapped|migrated|changed|gone|went|converted|ported|shifted|transferred)"
_GEWECHSELT = r"(?:umge\w+|gewechselt|migriert|rüber\w*)"
_PASADO = r"(?:pasad[oa]|cambiad[oa]|migrad[oa]|pas(?:é|amos)|cambi(?:é|amos)|migr(?:é|amos))"
_SWAP = re.compile(
    "|".join(
        (
            rf"\b{_MOVED}\b (?:(?!from\b)(?P<what_en>{_THING}) )?from (?P<en>{_THING}) (?:over |across |back )?"
            rf"(?:to|onto|on to|into) (?P<en2>{_THING}){_END}",
            rf"\b(?:swapped|traded|ditched|dropped|replaced) (?P<for>{_THING}) (?:for|with) (?P<for2>{_THING}){_END}",
            rf"(?P<what_de>\bhabe?n? {_THING} )?\bvon (?P<de>{_THING}) (?:auf|zu[mr]?|nach) (?P<de2>{_THING})"
            rf" {_GEWECHSELT}\b",
            rf"\b{_GEWECHSELT} von (?P<de3>{_THING}) (?:auf|zu[mr]?|nach) (?P<de4>{_THING}){_END}",
            rf"\b{_PASADO}\b (?:(?!de\b)(?P<what_es>{_THING}) )?del? (?P<es>{_THING}) al? (?P<es2>{_THING}){_END}",
            rf"\bpassé(?:e|es|s)? (?:de|du|d['’]) ?(?P<fr>{_THING}) (?:à|au|aux|vers) (?P<fr2>{_THING}){_END}",
            rf"\bpassat[oaie] (?:da|dal|dalla) (?P<it>{_THING}) (?:a|al|alla) (?P<it2>{_THING}){_END}",
        )
    ),
    re.IGNORECASE,
)
_OF_US = re.compile(
    r"(?:so |and |also |ok |und |y )*(?:i|we|ich|wir|he|hemos|me|nos|j['’]ai|je|on a|nous|ho|abbiamo|sono|siamo)\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"^(?:everything|all of it|it all|over|alles|todo|tout|tutto)$", re.IGNORECASE)


def is_swapped(known: str, sentence: Sentence) -> bool:
    """Whether a sentence says that what is known has been left for another thing, and names both."""
    found = _SWAP.search(sentence.text)
    if found is None or denies(sentence.text) or denies(known) or tells_ahead(sentence.text):
        return False
    groups = {name: words.strip() for name, words in found.groupdict().items() if words}
    what = " ".join(words for name, words in groups.items() if name.startswith("what"))
    left, taken = (words for name, words in groups.items() if not name.startswith("what"))
    mine, slots = stems(known), {read_sentence(known).slot, sentence.meaning.slot}
    if not stems(left) & mine or stems(taken) & mine or read_sentence(known).slot in LEFT_ALONE:
        return False
    is_part = bool(what) and not _ALL.match(what) and not stems(what) & mine
    if is_part or _is_unsaid(sentence):
        return False  # "my recipes from Notion to Obsidian" leaves the rest where it is
    if slots & {*CHOSEN} or stems(left) & shared_names(known, sentence.text):
        return True
    chances = relation(known, sentence.text)
    return bool(chances) and chances["changes"] + chances["ends"] >= SURELY


def _is_unsaid(sentence: Sentence) -> bool:
    """Whether it tells it of somebody else, or asks or supposes it."""
    meaning = sentence.meaning
    is_of_another = meaning.is_of_another() and not _OF_US.match(sentence.text)
    return is_of_another or max(meaning.chances[kind] for kind in UNSAID) >= UNSURE

"""Where an extracted fact is stored, what it is about, and whether its quote stands where it says."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from memories.entity_refs import EntityRef, find_ref, label_of, make_memory_key, make_ref
from memories.extraction.parsing import ExtractedFact
from memories.new_memory import NewMemory, NewObservation
from memories.normalize import storage_namespace
from memories.person_columns import USER_PREFIX, find_column
from nebo.reading.facts.statements import CORE, EMPLOYER
from nebo.reading.facts.values import find_employer, find_job

NOTHING: Mapping[str, str] = MappingProxyType({})
MIN_QUOTE_CHARS = 4  # folded characters; less stands in any message
_PLACES = {
    "preference": ("tacit", "preferences"),
    "entity": ("entity", "default"),
    "style": ("tacit", "personality"),
    "artifact": ("tacit", "artifacts"),
}  # decisions go to the day
_ALIKE = {
    "\u2018": "'",
    "\u2019": "'",
    "\u201a": "'",
    "`": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u201e": '"',
    "\u00ab": '"',
    "\u00bb": '"',
}


def new_memory_of(
    fact: ExtractedFact,
    seen: NewObservation,
    *,
    on: date,
    source: str,
    metadata: Mapping[str, str] = NOTHING,
) -> NewMemory:
    """A fact as a memory to be, with its one observation; `on` is the day whose namespace its decisions go to."""
    layer, namespace, key = _address(fact, on)
    ref = _ref_of(fact)
    return NewMemory(
        value=fact.value,
        key=key,
        layer=layer,
        namespace=namespace,
        tags=fact.tags,
        type=fact.type,
        entity_refs=(str(ref),) if ref else (),
        entity_label=(fact.entity_label or label_of(ref)) if ref else "",
        entity_type=ref.type if ref else "",
        fact_type=fact.fact_type,
        memory_key=make_memory_key(fact.type, ref, fact.fact_type),
        importance=CORE if find_column(namespace, key) else fact.importance,
        source=source,
        trust=seen.trust,
        confidence=seen.confidence,
        metadata=metadata,
        observations=(seen,),
    )


def verify_quote(quote: str, message: str) -> tuple[int, int] | None:
    """Where a quote stands in a message, `message[start:end]`, or None when it doesn't.

    Forgiving in white space, kinds of quotation marks and dashes, letters' case and composition, and an ellipsis or
    quotation marks around the quote; in nothing else.
    """
    folded, places = _fold(message)
    for wanted in (_fold(quote)[0].strip(), _fold(_bare(quote))[0]):
        at = folded.find(wanted) if len(wanted) >= MIN_QUOTE_CHARS or wanted == folded.strip() else -1
        if wanted and at >= 0:
            return places[at], places[at + len(wanted) - 1] + 1
    return None


def _address(fact: ExtractedFact, on: date) -> tuple[str, str, str]:
    if fact.category == "decision":
        return "daily", storage_namespace("daily", on.isoformat()), fact.key
    if fact.category == "preference" and fact.key.startswith(USER_PREFIX):
        return "tacit", storage_namespace("tacit", "user"), _own_key(fact)
    layer, name = _PLACES[fact.category]
    return layer, storage_namespace(layer, name), fact.key


def _own_key(fact: ExtractedFact) -> str:
    """The key of a fact about the person; for whom somebody works is no answer to what they do."""
    key = fact.key.removeprefix(USER_PREFIX)
    only_for_whom = key == "occupation" and not find_job(fact.value) and find_employer(fact.value)
    return EMPLOYER if only_for_whom else key


def _ref_of(fact: ExtractedFact) -> EntityRef | None:
    if fact.entity_label:
        return find_ref(fact.entity_label) or make_ref(fact.entity_type, fact.entity_label)
    if fact.category != "entity":
        return None
    return find_ref("/".join(fact.key.split("/")[:2]))


def _bare(quote: str) -> str:
    return quote.strip().strip("\"'“”‘’«»`").strip(" .…").strip()


def _fold(text: str) -> tuple[str, list[int]]:
    """A text as it is compared, and for each of its characters the place in the original."""
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for part in _folded(char):
            if part == " " and (not letters or letters[-1] == " "):
                continue
            letters.append(part)
            places.append(place)
    return "".join(letters).rstrip(), places


def _folded(char: str) -> str:
    if char.isspace() or unicodedata.category(char) in ("Cc", "Zs"):
        return " "
    if unicodedata.category(char) == "Pd":
        return "-"
    if unicodedata.category(char) == "Cf":
        return ""
    return unicodedata.normalize("NFKD", _ALIKE.get(char, char)).casefold()

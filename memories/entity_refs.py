"""References to who and what a memory is about: `person:john_doe`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

ENTITY_TYPES = ("person", "place", "org", "project")  # docs/design.md#memory-numbers
SLUG_MAX_CHARS = 96  # characters; a reference with its type stays under 128
DEFAULT_TYPE = "person"

_ALIASES = {
    "people": "person", "human": "person", "pet": "person", "animal": "person", "user": "person",
    "location": "place", "city": "place", "country": "place",
    "organization": "org", "organisation": "org", "company": "org", "team": "org", "school": "org",
    "product": "project", "task": "project",
}  # fmt: skip
_JOINERS = re.compile(r"[\s\-_\u2010-\u2015]+")


@dataclass(frozen=True, slots=True)
class EntityRef:
    """One entity: its type and its slug; `str()` gives `type:slug`."""

    type: str
    slug: str

    def __str__(self) -> str:
        return f"{self.type}:{self.slug}"


def slugify(label: str) -> str:
    """Lower case, punctuation removed, spaces and hyphens to one underscore; any script; may be empty."""
    joined = _JOINERS.sub("_", unicodedata.normalize("NFKC", label).lower())
    kept = "".join(c for c in unicodedata.normalize("NFC", joined) if c == "_" or _is_word(c))
    return re.sub(r"_+", "_", kept).strip("_")[:SLUG_MAX_CHARS].rstrip("_")


def entity_type(name: str) -> str:
    """The known type a model's word stands for, or empty."""
    folded = name.strip().lower()
    return folded if folded in ENTITY_TYPES else _ALIASES.get(folded, "")


def make_ref(type_name: str, label: str) -> EntityRef | None:
    """The reference for a label, or None when nothing of the label is left; an unknown type is a person."""
    slug = slugify(label)
    return EntityRef(entity_type(type_name) or DEFAULT_TYPE, slug) if slug else None


def find_ref(text: str) -> EntityRef | None:
    """The reference a text such as `person:John Doe` or `person/john-doe` writes, or None."""
    head, separator, tail = _split(text)
    if not separator or not entity_type(head):
        return None
    return make_ref(head, tail)


def label_as_written(text: str) -> str:
    """The name in a reference as it was written: `place:Austin, Texas` gives `Austin, Texas`; empty for a bare slug."""
    label = " ".join(_split(text)[2].split())
    return "" if label == label.lower() and (label == slugify(label) or not label.isascii()) else label


def label_of(ref: EntityRef) -> str:
    """A readable name for a reference that came without one: `john_doe` gives `John Doe`."""
    return " ".join(word[:1].upper() + word[1:] for word in ref.slug.split("_"))


def explain_ref(text: str) -> str:
    """Why a text is no reference."""
    head, separator, _ = _split(text)
    if not separator:
        return "A reference names its type and its name: person:john_doe."
    if not entity_type(head):
        return f"The type must be one of {', '.join(ENTITY_TYPES)}: person:john_doe."
    return "A reference needs a name after its type: person:john_doe."


def make_memory_key(type_name: str, ref: EntityRef | None, fact_type: str) -> str:
    """`people|person|john_doe|relationship`; empty without an entity: it would name everything."""
    return f"{type_name}|{ref.type}|{ref.slug}|{fact_type}".lower() if ref else ""


def resolve_refs(refs: Iterable[str], aliases: Mapping[str, str]) -> list[str]:
    """References with the merged ones replaced by what they were merged into, each once, in order."""
    return list(dict.fromkeys(aliases.get(ref, ref) for ref in refs))


def resolve_memory_key(key: str, aliases: Mapping[str, str]) -> str:
    """A memory key whose entity is the one it was merged into; any other key as it is."""
    parts = key.split("|")
    into = aliases.get(f"{parts[1]}:{parts[2]}") if len(parts) == 4 else None
    if into is None:
        return key
    kind, _, slug = into.partition(":")
    return "|".join((parts[0], kind, slug, parts[3]))


def _split(text: str) -> tuple[str, str, str]:
    for separator in (":", "/"):
        if separator in text:
            return text.partition(separator)
    return text, "", ""


def _is_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM"

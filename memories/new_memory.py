"""What somebody wants remembered, before it is checked and stored."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from memories.normalize import normalize_key

KEY_WORDS = 6  # words of a value that its own key keeps, enough to be read
KEY_STEM_CHARS = 48  # characters of those words
KEY_HASH_CHARS = 8  # hex digits that tell two values with the same beginning apart
DEFAULT_IMPORTANCE = 1  # docs/design.md#memory-numbers

_NO_WORD = re.compile(r"[^\w\s'-]+")
_MADE = re.compile(
    r"-(?=[0-9]*[a-f])[0-9a-f]{8}(?:-\d+)?$"
)  # a digest tells; a number alone may be somebody's own


@dataclass(frozen=True, slots=True)
class NewObservation:
    """One observation: who said so, in which message, in which words, and how sure the reader was (0..1)."""

    extractor: str
    value: str
    confidence: float
    trust: str
    message_id: UUID | None = None
    quote: str = ""
    quote_start: int | None = None
    quote_end: int | None = None
    model: str = ""
    prompt_hash: str = ""
    actor: str = ""
    observed_at: datetime | None = None
    run_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to be; every default is the one of the API. With a `doubt` it waits in review, and that is why.

    `trust` says whose words it is made of, as far as its bringer may say so; empty: as its bringer is trusted.
    `known` names a memory and what this is to it: the same, a change or its end. `to_forget`: it is only made to be
    deleted at once, so that its words are withheld.
    """

    value: str
    key: str = ""
    layer: str = ""
    namespace: str = ""
    tags: tuple[str, ...] = ()
    type: str = "profile"
    entity_refs: tuple[str, ...] = ()
    entity_label: str = ""
    entity_type: str = ""
    fact_type: str = "fact"
    memory_key: str = ""
    importance: int = DEFAULT_IMPORTANCE
    pinned: bool = False
    persona_id: UUID | None = None
    scope: str = "user"
    session_id: UUID | None = None
    source: str = "agent"
    trust: str = ""
    confidence: float = 0.9
    expires_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    observations: tuple[NewObservation, ...] = ()
    doubt: str = ""
    known: tuple[UUID, str] | None = None
    to_forget: bool = False


def make_key(value: str) -> str:
    """A key for a value that came without one: its first words and a short hash, the same every time."""
    words = " ".join(_NO_WORD.sub(" ", value).split()[:KEY_WORDS])
    digest = hashlib.sha256(" ".join(value.split()).lower().encode()).hexdigest()[:KEY_HASH_CHARS]
    return normalize_key(f"{words[:KEY_STEM_CHARS]}-{digest}".replace("/", "-"))


def address_key(key: str, value: str) -> str:
    """The key a memory is stored under: its own, normalised, or one made from its value."""
    return normalize_key(key) or make_key(value)


def is_made_key(key: str, value: str) -> bool:
    """Whether a key was made from a value, this one or an earlier one: it says nothing that the value doesn't."""
    return key.rpartition("/")[2] == make_key(value) or bool(_MADE.search(key))


def embedded_heading(key: str, value: str) -> str:
    """What stands before a value where it is embedded and indexed: its key, unless that was made from the value."""
    return "" if is_made_key(key, value) else f"{key}:"


def embedding_text(key: str, value: str) -> str:
    """What is embedded of a memory: `key: value`, and of one without a key its words alone."""
    return f"{embedded_heading(key, value)} {value}".strip()

"""The hash chain over a tenant's audit log, in a form anybody can compute again.

A leaf is the SHA-256 of one entry, written as the JSON array
`[id, at, actor, action, object_type, object_id, person_id, request_id, detail]` with `, ` and `: ` between, `at` as
`2026-05-08T09:30:00.000000Z` and `detail` with its names by length, then alphabet (as PostgreSQL writes jsonb).
The root of a seal is the SHA-256 of its leaves in a row; its digest that of tenant, number, first and last id, number
of entries, root and the digest before, a line each. The first seal's digest before is 64 zeros.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

LEAF_BYTES = 32  # SHA-256
GENESIS = "0" * 64
ENTRY_COLUMNS = (
    *("id", "at", "actor", "action", "object_type", "object_id", "person_id", "request_id"),
    "detail_text",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as it is hashed; `detail_text` is PostgreSQL's text of the JSON."""

    id: UUID
    at: datetime
    actor: str
    action: str
    object_type: str
    object_id: str
    person_id: UUID | None
    request_id: str
    detail_text: str

    @property
    def leaf(self) -> bytes:
        """SHA-256, 32 bytes."""
        at = self.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        person = str(self.person_id) if self.person_id else None
        texts = (str(self.id), at, self.actor, self.action, self.object_type, self.object_id, person)
        quoted = [json.dumps(text, ensure_ascii=False) for text in (*texts, self.request_id)]
        return hashlib.sha256(f"[{', '.join([*quoted, self.detail_text])}]".encode()).digest()


@dataclass(frozen=True, slots=True)
class Seal:
    """A link of the chain; no `leaves` once retention has removed its entries."""

    tenant_id: UUID
    number: int
    first_id: UUID
    last_id: UUID
    entries: int
    previous: str
    root: str
    digest: str
    leaves: bytes | None

    @property
    def is_removed(self) -> bool:
        return self.leaves is None

    def recompute(self) -> str:
        """What the digest must be."""
        lines = (
            self.tenant_id,
            self.number,
            self.first_id,
            self.last_id,
            self.entries,
            self.root,
            self.previous,
        )
        return hashlib.sha256("\n".join(map(str, lines)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it was sealed; `entry_id` where it is known which."""

    kind: str  # changed, missing, inserted or broken
    seal: int
    detail: str
    entry_id: UUID | None = None

    def __str__(self) -> str:
        named = f" (entry {self.entry_id})" if self.entry_id else ""
        return f"seal {self.seal}: {self.kind}: {self.detail}{named}"


def check_link(seal: Seal, before: Seal | None) -> Iterator[Fault]:
    """Whether a seal is whole and follows the one before it."""
    if seal.number != (before.number + 1 if before else 1):
        yield Fault("missing", seal.number, "a seal before this one is gone")
    elif seal.previous != (before.digest if before else GENESIS):
        yield Fault("broken", seal.number, "it does not name the digest of the seal before it")
    if seal.recompute() != seal.digest:
        yield Fault("broken", seal.number, "the seal itself was changed")
    if seal.leaves is not None and hashlib.sha256(seal.leaves).hexdigest() != seal.root:
        yield Fault("broken", seal.number, "its leaves do not give its root")
    if seal.is_removed and before and not before.is_removed:
        yield Fault("missing", seal.number, "its entries are gone, though older ones are kept")


def check_entries(seal: Seal, entries: Iterable[Entry], gaps: Iterable[bytes]) -> Iterator[Fault]:
    """Whether the entries of a seal are those that were sealed, less those an erasure took out."""
    stored = Counter(split_leaves(seal.leaves or b""))
    taken = Counter(leaf for gap in gaps for leaf in split_leaves(gap))
    strange = [entry.id for entry in entries if not _take(stored, entry.leaf)]
    lacking = sum((stored - taken).values())
    if taken - stored and not seal.is_removed:
        yield Fault("broken", seal.number, "a gap names what was never sealed, or is still there")
    for index, entry_id in enumerate(strange):
        if index < lacking:
            yield Fault("changed", seal.number, "an entry is not as it was sealed", entry_id)
        else:
            yield Fault("inserted", seal.number, "an entry was not there when it was sealed", entry_id)
    if lacking > len(strange):
        yield Fault("missing", seal.number, f"{lacking - len(strange)} of its entries are gone")


def check_gaps(taken: Mapping[UUID, int], accounted: Mapping[UUID, int]) -> Iterator[Fault]:
    """Whether each erasure accounts for as many sealed entries as its gaps hold."""
    for entry_id, count in taken.items():
        if accounted.get(entry_id) != count:
            yield Fault("missing", 0, f"{count} entries are gone that no erasure accounts for", entry_id)


def split_leaves(leaves: bytes) -> list[bytes]:
    """Leaf by leaf."""
    return [leaves[start : start + LEAF_BYTES] for start in range(0, len(leaves), LEAF_BYTES)]


def _take(stored: Counter[bytes], leaf: bytes) -> bool:
    if not stored[leaf]:
        return False
    stored[leaf] -= 1
    return True

"""What memory knows of a conversation that is summed up: what no longer holds, and what stands there by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.closed_words import list_closed_words, list_kept_words, texts_of_closed
from nebo.tenants.models import Tenant
from sessions.models import Message


@dataclass(frozen=True, slots=True)
class KnownWords:
    """Wordings of facts and todos that are over, and of those that were kept from the messages and hold."""

    over: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


NOTHING_KNOWN = KnownWords()


def read_known_words(*, tenant: Tenant | UUID, person_id: UUID, messages: Sequence[Message]) -> KnownWords:
    """Four queries, in the open scope."""
    over = list_closed_words(tenant=tenant, person_id=person_id)
    kept = list_kept_words(tenant=tenant, message_ids=[one.pk for one in messages])
    return KnownWords(
        tuple(text for rows in over.values() for text in texts_of_closed(rows)),
        tuple(text for rows in kept.values() for text in texts_of_closed(rows)),
    )

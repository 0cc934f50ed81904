"""What would be learned from messages that belong to no session: they are told in one that is then taken back.

They are read as the job reads what a turn left to it, by the rules alone: no chat model is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from memories.learning.relations import relate
from nebo.reading.meaning.reader import NOTHING_READ, Reading, read_text
from nebo.reading.meaning.sentences import list_sentences
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from personality.wishes.relations import relate_rules
from sessions.models import Message, Session
from sessions.turns.append import NewMessage, TurnResult, append_turn, list_external_ids
from sessions.turns.dry_run import DryRun, take_back

PREVIEW_BYTES = 100_000  # of UTF-8, the newest messages; docs/sessions.md#trying-messages-without-a-session
PREVIEW_SENTENCES = 30  # that are read: some 0.1 s each at worst, beside many memories that are like them


@dataclass(frozen=True, slots=True)
class ReadAhead:
    """The newest messages, understood. The first of them is message `first` of those sent; `unread` are the places of
    what people said that was too much to read.
    """

    messages: list[NewMessage]
    first: int
    unread: list[int]


def read_ahead(
    *,
    tenant: Tenant | UUID,
    person_id: UUID | None,
    persona_id: UUID | None,
    messages: Sequence[NewMessage],
) -> ReadAhead:
    """Understand messages beside what is known of a person, if there is one. To be called outside a transaction.

    Raises InvalidInput when two messages have one external id.
    """
    list_external_ids(messages)
    first = _first_that_fits(messages)
    kept = messages[first:]
    readings = _read(kept)
    whose = person_id or uuid4()  # of nobody, nothing is known
    found = relate(tenant=tenant, person_id=whose, persona_id=persona_id, readings=readings, thorough=True)
    found = relate_rules(tenant=tenant, person_id=whose, persona_id=persona_id, understood=found)
    understood = [replace(new, understood=one) for new, one in zip(kept, found, strict=True)]
    late = [place for place, one in enumerate(understood, start=first) if not one.understood.reading.complete]
    people = {place for place, one in enumerate(messages) if one.role == Message.Role.USER}
    return ReadAhead(understood, first, sorted(people & {*range(first), *late}))


def preview(
    *,
    tenant: Tenant,
    person: UserProfile | None,
    persona_id: UUID | None,
    read: ReadAhead,
    actor: Actor,
) -> DryRun:
    """What would be learned of a person, or of somebody whom nobody knows. In the caller's scope; nothing stays, and
    nobody is made.
    """

    def tell() -> TurnResult:
        session = Session.objects.for_tenant(tenant).create(
            person=person or _make_stranger(tenant),
            persona_id=persona_id,
            key=f"preview:{uuid4()}",
            auto_extract=True,
            index_turns=False,
        )
        return append_turn(tenant=tenant, session_id=session.pk, messages=read.messages, actor=actor)

    return take_back(tenant, tell)


def _make_stranger(tenant: Tenant) -> UserProfile:
    """Under a name that no agent waits for."""
    made: UserProfile = UserProfile.objects.for_tenant(tenant).create(external_id=f"preview-{uuid4()}")
    return made


def _first_that_fits(messages: Sequence[NewMessage]) -> int:
    """Where the newest messages begin that are short enough together."""
    left = PREVIEW_BYTES
    for place in range(len(messages) - 1, -1, -1):
        left -= len(messages[place].content.encode())
        if left < 0:
            return place + 1
    return 0


def _read(messages: Sequence[NewMessage]) -> list[Reading]:
    """What people said, each with what was said before it; of too many sentences those of the newest messages."""
    left = PREVIEW_SENTENCES
    texts = [one.content if one.role == Message.Role.USER else "" for one in messages]
    found: list[Reading] = []
    for place in range(len(texts) - 1, -1, -1):
        count = len(list_sentences(texts[place]))
        fits = count <= left
        before = next((text for text in reversed(texts[:place]) if text), "")
        last = messages[place - 1] if place else None
        asked = last.content if last and last.role == Message.Role.ASSISTANT else ""
        found.append(read_text(texts[place], before=before, asked=asked) if fits else NOTHING_READ)
        left -= count if fits else left
    return found[::-1]

"""Adding: messages that are learned from, or texts that are stored as they came."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.models import Memory
from memories.new_memory import NewMemory, address_key, embedding_text
from memories.screening.checks import redact_all
from memories.screening.orders import read_ahead
from memories.storing.comparing import NOT_COMPARED, Comparison, Mark, compare_batch, mark_of
from memories.storing.store import Stored, store_memory
from memories.storing.vectors import embed_pairs_now
from nebo.product.mem0.keeping import ERASED
from nebo.product.mem0.models import Addition
from nebo.product.mem0.said import NO_RUN, Said
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.selectors import Caller
from personality.models import Persona
from sessions.lifecycle.opening import open_session
from sessions.models import Session
from sessions.turns.append import NewMessage, TurnResult, append_turn


@dataclass(frozen=True, slots=True)
class Note:
    """A text to be stored as it came, with what could be found out about it beforehand."""

    new: NewMemory
    vector: list[float] | None = None
    compared: Comparison = NOT_COMPARED


def open_run(*, tenant: Tenant, person: UserProfile, run_id: str, persona: Persona | None) -> Session:
    """The session that a run is; messages without a run have one together."""
    return open_session(tenant=tenant, person=person, key=run_id or NO_RUN, persona=persona).session


def add_turn(
    *,
    tenant: UUID,
    session_id: UUID,
    messages: Sequence[NewMessage],
    said: Said,
    actor: Actor,
    check: Callable[[Session], None],
) -> tuple[Addition | None, TurnResult]:
    """Append the messages to a session, which reads them as it reads any; in the caller's transaction. Nothing was
    added where collection is paused.
    """
    turn = append_turn(tenant=tenant, session_id=session_id, messages=messages, actor=actor, check=check)
    if turn.pause is not None:
        return None, turn
    seqs = [message.seq for message in turn.messages]
    addition = Addition.objects.for_tenant(tenant).create(
        person_id=turn.messages[0].person_id,
        session_id=session_id,
        seq_from=min(seqs),
        seq_to=max(seqs),
        **_spoken(said),
    )
    return addition, turn


def prepare_notes(*, tenant: UUID, person_id: UUID, trust: str, news: Sequence[NewMemory]) -> list[Note]:
    """With vectors, and what each is to known ones; no transaction may be open."""
    for new in news:
        read_ahead(trust, new.value)
    pairs = [(address_key(new.key, new.value), new.value) for new in news]
    vectors = embed_pairs_now(tenant=tenant, pairs=pairs)
    compared = compare_batch(tenant=tenant, person_id=person_id, news=news)
    return [
        Note(new, vectors.get(embedding_text(*pair)), compared.get(mark_of(new), NOT_COMPARED))
        for new, pair in zip(news, pairs, strict=True)
    ]


def add_notes(
    *, tenant: UUID, person: UserProfile, notes: Sequence[Note], said: Said, actor: Actor
) -> tuple[Addition, list[Stored]]:
    """Store the texts, each through the same gate as any memory."""
    kept: list[Stored] = []
    placed: dict[Mark, UUID] = {}
    for note in notes:
        stored = store_memory(
            tenant=tenant,
            person=person,
            new=note.new,
            actor=actor,
            vector=note.vector,
            compared=note.compared.known_as(placed),
        )
        placed[mark_of(note.new)] = stored.memory.pk
        kept.append(stored)
    ids = list(dict.fromkeys(stored.memory.pk for stored in kept))
    addition = Addition.objects.for_tenant(tenant).create(
        person_id=person.pk, memory_ids=ids, **_spoken(said)
    )
    return addition, kept


def _spoken(said: Said) -> dict[str, Any]:
    """Metadata are kept without secrets, as those of memories are."""
    metadata: Mapping[str, Any] = redact_all(dict(said.metadata))
    return {"agent_id": said.agent_id, "app_id": said.app_id, "metadata": metadata}


def list_additions(*, caller: Caller) -> QuerySet[Addition]:
    """Those that the key may know of, the newest first: of its person, and of sessions of its persona."""
    rows = Addition.objects.for_tenant(caller.tenant_id).select_related("session")
    rows = rows.exclude(person__external_id__startswith=ERASED)
    if caller.person_id is not None:
        rows = rows.filter(person_id=caller.person_id)
    if caller.persona_id is not None:
        rows = rows.filter(Q(session=None) | Q(session__persona_id=caller.persona_id))
    return rows.order_by("-created_at", "-pk")


def list_added(*, tenant: UUID, addition: Addition, limit: int) -> list[Memory]:
    """The live memories that came of an addition until now, the oldest first."""
    rows = Memory.objects.for_tenant(tenant).filter(status=Memory.Status.ACTIVE, person_id=addition.person_id)
    if addition.session_id is None:
        rows = rows.filter(pk__in=addition.memory_ids)
    else:
        rows = rows.filter(
            observations__message__session_id=addition.session_id,
            observations__message__seq__range=(addition.seq_from, addition.seq_to),
        ).distinct()
    return list(rows.order_by("first_observed", "pk")[:limit])


def is_read(*, addition: Addition) -> bool:
    """Whether all of it was learned from that will be."""
    session: Session | None = addition.session
    if session is None or addition.seq_to is None:
        return True
    return not session.auto_extract or session.extracted_seq >= addition.seq_to

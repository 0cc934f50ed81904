"""One batch into the database: conversations as turns, notes as memories. What came in before isn't stored again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from memories.new_memory import NewMemory, NewObservation
from memories.screening.checks import screen
from memories.screening.personal import judge_memory
from memories.storing.audited_writes import lock_person
from memories.storing.intake import as_brought
from memories.storing.store import Stored, store_memory
from nebo.errors import InvalidInput
from nebo.jobs.lanes import Lane
from nebo.product.governance.importing.archive.finishing import finish
from nebo.product.governance.importing.archive.personas import make_personas
from nebo.product.governance.importing.archive.reading import PERSONAS_TABLE, Rows
from nebo.product.governance.importing.archive.storing import Aliases, foresee_rows, store_rows
from nebo.product.governance.importing.batches import Batch, End, Notes, Talk
from nebo.product.governance.importing.brought import Note
from nebo.product.governance.models import ImportedNote
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from sessions.lifecycle.opening import find_by_key, open_session
from sessions.models import Message, Session
from sessions.turns.append import NewMessage, append_turn

LANE = Lane.SUMMARY  # behind what is said now
ABOUT_SEP = " › "
VALUE_CHARS = 1_800  # of a memory; longer notes become several
ABOUT_CHARS = 240  # before its text, the last of them
CONFIDENCE = 0.75  # of what somebody else's system, or a file, says
STORED = ("created", "updated", "superseded")


def store_batch(
    *, tenant: Tenant, person: UserProfile, batch: Batch, actor: Actor, aliases: Aliases
) -> Counter[str]:
    """Store what isn't there yet; how much of what it was. In the tenant's scope.

    `aliases` goes from batch to batch.
    """
    if isinstance(batch, End):
        finish(tenant=tenant, person=lock_person(tenant=tenant, person=person), profile=batch.profile)
        return Counter()
    if isinstance(batch, Rows):
        if batch.table == PERSONAS_TABLE:
            return Counter(personas=make_personas(tenant=tenant, rows=batch.rows, actor=actor))
        return store_rows(tenant=tenant, person=person, batch=batch, aliases=aliases)
    if isinstance(batch, Talk):
        return _store_talk(tenant, person, batch, actor)
    return _store_notes(tenant, person, batch, actor)


def foresee_batch(*, tenant: Tenant, person: UserProfile | None, batch: Batch, actor: Actor) -> Counter[str]:
    """The same counts, and nothing is written. In the tenant's scope."""
    if isinstance(batch, End):
        return Counter()
    if isinstance(batch, Rows):
        return foresee_rows(tenant=tenant, person=person, batch=batch)
    if isinstance(batch, Talk):
        return _foresee_talk(tenant, person, batch)
    return _foresee_notes(tenant, person, batch, actor)


# --- Conversations ------------------------------------------------------------------------------------------


def _store_talk(tenant: Tenant, person: UserProfile, batch: Talk, actor: Actor) -> Counter[str]:
    opened = open_session(tenant=tenant, person=person, key=batch.key)
    session = opened.session
    if opened.created:
        session.started_at = batch.messages[0].created_at or session.started_at
        session.save(update_fields=["started_at"])
    known = _list_known(tenant, session, batch.messages)
    fresh = [message for message in batch.messages if message.external_id not in known]
    if fresh:
        append_turn(tenant=tenant, session_id=session.pk, messages=fresh, actor=actor, lane=LANE)
    return Counter(sessions=int(opened.created), messages=len(fresh), known=len(batch) - len(fresh))


def _foresee_talk(tenant: Tenant, person: UserProfile | None, batch: Talk) -> Counter[str]:
    session = find_by_key(tenant=tenant, person=person, key=batch.key) if person else None
    known = len(_list_known(tenant, session, batch.messages)) if session else 0
    is_new = batch.begins and session is None
    return Counter(sessions=int(is_new), messages=len(batch) - known, known=known)


def _list_known(tenant: Tenant, session: Session, messages: Sequence[NewMessage]) -> set[str | None]:
    """Ids of those that the session holds; one that reads otherwise by now stays as it came in first."""
    rows = Message.objects.for_tenant(tenant).filter(session=session)
    wanted = [message.external_id for message in messages]
    return set(rows.filter(external_id__in=wanted).values_list("external_id", flat=True))


# --- Notes --------------------------------------------------------------------------------------------------


def _store_notes(tenant: Tenant, person: UserProfile, batch: Notes, actor: Actor) -> Counter[str]:
    counts: Counter[str] = Counter()
    known = _list_origins(tenant, person, batch)
    for note in batch.notes:
        if note.origin in known:
            counts["known"] += 1
            continue
        for stored in _store_note(tenant, person, batch.source, note, actor):
            counts[_name_of(stored)] += 1
    return counts


def _store_note(
    tenant: Tenant, person: UserProfile, source: str, note: Note, actor: Actor
) -> list[Stored | None]:
    """What became of its parts, and the line that says it was here: what is forgotten later doesn't come in again."""
    stored = [_store_part(tenant, person, new, actor) for new in list_memories(source, note)]
    first = next((one.memory for one in stored if one is not None), None)
    ImportedNote.objects.for_tenant(tenant).create(person=person, origin=note.origin, memory=first)
    return stored


def _store_part(tenant: Tenant, person: UserProfile, new: NewMemory, actor: Actor) -> Stored | None:
    try:
        with transaction.atomic():
            return store_memory(tenant=tenant, person=person, new=_seen_by(new, actor), actor=actor)
    except InvalidInput:
        return None


def _seen_by(new: NewMemory, actor: Actor) -> NewMemory:
    return replace(new, observations=tuple(replace(one, actor=str(actor)) for one in new.observations))


def _name_of(stored: Stored | None) -> str:
    """Under what an outcome is counted."""
    if stored is None:
        return "left_out"
    if stored.action == "quarantined":
        return "known" if stored.deduplicated else "in_review"
    return "memories" if stored.action in STORED else "known"


def _foresee_notes(tenant: Tenant, person: UserProfile | None, batch: Notes, actor: Actor) -> Counter[str]:
    known = _list_origins(tenant, person, batch) if person else set()
    counts = Counter(known=len(known))
    for note in batch.notes:
        if note.origin not in known:
            counts.update(_foresee_part(tenant, new, actor) for new in list_memories(batch.source, note))
    return counts


def _foresee_part(tenant: Tenant, new: NewMemory, actor: Actor) -> str:
    try:
        screened = screen(as_brought(new, actor))
        verdict = judge_memory(tenant.sensitive_classes, screened.new)
        verdict.check()
    except InvalidInput:
        return "left_out"
    return "in_review" if screened.reason or verdict.reason else "memories"


def _list_origins(tenant: Tenant, person: UserProfile, batch: Notes) -> set[str]:
    rows = ImportedNote.objects.for_tenant(tenant).filter(person=person)
    wanted = [note.origin for note in batch.notes]
    return set(rows.filter(origin__in=wanted).values_list("origin", flat=True))


def list_memories(source: str, note: Note) -> list[NewMemory]:
    """What a note becomes: a memory, or several where it is long, each with what it is about before it."""
    about = ABOUT_SEP.join(note.about)[-ABOUT_CHARS:].removeprefix(ABOUT_SEP.strip()).strip()
    metadata = {"imported_from": source, **({"about": list(note.about)} if about else {})}
    parts = _split(note.text)
    return [
        NewMemory(
            value=f"{about}: {part}" if about else part,
            tags=note.tags,
            source="import",
            trust="agent",
            confidence=CONFIDENCE,
            metadata=metadata,
            observations=(
                NewObservation(
                    extractor="import",
                    value=part,
                    confidence=CONFIDENCE,
                    trust="agent",
                    observed_at=note.noted_at,
                ),
            ),
        )
        for part in parts
    ]


def _split(text: str) -> list[str]:
    """Parts that fit into a memory, cut between words."""
    parts: list[str] = []
    while len(text) > VALUE_CHARS:
        cut = max(text.rfind(end, 0, VALUE_CHARS) + 1 for end in (". ", "! ", "? ", "; "))
        cut = cut or text.rfind(" ", 0, VALUE_CHARS)
        cut = cut if cut > 0 else VALUE_CHARS
        parts.append(text[:cut].strip())
        text = text[cut:].strip()
    return [*parts, text] if text else parts

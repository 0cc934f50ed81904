"""What somebody does for a living until a day that they have told: it ends when that day has come.

“From 1 April I'm at the hospital” changes nothing in March. The older memory gets the day as its `valid_to`, and what
takes its place then; it is closed with the first message that is heard from that day on, or by the daily upkeep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.learning.utterance import Utterance
from memories.models import Memory
from memories.storing.audited_writes import Change, change_memory, lock_person
from nebo.reading.meaning.reader import Sentence
from nebo.reading.relations.new_work import begins, find_change_of_work, is_own_work, names_the_same
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

WHY_CHARS = 160  # characters of a sentence in a reason
LOOKED_THROUGH = 20  # memories about work, the newest
OF_OTHERS = "entity/"  # namespaces of what is known of other people and things
SLOT_OF_KEY = {"occupation": "work", "employer": "work"}
ENDED = "The day came on which it was to end."


def note_changes_of_work(
    turn: Utterance, sentences: Iterable[Sentence], kept: Mapping[int, Memory]
) -> list[Memory]:
    """Let end on their day what the speaker does for a living; those that are over already, returned, are closed."""
    day_said, closed = turn.at.astimezone(UTC).date(), []
    for sentence in sentences:
        day = find_change_of_work(sentence, day_said)
        if day is None:
            continue
        new = kept.get(sentence.start)
        if begins(sentence) and new is None:
            continue  # nothing would stand in its place
        for old in _list_own_work(turn, sentence, {memory.pk for memory in kept.values()}):
            _let_end(turn, old, sentence, day, by=new)
            closed += end_what_is_over(
                tenant=turn.tenant, person=turn.person, at=turn.at, actor=turn.actor, only=old.pk
            )
    return closed


def end_what_is_over(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    at: datetime,
    actor: Actor,
    only: UUID | None = None,
) -> list[Memory]:
    """Close what was to end until a moment, unless what was to take its place is gone. In the caller's scope."""
    rows = list_over(tenant, at).filter(person=person, **({"pk": only} if only else {}))
    return [close_over(tenant=tenant, memory=memory, actor=actor) for memory in rows]


def list_over(tenant: Tenant | UUID, at: datetime) -> QuerySet[Memory]:
    """Live memories whose end has come; nothing that a person pinned or confirmed."""
    rows = Memory.objects.for_tenant(tenant).filter(over_at(at))
    return rows.select_related("person", "persona")


def over_at(at: datetime) -> Q:
    """What was to end until a moment, and what takes its place stands."""
    replaced = Q(superseded_by=None) | Q(superseded_by__status=Memory.Status.ACTIVE)
    return replaced & Q(status=Memory.Status.ACTIVE, valid_to__lte=at, pinned=False, confirmed_at=None)


def close_over(*, tenant: Tenant | UUID, memory: Memory, actor: Actor) -> Memory:
    """It holds no longer; undone like every change."""
    lock_person(tenant=tenant, person=memory.person)
    memory.refresh_from_db()
    if memory.status != Memory.Status.ACTIVE:
        return memory
    fields = {"status": Memory.Status.SUPERSEDED}
    return change_memory(
        tenant=tenant, memory=memory, fields=fields, change=Change("superseded", actor, reason=ENDED)
    )


def _let_end(turn: Utterance, old: Memory, sentence: Sentence, day: date, *, by: Memory | None) -> None:
    lock_person(tenant=turn.tenant, person=turn.person)
    old.refresh_from_db()
    fields = {"valid_to": datetime.combine(day, time(), UTC), "superseded_by_id": by.pk if by else None}
    why = f"Until {day:%-d %B %Y}: “{sentence.text[:WHY_CHARS]}”"
    change = Change("updated", turn.actor, reason=why, message_id=turn.message_id)
    change_memory(tenant=turn.tenant, memory=old, fields=fields, change=change)


def _list_own_work(turn: Utterance, sentence: Sentence, own: set[UUID]) -> list[Memory]:
    """What the speaker does for a living, as it was known before the message; what it names too goes on, where
    something begins.
    """
    of_work = Q(key__in=SLOT_OF_KEY) | Q(key__startswith="work/") | Q(key__startswith="education/")
    rows = (
        Memory.objects.for_tenant(turn.tenant)
        .filter(
            of_work,
            Q(valid_from=None) | Q(valid_from__lte=turn.at),
            person=turn.person,
            scope=Memory.Scope.USER,
            status=Memory.Status.ACTIVE,
            pinned=False,
            confirmed_at=None,
            valid_to=None,
        )
        .exclude(namespace__startswith=OF_OTHERS)
    )
    found = rows.exclude(pk__in=own).order_by("-created_at")[:LOOKED_THROUGH]
    return [
        old
        for old in found
        if is_own_work(old.value, _slot_of(old.key))
        and not (begins(sentence) and names_the_same(old.value, sentence.text))
    ]


def _slot_of(key: str) -> str:
    return SLOT_OF_KEY.get(key, key.partition("/")[0])

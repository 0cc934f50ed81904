"""Where somebody works or lives until a day that was told before: it ends when that day has come.

“From 1 April I'm at the hospital” changes nothing in March, nor does “Mum's moving in with me in November”. The older
memory gets the day as its `valid_to`, and what takes its place then; it is closed with the first message that is heard
from that day on, or by the daily upkeep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.learning.utterance import Utterance
from memories.models import Memory
from memories.screening.personal import without_quote
from memories.storing.audited_writes import Change, change_memory, lock_person, policy_of
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.reader import Sentence
from nebo.reading.relations.moves import find_move, is_left_behind
from nebo.reading.relations.new_work import (
    begins,
    find_change_of_work,
    find_closing,
    is_own_work,
    names_the_same,
    names_what_closes,
    retires,
)
from nebo.reading.relations.own_words import in_own_words
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

WHY_CHARS = 160  # characters of a sentence in a reason
LOOKED_THROUGH = 20  # memories about work, the newest
HOMES = 60  # memories about homes and people, the newest
OF_OTHERS = "entity/"  # namespaces of what is known of other people and things
SLOT_OF_KEY = {"occupation": "work", "employer": "work"}
ENDED = "The day came on which it was to end."


def note_told_ahead(
    turn: Utterance, sentences: Iterable[Sentence], kept: Mapping[int, Memory]
) -> list[Memory]:
    """Let end on their day where the speaker works and where people live; those that are over already, returned, are
    closed.
    """
    day_said, closed = turn.at.astimezone(UTC).date(), []
    own = {memory.pk for memory in kept.values()}
    for sentence in sentences:
        new = kept.get(sentence.start)
        for old, day in _list_ending(turn, sentence, day_said, new, own):
            _let_end(turn, old, sentence, day, by=new)
            closed += end_what_is_over(
                tenant=turn.tenant, person=turn.person, at=turn.at, actor=turn.actor, only=old.pk
            )
    return closed


def _list_ending(
    turn: Utterance, sentence: Sentence, day_said: date, new: Memory | None, own: set[UUID]
) -> Iterable[tuple[Memory, date]]:
    """What ends by a sentence, and when; nothing where something begins and nothing would stand in its place."""
    if (day := find_change_of_work(sentence, day_said)) and (new or not begins(sentence)):
        yield from ((old, day) for old in _list_own_work(turn, sentence, own))
    if new and (day := find_move(sentence, day_said)):
        yield from ((old, day) for old in _list_homes(turn, sentence, own))


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
    replaced |= Q(superseded_by__status=Memory.Status.SUPERSEDED, superseded_by__superseded_by__isnull=False)
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
    policy = policy_of(lock_person(tenant=turn.tenant, person=turn.person))
    old.refresh_from_db()
    until = datetime.combine(day, time(), UTC)
    fields = {
        "valid_to": max(until, old.valid_from or until),  # what ends today may have been told today
        "superseded_by_id": by.pk if by else None,
    }
    why = f"Until {day:%-d %B %Y}: “{sentence.text[:WHY_CHARS]}”"
    reason = without_quote(policy, why)
    change = Change("updated", turn.actor, reason=reason, message_id=turn.message_id)
    change_memory(tenant=turn.tenant, memory=old, fields=fields, change=change)


def _list_own_work(turn: Utterance, sentence: Sentence, own: set[UUID]) -> list[Memory]:
    """What the speaker does for a living, as it was known before the message; what it names too goes on, where
    something begins.
    """
    of_work = Q(key__in=SLOT_OF_KEY) | Q(key__startswith="work/") | Q(key__startswith="education/")
    closing = find_closing(sentence)
    if closing:
        of_work |= Q(value__icontains=closing)
    found = _list_lasting(turn, own).filter(of_work).exclude(namespace__startswith=OF_OTHERS)[:LOOKED_THROUGH]
    told = [(old, in_own_words(old.value, turn.person.display_name)) for old in found]
    return [old for old, known in told if _is_left(known, _slot_of(old.key), sentence)]


def _is_left(known: str, slot: str, sentence: Sentence) -> bool:
    if find_antecedent(known) is not None:  # somebody else's job, under no name
        return False
    closes = names_what_closes(known, sentence)
    if closes and find_closing(sentence):
        return True
    goes_on = begins(sentence) and names_the_same(known, sentence.text)
    return is_own_work(known, slot, all_of_it=retires(sentence) or closes) and not goes_on


def _list_homes(turn: Utterance, sentence: Sentence, own: set[UUID]) -> list[Memory]:
    """Where whoever moves has lived."""
    rows = _list_lasting(turn, own).filter(Q(metadata__slot="home") | Q(type=Memory.Type.PEOPLE))
    name = turn.person.display_name
    found = rows[:HOMES]
    return [old for old in found if is_left_behind(in_own_words(old.value, name), sentence)]


def _list_lasting(turn: Utterance, own: set[UUID]) -> QuerySet[Memory]:
    """What was known before the message and has no end yet."""
    return turn.known_before(without=own).filter(valid_to=None)


def _slot_of(key: str) -> str:
    return SLOT_OF_KEY.get(key, key.partition("/")[0])

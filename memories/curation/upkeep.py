"""What tidies itself: guesses that nobody confirmed go to the trash, and what lay there long enough goes for good."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from memories.confidence import PROMPT_GATE
from memories.learning.told_ahead import close_over, over_at
from memories.models import Memory
from memories.storing.audited_writes import Change, change_memory, erase_memory, lock_person
from memories.storing.edit import delete_memory
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.windows import find_cutoff

PROVISIONAL_AGE = timedelta(days=30)  # a guess lives that long unconfirmed; docs/design.md#confidence-numbers
BATCH = 50  # memories of one person a transaction, so that nobody waits long for the person's row
UPKEEP = Actor("job", "upkeep")  # who does it where nobody is named
REASON_PROVISIONAL = "Only inferred, and not seen again within 30 days."
REASON_EXPIRED = "Its time ran out."
REASON_TRASH = "Lay in the trash for longer than the tenant keeps it."

Progress = Callable[[int], object]
Act = Callable[[Memory], object]


def clean_provisional(
    *,
    tenant: Tenant | UUID,
    actor: Actor = UPKEEP,
    progress: Progress | None = None,
) -> int:
    """Move unconfirmed guesses to the trash, each through the door; returns how many. Opens its own scopes.

    A guess is live, below the prompt gate, seen once, and older than 30 days; what a person pinned or confirmed is
    none. `progress` is told how many were done, batch by batch.
    """
    return for_each(tenant, provisional(), _discarding(tenant, actor, REASON_PROVISIONAL), progress)


def expire_memories(*, tenant: Tenant | UUID, actor: Actor = UPKEEP) -> int:
    """Move what has expired to the trash, each through the door; returns how many. Opens its own scopes.

    What a person pinned or confirmed stays until they delete it themselves.
    """
    return for_each(tenant, expired(), _discarding(tenant, actor, REASON_EXPIRED))


def end_memories(*, tenant: Tenant | UUID, actor: Actor = UPKEEP) -> int:
    """Close what was to end until today, as “until 1 April” of a job; returns how many. Opens its own scopes."""
    return for_each(
        tenant, over_at(timezone.now()), lambda memory: close_over(tenant=tenant, memory=memory, actor=actor)
    )


def _discarding(tenant: Tenant | UUID, actor: Actor, reason: str) -> Act:
    """What moves a memory to the trash."""
    fields = {"status": Memory.Status.DELETED, "deleted_at": timezone.now()}
    change = Change("deleted", actor, reason=reason)
    return lambda memory: change_memory(tenant=tenant, memory=memory, fields=fields, change=change)


def purge_trash(
    *,
    tenant: Tenant,
    actor: Actor = UPKEEP,
    progress: Progress | None = None,
) -> int:
    """Erase what has lain in the trash for `tenant.trash_days`, with its history; returns how many."""
    change = Change("purged", actor, reason=REASON_TRASH)

    def erase(memory: Memory) -> None:
        erase_memory(tenant=tenant, memory=memory, change=change)

    return for_each(tenant, outlived_trash(tenant), erase, progress)


def empty_trash(
    *,
    tenant: Tenant | UUID,
    person_ids: Collection[UUID],
    before: datetime,
    actor: Actor,
    redact: bool = False,
) -> int:
    """Erase what these people put into the trash until then; how many. Opens its own scopes.

    With `redact` the words it rests on are taken out of the conversations for good; else they stay withheld.
    """

    def erase(memory: Memory) -> None:
        delete_memory(tenant=tenant, memory=memory, actor=actor, purge=True, keep_words=not redact)

    return for_each(tenant, in_trash(person_ids, before), erase)


def in_trash(person_ids: Collection[UUID], before: datetime) -> Q:
    """What these people had in the trash at that moment."""
    return Q(person_id__in=person_ids, status=Memory.Status.DELETED, deleted_at__lte=before)


def provisional() -> Q:
    """Guesses whose time to be confirmed is over."""
    return Q(
        status=Memory.Status.ACTIVE,
        confidence__lt=PROMPT_GATE,
        reinforced_count__lte=1,
        pinned=False,
        confirmed_at=None,
        created_at__lt=timezone.now() - PROVISIONAL_AGE,
    )


def expired() -> Q:
    """Memories whose time ran out, in any state but the trash, that no person holds on to or marked."""
    held = Q(pinned=True) | Q(confirmed_at__isnull=False)
    return Q(expires_at__lt=timezone.now()) & ~Q(status__in=Memory.FORGOTTEN) & ~held


def outlived_trash(tenant: Tenant) -> Q:
    """What the trash no longer keeps; nothing where it keeps for ever."""
    before = find_cutoff(tenant.trash_days)
    return Q(status=Memory.Status.DELETED, deleted_at__lt=before) if before else Q(pk__in=())


def for_each(tenant: Tenant | UUID, condition: Q, act: Act, progress: Progress | None = None) -> int:
    """Do something to every memory that fulfils a condition, still so once its person's row is held; how many.

    One short transaction a batch and person, so it can be stopped anywhere and run again.
    """
    done = 0
    for person_id, ids in list(_batches(tenant, condition)):
        with tenant_scope(tenant):
            lock_person(tenant=tenant, person=UserProfile(pk=person_id))
            for memory in _select(tenant, condition).filter(pk__in=ids):
                act(memory)
                done += 1
        if progress:
            progress(len(ids))
    return done


def count_matching(*, tenant: Tenant | UUID, condition: Q) -> int:
    """How many memories fulfil a condition. Opens its own scope."""
    with tenant_scope(tenant):
        return Memory.objects.for_tenant(tenant).filter(condition).count()


def _batches(tenant: Tenant | UUID, condition: Q) -> Iterator[tuple[UUID, Sequence[UUID]]]:
    with tenant_scope(tenant):
        rows = Memory.objects.for_tenant(tenant).filter(condition).order_by("person_id", "created_at")
        found = list(rows.values_list("person_id", "pk"))
    for person_id, group in groupby(found, key=lambda row: row[0]):
        ids = [pk for _, pk in group]
        yield from ((person_id, ids[first : first + BATCH]) for first in range(0, len(ids), BATCH))


def _select(tenant: Tenant | UUID, condition: Q) -> QuerySet[Memory]:
    return Memory.objects.for_tenant(tenant).filter(condition).select_related("person", "persona")

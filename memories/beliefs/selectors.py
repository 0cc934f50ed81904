"""Reading what was believed when: in a stretch of time, and at one moment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    Case,
    CharField,
    Count,
    DateTimeField,
    Exists,
    F,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Least

from memories.beliefs.spans import Change, Span, read_spans
from memories.models import Memory, Version
from nebo.postgres.prepared import fetch_rows
from nebo.postgres.sql_files import read_statement
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_id_of

Status = Memory.Status
# What was believed once, and may be told: not what never was, nor what the person wants out of sight.
TOLD = (Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED, Status.WRONG)
OUT = (Status.ARCHIVED, Status.QUARANTINED, *Memory.FORGOTTEN)  # states in which a memory isn't believed
EARLIER_ANSWERS = read_statement("memories", "earlier_answers")
MOST_STEPS = 50  # answers that came one after the other, as far as a page goes back
MOST_ANSWERS = 600  # earlier answers of one page
MOST_CHANGES = 2_000  # changes of words or state of one page


def list_told(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Any]:
    """What was ever believed of a person and of everyone, each with `since`, and `until` where it is over."""
    people = UserProfile.objects.for_tenant(tenant).filter(Q(pk=person_id) | Q(kind=UserProfile.Kind.SHARED))
    rows = Memory.objects.for_tenant(tenant).filter(person_id__in=people.values("pk"), status__in=TOLD)
    return rows.annotate(since=_since(), until=_until(tenant))


def find_first_moment(*, tenant: Tenant | UUID, person_id: UUID) -> datetime | None:
    """When the first of it was said; None where nothing is known."""
    first: datetime | None = list_told(tenant=tenant, person_id=person_id).aggregate(at=Min("since"))["at"]
    return first


def list_answers(
    *, tenant: Tenant | UUID, person_id: UUID, start: datetime, end: datetime, changed: bool = False
) -> QuerySet[Any]:
    """Of every question the last answer that was believed between two moments: by layer, then the newest first.

    With `changed` only where an answer ended, came in the place of another, or was worded anew.
    """
    told = list_told(tenant=tenant, person_id=person_id)
    later = Memory.objects.for_tenant(tenant).filter(pk=OuterRef("superseded_by_id"), status__in=TOLD)
    later = later.annotate(since=_since()).filter(since__lt=end)
    rows = told.filter(Q(until=None) | Q(until__gt=start), ~Exists(later), since__lt=end)
    rows = rows.filter(_has_changed(tenant, end)) if changed else rows
    placed = rows.annotate(place=_place_of_layer(), total=Window(Count("*")))
    ordered: QuerySet[Any] = placed.order_by("place", "-since", "-id")
    return ordered


def list_believed(*, tenant: Tenant | UUID, person_id: UUID, moment: datetime) -> QuerySet[Any]:
    """What was believed at a moment, the newest first, each with what it was replaced by."""
    versions = Version.objects.for_tenant(tenant).filter(memory=OuterRef("pk"))
    states = versions.annotate(state=KT("after__status")).values("state")
    then = states.filter(created_at__lte=moment).order_by("-number")[:1]
    first = states.order_by("number")[:1]
    stood = Coalesce(Subquery(then), Subquery(first), output_field=CharField())
    rows = list_told(tenant=tenant, person_id=person_id).annotate(stood=stood)
    undone = Q(stood=Status.SUPERSEDED) & ~Q(status=Status.SUPERSEDED)  # it was replaced, and came back since
    rows = rows.filter(Q(until=None) | Q(until__gt=moment), since__lte=moment)
    rows = rows.exclude(Q(stood__in=OUT) | undone)
    rows = rows.select_related("superseded_by").annotate(total=Window(Count("*")))
    ordered: QuerySet[Any] = rows.order_by("-since", "-id")
    return ordered


def find_heads(*, tenant: Tenant | UUID, memories: Sequence[Memory]) -> dict[UUID, UUID]:
    """These memories and what they replaced, however many steps ago, each with the one of these that it led to."""
    parameters = {
        "tenant_id": tenant_id_of(tenant),
        "memory_ids": [memory.pk for memory in memories],
        "most_steps": MOST_STEPS,
        "limit": MOST_ANSWERS,
    }
    earlier: dict[UUID, UUID] = dict(fetch_rows(EARLIER_ANSWERS, parameters)) if memories else {}
    return earlier | {memory.pk: memory.pk for memory in memories}


def list_spans(*, tenant: Tenant | UUID, memory_ids: Collection[UUID]) -> dict[UUID, list[Span]]:
    """When each of these was believed, as far as that may be told, and in which words; one query."""
    rows = _reworded_or_moved(Version.objects.for_tenant(tenant).filter(memory_id__in=memory_ids))
    rows = rows.annotate(valid_from=_moment("after__valid_from"), valid_to=_moment("after__valid_to"))
    rows = rows.filter(memory__status__in=TOLD).select_related("memory").order_by("memory_id", "number")
    memories: dict[UUID, Memory] = {}
    changes: dict[UUID, list[Change]] = {}
    for row in rows[:MOST_CHANGES]:
        memories[row.memory_id] = row.memory
        change = Change(row.created_at, row.value, row.state, row.valid_from, row.valid_to)
        changes.setdefault(row.memory_id, []).append(change)
    return {pk: read_spans(memory, changes[pk]) for pk, memory in memories.items()}


def _reworded_or_moved(versions: QuerySet[Version]) -> QuerySet[Any]:
    """Those after which a memory says something else or stands otherwise, each with `value` and `state`."""
    rows = versions.annotate(
        value=KT("after__value"),
        state=KT("after__status"),
        was=KT("before__value"),
        stood=KT("before__status"),
    )
    return rows.exclude(was__isnull=False, was=F("value"), stood=F("state"))


def _since() -> Least:
    return Least("first_observed", "valid_from")


def _until(tenant: Tenant | UUID) -> Case:
    """When a memory ceased to be believed: what is live runs out, what was replaced says when, the rest was ended."""
    versions = Version.objects.for_tenant(tenant).filter(memory=OuterRef("pk"))
    ended = (
        _reworded_or_moved(versions).exclude(state=Status.ACTIVE).order_by("-number").values("created_at")[:1]
    )
    return Case(
        When(status=Status.ACTIVE, then=F("expires_at")),
        default=Coalesce(F("valid_to"), Subquery(ended)),
        output_field=DateTimeField(),
    )


def _has_changed(tenant: Tenant | UUID, end: datetime) -> Q:
    earlier = Memory.objects.for_tenant(tenant).filter(superseded_by=OuterRef("pk"), status__in=TOLD)
    versions = Version.objects.for_tenant(tenant).filter(memory=OuterRef("pk"), number__gt=1)
    reworded = _reworded_or_moved(versions)
    return Q(until__lt=end) | Exists(earlier) | (Q(version__gt=1) & Exists(reworded))


def _place_of_layer() -> Case:
    places: Iterable[When] = (When(layer=value, then=Value(n)) for n, value in enumerate(Memory.Layer.values))
    return Case(*places, default=Value(len(Memory.Layer.values)), output_field=IntegerField())


def _moment(path: str) -> Cast:
    return Cast(KT(path), DateTimeField())

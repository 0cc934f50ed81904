"""Whom a team's memories are about: counted, and looked at only where its policy allows; each look is logged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, QuerySet

from memories.audit.log import record_audit
from memories.models import Memory
from memories.selectors import unexpired
from nebo.errors import NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.pauses import with_person_pause
from sessions.models import Session

LOOKED_AT = "person.looked_at"


@dataclass(frozen=True, slots=True)
class PersonCounts:
    """A person with how much there is about them, and nothing of it."""

    person: UserProfile
    memories: int
    sessions: int
    spoke_at: datetime | None


@dataclass(frozen=True, slots=True)
class Look:
    """What somebody who looks at another sees."""

    person: UserProfile  # with `is_paused` and `paused_until`
    memories: QuerySet[Memory]
    count: int


def list_people(*, tenant: Tenant | UUID, name: str = "") -> QuerySet[UserProfile]:
    """Those whose id holds `name`, by their ids; everyone's shared profile is none of them."""
    rows = UserProfile.objects.for_tenant(tenant).filter(kind=UserProfile.Kind.PERSON)
    rows = rows.exclude(external_id__startswith="erased:").order_by("external_id", "id")
    return rows.filter(external_id__icontains=name) if name else rows


def count_for(*, tenant: Tenant | UUID, people: Sequence[UserProfile]) -> list[PersonCounts]:
    """Two queries for a page of people."""
    ids = [person.pk for person in people]
    live = Memory.objects.for_tenant(tenant).filter(
        unexpired(), person_id__in=ids, status=Memory.Status.ACTIVE
    )
    memories = dict(live.order_by().values_list("person_id").annotate(Count("pk")))
    talks = Session.objects.for_tenant(tenant).filter(person_id__in=ids).order_by().values("person_id")
    grouped = talks.annotate(count=Count("pk"), latest=Max("last_activity_at"))
    sessions: dict[UUID, Mapping[str, Any]] = {row["person_id"]: row for row in grouped}
    return [
        PersonCounts(
            person=person,
            memories=memories.get(person.pk, 0),
            sessions=sessions.get(person.pk, {}).get("count", 0),
            spoke_at=sessions.get(person.pk, {}).get("latest"),
        )
        for person in people
    ]


def look_at(*, tenant: Tenant, person_id: UUID, actor: Actor) -> Look:
    """A person and their live memories, with a line in the log that the person reads too.

    Raises NotFound for nobody, and for everybody where the team's policy doesn't let admins look.
    """
    people = with_person_pause(list_people(tenant=tenant), tenant=tenant)
    person = people.filter(pk=person_id).first() if tenant.admins_look else None
    if person is None:
        raise NotFound
    live = Memory.objects.for_tenant(tenant).filter(
        unexpired(), person_id=person.pk, status=Memory.Status.ACTIVE
    )
    count = live.count()
    record_audit(
        tenant=tenant,
        actor=actor,
        action=LOOKED_AT,
        object_type="person",
        object_id=person.pk,
        person_id=person.pk,
        detail={"count": count},
    )
    return Look(person, live.order_by("-updated_at", "-id"), count)

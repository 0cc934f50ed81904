"""A login inside one tenant: what it may see there, and as whose memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from nebo.errors import NotFound
from nebo.middleware import request_id_of
from nebo.tenants.actor import Actor
from nebo.tenants.models import Membership, Tenant, User, UserProfile
from nebo.tenants.selectors import MembershipInfo, list_linked_people

MANAGERS = (Membership.Role.OWNER, Membership.Role.ADMIN)
CHOSEN = "nebo.people"  # in the browser's session: the person shown, by tenant
VISIT = "nebo.access"  # in request.META


@dataclass(frozen=True, slots=True)
class TenantAccess:
    """A login inside one tenant; `people` are those linked to it there, `person` the one it looks at now."""

    tenant: Tenant
    membership: MembershipInfo
    memberships: Sequence[MembershipInfo]
    people: Sequence[UserProfile]
    person: UserProfile | None
    actor: Actor

    @property
    def manages(self) -> bool:
        """Whether this is an owner or admin, who also sees the tenant's jobs and keys."""
        return self.membership.role in MANAGERS

    @property
    def people_ids(self) -> list[UUID]:
        """Whose memories and sessions this login may see."""
        return [person.pk for person in self.people]


def get_membership(*, memberships: Sequence[MembershipInfo], slug: str) -> MembershipInfo:
    """The tenant of that slug; raises NotFound for one that is unknown or somebody else's."""
    for membership in memberships:
        if membership.slug == slug:
            return membership
    raise NotFound


def open_access(
    *, request: HttpRequest, user: User, membership: MembershipInfo, memberships: Sequence[MembershipInfo]
) -> TenantAccess:
    """Who the login is in this tenant, whose scope is open."""
    people = list(list_linked_people(tenant=membership.tenant_id, user=user))
    access = TenantAccess(
        tenant=Tenant.objects.get(pk=membership.tenant_id),
        membership=membership,
        memberships=[one for one in memberships if one.is_active],
        people=people,
        person=_chosen(people, request.session, membership),
        actor=Actor("user", str(user.pk), request_id_of(request)),
    )
    request.META[VISIT] = access
    return access


def find_access(request: HttpRequest) -> TenantAccess | None:
    """The visit this request is part of; None on pages that belong to no tenant."""
    access: TenantAccess | None = request.META.get(VISIT)
    return access


def choose_person(*, session: SessionBase, access: TenantAccess, person_id: str) -> UserProfile:
    """Look at another of one's own people from now on; raises NotFound for anybody else's."""
    for person in access.people:
        if str(person.pk) == person_id:
            session[CHOSEN] = {**session.get(CHOSEN, {}), str(access.tenant.pk): person_id}
            return person
    raise NotFound


def _chosen(
    people: Sequence[UserProfile], session: SessionBase, membership: MembershipInfo
) -> UserProfile | None:
    """The person chosen before if it is still one's own, else the first."""
    wanted = session.get(CHOSEN, {}).get(str(membership.tenant_id))
    return next((person for person in people if str(person.pk) == wanted), people[0] if people else None)

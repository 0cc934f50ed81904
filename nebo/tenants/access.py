"""A login inside one tenant: what it may see there, and as whose memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest

from nebo.errors import NotFound
from nebo.middleware import request_id_of
from nebo.tenants.actor import Actor
from nebo.tenants.models import Membership, Tenant, User, UserProfile
from nebo.tenants.places import find_by_handle, place_of
from nebo.tenants.selectors import MembershipInfo, list_linked_people

MANAGERS = (Membership.Role.OWNER, Membership.Role.ADMIN)
VISIT = "nebo.access"  # in request.META


@dataclass(frozen=True, slots=True)
class TenantAccess:
    """A login inside one tenant; `people` are those linked to it there, `person` the one whom the page is about.

    `is_named` says that the address names the person, as it must where there are several.
    """

    tenant: Tenant
    membership: MembershipInfo
    memberships: Sequence[MembershipInfo]
    people: Sequence[UserProfile]
    person: UserProfile | None
    is_named: bool
    actor: Actor

    @property
    def manages(self) -> bool:
        """Whether this is an owner or admin, who also sees the tenant's jobs and keys."""
        return self.membership.role in MANAGERS

    @property
    def place(self) -> str:
        """How the addresses of this visit begin, after `/t/`."""
        return self.place_with(self.person)

    def place_with(self, person: UserProfile | None) -> str:
        """The same with another of the login's people."""
        return place_of(self.membership.slug, person if len(self.people) > 1 else None)

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
    *,
    request: HttpRequest,
    user: User,
    membership: MembershipInfo,
    memberships: Sequence[MembershipInfo],
    handle: str,
) -> TenantAccess:
    """Who the login is in this tenant, whose scope is open. Raises NotFound where `handle` names none of its people."""
    linked = list_linked_people(tenant=membership.tenant_id, user=user)
    people = list(linked.select_related("tenant"))
    tenant = people[0].tenant if people else Tenant.objects.get(pk=membership.tenant_id)
    access = TenantAccess(
        tenant=tenant,
        membership=membership,
        memberships=[one for one in memberships if one.is_active],
        people=people,
        person=find_by_handle(people, handle) if handle else next(iter(people), None),
        is_named=bool(handle),
        actor=Actor("user", str(user.pk), request_id_of(request)),
    )
    request.META[VISIT] = access
    return access


def find_access(request: HttpRequest) -> TenantAccess | None:
    """The visit this request is part of; None on pages that belong to no tenant."""
    access: TenantAccess | None = request.META.get(VISIT)
    return access

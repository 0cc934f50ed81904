"""Who belongs to a team. Functions work in its scope; the last owner stays one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from memories.audit.log import record_audit
from memories.team.sharing import take_back_all_shared
from nebo.errors import Conflict, NotFound
from nebo.product.workspace.invitations import take_back_all_of
from nebo.product.workspace.people import get_free_person, link_person
from nebo.product.workspace.roles import RANKS, check_may_give
from nebo.tenants.actor import Actor
from nebo.tenants.models import ApiKey, Membership, Tenant, User, UserProfile

LAST_OWNER = _("A team needs an owner. Make somebody else one first.")


@dataclass(frozen=True, slots=True)
class Member:
    """A login's place in the team, and the people it stands for there."""

    membership: Membership
    people: tuple[UserProfile, ...]


def list_members(*, tenant: Tenant | UUID) -> list[Member]:
    """Owners first, then by address; two queries however many there are."""
    rows = list(Membership.objects.for_tenant(tenant).select_related("user"))
    people = _people_of(tenant, [row.user_id for row in rows])
    rows.sort(key=lambda row: (-RANKS[row.role], row.user.email))
    return [Member(row, tuple(people.get(row.user_id, ()))) for row in rows]


def get_member(*, tenant: Tenant | UUID, membership_id: UUID) -> Member:
    """One of them; raises NotFound."""
    row = Membership.objects.for_tenant(tenant).select_related("user").filter(pk=membership_id).first()
    if row is None:
        raise NotFound
    return Member(row, tuple(_people_of(tenant, [row.user_id]).get(row.user_id, ())))


def get_own_id(*, tenant: Tenant | UUID, user: User) -> UUID:
    """Of the login's own membership; raises NotFound."""
    found: UUID | None = (
        Membership.objects.for_tenant(tenant).filter(user_id=user.pk).values_list("pk", flat=True).first()
    )
    if found is None:
        raise NotFound
    return found


def change_role(
    *, tenant: Tenant | UUID, membership_id: UUID, role: str, own_role: str, actor: Actor
) -> Membership:
    """Give another role; raises NotFound, Forbidden, or Conflict for the last owner."""
    held = _hold(tenant, membership_id)
    check_may_give(own=own_role, role=held.role)
    check_may_give(own=own_role, role=role)
    if held.role == role:
        return held
    _check_not_last_owner(tenant, held)
    before, held.role = held.role, role
    held.save(update_fields=["role"])
    take_back_all_of(tenant=tenant, user_id=held.user_id)
    _note(tenant, held, actor, "member.role_changed", {"from": before, "to": role})
    return held


def remove_member(*, tenant: Tenant | UUID, membership_id: UUID, own_role: str, actor: Actor) -> int:
    """End a membership and whom the login stood for here, and take back what they shared with the team; how many keys
    it made still open the door.

    Raises NotFound, Forbidden, or Conflict for the last owner.
    """
    held = _hold(tenant, membership_id)
    if actor.id != str(held.user_id):  # everybody may leave
        check_may_give(own=own_role, role=held.role)
    _check_not_last_owner(tenant, held)
    take_back_all_of(tenant=tenant, user_id=held.user_id)
    linked = UserProfile.objects.for_tenant(tenant).filter(login_id=held.user_id)
    take_back_all_shared(tenant=tenant, people=list(linked.values_list("pk", flat=True)), actor=actor)
    linked.update(login=None)
    Membership.objects.for_tenant(tenant).filter(pk=held.pk).delete()
    _note(tenant, held, actor, "member.removed", {"role": held.role})
    keys = ApiKey.objects.for_tenant(tenant).filter(created_by_id=held.user_id, revoked_at=None)
    return keys.count()


def stand_for(*, tenant: Tenant | UUID, membership_id: UUID, person: str, actor: Actor) -> UserProfile:
    """Let a member's login see a person's memories; raises NotFound, InvalidInput or Conflict."""
    held = _hold(tenant, membership_id)
    found = get_free_person(tenant=tenant, external_id=person)
    link_person(tenant=tenant, person=found, user=held.user_id, actor=actor)
    return found


def _hold(tenant: Tenant | UUID, membership_id: UUID) -> Membership:
    """The membership, with all owners locked before it: two owners can't remove each other at once."""
    rows = Membership.objects.for_tenant(tenant)
    list(rows.filter(role=Membership.Role.OWNER).select_for_update().order_by("id").values_list("pk"))
    found: Membership | None = rows.select_for_update().filter(pk=membership_id).first()
    if found is None:
        raise NotFound
    return found


def _check_not_last_owner(tenant: Tenant | UUID, held: Membership) -> None:
    owners = Membership.objects.for_tenant(tenant).filter(role=Membership.Role.OWNER)
    if held.role == Membership.Role.OWNER and not owners.exclude(pk=held.pk).exists():
        raise Conflict(gettext(LAST_OWNER))


def _people_of(tenant: Tenant | UUID, users: Sequence[UUID]) -> dict[UUID, list[UserProfile]]:
    people: dict[UUID, list[UserProfile]] = {}
    rows = UserProfile.objects.for_tenant(tenant).filter(login_id__in=users)
    for person in rows.order_by("created_at", "id"):
        if person.login_id is not None:
            people.setdefault(person.login_id, []).append(person)
    return people


def _note(tenant: Tenant | UUID, held: Membership, actor: Actor, action: str, detail: dict[str, str]) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="user",
        object_id=held.user_id,
        detail=detail,
    )

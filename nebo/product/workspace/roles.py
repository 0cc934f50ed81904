"""Who may give and take which role: owners every one, admins every one but an owner's, members none."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from nebo.errors import Forbidden
from nebo.tenants.models import Membership

RANKS: Mapping[str, int] = {Membership.Role.MEMBER: 0, Membership.Role.ADMIN: 1, Membership.Role.OWNER: 2}


def may_give(*, own: str, role: str) -> bool:
    """Whether somebody with the role `own` may make and unmake a `role`."""
    return own != Membership.Role.MEMBER and RANKS[own] >= RANKS.get(role, len(RANKS))


def check_may_give(*, own: str, role: str) -> None:
    """Raise Forbidden for what only an owner may."""
    if not may_give(own=own, role=role):
        raise Forbidden(_("Only an owner may do that."))


def list_roles(own: str) -> list[tuple[str, str]]:
    """Values and labels of what `own` may give, the least first."""
    return [
        (role.value, str(role.label))
        for role in sorted(Membership.Role, key=RANKS.__getitem__)
        if may_give(own=own, role=role)
    ]

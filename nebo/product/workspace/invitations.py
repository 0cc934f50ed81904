"""Invitations: made by owners and admins, shown once, accepted once.

The link carries its secret behind a #, which browsers keep to themselves: it reaches no log and no other site. All but
`find_invitation` work in the tenant's scope; `accept` opens it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext

from memories.audit.log import record_audit
from nebo.errors import Conflict, NotFound
from nebo.product.workspace.models import OPEN, Invitation
from nebo.product.workspace.people import get_free_person, link_person, make_person
from nebo.product.workspace.roles import check_may_give
from nebo.tenants.actor import Actor
from nebo.tenants.directory import note_owner
from nebo.tenants.keys import PUBLIC_ID_LENGTH, SECRET_LENGTH, KeyText, make_key
from nebo.tenants.models import Membership, Tenant, User
from nebo.tenants.scoping import tenant_scope

KEPT_AFTER = timedelta(days=30)  # after it expired or was accepted
BATCH = 1_000  # rows
TOKEN_FORM = re.compile(rf"([a-z0-9]{{{PUBLIC_ID_LENGTH}}})\.([A-Za-z0-9]{{{SECRET_LENGTH}}})", re.ASCII)
FIND = """
SELECT id, tenant_id, digest, role, team, slug, invited_by, is_open FROM nebo_find_invitation(%s)
"""


@dataclass(frozen=True, slots=True)
class IssuedInvitation:
    """A new invitation and, this once, what its link ends with."""

    invitation: Invitation
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class FoundInvitation:
    """What somebody who has the link may know of it before they join."""

    id: UUID
    tenant_id: UUID
    role: str
    team: str
    slug: str
    invited_by: str
    public_id: str


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """What an invitation offers: a role, for so many days, perhaps to stand for a known person."""

    role: str
    days: int
    label: str = ""
    person: str = ""


def invite(
    *,
    tenant: Tenant | UUID,
    new: NewInvitation,
    own_role: str,
    actor: Actor,
    created_by: User | None = None,
) -> IssuedInvitation:
    """A new invitation, by somebody with `own_role`; raises Forbidden, InvalidInput or Conflict (person)."""
    check_may_give(own=own_role, role=new.role)
    person = get_free_person(tenant=tenant, external_id=new.person) if new.person else None
    text = make_key()
    made = Invitation.objects.for_tenant(tenant).create(
        public_id=text.public_id,
        digest=text.digest,
        role=new.role,
        label=new.label,
        person_id=person.pk if person else None,
        created_by_id=created_by.pk if created_by else None,
        expires_at=timezone.now() + timedelta(days=new.days),
    )
    note_owner(tenant=tenant, kind="invitation", name=text.public_id)
    _note(made, tenant, actor, "member.invited")
    return IssuedInvitation(made, f"{text.public_id}.{text.secret}")


def list_open(*, tenant: Tenant | UUID) -> QuerySet[Invitation]:
    """Those that still let somebody in, the newest first."""
    rows = Invitation.objects.for_tenant(tenant).filter(OPEN)
    return rows.select_related("created_by", "person").order_by("-created_at")


def take_back(*, tenant: Tenant | UUID, invitation_id: UUID, own_role: str, actor: Actor) -> None:
    """End an invitation; raises NotFound for one that lets nobody in any more, Forbidden for an owner's."""
    held = Invitation.objects.for_tenant(tenant).filter(OPEN, pk=invitation_id).first()
    if held is None:
        raise NotFound
    check_may_give(own=own_role, role=held.role)
    Invitation.objects.for_tenant(tenant).filter(OPEN, pk=held.pk).update(revoked_at=Now())
    _note(held, tenant, actor, "member.uninvited")


def take_back_all_of(*, tenant: Tenant | UUID, user_id: UUID) -> int:
    """What somebody invited who has less to say now; how many there were."""
    rows = Invitation.objects.for_tenant(tenant).filter(OPEN, created_by_id=user_id)
    return rows.update(revoked_at=Now())


def find_invitation(token: str) -> FoundInvitation | None:
    """The open invitation of a link; None alike for unknown, wrong, used, expired and withdrawn ones."""
    match = TOKEN_FORM.fullmatch(token.strip())
    if match is None:
        return None
    given = KeyText(*match.groups())
    row = _row_of(given.public_id)
    return _found(row, given.public_id) if row and given.matches(row[2]) and row[7] else None


def find_held_invitation(public_id: str) -> FoundInvitation | None:
    """The same for one whose secret was seen before, earlier in this login's session."""
    row = _row_of(public_id) if public_id else None
    return _found(row, public_id) if row and row[7] else None


def accept(*, found: FoundInvitation, user: User, request_id: str = "") -> None:
    """Become a member; raises NotFound where it was used meanwhile, Conflict for a member."""
    actor = Actor("user", str(user.pk), request_id)
    with tenant_scope(found.tenant_id):
        rows = Invitation.objects.for_tenant(found.tenant_id)
        held = rows.select_for_update(no_key=True, of=("self",)).filter(OPEN, pk=found.id).first()
        if held is None:
            raise NotFound
        _, is_new = Membership.objects.for_tenant(found.tenant_id).get_or_create(
            user_id=user.pk, defaults={"role": held.role}
        )
        if not is_new:
            raise Conflict(gettext("You belong to this team already."))
        _close(held, user, actor)


def _close(held: Invitation, user: User, actor: Actor) -> None:
    """Mark it used, by somebody who stands for a person from now on."""
    team = held.tenant_id
    if held.person is not None and held.person.login_id in (None, user.pk):
        link_person(tenant=team, person=held.person, user=user, actor=actor)
    else:
        held.person_id = make_person(tenant=team, user=user).pk
    held.accepted_by_id, held.accepted_at = user.pk, timezone.now()
    held.save(update_fields=["person", "accepted_by", "accepted_at"])
    _note(held, team, actor, "member.joined")


def list_outlived_invitations(*, tenant: Tenant | UUID) -> QuerySet[Invitation]:
    """Those that let nobody in since a month."""
    return Invitation.objects.for_tenant(tenant).filter(expires_at__lt=Now() - KEPT_AFTER)


def remove_invitations(*, tenant: Tenant | UUID) -> int:
    """A batch of those; how many it was."""
    ids = list(list_outlived_invitations(tenant=tenant).values_list("pk", flat=True)[:BATCH])
    return Invitation.objects.for_tenant(tenant).filter(pk__in=ids).delete()[0]


def _row_of(public_id: str) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(FIND, [public_id])
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def _found(row: tuple[Any, ...], public_id: str) -> FoundInvitation:
    id, tenant_id, _, role, team, slug, invited_by, _ = row
    return FoundInvitation(id, tenant_id, role, team, slug, invited_by, public_id)


def _note(invitation: Invitation, tenant: Tenant | UUID, actor: Actor, action: str) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="invitation",
        object_id=invitation.pk,
        person_id=invitation.person_id,
        detail={"role": invitation.role},
    )

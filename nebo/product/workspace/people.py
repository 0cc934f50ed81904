"""Whom a login stands for in a team."""

from __future__ import annotations

import secrets
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from memories.audit.log import record_audit
from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, User, UserProfile
from nebo.tenants.selectors import is_external_id
from nebo.tenants.services import ME, get_or_create_person

NAME_LENGTH = 200  # characters of an address that become an external id
TAKEN = _("Another login stands for this person already.")


def get_free_person(*, tenant: Tenant | UUID, external_id: str) -> UserProfile:
    """The person agents call so, made if new; raises InvalidInput, or Conflict where a login stands for it."""
    person = get_or_create_person(tenant=tenant, external_id=external_id)
    if person.login_id is not None:
        raise Conflict(gettext(TAKEN), field="person")
    return person


def make_person(*, tenant: Tenant | UUID, user: User) -> UserProfile:
    """A new person named like the login's address; never one that is known: its memories could be somebody else's."""
    rows = UserProfile.objects.for_tenant(tenant)
    name = external_id_of(user.email)
    if rows.filter(kind=UserProfile.Kind.PERSON, external_id=name).exists():
        name = f"{name}-{secrets.token_hex(3)}"
    made: UserProfile = rows.create(external_id=name, login_id=user.pk)
    return made


def external_id_of(email: str) -> str:
    """What stands before the @, if agents can call somebody so."""
    name = email.partition("@")[0][:NAME_LENGTH].lower()
    return name if is_external_id(name) and name != ME else f"person-{secrets.token_hex(3)}"


def link_person(*, tenant: Tenant | UUID, person: UserProfile, user: User | UUID, actor: Actor) -> None:
    """From now on the login sees that person's memories; raises Conflict where another does."""
    user_id = user if isinstance(user, UUID) else user.pk
    free = Q(login=None) | Q(login_id=user_id)
    changed = UserProfile.objects.for_tenant(tenant).filter(free, pk=person.pk).update(login_id=user_id)
    if not changed:
        raise Conflict(gettext(TAKEN), field="person")
    record_audit(
        tenant=tenant,
        actor=actor,
        action="person.linked",
        object_type="user",
        object_id=user_id,
        person_id=person.pk,
    )

"""Making tenants, people and keys.

All but `create_tenant` work in the scope the caller has open (`tenant_scope`, or `operator_scope`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext

from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.tenants.directory import note_owner
from nebo.tenants.keys import SCOPES, make_key
from nebo.tenants.models import ApiKey, BroughtWords, Membership, Tenant, User, UserProfile
from nebo.tenants.scoping import OPERATOR_ALIAS, operator_scope
from nebo.tenants.selectors import Caller, get_person, is_external_id

SLUG_FORM = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
SLUG_LENGTH = 63  # characters, as of a DNS label
SHARED_EXTERNAL_ID = "shared"
USE_NOTED_EVERY = timedelta(minutes=1)
ME = "me"  # the person a key is bound to; never an external id


@dataclass(frozen=True, slots=True)
class Speaks:
    """As which persona a key speaks, and whose words it brings; empty: those of each message's role, and an agent's."""

    persona_id: UUID | None = None
    trust: str = ""


AS_ITSELF = Speaks()


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A new key and, this once, its text."""

    key: ApiKey
    secret: str = field(repr=False)


def create_tenant(*, slug: str, name: str, owner: User | None = None) -> Tenant:
    """A tenant with its shared profile and, if given, its owner; raises InvalidInput or Conflict (slug)."""
    check_slug(slug)
    try:
        with operator_scope(), transaction.atomic(using=OPERATOR_ALIAS):
            tenant = _write_tenant(slug, name, owner)
    except IntegrityError as error:
        raise Conflict(f"There is a tenant {slug} already.", field="slug") from error
    tenant._state.db = None  # later queries that start from it belong to the scope they stand in
    return tenant


def check_slug(slug: str) -> None:
    """Raise InvalidInput unless a tenant may be called that."""
    if not SLUG_FORM.fullmatch(slug) or len(slug) > SLUG_LENGTH:
        raise InvalidInput(
            f"A slug has at most {SLUG_LENGTH} lower-case letters, digits and single dashes.", field="slug"
        )


def _write_tenant(slug: str, name: str, owner: User | None) -> Tenant:
    tenant = Tenant.objects.create(slug=slug, name=name)
    UserProfile.objects.for_tenant(tenant).create(
        kind=UserProfile.Kind.SHARED, external_id=SHARED_EXTERNAL_ID
    )
    if owner is not None:
        Membership.objects.for_tenant(tenant).create(user_id=owner.pk, role=Membership.Role.OWNER)
    return tenant


def get_or_create_person(*, tenant: Tenant | UUID, external_id: str) -> UserProfile:
    """The person of that name, made on first mention; two at once get the same row. Raises InvalidInput."""
    try:
        return get_person(tenant=tenant, external_id=external_id)
    except NotFound:
        check_external_id(external_id)
    person, _ = UserProfile.objects.for_tenant(tenant).get_or_create(
        kind=UserProfile.Kind.PERSON, external_id=external_id
    )
    made: UserProfile = person
    return made


def check_external_id(external_id: str) -> None:
    """Raise InvalidInput unless a person may be called that."""
    if not is_external_id(external_id):
        raise InvalidInput(
            gettext("A user id has 1 to 255 printable characters, is not blank and has no slash."),
            field="user",
        )
    if external_id == ME:
        raise InvalidInput(gettext("`me` stands for the person a key is bound to."), field="user")


def issue_key(
    *,
    tenant: Tenant | UUID,
    name: str = "",
    scopes: Sequence[str] = ("read", "write"),
    person: UserProfile | None = None,
    speaks: Speaks = AS_ITSELF,
    expires_at: datetime | None = None,
    created_by: User | None = None,
) -> IssuedKey:
    """A new key; its text is in the answer and nowhere else. Raises InvalidInput for scopes, expiry or trust."""
    check_scopes(scopes)
    if speaks.trust and speaks.trust not in BroughtWords.values:
        raise InvalidInput(
            f"Whose words it brings is one of {', '.join(BroughtWords.values)}.", field="trust"
        )
    if expires_at is not None and expires_at <= timezone.now():
        raise InvalidInput(gettext("A key cannot have expired before it is made."), field="expires_at")
    text = make_key()
    key = ApiKey.objects.for_tenant(tenant).create(
        name=name,
        public_id=text.public_id,
        digest=text.digest,
        scopes=[scope for scope in SCOPES if scope in scopes],
        person_id=person.pk if person else None,
        persona_id=speaks.persona_id,
        trust=speaks.trust,
        expires_at=expires_at,
        created_by_id=created_by.pk if created_by else None,
    )
    note_owner(tenant=tenant, kind="key", name=text.public_id)
    return IssuedKey(key, str(text))


def check_scopes(scopes: Sequence[str]) -> None:
    """Raise InvalidInput for no scope, or one that does not exist."""
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown:
        raise InvalidInput(f"Unknown scope {unknown[0]}: there are {', '.join(SCOPES)}.", field="scopes")
    if not scopes:
        raise InvalidInput(f"A key needs a scope: {', '.join(SCOPES)}.", field="scopes")


def revoke_key(*, tenant: Tenant | UUID, key: ApiKey) -> ApiKey:
    """End a key at once; one that was revoked before keeps its time."""
    ApiKey.objects.for_tenant(tenant).filter(pk=key.pk, revoked_at=None).update(revoked_at=Now())
    key.refresh_from_db(fields=["revoked_at"])
    return key


def mark_use(*, caller: Caller) -> None:
    """Note that a key was used, at most once a minute, and a tenant's very first call."""
    stale = Q(last_used_at=None) | Q(last_used_at__lt=Now() - USE_NOTED_EVERY)
    ApiKey.objects.for_tenant(caller.tenant_id).filter(stale, pk=caller.key_id).update(last_used_at=Now())
    mark_first_call(tenant_id=caller.tenant_id)


def mark_first_call(*, tenant_id: UUID) -> None:
    """Note when a tenant's first call arrived; later ones change nothing."""
    unmarked = Tenant.objects.filter(pk=tenant_id, first_call_at=None)
    if unmarked.exists():  # a row that every server has is not written for nothing
        unmarked.update(first_call_at=Now())

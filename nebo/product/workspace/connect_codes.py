"""Codes by which an agent is connected: shown to somebody who is signed in, exchanged once for a key of their person.

So no lasting key is copied from a page to a terminal. All but `exchange`, which opens it, work in the tenant's scope.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from memories.audit.log import record_audit
from nebo.errors import InvalidInput, NotFound
from nebo.product.workspace.keys import USABLE, end_key
from nebo.product.workspace.models import ConnectCode
from nebo.tenants.actor import Actor
from nebo.tenants.directory import note_owner
from nebo.tenants.models import ApiKey, Tenant, User, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key

ALPHABET = (
    "BCDFGHJKLMNPQRSTVWXZ"  # RFC 8628 §6.1: no vowels, so no words, and nothing that looks like a digit
)
LENGTH, GROUP = 12, 4  # letters: 51 bits
LASTS = timedelta(minutes=10)
KEPT = timedelta(days=1)  # after it expired
SCOPES = ("read", "write")
REFUSED = "This code opens nothing: it is wrong, was used, or is older than ten minutes. Make a new one."
FIND = "SELECT id, tenant_id FROM nebo_find_connect_code(%s)"
OPEN = Q(used_at=None, expires_at__gt=Now())


@dataclass(frozen=True, slots=True)
class Connected:
    """What a code was exchanged for; the key's text is here, and nowhere else."""

    key: ApiKey
    user: str
    workspace: str
    secret: str = field(repr=False)


def make_code(*, tenant: Tenant | UUID, person: UserProfile, user: User) -> str:
    """A new code for a person, such as `BCDF-GHJK-LMNP`; an earlier one of the same login opens nothing any more."""
    text = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    rows = ConnectCode.objects.for_tenant(tenant)
    rows.filter(OPEN, created_by_id=user.pk).update(expires_at=Now())
    rows.create(
        digest=_digest(text), person_id=person.pk, created_by_id=user.pk, expires_at=timezone.now() + LASTS
    )
    note_owner(tenant=tenant, kind="code", name=_digest(text))
    return "-".join(text[start : start + GROUP] for start in range(0, LENGTH, GROUP))


def exchange(*, code: str, name: str, request_id: str = "") -> Connected:
    """A key for the code's person; raises InvalidInput alike for wrong, used and old codes, and for those of somebody
    who stands for the person no longer.
    """
    with connection.cursor() as cursor:
        cursor.execute(FIND, [_digest(_letters_of(code))])
        row: tuple[UUID, UUID] | None = cursor.fetchone()
    if row is None:
        raise InvalidInput(REFUSED, field="code")
    code_id, tenant_id = row
    with tenant_scope(tenant_id):
        held = _take(tenant_id, code_id)
        issued = issue_key(
            tenant=tenant_id, name=name, scopes=SCOPES, person=held.person, created_by=held.created_by
        )
        record_audit(
            tenant=tenant_id,
            actor=Actor("user", str(held.created_by_id), request_id),
            action="key.created",
            object_type="key",
            object_id=issued.key.pk,
            person_id=held.person_id,
            detail={"scopes": issued.key.scopes, "by_code": True},
        )
        return Connected(issued.key, held.person.external_id, held.tenant.slug, issued.secret)


def list_connected(*, tenant: Tenant | UUID, people_ids: list[UUID], user: User) -> QuerySet[ApiKey]:
    """Keys that a login made for the people it stands for and that still open the door, the newest first."""
    rows = ApiKey.objects.for_tenant(tenant).filter(USABLE, person_id__in=people_ids, created_by_id=user.pk)
    return rows.select_related("person").order_by("-created_at")


def disconnect(
    *, tenant: Tenant | UUID, people_ids: list[UUID], user: User, key_id: UUID, actor: Actor
) -> ApiKey:
    """End one of those at once; raises NotFound."""
    own = list_connected(tenant=tenant, people_ids=people_ids, user=user).filter(pk=key_id)
    if not own.exists():
        raise NotFound
    return end_key(tenant=tenant, key_id=key_id, actor=actor)


def list_outlived_codes(*, tenant: Tenant | UUID) -> QuerySet[ConnectCode]:
    """Those that opened nothing since a day."""
    return ConnectCode.objects.for_tenant(tenant).filter(expires_at__lt=Now() - KEPT)


def remove_codes(*, tenant: Tenant | UUID) -> int:
    """Delete them; how many it was."""
    ids = list(list_outlived_codes(tenant=tenant).values_list("pk", flat=True)[:1_000])
    return ConnectCode.objects.for_tenant(tenant).filter(pk__in=ids).delete()[0]


def _take(tenant_id: UUID, code_id: UUID) -> ConnectCode:
    """The code, used from now on; of two at once, one alone gets it."""
    rows = ConnectCode.objects.for_tenant(tenant_id).select_related("person", "created_by", "tenant")
    held: ConnectCode | None = rows.select_for_update(of=("self",)).filter(OPEN, pk=code_id).first()
    if held is None or held.person.login_id != held.created_by_id:
        raise InvalidInput(REFUSED, field="code")
    ConnectCode.objects.for_tenant(tenant_id).filter(pk=held.pk).update(used_at=Now())
    return held


def _letters_of(code: str) -> str:
    """As it was made, however it was typed; empty for what can't be one."""
    letters = "".join(letter for letter in code.upper() if letter not in "- \t\n")
    return letters if len(letters) == LENGTH and set(letters) <= set(ALPHABET) else ""


def _digest(letters: str) -> str:
    """Keyed, since a code is short: who has the table alone can't try all there are."""
    return salted_hmac("nebo.connect-code", letters, algorithm="sha256").hexdigest()

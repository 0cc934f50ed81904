"""A team's keys: made, exchanged and ended by its owners and admins, each time with a line in the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from nebo.errors import Conflict, NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import ApiKey, Tenant, User
from nebo.tenants.pauses import carry_over, with_own_pause
from nebo.tenants.services import IssuedKey, Speaks, get_or_create_person, issue_key, revoke_key


@dataclass(frozen=True, slots=True)
class KeyTerms:
    """For how many days a key is good (0: for ever), and whose words it brings."""

    days: int = 0
    trust: str = ""


FOR_EVER = KeyTerms()
USABLE = Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=Now()))


def list_keys(*, tenant: Tenant | UUID) -> QuerySet[ApiKey]:
    """All of them: those that open the door first, then the newest first; each with its pause for everybody."""
    rows = ApiKey.objects.for_tenant(tenant).select_related("person", "persona", "created_by")
    return with_own_pause(rows, tenant=tenant).order_by(F("revoked_at").desc(nulls_first=True), "-created_at")


def get_key(*, tenant: Tenant | UUID, key_id: UUID) -> ApiKey:
    """One of them; raises NotFound."""
    found = list_keys(tenant=tenant).filter(pk=key_id).first()
    if found is None:
        raise NotFound
    return found


def make_team_key(
    *,
    tenant: Tenant | UUID,
    name: str,
    scopes: Sequence[str],
    actor: Actor,
    created_by: User,
    person: str = "",
    terms: KeyTerms = FOR_EVER,
) -> IssuedKey:
    """A new key, for one person alone if named; raises InvalidInput."""
    bound = get_or_create_person(tenant=tenant, external_id=person) if person else None
    issued = issue_key(
        tenant=tenant,
        name=name,
        scopes=scopes,
        person=bound,
        expires_at=timezone.now() + timedelta(days=terms.days) if terms.days else None,
        created_by=created_by,
        speaks=Speaks(trust=terms.trust),
    )
    brought = {"trust": terms.trust} if terms.trust else {}
    _note(tenant, issued.key, actor, "key.created", {"scopes": issued.key.scopes, **brought})
    return issued


def rotate_key(
    *, tenant: Tenant | UUID, key_id: UUID, hours: int, actor: Actor, created_by: User
) -> IssuedKey:
    """A new key that may what the old one may; the old one ends after so many hours.

    Raises NotFound, or Conflict for a key that opens nothing any more.
    """
    old = _hold(tenant, key_id)
    issued = issue_key(
        tenant=tenant,
        name=old.name,
        scopes=old.scopes,
        person=old.person,
        speaks=Speaks(old.persona_id, old.trust),
        expires_at=_same_span(old),
        created_by=created_by,
    )
    carry_over(tenant=tenant, old=old, new=issued.key)
    _end(tenant, old, hours)
    _note(tenant, old, actor, "key.rotated", {"to": str(issued.key.pk), "hours": hours})
    return issued


def end_key(*, tenant: Tenant | UUID, key_id: UUID, actor: Actor) -> ApiKey:
    """Revoke a key at once; raises NotFound, or Conflict for one that opens nothing any more."""
    held = _hold(tenant, key_id)
    revoke_key(tenant=tenant, key=held)
    _note(tenant, held, actor, "key.revoked", {})
    return held


def _hold(tenant: Tenant | UUID, key_id: UUID) -> ApiKey:
    """The key, locked: exchanged by two at once, it has one successor."""
    rows = ApiKey.objects.for_tenant(tenant).select_related("person")
    found: ApiKey | None = rows.select_for_update(of=("self",)).filter(pk=key_id).first()
    if found is None:
        raise NotFound
    if found.revoked_at is not None or (found.expires_at and found.expires_at <= timezone.now()):
        raise Conflict(_("This key has ended already."))
    return found


def _same_span(old: ApiKey) -> datetime | None:
    """As long as the old one was made to last, from now."""
    return timezone.now() + (old.expires_at - old.created_at) if old.expires_at else None


def _end(tenant: Tenant | UUID, old: ApiKey, hours: int) -> None:
    if not hours:
        revoke_key(tenant=tenant, key=old)
        return
    ends_at = timezone.now() + timedelta(hours=hours)
    ApiKey.objects.for_tenant(tenant).filter(pk=old.pk).update(
        expires_at=min(old.expires_at, ends_at) if old.expires_at else ends_at
    )


def _note(tenant: Tenant | UUID, key: ApiKey, actor: Actor, action: str, detail: dict[str, object]) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="key",
        object_id=key.pk,
        person_id=key.person_id,
        detail=detail,
    )

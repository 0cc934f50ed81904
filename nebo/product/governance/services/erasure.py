"""Erasure of a person: asked for, and at once nobody reaches them any more; then done by a job, with a receipt.

What names them ends with the asking: the external id is free again, keys bound to them are revoked, their login is
unlinked. The job's one transaction removes the rest, in a function of the owner (nebo_erase_person); writers that were
under way wait for it and then find nobody.
"""

from __future__ import annotations

import hashlib
import json
import time
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db import OperationalError, connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import salted_hmac
from psycopg.errors import DeadlockDetected, LockNotAvailable

from memories.audit.log import record_audit
from memories.storing.audited_writes import lock_person
from nebo.errors import NotFound
from nebo.jobs.claims import Claim
from nebo.jobs.services import enqueue
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.product.governance.models import Erasure
from nebo.product.governance.services.ledger import Entry, default_path, note_erasure, read_ledger
from nebo.tenants.actor import Actor
from nebo.tenants.models import ApiKey, Tenant, UserProfile
from nebo.tenants.scoping import OPERATOR_ALIAS, tenant_id_of

KIND = "erase-person"
LOCK_WAIT = (
    "500ms"  # half of PostgreSQL's deadlock_timeout: of two that wait for each other, the erasure gives way
)
BUSY = (LockNotAvailable, DeadlockDetected)
TRIES = 60
PAUSE_S = 0.25  # between two tries


def request_erasure(*, tenant: Tenant | UUID, person: UserProfile, actor: Actor) -> Erasure:
    """Cut a person off, and have a job erase them; the erasure under way, if there is one. Raises NotFound."""
    held = lock_person(tenant=tenant, person=person, renaming=True)
    rows = Erasure.objects.for_tenant(tenant).select_related("job")
    erasure: Erasure | None = rows.filter(person=held, erased_at=None).first()
    if erasure is not None:
        return erasure
    erasure = Erasure(
        tenant_id=tenant_id_of(tenant),
        person=held,
        person_digest=digest_person(tenant=tenant, external_id=held.external_id),
        requested_by=str(actor)[:120],
    )
    erasure.job = enqueue(
        tenant=tenant, kind=KIND, payload={"erasure_id": str(erasure.pk)}, dedupe_key=f"erase:{erasure.pk}"
    )
    erasure.save(force_insert=True)
    _cut_off(tenant, held, erasure)
    record_audit(
        tenant=tenant,
        actor=actor,
        action="person.erasure_requested",
        object_type="erasure",
        object_id=erasure.pk,
        person_id=held.pk,
    )
    return erasure


def _cut_off(tenant: Tenant | UUID, person: UserProfile, erasure: Erasure) -> None:
    people = UserProfile.objects.for_tenant(tenant).filter(pk=person.pk)
    people.update(external_id=f"erased:{erasure.pk}", login=None)
    ApiKey.objects.for_tenant(tenant).filter(person=person, revoked_at=None).update(revoked_at=Now())


def find_erasure(*, tenant: Tenant | UUID, external_id: str) -> Erasure | None:
    """The newest erasure of somebody of that name."""
    digests = list_digests(tenant=tenant, external_id=external_id)
    rows = Erasure.objects.for_tenant(tenant).select_related("job").filter(person_digest__in=digests)
    return rows.order_by("-requested_at").first()


def get_erasure(*, tenant: Tenant | UUID, erasure_id: UUID, asked_by: Actor | None) -> Erasure:
    """An erasure of the team, or, where an actor is named, one that they asked for; raises NotFound."""
    found: Erasure | None = list_erasures(tenant=tenant, asked_by=asked_by).filter(pk=erasure_id).first()
    if found is None:
        raise NotFound
    return found


def list_erasures(*, tenant: Tenant | UUID, asked_by: Actor | None) -> QuerySet[Erasure]:
    """Those of the team, or those that somebody asked for, the newest first; with their jobs."""
    rows = Erasure.objects.for_tenant(tenant).select_related("job").order_by("-requested_at", "-id")
    return rows if asked_by is None else rows.filter(requested_by=str(asked_by)[:120])


def was_erased_after(*, tenant: Tenant, external_id: str, moment: datetime) -> bool:
    """Whether somebody of that name was erased since, as the team's rows or the ledger of this machine have it."""
    digest = digest_person(tenant=tenant, external_id=external_id)
    rows = Erasure.objects.for_tenant(tenant).filter(person_digest=digest)
    if rows.filter(Q(erased_at__gt=moment) | Q(erased_at=None)).exists():
        return True
    return is_in_ledger(tenant_id=tenant.pk, external_id=external_id, moment=moment)


def is_in_ledger(*, tenant_id: UUID, external_id: str, moment: datetime) -> bool:
    """Whether the ledger of this machine has it, of any team."""
    digest = digest_person(tenant=tenant_id, external_id=external_id)
    return any(
        entry.tenant == tenant_id
        and entry.person == digest
        and datetime.fromisoformat(entry.erased_at) > moment
        for entry in read_ledger(default_path())
    )


def digest_person(*, tenant: Tenant | UUID, external_id: str) -> str:
    """What stays of a name: who knows it, and the secret key, can find the erasure; nobody can read it back."""
    return list_digests(tenant=tenant, external_id=external_id)[0]


def list_digests(*, tenant: Tenant | UUID, external_id: str) -> list[str]:
    """The same, and as it was under each earlier SECRET_KEY that is still among the fallbacks."""
    name = f"{tenant_id_of(tenant)}:{external_id}"
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [salted_hmac("nebo.erasure", name, key, algorithm="sha256").hexdigest() for key in keys]


def erase(*, claim: Claim) -> None:
    """Erase in one transaction; while somebody is busy with the person, step back and try again."""
    for attempt in range(1, TRIES + 1):
        try:
            with claim.publish() as result:
                result.update(_erase(claim.tenant_id, UUID(claim.payload["erasure_id"])))
        except OperationalError as error:
            if not isinstance(error.__cause__, BUSY) or attempt == TRIES:
                raise
            time.sleep(PAUSE_S)
        else:
            return


def _erase(tenant_id: UUID, erasure_id: UUID) -> dict[str, Any]:
    """The receipt; that of the first time, when there is nothing left to do."""
    erasure = Erasure.objects.for_tenant(tenant_id).get(pk=erasure_id)
    if erasure.erased_at is None:
        note_erasure(Entry(tenant_id, erasure.person_digest, timezone.now().isoformat()))
    if IS_DISTRIBUTED and erasure.person_id:
        _forget_admin_lines(tenant_id, erasure.person_id)
    counts = _erase_rows(tenant_id, erasure_id)
    erasure.refresh_from_db()
    if counts is not None:
        erasure.erased_at = timezone.now()
        erasure.receipt = make_receipt(erasure, counts)
        erasure.save(update_fields=["erased_at", "receipt"])
    receipt: dict[str, Any] = erasure.receipt
    return receipt


def _forget_admin_lines(tenant_id: UUID, person_id: UUID) -> None:
    """What the admin site noted of them stands on another server than they do; the door can't reach it there."""
    keys = ApiKey.objects.for_tenant(tenant_id).filter(person_id=person_id).values_list("pk", flat=True)
    named = [str(one) for one in (person_id, *keys)]
    LogEntry.objects.using(OPERATOR_ALIAS).filter(object_id__in=named).delete()


def _erase_rows(tenant_id: UUID, erasure_id: UUID) -> dict[str, int] | None:
    """Rows removed, by table. SQL: only the owner's function may, and it counts what it deletes."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = %s", [LOCK_WAIT])
        cursor.execute("SELECT nebo_erase_person(%s, %s)", [tenant_id, erasure_id])
        (found,) = cursor.fetchone()
    counts: dict[str, int] | None = json.loads(found) if isinstance(found, str) else found
    return counts


def make_receipt(erasure: Erasure, counts: dict[str, int]) -> dict[str, Any]:
    """What was removed, by table; `sha256` is over the rest as JSON with sorted names and no spaces."""
    receipt = {
        "erasure_id": str(erasure.pk),
        "person": erasure.person_digest,
        "requested_at": erasure.requested_at.isoformat(),
        "requested_by": erasure.requested_by,
        "erased_at": erasure.erased_at.isoformat() if erasure.erased_at else None,
        "counts": counts,
        "total": sum(counts.values()),
    }
    canonical = json.dumps(receipt, sort_keys=True, separators=(",", ":"))
    return {**receipt, "sha256": hashlib.sha256(canonical.encode()).hexdigest()}

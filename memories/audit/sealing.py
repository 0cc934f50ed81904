"""Sealing the audit log, checking it, and letting its oldest part go.

The web's role can only add entries. Functions of the owner (memories/sql/) seal and remove, each by rules that no
caller can bend; an advisory lock of the tenant keeps them, erasures and the check apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from django.db import connection, connections, transaction
from django.db.models import QuerySet, Sum, TextField
from django.db.models.functions import Cast

from memories.audit.chain import ENTRY_COLUMNS, Entry, Fault, Seal, check_entries, check_gaps, check_link
from memories.models import AuditEntry, AuditGap, AuditSeal
from nebo.jobs.services import enqueue
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.postgres.locks import lock_shared
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import OPERATOR_ALIAS, tenant_id_of, tenant_scope
from nebo.tenants.windows import find_cutoff

SEAL_ENTRIES = 1_000  # at most, a seal
SEALED_AFTER = timedelta(minutes=10)  # an entry waits about that long for its seal
SEALS_A_RUN = 200  # of a job; what is left is due again at the next round
TENANTS_A_ROUND = 200  # given a job at once
SEALS_A_CHECK = 20  # read in one transaction
ERASED = "person.erased"  # the entry an erasure leaves; its detail counts the sealed entries it took out
REMOVED = "audit.removed"  # the entry retention leaves


@dataclass(slots=True)
class ChainReport:
    """What a check of one tenant's chain found; `head` is the newest seal's digest, to be noted elsewhere."""

    seals: int = 0
    entries: int = 0
    unsealed: int = 0
    removed_seals: int = 0
    head: str = ""
    digests: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def seal_audit(*, tenant: Tenant | UUID, most: int = SEAL_ENTRIES) -> int:
    """Seal up to `most` of the oldest unsealed entries; how many. In the tenant's scope.

    SQL: the owner's function reads, hashes and links in one step, which the app's role could not write.
    """
    AuditSeal.objects.for_tenant(tenant)  # raises unless the scope is this tenant's
    with connection.cursor() as cursor:
        cursor.execute("SELECT nebo_seal_audit(%s, %s)", [tenant_id_of(tenant), most])
        return int(cursor.fetchone()[0])


def seal_all(*, tenant: Tenant | UUID) -> int:
    """Seal what waits, a short transaction a seal; how many entries."""
    total = 0
    for _ in range(SEALS_A_RUN):
        with tenant_scope(tenant):
            sealed = seal_audit(tenant=tenant)
        total += sealed
        if sealed < SEAL_ENTRIES:
            break
    return total


def list_outlived_seals(*, tenant: Tenant) -> QuerySet[AuditSeal]:
    """Seals whose entries are past the tenant's window; none where it keeps for ever."""
    rows = AuditSeal.objects.for_tenant(tenant).filter(leaves__isnull=False)
    before = find_cutoff(tenant.audit_days)
    return rows.filter(last_at__lt=before, created_at__lt=before) if before else rows.none()


def remove_audit(*, tenant: Tenant | UUID, actor: Actor, seals: int = SEALS_A_CHECK) -> int:
    """Remove the entries of the oldest seals past the tenant's window; how many. In the tenant's scope.

    Their seals stay, so the chain can still be checked.
    """
    AuditSeal.objects.for_tenant(tenant)
    with connection.cursor() as cursor:
        cursor.execute("SELECT nebo_remove_audit(%s, %s, %s)", [tenant_id_of(tenant), seals, str(actor)])
        return int(cursor.fetchone()[0])


# Tenants with an entry that has waited long enough; the partial index on unsealed entries answers it.
FIND_UNSEALED = """
SELECT t.id FROM tenants_tenant t
WHERE EXISTS (SELECT 1 FROM memories_auditentry e WHERE e.tenant_id = t.id AND e.seal IS NULL
              AND e.at < clock_timestamp() - make_interval(secs => %s))
ORDER BY t.id LIMIT %s
"""
FIND_UNSEALED_EVERYWHERE = """
SELECT DISTINCT e.tenant_id FROM memories_auditentry e
WHERE e.seal IS NULL AND e.at < clock_timestamp() - make_interval(secs => %s)
ORDER BY e.tenant_id LIMIT %s
"""


def enqueue_sealing() -> int:
    """A `seal-audit` job for each tenant that has something to seal; how many. In the operator's scope."""
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        question = FIND_UNSEALED_EVERYWHERE if IS_DISTRIBUTED else FIND_UNSEALED
        cursor.execute(question, [SEALED_AFTER.total_seconds(), TENANTS_A_ROUND])
        due: list[UUID] = [tenant_id for (tenant_id,) in cursor.fetchall()]
    for tenant_id in due:
        with transaction.atomic(using=OPERATOR_ALIAS):
            enqueue(tenant=tenant_id, kind="seal-audit", payload={}, dedupe_key="seal-audit")
    return len(due)


def check_chain(*, tenant: Tenant) -> ChainReport:
    """Recompute a tenant's chain from its entries. Opens its own scopes, and changes nothing."""
    report = ChainReport()
    before: Seal | None = None
    while seals := _next_seals(tenant, before, report):
        before = seals[-1]
    with tenant_scope(tenant):
        _check_rest(tenant, report)
    return report


def _next_seals(tenant: Tenant, before: Seal | None, report: ChainReport) -> Sequence[Seal]:
    """Check the next few seals with their entries, while nobody seals, removes or erases."""
    with tenant_scope(tenant):
        _hold_chain(tenant)
        number = before.number if before else 0
        rows = AuditSeal.objects.for_tenant(tenant).filter(number__gt=number).order_by("number")
        seals = [_seal(row) for row in rows[:SEALS_A_CHECK]]
        for seal in seals:
            report.faults += check_link(seal, before)
            report.faults += _check_contents(tenant, seal)
            report.seals += 1
            report.entries += 0 if seal.is_removed else seal.entries
            report.removed_seals += seal.is_removed
            report.digests.append(seal.digest)
            report.head, before = seal.digest, seal
    return seals


def _hold_chain(tenant: Tenant) -> None:
    lock_shared(f"nebo.seal:{tenant.pk}")


def _seal(row: AuditSeal) -> Seal:
    leaves = None if row.leaves is None else bytes(row.leaves)
    return Seal(
        tenant_id=row.tenant_id,
        number=row.number,
        first_id=row.first_id,
        last_id=row.last_id,
        entries=row.entries,
        previous=row.previous,
        root=row.root,
        digest=row.digest,
        leaves=leaves,
    )


def _check_contents(tenant: Tenant, seal: Seal) -> Iterator[Fault]:
    rows = AuditEntry.objects.for_tenant(tenant).filter(seal=seal.number)
    texts = rows.annotate(detail_text=Cast("detail", TextField())).values_list(*ENTRY_COLUMNS)
    gaps = AuditGap.objects.for_tenant(tenant).filter(seal=seal.number).values_list("leaves", flat=True)
    yield from check_entries(seal, (Entry(*row) for row in texts), map(bytes, gaps))


def _check_rest(tenant: Tenant, report: ChainReport) -> None:
    """What no single seal can tell: entries of seals that are not there, gaps, and who removed the oldest."""
    _hold_chain(tenant)
    entries = AuditEntry.objects.for_tenant(tenant)
    report.unsealed = entries.filter(seal=None).count()
    for entry_id, seal in entries.filter(seal__gt=report.seals).values_list("pk", "seal")[:SEAL_ENTRIES]:
        fault = Fault("inserted", seal or 0, "an entry names a seal that is not there", entry_id)
        report.faults.append(fault)
    gaps = AuditGap.objects.for_tenant(tenant).values_list("entry_id").annotate(total=Sum("entries"))
    taken = Counter(dict(gaps))
    erasures = entries.filter(action=ERASED, pk__in=list(taken)).values_list("pk", "detail")
    report.faults += check_gaps(taken, {pk: detail.get("audit_entries", -1) for pk, detail in erasures})
    removals = entries.filter(action=REMOVED).order_by("-at").values_list("detail__last_seal", flat=True)
    if (removals.first() or 0) != report.removed_seals:
        report.faults.append(
            Fault("missing", report.removed_seals, "entries are gone that retention did not remove")
        )

"""The log of a whole team as its owners and admins read it: who did what to whose memory, the newest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Count, QuerySet, Subquery
from django.utils.translation import gettext_noop as _

from memories.audit.sealing import check_chain
from memories.models import AuditEntry
from nebo.jobs.claims import Claim
from nebo.jobs.models import Job
from nebo.jobs.selectors import list_jobs
from nebo.jobs.services import enqueue
from nebo.product.governance.activity import READS
from nebo.tenants.models import Tenant

VERIFY = "verify_audit"  # the kind of job
# What entries are about, as pages say it.
SUBJECT_WORDS: Mapping[str, str] = {
    "memory": _("Memory"),
    "person": _("Person"),
    "session": _("Session"),
    "message": _("Message"),
    "todo": _("Todo"),
    "entity": _("Entity"),
    "merge_proposal": _("Two names"),
    "fold": _("Fold"),
    "memory_file": _("File"),
    "extraction_run": _("Extraction"),
    "forget_request": _("Forget request"),
    "wish": _("Wish"),
    "persona": _("Persona"),
    "key": _("Key"),
    "provider": _("Provider"),
    "webhook": _("Webhook"),
    "invitation": _("Invitation"),
    "user": _("Member"),
    "export": _("Export"),
    "import": _("Import"),
    "erasure": _("Erasure"),
    "tenant": _("Team"),
}
# The inbox has names of its own for some of them.
KINDS = {
    "extraction_run": ("extraction_run", "run"),
    "forget_request": ("forget_request", "forget"),
    "merge_proposal": ("merge_proposal", "pair"),
}
SUBJECTS = tuple(SUBJECT_WORDS)
ALL_SUBJECTS: Mapping[str, str] = {
    **SUBJECT_WORDS,
    **{other: SUBJECT_WORDS[kind] for kind, others in KINDS.items() for other in others},
}
ACTORS = ("user", "key", "job", "operator")


@dataclass(frozen=True, slots=True)
class LogFilters:
    """What of the log is asked for; empty means all."""

    what: str = ""  # reads or changes
    about: str = ""  # one of SUBJECTS
    by: str = ""  # one of ACTORS
    since: date | None = None
    until: date | None = None
    entry: UUID | None = None


def list_log(*, tenant: Tenant | UUID, filters: LogFilters) -> QuerySet[AuditEntry]:
    """The entries that fit, the newest first, each with their number as `total`: so a page takes one statement."""
    rows = AuditEntry.objects.for_tenant(tenant).order_by("-at", "-id")
    if filters.what == "reads":
        rows = rows.filter(READS)
    elif filters.what == "changes":
        rows = rows.exclude(READS)
    wanted = {
        "object_type__in": KINDS.get(filters.about, (filters.about,)) if filters.about else (),
        "actor__startswith": f"{filters.by}:" if filters.by else "",
        "at__date__gte": filters.since,
        "at__date__lte": filters.until,
        "pk": filters.entry,
    }
    found = rows.filter(**{name: value for name, value in wanted.items() if value})
    counted = found.order_by().values("tenant_id").annotate(number=Count("pk")).values("number")
    return found.annotate(total=Subquery(counted))


def ask_to_verify(*, tenant: Tenant | UUID) -> Job:
    """The job that recomputes the chain."""
    return enqueue(tenant=tenant, kind=VERIFY, payload={}, dedupe_key=VERIFY)


def find_last_check(*, tenant: Tenant | UUID) -> Job | None:
    """The newest of them."""
    return list_jobs(tenant=tenant, kind=VERIFY).order_by("-created_at", "-id").first()


def verify(claim: Claim) -> None:
    """Recompute the team's chain, and keep what didn't fit: the first row of it by its id."""
    report = check_chain(tenant=Tenant.objects.get(pk=claim.tenant_id))
    first = next((fault for fault in report.faults if fault.entry_id), next(iter(report.faults), None))
    with claim.publish() as result:
        result.update(
            entries=report.entries,
            seals=report.seals,
            unsealed=report.unsealed,
            faults=len(report.faults),
            head=report.head,
            first=str(first) if first else "",
            first_entry=str(first.entry_id) if first and first.entry_id else "",
        )

"""The log of a whole team as its owners and admins read it: who did what to whose memory, the newest first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet, TextField, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, NullIf
from django.utils.translation import gettext_noop as _

from memories.audit.sealing import check_chain
from memories.models import AuditEntry
from nebo.jobs.claims import Claim
from nebo.jobs.models import Job
from nebo.jobs.selectors import list_jobs
from nebo.jobs.services import enqueue
from nebo.product.governance.activity import READS
from nebo.tenants.models import ApiKey, Membership, Tenant, UserProfile
from nebo.tenants.selectors import is_id

VERIFY = "verify_audit"  # the kind of job
# What entries are about, as pages say it.
SUBJECT_WORDS: Mapping[str, str] = {
    "memory": _("Memory"),
    "person": _("Person"),
    "session": _("Session"),
    "message": _("Message"),
    "todo": _("Todo"),
    "entity": _("Entity"),
    "persona": _("Persona"),
    "extraction": _("Extraction"),
    "forget_request": _("Forget request"),
    "key": _("Key"),
    "provider": _("Provider"),
    "webhook": _("Webhook"),
    "invitation": _("Invitation"),
    "member": _("Member"),
    "user": _("User"),
    "tenant": _("Tenant"),
}
SUBJECTS = tuple(SUBJECT_WORDS)
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


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry, with names for the ids in it where somebody still has them."""

    entry: AuditEntry
    actor: str
    person: str
    detail: dict[str, Any] = field(default_factory=dict)


def list_log(*, tenant: Tenant | UUID, filters: LogFilters) -> QuerySet[AuditEntry]:
    """The entries that fit, the newest first."""
    rows = AuditEntry.objects.for_tenant(tenant).order_by("-at", "-id")
    if filters.what == "reads":
        rows = rows.filter(READS)
    elif filters.what == "changes":
        rows = rows.exclude(READS)
    wanted = {
        "object_type": filters.about,
        "actor__startswith": f"{filters.by}:" if filters.by else "",
        "at__date__gte": filters.since,
        "at__date__lte": filters.until,
        "pk": filters.entry,
    }
    return rows.filter(**{name: value for name, value in wanted.items() if value})


def describe_log(*, tenant: Tenant, entries: Sequence[AuditEntry]) -> list[LogLine]:
    """Lines of a page, with one query for all names in them."""
    actors = {entry.actor for entry in entries}
    names = _names(tenant, actors, {entry.person_id for entry in entries if entry.person_id})
    return [
        LogLine(
            entry, names.get(entry.actor, ""), names.get(f"person:{entry.person_id}", ""), dict(entry.detail)
        )
        for entry in entries
    ]


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


def _names(tenant: Tenant, actors: Collection[str], people: Collection[UUID]) -> dict[str, str]:
    """Of keys and logins, as actors name them, and of people, as `person:<id>`."""
    keys = ApiKey.objects.for_tenant(tenant).filter(pk__in=_ids_of(actors, "key:"))
    logins = Membership.objects.for_tenant(tenant).filter(user_id__in=_ids_of(actors, "user:"))
    persons = UserProfile.objects.for_tenant(tenant).filter(pk__in=people)
    named = Coalesce(NullIf("name", Value("")), "public_id")
    rows = _labelled(keys, "key:", "pk", named).union(
        _labelled(logins, "user:", "user_id", F("user__email")),
        _labelled(persons, "person:", "pk", F("external_id")),
        all=True,
    )
    return {f"{kind}{pk}": label for kind, pk, label in rows}


def _labelled(rows: QuerySet[Any], kind: str, pk: str, label: Combinable) -> QuerySet[Any, Any]:
    return rows.order_by().values_list(Value(kind, TextField()), F(pk), Cast(label, TextField()))


def _ids_of(actors: Collection[str], kind: str) -> list[str]:
    found = (actor.removeprefix(kind) for actor in actors if actor.startswith(kind))
    return [one for one in found if is_id(one)]

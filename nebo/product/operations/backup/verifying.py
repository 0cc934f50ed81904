"""Whether a database that came back can be served from: walls, audit log, erasures that came after, a first search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from uuid import UUID

from memories.audit.sealing import check_chain
from memories.models import Memory
from nebo.jobs.worker.running import run_job
from nebo.product.governance.services.erasure import list_digests, request_erasure
from nebo.product.governance.services.ledger import Entry
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.startup import list_faults
from search.answers.search import SearchQuery, search

ACTOR = Actor("operator", "restore")
TENANTS_SEARCHED = 3


def list_broken_walls() -> list[str]:
    """What would let one tenant see another; a sentence each."""
    return list_faults()


def list_broken_chains() -> Iterator[str]:
    """Where the audit log isn't as it was sealed."""
    for tenant in Tenant.objects.order_by("slug"):
        for fault in check_chain(tenant=tenant).faults:
            yield f"{tenant.slug}: {fault}"


def erase_again(entries: Iterable[Entry]) -> int:
    """Erase everybody who came back after their erasure; how many those were.

    Whoever has been told of by the same name since then is somebody new, and stays.
    """
    wanted: dict[UUID, dict[str, datetime]] = {}
    for entry in entries:
        erased_at = datetime.fromisoformat(entry.erased_at)
        known = wanted.setdefault(entry.tenant, {})
        known[entry.person] = max(erased_at, known.get(entry.person, erased_at))
    tenants = Tenant.objects.filter(pk__in=list(wanted))
    return sum(_erase_of(tenant, wanted[tenant.pk]) for tenant in tenants)


def _erase_of(tenant: Tenant, erased: Mapping[str, datetime]) -> int:
    with tenant_scope(tenant):
        back = [one for one in UserProfile.objects.for_tenant(tenant) if _came_back(tenant, one, erased)]
        jobs = [request_erasure(tenant=tenant, person=one, actor=ACTOR).job for one in back]
    for job in filter(None, jobs):
        run_job(str(tenant.pk), str(job.pk))
    return len(back)


def _came_back(tenant: Tenant, person: UserProfile, erased: Mapping[str, datetime]) -> bool:
    digests = list_digests(tenant=tenant, external_id=person.external_id)
    return any(person.created_at < erased[digest] for digest in digests if digest in erased)


def list_failed_searches() -> Iterator[str]:
    """Look for the newest memory of some tenants by its own words; what wasn't found, a sentence each."""
    for tenant in Tenant.objects.order_by("slug")[:TENANTS_SEARCHED]:
        with tenant_scope(tenant):
            memories = Memory.objects.for_tenant(tenant).filter(status=Memory.Status.ACTIVE)
            newest = memories.order_by("-created_at").first()
            if newest is None:
                continue
            query = SearchQuery(newest.value, newest.person_id, sources=("memory",))
            found = search(tenant=tenant, query=query, vector=None).results
            if newest.pk not in {hit.memory_id for hit in found}:
                yield f"{tenant.slug}: a search doesn't find its newest memory."

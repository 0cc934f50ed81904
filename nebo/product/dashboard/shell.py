"""What stands around every page of a tenant; figures are counted only where a template shows them."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.utils.functional import cached_property

from memories.models import Memory
from memories.pages.filters import MemoryFilters
from memories.pages.finder import list_visible
from nebo.jobs.models import Job
from nebo.jobs.selectors import list_seen_jobs
from nebo.tenants.access import Visit, find_visit
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.selectors import Place
from search.vectors import find_failure


class Shell:
    """The tenant, the person, and what waits for somebody's attention."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit

    @property
    def slug(self) -> str:
        return self.visit.place.slug

    @property
    def tenant(self) -> Tenant:
        return self.visit.tenant

    @property
    def places(self) -> Sequence[Place]:
        return self.visit.places

    @property
    def person(self) -> UserProfile | None:
        return self.visit.person

    @property
    def people(self) -> Sequence[UserProfile]:
        return self.visit.people

    @property
    def manages(self) -> bool:
        return self.visit.manages

    @property
    def without_vectors(self) -> bool:
        """Whether owners and admins should know that search goes by words alone."""
        return self.visit.manages and bool(find_failure())

    @cached_property
    def in_review(self) -> int:
        """Memories that wait for a person's word."""
        if self.visit.person is None:
            return 0
        waiting = MemoryFilters(status=Memory.Status.QUARANTINED)
        return list_visible(tenant=self.tenant, profile_id=self.visit.person.pk, filters=waiting).count()

    @cached_property
    def given_up(self) -> int:
        """Jobs that need a hand, among those this login may see."""
        seen = None if self.visit.manages else self.visit.people_ids
        return list_seen_jobs(tenant=self.tenant, profile_ids=seen, state=Job.State.DEAD).count()


def shell(request: HttpRequest) -> dict[str, Shell]:
    """Context processor: `shell` on pages of a tenant, nothing on the others."""
    visit = find_visit(request)
    return {"shell": Shell(visit)} if visit else {}

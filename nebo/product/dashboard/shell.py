"""What stands around every page of a tenant; figures are counted only where a template shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, QuerySet, Value
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.functional import cached_property
from django.utils.translation import get_language

from nebo.jobs.models import Job
from nebo.jobs.selectors import list_seen_jobs
from nebo.product.inbox.reads import list_waiting
from nebo.tenants.access import TenantAccess, find_access
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.pages import HOME
from nebo.tenants.selectors import MembershipInfo
from search.embeddings.vectors import find_failure


class Shell:
    """The tenant, the person, and what waits for somebody's attention."""

    def __init__(self, access: TenantAccess, request: HttpRequest | None = None) -> None:
        self.access = access
        self.request = request

    @property
    def slug(self) -> str:
        return self.access.membership.slug

    @property
    def place(self) -> str:
        """How the addresses on this page begin: the team, and the person where there are several."""
        return self.access.place

    @property
    def people_links(self) -> list[tuple[UserProfile, str]]:
        """The login's people, each with the address of this page about them, or of their home."""
        match = self.request.resolver_match if self.request else None
        name = match.view_name if match and [*match.kwargs] == ["tenant"] else HOME
        return [(person, resolve_url(name, self.access.place_with(person))) for person in self.access.people]

    @property
    def tenant(self) -> Tenant:
        return self.access.tenant

    @property
    def memberships(self) -> Sequence[MembershipInfo]:
        return self.access.memberships

    @property
    def person(self) -> UserProfile | None:
        return self.access.person

    @property
    def people(self) -> Sequence[UserProfile]:
        return self.access.people

    @property
    def is_paused(self) -> bool:
        """Whether nothing about the person is collected just now."""
        return bool(self.person and self.person.is_paused)  # type: ignore[attr-defined]  # annotated

    @property
    def paused_until(self) -> datetime | None:
        """When that ends; None where somebody has to resume."""
        until: datetime | None = self.person.paused_until if self.person else None  # type: ignore[attr-defined]
        return until

    @property
    def manages(self) -> bool:
        return self.access.manages

    @property
    def without_vectors(self) -> bool:
        """Whether owners and admins should know that search goes by words alone."""
        return self.access.manages and bool(find_failure())

    @property
    def in_review(self) -> int:
        """What waits for the person's decision, in the inbox."""
        return self._waiting.get("in_review", 0)

    @property
    def given_up(self) -> int:
        """Jobs that need a hand, among those this login may see."""
        return self._waiting.get("given_up", 0)

    @cached_property
    def _waiting(self) -> dict[str, int]:
        """Both figures, by one statement; the inbox's is the sum of what it lists."""
        seen = None if self.access.manages else self.access.people_ids
        jobs = list_seen_jobs(tenant=self.tenant, person_ids=seen, state=Job.State.DEAD)
        counted = _count(jobs, "given_up")
        if self.access.person is not None:
            parts = list_waiting(
                tenant=self.tenant, person_id=self.access.person.pk, shared=self.access.manages
            )
            counted = counted.union(*(_count(rows, "in_review") for rows in parts.values()), all=True)
        figures: Counter[str] = Counter()
        for name, number in counted:
            figures[name] += number
        return figures

    @property
    def live_tag(self) -> str:
        """Differs once anything is new: about the person, in the inbox, among jobs given up, or with the first call.

        It takes no statement beyond those that a page makes anyway.
        """
        person, first = self.access.person, self.tenant.first_call_at
        version = f"{person.pk}.{person.memory_version}" if person else ""
        return f'"{version}.{self.in_review}.{self.given_up}.{first.timestamp() if first else 0}.{get_language()}"'


def _count(rows: QuerySet[Any], name: str) -> Any:
    """How many rows there are, as a row of its own; none for none."""
    return rows.order_by().values(of=Value(name)).annotate(n=Count("pk")).values_list("of", "n")


def shell(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `shell` on pages of a tenant, what the doors say on the others."""
    access = find_access(request)
    if access:
        return {"shell": Shell(access, request)}
    return {"signup_is_open": settings.SIGNUP == "open", "sso_name": settings.SSO_NAME}

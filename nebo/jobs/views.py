"""The pages of the work behind the memories: what runs, what waits, what was given up. Never what was said."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from nebo.errors import Conflict
from nebo.jobs.models import Job
from nebo.jobs.outcomes import MAX_ATTEMPTS
from nebo.jobs.selectors import get_seen_job, list_seen_jobs
from nebo.jobs.services import retry_job
from nebo.tenants.pages import PageRequest, TenantPage, get_page, is_refetch, way_back

PAGE_SIZE = 25  # jobs


class JobPage(TenantPage):
    """Owners and admins see every job of the tenant; a member those about the people it stands for."""

    needs_person = False

    @property
    def person_ids(self) -> Collection[UUID] | None:
        """Whose jobs; None is everybody's."""
        return None if self.access.manages else self.access.people_ids

    def get_job(self, job_id: UUID) -> Job:
        """The job; raises NotFound for one this login may not see."""
        return get_seen_job(tenant=self.access.tenant, person_ids=self.person_ids, job_id=job_id)

    def draw(self, request: PageRequest, template: str, **shown: Any) -> HttpResponse:
        """With what every page of jobs needs: of another's job the conversation stays closed."""
        shown |= {"max_attempts": MAX_ATTEMPTS, "own_ids": self.access.people_ids}
        return TemplateResponse(request, template, shown)


class JobListPage(JobPage):
    """The newest first; fetches itself again every few seconds."""

    def get(self, request: PageRequest) -> HttpResponse:
        wanted = request.GET.get("state", "")
        state = wanted if wanted in Job.State.values else ""
        rows = list_seen_jobs(tenant=self.access.tenant, person_ids=self.person_ids, state=state)
        template = "jobs/_rows.html" if is_refetch(request) else "jobs/list.html"
        return self.draw(request, template, page=get_page(rows, request, size=PAGE_SIZE), state=state)


class JobDetailPage(JobPage):
    """One job; the part that changes fetches itself again until the job has ended."""

    def get(self, request: PageRequest, job_id: UUID) -> HttpResponse:
        template = "jobs/_job.html" if is_refetch(request) else "jobs/detail.html"
        job = self.get_job(job_id)
        return self.draw(request, template, job=job, place=self.access.place_with(job.person))


class JobRetryPage(JobPage):
    """Bring a job back that waits out its pause or was given up."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, job_id: UUID) -> HttpResponseBase:
        job = self.get_job(job_id)
        try:
            with transaction.atomic():
                retry_job(tenant=self.access.tenant, job=job)
        except Conflict as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, _("Queued again."))
        to_job = resolve_url("jobs:detail", self.access.place, job.pk)
        return redirect(way_back(request, default=to_job))

"""The jobs endpoints: look at one, list them, bring one back."""

from __future__ import annotations

import math
from typing import Any, TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.pagination import paginate
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import InvalidInput
from nebo.jobs.models import Job
from nebo.jobs.registry import list_kinds
from nebo.jobs.selectors import get_job, list_jobs
from nebo.jobs.services import retry_job

LONGEST_WAIT_S = 30


class JobFields(TypedDict):
    """A job as callers see it; times in ISO 8601."""

    id: str
    kind: str
    state: str
    attempts: int
    error: str
    result: dict[str, Any]
    session: str | None
    due_at: str
    created_at: str
    started_at: str | None
    finished_at: str | None


def job_json(job: Job) -> JobFields:
    """The answer for one job."""
    return {
        "id": str(job.pk),
        "kind": job.kind,
        "state": job.state,
        "attempts": job.attempts,
        "error": job.error,
        "result": job.result,
        "session": str(job.session_id) if job.session_id else None,
        "due_at": as_utc(job.due_at),
        "created_at": as_utc(job.created_at),
        "started_at": as_utc(job.started_at),
        "finished_at": as_utc(job.finished_at),
    }


def wait_seconds(request: Request) -> float:
    """`?wait=` in seconds, 0 when absent; raises InvalidInput beyond 30."""
    text = request.query_params.get("wait", "0")
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_WAIT_S:
        raise InvalidInput(f"A number of seconds from 0 to {LONGEST_WAIT_S}.", field="?wait")
    return seconds


class JobListView(TenantView):
    """`jobs/`: newest first; a key bound to a person sees that person's."""

    scopes = {"GET": "read"}

    def get(self, request: Request, prepared: None) -> Response:
        jobs = list_jobs(
            tenant=self.caller.tenant_id,
            profile_id=self.caller.profile_id,
            state=_choice(request, "state", tuple(Job.State.values)),
            kind=_choice(request, "kind", list_kinds()),
        )
        return paginate(jobs, request, ordering=("-created_at",), serialize=job_json)


class JobDetailView(TenantView):
    """`jobs/{id}/`."""

    scopes = {"GET": "read"}

    def get(self, request: Request, prepared: None, job_id: UUID) -> Response:
        return Response(job_json(_get_job(self, job_id)))


class JobRetryView(TenantView):
    """`jobs/{id}/retry/`: 409 unless the job is parked or waits for another try."""

    scopes = {"POST": "write"}

    def post(self, request: Request, prepared: None, job_id: UUID) -> Response:
        return Response(job_json(retry_job(tenant=self.caller.tenant_id, job=_get_job(self, job_id))))


def _get_job(view: TenantView, job_id: UUID) -> Job:
    caller = view.caller
    return get_job(tenant=caller.tenant_id, job_id=job_id, profile_id=caller.profile_id)


def _choice(request: Request, name: str, choices: tuple[str, ...]) -> str:
    value = request.query_params.get(name, "")
    if value and value not in choices:
        raise InvalidInput(f"One of {', '.join(choices)}.", field=f"?{name}")
    return value

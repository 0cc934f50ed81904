"""The jobs endpoints: look at one, list them, bring one back."""

from __future__ import annotations

import math
from typing import Annotated, Any, TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import parse_query
from nebo.api.shapes import Id, Moment, Page, like, one_of
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import InvalidInput
from nebo.jobs.models import Job
from nebo.jobs.registry import list_kinds
from nebo.jobs.selectors import get_job, list_jobs
from nebo.jobs.services import retry_job

LONGEST_WAIT_S = 30
WRONG_WAIT = f"A number of seconds from 0 to {LONGEST_WAIT_S}."


class JobFields(TypedDict):
    """A job as callers see it; times in ISO 8601."""

    id: Id
    kind: Annotated[str, like("extract")]
    state: Annotated[str, one_of(Job.State, "succeeded")]
    attempts: int
    error: Annotated[str, like("")]
    result: Annotated[dict[str, Any], like({"created": 2}, "What its kind of work gives.")]
    session: Id | None
    due_at: Moment
    created_at: Moment
    started_at: Moment | None
    finished_at: Moment | None


class JobAnswerFields(TypedDict):
    """A job that was asked for."""

    job: JobFields


class WaitQuery(serializers.Serializer[Any]):
    """How long a call may take."""

    wait = serializers.FloatField(
        min_value=0,
        max_value=LONGEST_WAIT_S,
        required=False,
        default=0.0,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), WRONG_WAIT),
        help_text="Seconds to wait for the job to end; at once without it.",
    )

    def validate_wait(self, value: float) -> float:
        """`nan` is neither below nor above anything."""
        if math.isnan(value):
            raise serializers.ValidationError(WRONG_WAIT)
        return value


class JobFilters(serializers.Serializer[Any]):
    state = serializers.ChoiceField(
        choices=Job.State.values,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"invalid_choice": f"One of {', '.join(Job.State.values)}."},
    )
    kind = serializers.CharField(required=False, allow_blank=True, default="")


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
    seconds: float = parse_query(WaitQuery, request)["wait"]
    return seconds


class JobListView(TenantView):
    """`jobs/`: newest first; a key bound to a person sees that person's."""

    subject = "Jobs"
    scopes = {"GET": "read"}
    operations = {"GET": Operation("List jobs", Page[JobFields], query=JobFilters)}

    def get(self, request: Request, prepared: None) -> Response:
        filters = parse_query(JobFilters, request)
        if filters["kind"]:
            check_kind(filters["kind"])
        jobs = list_jobs(
            tenant=self.caller.tenant_id,
            person_id=self.caller.person_id,
            state=filters["state"],
            kind=filters["kind"],
        )
        return paginate(jobs, request, ordering=("-created_at",), serialize=job_json)


class JobDetailView(TenantView):
    """`jobs/{id}/`."""

    subject = "Jobs"
    scopes = {"GET": "read"}
    operations = {"GET": Operation("Read a job", JobFields)}

    def get(self, request: Request, prepared: None, job_id: UUID) -> Response:
        return Response(job_json(_get_job(self, job_id)))


class JobRetryView(TenantView):
    """`jobs/{id}/retry/`: 409 unless the job is parked or waits for another try."""

    subject = "Jobs"
    scopes = {"POST": "write"}
    operations = {"POST": Operation("Retry a job", JobFields)}

    def post(self, request: Request, prepared: None, job_id: UUID) -> Response:
        return Response(job_json(retry_job(tenant=self.caller.tenant_id, job=_get_job(self, job_id))))


def _get_job(view: TenantView, job_id: UUID) -> Job:
    caller = view.caller
    return get_job(tenant=caller.tenant_id, job_id=job_id, person_id=caller.person_id)


def check_kind(kind: str) -> None:
    """Raise InvalidInput for a kind of work that there is none of."""
    if kind not in list_kinds():
        raise InvalidInput(f"One of {', '.join(list_kinds())}.", field="?kind")

"""Everything about a person at once: take it along, or have it erased."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict, cast
from uuid import UUID

from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from memories.api.people import PersonDetailView
from nebo.api.operations import File, Operation
from nebo.api.pagination import paginate
from nebo.api.shapes import Id, Moment, Page, like
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import Forbidden, NotFound
from nebo.jobs.api import JobAnswerFields, JobFields, WaitQuery, job_json, wait_seconds
from nebo.jobs.models import Job
from nebo.jobs.selectors import ENDED, wait_for_job
from nebo.product.governance.download import as_download
from nebo.product.governance.models import Erasure, Export
from nebo.product.governance.services.erasure import find_erasure, request_erasure
from nebo.product.governance.services.exporting import get_export, list_exports, note_download, request_export
from nebo.tenants.models import UserProfile
from nebo.tenants.services import ME


class ReceiptFields(TypedDict):
    """What was removed, by table; `sha256` is over the rest as JSON with sorted names and no spaces."""

    erasure_id: Id
    person: Annotated[str, like("ana")]
    requested_at: Moment
    requested_by: Annotated[str, like("key:0199c5a2")]
    erased_at: Moment | None
    counts: Annotated[dict[str, int], like({"memories_memory": 42})]
    total: Annotated[int, like(42)]
    sha256: Annotated[str, like("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]


class ErasedFields(TypedDict):
    """The receipt of an erasure."""

    receipt: ReceiptFields


class ExportFields(TypedDict):
    """A file with everything known about a person; `download` leads to it once it is ready."""

    id: Id
    ready: Annotated[bool, like(True)]
    requested_at: Moment
    ready_at: Moment | None
    bytes: Annotated[int, like(20_480)]
    sha256: Annotated[str, like("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    records: Annotated[dict[str, int], like({"memories": 42})]
    download: Annotated[str, like("https://nebo.example/api/v1/users/ana/exports/0199c5a2/")]


class RequestedExportFields(TypedDict):
    """The job that makes an export, and the export."""

    job: JobFields
    export: ExportFields


def check_entitled(view: TenantView) -> None:
    """Only a key bound to the person, or one with the scope admin, and none that is bound to a persona, which
    would see past what it may know. Raises Forbidden.
    """
    caller = view.caller
    if caller.persona_id is not None:
        raise Forbidden("A key that is bound to a persona can't do this.")
    if caller.person_id is None and "admin" not in caller.scopes:
        raise Forbidden("This needs a key that is bound to the person, or one with the scope admin.")


class PersonView(PersonDetailView):
    """`users/{user}/`: the profile, and the end of everything that is known about its person."""

    scopes = {**PersonDetailView.scopes, "DELETE": "write"}
    operations = {
        **PersonDetailView.operations,
        "DELETE": Operation("Erase a person", {202: JobAnswerFields, 200: ErasedFields}, query=WaitQuery),
    }

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        return wait_seconds(request) if request.method == "DELETE" else super().prepare(request, **kwargs)

    def delete(self, request: Request, prepared: float, user: str) -> Response:
        """202 with the job, or 200 with the receipt where the person was erased before."""
        check_entitled(self)
        return _erasure_answer(self._erasure(user))

    def _erasure(self, user: str) -> Erasure:
        try:
            person = self.get_person(user)
        except NotFound:
            erasure = self._find_erasure(user)
            if erasure is None:
                raise
            return erasure
        return request_erasure(tenant=self.caller.tenant_id, person=person, actor=self.actor)

    def _find_erasure(self, user: str) -> Erasure | None:
        if self.caller.person_id is not None or user == ME:
            return None
        return find_erasure(tenant=self.caller.tenant_id, external_id=user)

    def follow_up(self, request: Request, response: Response, prepared: Any, **kwargs: Any) -> Response:
        """After the commit: wait for the erasure if the caller asked to."""
        if request.method != "DELETE" or not prepared or response.status_code != 202:
            return response
        job_id = UUID(response.data["job"]["id"])
        job = wait_for_job(tenant=self.caller.tenant_id, job_id=job_id, seconds=prepared)
        if job.state == Job.State.SUCCEEDED:
            return Response({"receipt": job.result})
        return Response({"job": job_json(job)}, status=202)


def _erasure_answer(erasure: Erasure) -> Response:
    if erasure.erased_at is not None:
        return Response({"receipt": erasure.receipt})
    if erasure.job is None:
        raise NotFound
    return Response({"job": job_json(erasure.job)}, status=202)


class ExportView(TenantView):
    """`users/{user}/export/`: have a file made of everything known about the person."""

    subject = "Exports"
    scopes = {"POST": "write"}
    operations = {
        "POST": Operation(
            "Ask for an export", {202: RequestedExportFields, 200: RequestedExportFields}, query=WaitQuery
        )
    }

    def prepare(self, request: Request, **kwargs: Any) -> float:
        return wait_seconds(request)

    def post(self, request: Request, prepared: float, user: str) -> Response:
        check_entitled(self)
        person = self.get_person(user)
        export, job = request_export(tenant=self.caller.tenant_id, person=person, actor=self.actor)
        answer = {"job": job_json(job), "export": export_json(export, person, request)}
        return Response(answer, status=202)

    def follow_up(self, request: Request, response: Response, prepared: float, **kwargs: Any) -> Response:
        """After the commit: wait for the file if the caller asked to."""
        if not prepared or response.status_code != 202:
            return response
        job_id = UUID(response.data["job"]["id"])
        job = wait_for_job(tenant=self.caller.tenant_id, job_id=job_id, seconds=prepared)
        status = 200 if job.state in ENDED else 202
        return Response({**response.data, "job": job_json(job)}, status=status)


class ExportListView(TenantView):
    """`users/{user}/exports/`: those that can still be had, the newest first."""

    subject = "Exports"
    scopes = {"GET": "read"}
    operations = {"GET": Operation("List exports", Page[ExportFields])}

    def get(self, request: Request, prepared: None, user: str) -> Response:
        check_entitled(self)
        person = self.get_person(user)
        rows = list_exports(tenant=self.tenant, person_id=person.pk)
        return paginate(
            rows,
            request,
            ordering=("-requested_at", "-id"),
            serialize=lambda export: export_json(export, person, request),
        )


class ExportFileView(TenantView):
    """`users/{user}/exports/{id}/`: the file; 409 while it is being made."""

    subject = "Exports"
    scopes = {"GET": "read"}
    operations = {
        "GET": Operation(
            "Download an export", File("application/zip", "The export, a ZIP archive."), problems=(409,)
        )
    }

    def get(self, request: Request, prepared: None, user: str, export_id: UUID) -> Response:
        check_entitled(self)
        person = self.get_person(user)
        export = get_export(tenant=self.tenant, person_id=person.pk, export_id=export_id)
        note_download(tenant=self.tenant, export=export, actor=self.actor)
        streamed: StreamingHttpResponse = as_download(export)
        return cast(Response, streamed)  # the framework hands any response of Django's on as it is


def export_json(export: Export, person: UserProfile, request: Request) -> ExportFields:
    """An export as callers see it; `download` leads to the file once it is ready."""
    return {
        "id": str(export.pk),
        "ready": export.ready_at is not None,
        "requested_at": as_utc(export.requested_at),
        "ready_at": as_utc(export.ready_at),
        "bytes": export.size,
        "sha256": export.sha256,
        "records": export.records,
        "download": reverse(
            "export-file", kwargs={"user": person.external_id, "export_id": export.pk}, request=request
        ),
    }

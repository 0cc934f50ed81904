"""Bring along what is known of a person elsewhere: send the file, follow it, stop it."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.operations import File, Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import parse_query
from nebo.api.shapes import Id, Moment, Page, like
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import InvalidInput
from nebo.jobs.api import JobFields, WaitQuery, job_json
from nebo.jobs.selectors import ENDED, wait_for_job
from nebo.product.governance.api.uploads import FileParser, SentFile
from nebo.product.governance.api.views import check_entitled
from nebo.product.governance.importing.requests import (
    Upload,
    cancel_import,
    get_import,
    list_imports,
    request_import,
)
from nebo.product.governance.models import Import

COUNTED = ("sessions", "messages", "memories", "in_review", "known", "left_out")


class ImportCounts(TypedDict):
    """What came of it: rows that were stored, and what was there before."""

    sessions: Annotated[int, like(12)]
    messages: Annotated[int, like(480)]
    memories: Annotated[int, like(31)]
    in_review: Annotated[int, like(2)]
    known: Annotated[int, like(0)]
    left_out: Annotated[int, like(0)]
    rows: Annotated[dict[str, int], like({"observations": 52, "versions": 61})]


class ImportFault(TypedDict):
    """Why a file was refused, and where in it."""

    field: Annotated[str, like("#/3/mapping")]
    detail: Annotated[str, like("Expected an object here.")]


class ImportFields(TypedDict):
    """A file on its way in: `done` of `total` messages and notes were looked at."""

    id: Id
    source: Annotated[str, like("chatgpt")]
    name: Annotated[str, like("conversations.zip")]
    bytes: Annotated[int, like(1_048_576)]
    dry_run: Annotated[bool, like(False)]
    state: Annotated[str, like("running")]
    total: Annotated[int, like(523)]
    done: Annotated[int, like(200)]
    counts: ImportCounts
    left_out: Annotated[dict[str, int], like({"messages": 3})]
    fault: ImportFault | None
    requested_at: Moment
    ended_at: Moment | None


class RequestedImportFields(TypedDict):
    """The job that brings a file in, and how far it is."""

    job: JobFields
    incoming: ImportFields


class ImportQuery(WaitQuery):
    """What kind of file it is, and what is to be done with it."""

    source = serializers.ChoiceField(  # type: ignore[assignment]  # the framework's own name is never used
        choices=Import.Source.values, help_text="Who made the file."
    )
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Only count what would come in."
    )
    after_erasure = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Whether somebody who was erased after the file was made may come back.",
    )
    name = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=200,
        help_text="The file's name; a list of messages without an id becomes the session of this name.",
    )


class ImportView(TenantView):
    """`users/{user}/import/`: bring in a file; the person is made if there is none of that name."""

    subject = "Imports"
    scopes = {"POST": "write"}
    parser_classes = [FileParser]
    operations = {
        "POST": Operation(
            "Import a file",
            {202: RequestedImportFields, 200: RequestedImportFields},
            query=ImportQuery,
            problems=(409,),
            file=File("application/octet-stream", "The file as it is, or a form with it under `file`."),
        )
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        asked = parse_query(ImportQuery, request)
        sent = request.data
        content = sent.content if isinstance(sent, SentFile) else b""
        if not content:
            raise InvalidInput("The file is empty.", field="file")
        name = asked["name"] or (sent.name if isinstance(sent, SentFile) else "")
        upload = Upload(
            source=asked["source"],
            data=content,
            name=name,
            dry_run=asked["dry_run"],
            after_erasure=asked["after_erasure"] or self.caller.person_id is not None,
            manages="admin" in self.caller.scopes and self.caller.person_id is None,
        )
        return {"upload": upload, "wait": asked["wait"]}

    def post(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        check_entitled(self)
        person = self.get_person(user, create=True)
        incoming, job = request_import(
            tenant=self.caller.tenant_id, person=person, upload=prepared["upload"], actor=self.actor
        )
        return Response({"job": job_json(job), "incoming": import_json(incoming)}, status=202)

    def follow_up(
        self, request: Request, response: Response, prepared: dict[str, Any], **kwargs: Any
    ) -> Response:
        """After the commit: wait for its end if the caller asked to."""
        if not prepared["wait"] or response.status_code != 202:
            return response
        job_id = UUID(response.data["job"]["id"])
        job = wait_for_job(tenant=self.caller.tenant_id, job_id=job_id, seconds=prepared["wait"])
        incoming = self._in_scope(lambda: Response(import_json(self._again(response)))).data
        status = 200 if job.state in ENDED else 202
        return Response({"job": job_json(job), "incoming": incoming}, status=status)

    def _again(self, response: Response) -> Import:
        found = UUID(response.data["incoming"]["id"])
        return Import.objects.for_tenant(self.caller.tenant_id).get(pk=found)


class ImportListView(TenantView):
    """`users/{user}/imports/`: what was brought along, the newest first."""

    subject = "Imports"
    scopes = {"GET": "read"}
    operations = {"GET": Operation("List imports", Page[ImportFields])}

    def get(self, request: Request, prepared: None, user: str) -> Response:
        check_entitled(self)
        rows = list_imports(tenant=self.caller.tenant_id, person_id=self.get_person(user).pk)
        return paginate(rows, request, ordering=("-requested_at", "-id"), serialize=import_json)


class ImportDetailView(TenantView):
    """`users/{user}/imports/{id}/`: how far it is; deleted, it stops, and what has come in stays."""

    subject = "Imports"
    scopes = {"GET": "read", "DELETE": "write"}
    operations = {
        "GET": Operation("Follow an import", ImportFields),
        "DELETE": Operation("Stop an import", ImportFields, problems=(409,)),
    }

    def get(self, request: Request, prepared: None, user: str, import_id: UUID) -> Response:
        check_entitled(self)
        person = self.get_person(user)
        found = get_import(tenant=self.caller.tenant_id, person_id=person.pk, import_id=import_id)
        return Response(import_json(found))

    def delete(self, request: Request, prepared: None, user: str, import_id: UUID) -> Response:
        check_entitled(self)
        person = self.get_person(user)
        stopped = cancel_import(
            tenant=self.caller.tenant_id, person_id=person.pk, import_id=import_id, actor=self.actor
        )
        return Response(import_json(stopped))


def import_json(incoming: Import) -> ImportFields:
    """An import as callers see it."""
    counts = incoming.counts
    return {
        "id": str(incoming.pk),
        "source": incoming.source,
        "name": incoming.name,
        "bytes": incoming.size,
        "dry_run": incoming.dry_run,
        "state": incoming.state,
        "total": incoming.total,
        "done": incoming.done,
        "counts": {
            "sessions": counts.get("sessions", 0),
            "messages": counts.get("messages", 0),
            "memories": counts.get("memories", 0),
            "in_review": counts.get("in_review", 0),
            "known": counts.get("known", 0),
            "left_out": counts.get("left_out", 0),
            "rows": {name: count for name, count in counts.items() if name not in COUNTED},
        },
        "left_out": incoming.left_out,
        "fault": incoming.fault,
        "requested_at": as_utc(incoming.requested_at),
        "ended_at": as_utc(incoming.ended_at),
    }

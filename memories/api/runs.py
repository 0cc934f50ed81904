"""Extraction runs over HTTP: what was read, what came of it, and approving, rejecting or undoing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.noting import note_read
from memories.extraction.proposals import digest_of, list_pairs
from memories.learning.run_words import list_cited_words, silenced
from memories.learning.runs import approve_run, reject_run, revert_run
from memories.models import ExtractionRun
from memories.selectors import get_run, list_runs
from memories.storing.vectors import embed_pairs_now
from nebo.api.etags import check_if_match, etag
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import parse_query
from nebo.api.shapes import Id, Moment, Page, like, one_of
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.tenants.scoping import tenant_scope


class RunFields(TypedDict):
    """What a run of extraction read, and what came of it."""

    id: Id
    status: Annotated[str, one_of(ExtractionRun.Status)]
    trigger: Annotated[str, like("idle", "idle, flush, signal or request")]
    session: Id | None
    job: Id | None
    model: Annotated[str, like("rules/en")]
    prompt_hash: Annotated[str, like("")]
    seq_from: int | None
    seq_to: Annotated[int | None, like(12)]
    counts: Annotated[dict[str, int], like({"created": 2})]
    outcome: Annotated[
        dict[str, Any], like({}, "What was left out and why, and what approving or undoing it did.")
    ]
    created_at: Moment


class ReviewedRunFields(RunFields):
    """A run with what it proposes."""

    proposals: Annotated[
        list[dict[str, Any]],
        like(
            [{"proposal": "memory", "key": "location", "value": "Lives in Lisbon."}],
            "Memories and todos as they would be stored; `proposal` says which.",
        ),
    ]


class RunFilters(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=ExtractionRun.Status.values, required=False)


def run_json(run: ExtractionRun, words: Mapping[str, str]) -> RunFields:
    """A run without what it proposes; `words` is what is shown of the messages that it cites."""
    return {
        "id": str(run.pk),
        "status": run.status,
        "trigger": run.trigger,
        "session": str(run.session_id) if run.session_id else None,
        "job": str(run.job_id) if run.job_id else None,
        "model": f"{run.provider}/{run.model}" if run.provider else "",
        "prompt_hash": run.prompt_hash,
        "seq_from": run.seq_from,
        "seq_to": run.seq_to,
        "counts": run.counts,
        "outcome": silenced(run.outcome, words),
        "created_at": as_utc(run.created_at),
    }


class RunScopedView(TenantView):
    """A view of one person's runs."""

    subject = "Extraction"

    def get_run(self, user: str, run_id: UUID) -> ExtractionRun:
        """One run of the person; raises NotFound."""
        person = self.get_person(user)
        return get_run(
            tenant=self.caller.tenant_id,
            person_id=person.pk,
            run_id=run_id,
            persona_id=self.caller.persona_id,
        )

    def answer(self, run: ExtractionRun) -> Response:
        """The run with its proposals, and the tag that says which ones were seen."""
        words = list_cited_words(tenant=self.caller.tenant_id, runs=[run])
        body: ReviewedRunFields = {
            **run_json(run, words),
            "proposals": silenced(self._shown(run), words),
        }
        return Response(body, headers={"ETag": etag(digest_of(run))})

    def _shown(self, run: ExtractionRun) -> list[dict[str, Any]]:
        """Without what is for another persona than the key's own alone; of a rejected run, nothing."""
        own = self.caller.persona_id
        if run.status == ExtractionRun.Status.REJECTED:
            return []
        return [one for one in run.proposals if own is None or one.get("persona_id") in (None, str(own))]


class RunListView(TenantView):
    """`users/{user}/extraction-runs/`: the newest first."""

    subject = "Extraction"
    scopes = {"GET": "read"}
    operations = {"GET": Operation("List extraction runs", Page[RunFields], query=RunFilters)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_query(RunFilters, request)

    def get(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_person(user)
        tenant_id, persona_id = self.caller.tenant_id, self.caller.persona_id
        rows = list_runs(tenant=tenant_id, person_id=person.pk, persona_id=persona_id, **prepared)
        answer = paginate(rows, request, ordering=("-created_at",), serialize=lambda row: row)
        words = list_cited_words(tenant=tenant_id, runs=answer.data["results"])
        return Response({**answer.data, "results": [run_json(run, words) for run in answer.data["results"]]})


class RunView(RunScopedView):
    """`users/{user}/extraction-runs/{id}/`: with the proposals that wait."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("Read an extraction run", ReviewedRunFields)}

    def get(self, request: Request, prepared: None, user: str, run_id: UUID) -> Response:
        run = self.get_run(user, run_id)
        note_read(self, "extraction.read", "extraction_run", run.person_id, shown=run.pk)
        return self.answer(run)


def _decision(summary: str) -> dict[str, Operation]:
    return {"POST": Operation(summary, ReviewedRunFields, if_match=True)}


class RunApproveView(RunScopedView):
    """`users/{user}/extraction-runs/{id}/approve/`: needs `admin`, since an agent alone should not decide."""

    scopes = {"POST": "admin"}
    operations = _decision("Approve what a run proposes")

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, list[float]]:
        with tenant_scope(self.caller.tenant_id):
            run = self.get_run(kwargs["user"], kwargs["run_id"])
        waits = run.status == ExtractionRun.Status.REVIEW
        pairs = list_pairs(run.proposals) if waits else []
        return embed_pairs_now(tenant=self.caller.tenant_id, pairs=pairs)

    def post(self, request: Request, prepared: dict[str, list[float]], user: str, run_id: UUID) -> Response:
        run = self.get_run(user, run_id)
        check_if_match(request, digest_of(run))
        return self.answer(approve_run(tenant=self.tenant, run=run, vectors=prepared, actor=self.actor))


class RunUndoView(RunScopedView):
    """`…/reject/` and `…/revert/`."""

    scopes = {"POST": "write"}
    act: ClassVar[Callable[..., ExtractionRun]]

    def post(self, request: Request, prepared: None, user: str, run_id: UUID) -> Response:
        run = self.get_run(user, run_id)
        check_if_match(request, digest_of(run))
        return self.answer(self.act(tenant=self.tenant, run=run, actor=self.actor))


class RunRejectView(RunUndoView):
    """`users/{user}/extraction-runs/{id}/reject/`: what it proposes is dropped."""

    operations = _decision("Reject what a run proposes")
    act = staticmethod(reject_run)


class RunRevertView(RunUndoView):
    """`users/{user}/extraction-runs/{id}/revert/`: what it did is taken back where nobody changed it since."""

    operations = _decision("Revert an extraction run")
    act = staticmethod(revert_run)

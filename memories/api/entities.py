"""People and things: cards, names that may be one, merging and splitting, and what curation did."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.answers import CardFields, Ref, Value, card_json
from memories.api.noting import note_memories, note_read
from memories.api.speaking import get_speaker
from memories.curation.run import enqueue_curation
from memories.curation.selectors import get_fold, get_proposal, list_folds, list_open_proposals, read_curation
from memories.models import EntityMerge, Fold, FoldMember, MergeProposal
from memories.people.cards import get_entity, list_cards, list_entities, list_with_card
from memories.people.merge_proposals import dismiss_proposal
from memories.people.merging import merge_entities, split_entity
from memories.storing.unfolding import undo_fold
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import StrictSerializer, parse, parse_query
from nebo.api.shapes import Id, Moment, Page, like, one_of
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import Forbidden
from nebo.jobs.api import JobAnswerFields, JobFields, WaitQuery, job_json, wait_seconds
from nebo.jobs.selectors import wait_for_job
from nebo.tenants.models import UserProfile


class NameFields(TypedDict):
    """What an entity is called."""

    ref: Ref
    label: Annotated[str, like("John")]


class ProposalFields(TypedDict):
    """Two names that may be one."""

    id: Id
    first: NameFields
    second: NameFields
    evidence: Annotated[dict[str, Any], like({"sound": "jon", "distance": 1}, "Why they may be one.")]
    status: Annotated[str, one_of(MergeProposal.Status)]
    created_at: Moment


class MergeFields(TypedDict):
    """A merge, or the split that undid it."""

    ref: Annotated[str, like("person:jon")]
    into: Ref
    memories: Annotated[int, like(4)]
    merged_at: Moment
    split_at: Annotated[Moment | None, like(None)]


class MemberFields(TypedDict):
    """A memory that a fold holds."""

    memory_id: Id
    value: Value


class FoldFields(TypedDict):
    """What curation made one of several memories."""

    id: Id
    memory_id: Id
    value: Value
    kind: Annotated[str, like("same")]
    worded_by: Annotated[str, like("rules")]
    members: list[MemberFields]
    created_at: Moment
    undone_at: Annotated[Moment | None, like(None)]


class LeftFields(TypedDict):
    """A memory that stays as it is, and why."""

    memory_id: Id
    reason: Annotated[str, like("changed since")]


class UnfoldedFields(TypedDict):
    """How many memories came back, and which didn't."""

    restored: Annotated[int, like(2)]
    left: Annotated[list[LeftFields], like([])]


class CurationFields(TypedDict):
    """The last run over a person's memories; nulls before the first."""

    last_run_at: Moment | None
    last_memory_count_at_run: Annotated[int | None, like(120)]
    counts: Annotated[dict[str, int], like({"folded": 2})]


class EntityFilters(serializers.Serializer[Any]):
    persona = serializers.CharField(max_length=63, required=False, default="")
    ref = serializers.CharField(max_length=160, required=False)


class MergeInput(StrictSerializer):
    example = {"ref": "person:jon", "into": "person:john"}
    ref = serializers.CharField(max_length=160)
    into = serializers.CharField(max_length=160)


class SplitInput(StrictSerializer):
    example = {"ref": "person:jon"}
    ref = serializers.CharField(max_length=160)


class KeepInput(StrictSerializer):
    example = {"keep": "first"}
    keep = serializers.ChoiceField(choices=("first", "second"), required=False)


class EntityListView(TenantView):
    """`users/{user}/entities/`: a card for each entity that has a fact worth telling."""

    subject = "Entities"
    scopes = {"GET": "read"}
    operations = {"GET": Operation("List entity cards", Page[CardFields], query=EntityFilters)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_query(EntityFilters, request)

    def get(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_person(user)
        tenant_id = self.caller.tenant_id
        persona_id = get_speaker(self, prepared["persona"]).persona_id
        refs = [prepared["ref"]] if "ref" in prepared else []
        rows = list_entities(tenant=tenant_id, person_id=person.pk, refs=refs)
        rows = list_with_card(rows, tenant=tenant_id, persona_id=persona_id)
        answer = paginate(rows, request, ordering=("ref",), serialize=lambda entity: entity)
        cards = list_cards(
            tenant=tenant_id,
            entities=answer.data["results"],
            persona_ids=[persona_id],
        )
        note_memories(
            self, "memory.cards_read", person.pk, [fact.pk for card in cards for fact in card.facts]
        )
        return Response({**answer.data, "results": [card_json(card) for card in cards]})


class WholePersonView(TenantView):
    """A view of all that is known about a person, whichever persona it was told to."""

    subject = "Entities"

    def get_whole(self, user: str) -> UserProfile:
        """The person; Forbidden for a key that sees one persona's part alone."""
        person = self.get_person(user)
        if self.caller.persona_id is not None:
            raise Forbidden("This needs a key that is not bound to a persona.")
        return person


class ProposalListView(WholePersonView):
    """`users/{user}/entities/proposals/`: pairs of names that may be one, the newest first."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List names that may be one", Page[ProposalFields])}

    def get(self, request: Request, prepared: None, user: str) -> Response:
        person = self.get_whole(user)
        rows = list_open_proposals(tenant=self.caller.tenant_id, person_id=person.pk)
        answer = paginate(rows, request, ordering=("-created_at",), serialize=proposal_json)
        note_read(self, "proposal.listed", "merge_proposal", person.pk, shown=len(answer.data["results"]))
        return answer


class ProposalDismissView(WholePersonView):
    """`users/{user}/entities/proposals/{id}/dismiss/`: they are two, for good."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Say that two names are two", ProposalFields)}

    def post(self, request: Request, prepared: None, user: str, proposal_id: UUID) -> Response:
        person = self.get_whole(user)
        tenant_id = self.caller.tenant_id
        proposal = get_proposal(tenant=tenant_id, person_id=person.pk, proposal_id=proposal_id)
        return Response(
            proposal_json(dismiss_proposal(tenant=tenant_id, proposal=proposal, actor=self.actor))
        )


class ProposalMergeView(WholePersonView):
    """`users/{user}/entities/proposals/{id}/merge/`: they are one; `keep` says by which name, else the first."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Say that two names are one", MergeFields, body=KeepInput)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(KeepInput, request.data)

    def post(self, request: Request, prepared: dict[str, Any], user: str, proposal_id: UUID) -> Response:
        person = self.get_whole(user)
        tenant_id = self.caller.tenant_id
        proposal = get_proposal(tenant=tenant_id, person_id=person.pk, proposal_id=proposal_id)
        pair = [proposal.first, proposal.second]
        into, entity = pair[::-1] if prepared.get("keep") == "second" else pair
        merge = merge_entities(tenant=tenant_id, person=person, entity=entity, into=into, actor=self.actor)
        return Response(merge_json(merge))


class EntityMergeView(WholePersonView):
    """`users/{user}/entities/merge/`: `ref` is another name of `into`."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Merge an entity into another", MergeFields, body=MergeInput)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(MergeInput, request.data)

    def post(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_whole(user)
        tenant_id = self.caller.tenant_id
        merge = merge_entities(
            tenant=tenant_id,
            person=person,
            entity=get_entity(tenant=tenant_id, person_id=person.pk, ref=prepared["ref"]),
            into=get_entity(tenant=tenant_id, person_id=person.pk, ref=prepared["into"]),
            actor=self.actor,
        )
        return Response(merge_json(merge))


class EntitySplitView(WholePersonView):
    """`users/{user}/entities/split/`: `ref` is a name of its own again."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Split a merged entity off", MergeFields, body=SplitInput)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(SplitInput, request.data)

    def post(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_whole(user)
        tenant_id = self.caller.tenant_id
        entity = get_entity(tenant=tenant_id, person_id=person.pk, ref=prepared["ref"], merged=True)
        return Response(
            merge_json(split_entity(tenant=tenant_id, person=person, entity=entity, actor=self.actor))
        )


class FoldListView(WholePersonView):
    """`users/{user}/folds/`: what curation made one, the newest first."""

    subject = "Curation"
    scopes = {"GET": "read"}
    operations = {"GET": Operation("List folds", Page[FoldFields])}

    def get(self, request: Request, prepared: None, user: str) -> Response:
        person = self.get_whole(user)
        rows = list_folds(tenant=self.caller.tenant_id, person_id=person.pk)
        answer = paginate(rows, request, ordering=("-created_at",), serialize=fold_json)
        note_memories(
            self, "fold.listed", person.pk, [UUID(row["memory_id"]) for row in answer.data["results"]]
        )
        return answer


class FoldUndoView(WholePersonView):
    """`users/{user}/folds/{id}/undo/`: its memories are as they were; says how many, and which stayed and why."""

    subject = "Curation"
    scopes = {"POST": "write"}
    operations = {"POST": Operation("Undo a fold", UnfoldedFields)}

    def post(self, request: Request, prepared: None, user: str, fold_id: UUID) -> Response:
        person = self.get_whole(user)
        fold = get_fold(tenant=self.caller.tenant_id, person_id=person.pk, fold_id=fold_id)
        return Response(undo_fold(tenant=self.caller.tenant_id, fold=fold, actor=self.actor))


class CurationView(WholePersonView):
    """`users/{user}/curation/`: when it last ran and what came of it; POST runs it, `?wait=` seconds of it."""

    subject = "Curation"
    scopes = {"GET": "read", "POST": "write"}
    operations = {
        "GET": Operation("Read the last curation", CurationFields),
        "POST": Operation("Curate now", {202: JobAnswerFields, 200: JobAnswerFields}, query=WaitQuery),
    }

    def prepare(self, request: Request, **kwargs: Any) -> float:
        return wait_seconds(request) if request.method == "POST" else 0.0

    def get(self, request: Request, prepared: float, user: str) -> Response:
        person = self.get_whole(user)
        return Response(read_curation(tenant=self.caller.tenant_id, person_id=person.pk))

    def post(self, request: Request, prepared: float, user: str) -> Response:
        person = self.get_whole(user)
        job = enqueue_curation(tenant=self.caller.tenant_id, person=person, actor=self.actor)
        shown: JobFields = job_json(job)
        return Response({"job": shown}, status=202)

    def follow_up(self, request: Request, response: Response, prepared: float, **kwargs: Any) -> Response:
        """After the commit: wait for the job if the caller asked to."""
        if not prepared or request.method != "POST":
            return response
        job_id = UUID(response.data["job"]["id"])
        job = wait_for_job(tenant=self.caller.tenant_id, job_id=job_id, seconds=prepared)
        return Response({"job": job_json(job)}, status=200 if job.finished_at else 202)


def proposal_json(proposal: MergeProposal) -> ProposalFields:
    """Two names and why they may be one; the sound is empty where only the spelling is near."""
    return {
        "id": str(proposal.pk),
        "first": {"ref": proposal.first.ref, "label": proposal.first.label},
        "second": {"ref": proposal.second.ref, "label": proposal.second.label},
        "evidence": proposal.evidence,
        "status": proposal.status,
        "created_at": as_utc(proposal.created_at),
    }


def merge_json(merge: EntityMerge) -> MergeFields:
    """A merge, or the split that undid it."""
    return {
        "ref": merge.entity.ref,
        "into": merge.into.ref,
        "memories": merge.memories,
        "merged_at": as_utc(merge.created_at),
        "split_at": as_utc(merge.undone_at),
    }


def fold_json(fold: Fold) -> FoldFields:
    """A fold with the memories it holds."""
    held: list[FoldMember] = fold.held  # type: ignore[attr-defined]  # prefetched by list_folds
    return {
        "id": str(fold.pk),
        "memory_id": str(fold.memory_id),
        "value": fold.memory.value,
        "kind": fold.kind,
        "worded_by": fold.worded_by,
        "members": [{"memory_id": str(one.memory_id), "value": one.memory.value} for one in held],
        "created_at": as_utc(fold.created_at),
        "undone_at": as_utc(fold.undone_at),
    }

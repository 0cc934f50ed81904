"""What carries over from one conversation to the next: states, rolling summaries, spine, what sessions were about."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.answers import Slug
from memories.api.noting import note_read
from memories.api.speaking import find_reader_id
from memories.curation.selectors import find_curation
from memories.models import Curation
from memories.selectors import with_persona
from memories.withholding.lines import list_withheld_lines
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import parse_query
from nebo.api.shapes import EXAMPLE_ID, Id, Moment, Page, like
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import NotFound
from nebo.tenants.models import UserProfile
from sessions.api.views import SessionScopedView
from sessions.models import RollingSummary, SessionState, SessionSummary, Spine
from sessions.spine.sections import cites_of, render_spine, view_spine, view_whole
from sessions.spine.selectors import find_spine, list_current_sections, list_spines
from sessions.summaries.selectors import list_rolling, list_states, list_summaries
from sessions.withheld import without_lines


class CuratorFields(TypedDict):
    """The last curation."""

    last_run_at: Moment
    last_memory_count_at_run: Annotated[int, like(120)]


class RollingErrorFields(TypedDict):
    """Why the last try failed."""

    reason: Annotated[str, like("Unavailable")]
    detail: Annotated[str, like("The provider didn't answer.")]


class StateFields(TypedDict):
    """What carries over between the sessions of a person with a persona."""

    persona: Slug
    message_count: Annotated[int, like(42)]
    last_interaction_at: Moment | None
    last_user_message: Annotated[str, like("Which ferry should I take?")]
    rolling_summary: Annotated[str, like("They plan a move to Lisbon.")]
    last_rolling_attempt_at: Moment | None
    last_rolling_success_at: Moment | None
    last_rolling_error: Annotated[RollingErrorFields | None, like(None)]
    messages_since_spine: Annotated[int, like(7)]
    curator: Annotated[CuratorFields | None, like(None)]


class RollingFields(TypedDict):
    """A rolling summary."""

    id: Id
    persona: Slug
    session: Id | None
    text: Annotated[str, like("They plan a move to Lisbon.")]
    seq_from: int
    seq_to: Annotated[int, like(12)]
    model: Annotated[str, like("rules/en")]
    created_at: Moment


class SpineFields(TypedDict):
    """The long-term summary of a person, in one version."""

    version: int
    content: Annotated[str, like("## PROFILE\n- Lives in Lisbon.")]
    sections: Annotated[dict[str, list[str]], like({"PROFILE": ["Lives in Lisbon."], "PROJECTS": []})]
    cites: Annotated[
        dict[str, dict[str, list[str]]],
        like(
            {"Lives in Lisbon.": {"memories": [EXAMPLE_ID]}},
            "By line, the memories and messages it rests on.",
        ),
    ]
    message_count: Annotated[int, like(42)]
    model: Annotated[str, like("rules/en")]
    created_at: Moment


class SessionSummaryFields(TypedDict):
    """What a session was about, up to a message."""

    id: Id
    one_liner: Annotated[str, like("They planned the move to Lisbon.")]
    what_mattered: Annotated[list[str], like(["The flat is found."])]
    open_loops: Annotated[list[str], like(["Which ferry to take."])]
    commitments: Annotated[list[str], like([])]
    people: Annotated[list[str], like(["John"])]
    tone: Annotated[str, like("hopeful")]
    seq_to: Annotated[int, like(12)]
    model: Annotated[str, like("rules/en")]
    said_from: Moment | None
    said_to: Moment | None
    created_at: Moment


class PersonaFilters(serializers.Serializer[Any]):
    persona = serializers.CharField(max_length=63, required=False, default="")


class BackgroundView(TenantView):
    """A view of a person's background; with a persona, named or the key's own, only of what is its own."""

    subject = "Background"

    scopes = {"GET": "read"}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_query(PersonaFilters, request)

    def record(self, person: UserProfile, what: str) -> None:
        """That it was read."""
        note_read(self, f"{what}.read", "person", person.pk, shown=person.pk)


class StateListView(BackgroundView):
    """`users/{user}/states/`: one for each persona the person has talked to."""

    operations = {"GET": Operation("List what carries over", Page[StateFields], query=PersonaFilters)}

    def get(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person, tenant_id = self.get_person(user), self.caller.tenant_id
        rows = list_states(tenant=tenant_id, person_id=person.pk)
        persona_id = find_reader_id(self, prepared["persona"])
        if persona_id:
            rows = rows.filter(with_persona("persona_id", tenant_id, persona_id))
        curator = find_curation(tenant=tenant_id, person_id=person.pk)
        self.record(person, "state")
        return paginate(rows, request, ordering=("id",), serialize=lambda state: state_json(state, curator))


class RollingListView(BackgroundView):
    """`users/{user}/rolling-summaries/`, the newest first; the newest of a persona is the one that speaks."""

    operations = {"GET": Operation("List rolling summaries", Page[RollingFields], query=PersonaFilters)}

    def get(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person, tenant_id = self.get_person(user), self.caller.tenant_id
        rows = list_rolling(tenant=tenant_id, person_id=person.pk)
        persona_id = find_reader_id(self, prepared["persona"])
        if persona_id:
            rows = rows.filter(with_persona("state__persona_id", tenant_id, persona_id))
        self.record(person, "rolling")
        return paginate(rows, request, ordering=("-created_at", "-id"), serialize=rolling_json)


class SpineView(BackgroundView):
    """`users/{user}/spine/`: the newest version."""

    operations = {"GET": Operation("Read the spine", SpineFields, query=PersonaFilters)}

    def get(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_person(user)
        spine = find_spine(tenant=self.caller.tenant_id, person_id=person.pk)
        if spine is None:
            raise NotFound
        spine.sections = list_current_sections(tenant=self.caller.tenant_id, spine=spine)
        self.record(person, "spine")
        return Response(spine_json(spine, find_reader_id(self, prepared["persona"])))


class SpineListView(BackgroundView):
    """`users/{user}/spine/versions/`, the newest first."""

    operations = {"GET": Operation("List versions of the spine", Page[SpineFields], query=PersonaFilters)}

    def get(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_person(user)
        rows = list_spines(tenant=self.caller.tenant_id, person_id=person.pk)
        persona_id = find_reader_id(self, prepared["persona"])
        lines = list_withheld_lines(tenant=self.caller.tenant_id, person_id=person.pk)
        withheld = list(lines.values_list("text", flat=True))
        self.record(person, "spine")

        def as_spine(spine: Spine) -> SpineFields:
            spine.sections = without_lines(spine.sections, withheld)
            return spine_json(spine, persona_id)

        return paginate(rows, request, ordering=("-version",), serialize=as_spine)


class SessionSummaryListView(SessionScopedView):
    """`sessions/{id}/summaries/`: what was written each time the session closed, the newest first."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List summaries of a session", Page[SessionSummaryFields])}

    def get(self, request: Request, prepared: None, session_id: UUID) -> Response:
        session = self.get_session(session_id)
        rows = list_summaries(tenant=self.caller.tenant_id, session_id=session.pk)
        return paginate(rows, request, ordering=("-created_at", "-id"), serialize=summary_json)


def state_json(state: SessionState, curator: Curation | None) -> StateFields:
    """What carries over between the sessions of a person with a persona."""
    return {
        "persona": state.persona.slug if state.persona else None,
        "message_count": state.message_count,
        "last_interaction_at": as_utc(state.last_interaction_at),
        "last_user_message": state.last_user_message,
        "rolling_summary": getattr(state, "rolling_text", None) or "",
        "last_rolling_attempt_at": as_utc(state.rolling_attempt_at),
        "last_rolling_success_at": as_utc(state.rolling_success_at),
        "last_rolling_error": state.rolling_error,
        "messages_since_spine": state.spine_message_count,
        "curator": curator_json(curator) if curator else None,
    }


def curator_json(curation: Curation) -> CuratorFields:
    """The last curation."""
    return {
        "last_run_at": as_utc(curation.last_run_at),
        "last_memory_count_at_run": curation.last_memory_count,
    }


def rolling_json(rolling: RollingSummary) -> RollingFields:
    """One rolling summary."""
    return {
        "id": str(rolling.pk),
        "persona": rolling.state.persona.slug if rolling.state.persona else None,
        "session": str(rolling.session_id) if rolling.session_id else None,
        "text": rolling.text,
        "seq_from": rolling.seq_from,
        "seq_to": rolling.seq_to,
        "model": rolling.model,
        "created_at": as_utc(rolling.created_at),
    }


def spine_json(spine: Spine, persona_id: UUID | None) -> SpineFields:
    """One version, as the persona may know it, or whole where none is named."""
    sections = view_spine(spine.sections, str(persona_id)) if persona_id else view_whole(spine.sections)
    return {
        "version": spine.version,
        "content": render_spine(sections),
        "sections": sections,
        "cites": cites_of({"": sections}, spine.cites),
        "message_count": spine.message_count,
        "model": spine.model,
        "created_at": as_utc(spine.created_at),
    }


def summary_json(summary: SessionSummary) -> SessionSummaryFields:
    """What a session was about, up to a message."""
    return {
        "id": str(summary.pk),
        "one_liner": summary.one_liner,
        "what_mattered": summary.what_mattered,
        "open_loops": summary.open_loops,
        "commitments": summary.commitments,
        "people": summary.people,
        "tone": summary.tone,
        "seq_to": summary.seq_to,
        "model": summary.model,
        "said_from": as_utc(summary.said_from),
        "said_to": as_utc(summary.said_to),
        "created_at": as_utc(summary.created_at),
    }

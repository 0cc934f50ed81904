"""Session endpoints: parse, one call, answer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.forgetting import requests_json
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import parse, parse_changes, parse_query
from nebo.api.shapes import Page
from nebo.api.views import TenantView
from nebo.errors import NotFound
from nebo.jobs.api import JobAnswerFields, WaitQuery, job_json, wait_seconds
from nebo.jobs.models import Job
from nebo.jobs.selectors import wait_for_job
from nebo.tenants.pauses import check_collecting
from personality.models import Persona
from personality.personas.selectors import get_persona
from search.embeddings.serving import get_models
from sessions.api.answers import (
    MessageFields,
    RedactedFields,
    SessionFields,
    TurnFields,
    message_json,
    session_json,
    turn_json,
)
from sessions.api.serializers import (
    ActiveTaskInput,
    ContextInput,
    RedactionInput,
    SessionChanges,
    SessionFilters,
    SessionInput,
    TurnInput,
)
from sessions.context.answer import ContextFields
from sessions.context.asking import Asked, complete_request
from sessions.context.assembly import ContextRequest, build_context
from sessions.context.inputs import read_inputs
from sessions.lifecycle.identity import SessionIdentity
from sessions.lifecycle.opening import SessionSwitches, open_session, set_active_task, switch_session
from sessions.models import Session
from sessions.redaction.redact import redact_message, redact_session
from sessions.scheduling import schedule
from sessions.selectors import get_session, list_messages, list_sessions
from sessions.turns.append import NewMessage, append_turn, understand


class SessionScopedView(TenantView):
    """A view under `sessions/{id}/`: the session must be the caller's to see."""

    subject = "Sessions"

    def get_session(self, session_id: UUID) -> Session:
        """The session; the same NotFound for one of another tenant, person or persona."""
        session = get_session(tenant=self.caller.tenant_id, session_id=session_id)
        self.check_session(session)
        return session

    def check_session(self, session: Session) -> None:
        """Raise NotFound for a session of another person or persona than the key's own."""
        self.check_person(session.person_id)
        if self.caller.persona_id not in (None, session.persona_id):
            raise NotFound


class SessionListView(TenantView):
    """`sessions/`: open one, list those of a person."""

    subject = "Sessions"
    scopes = {"GET": "read", "POST": "write"}
    operations = {
        "GET": Operation("List sessions", Page[SessionFields], query=SessionFilters, problems=(404,)),
        "POST": Operation(
            "Open a session", {201: SessionFields, 200: SessionFields}, body=SessionInput, problems=(404,)
        ),
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        if request.method == "POST":
            return parse(SessionInput, request.data)
        return parse_query(SessionFilters, request)

    def post(self, request: Request, prepared: dict[str, Any]) -> Response:
        person = self.get_person(prepared["user"], create=True)
        identity = prepared["identity"]
        opened = open_session(
            tenant=self.tenant,
            person=person,
            key=prepared["key"],
            identity=SessionIdentity(**identity, actor=person.external_id) if identity else None,
            persona=self._persona(prepared["persona"]),
            switches=SessionSwitches(prepared["auto_extract"], prepared["recall"], prepared["index_turns"]),
        )
        return Response(session_json(opened.session), status=201 if opened.created else 200)

    def get(self, request: Request, prepared: dict[str, Any]) -> Response:
        person = self.get_person(prepared["user"])
        rows = list_sessions(tenant=self.caller.tenant_id, person=person, persona_id=self.caller.persona_id)
        if "key" in prepared:
            rows = rows.filter(key=prepared["key"])
        return paginate(rows, request, ordering=("-last_activity_at", "-id"), serialize=session_json)

    def _persona(self, slug: str | None) -> Persona | None:
        """The persona named, or the key's own; a bound key can name no other."""
        named = get_persona(tenant=self.caller.tenant_id, slug=slug) if slug else None
        persona_id = self.bound_persona(named.pk if named else None)
        if named is not None or persona_id is None:
            return named
        return get_persona(tenant=self.caller.tenant_id, persona_id=persona_id)


class SessionDetailView(SessionScopedView):
    """`sessions/{id}/`."""

    scopes = {"GET": "read", "PATCH": "write"}
    operations = {
        "GET": Operation("Read a session", SessionFields),
        "PATCH": Operation("Change a session", SessionFields, body=SessionChanges),
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_changes(SessionChanges, request)

    def get(self, request: Request, prepared: dict[str, Any], session_id: UUID) -> Response:
        return Response(session_json(self.get_session(session_id)))

    def patch(self, request: Request, prepared: dict[str, Any], session_id: UUID) -> Response:
        session = self.get_session(session_id)
        changed = switch_session(tenant=session.tenant, session=session, changes=prepared)
        return Response(session_json(changed))


class TurnView(SessionScopedView):
    """`sessions/{id}/turns/`: one to five hundred messages, all or nothing."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Append a turn", {201: TurnFields, 200: TurnFields}, body=TurnInput)}

    def prepare(self, request: Request, **kwargs: Any) -> list[NewMessage]:
        get_models()  # kept for the transaction, which could not keep what it read itself
        messages = [NewMessage(**message) for message in parse(TurnInput, request.data)["messages"]]
        caller = self.caller
        return understand(caller.tenant_id, kwargs["session_id"], messages, caller.trust, caller.key_id)

    def post(self, request: Request, prepared: list[NewMessage], session_id: UUID) -> Response:
        turn = append_turn(
            tenant=self.caller.tenant_id,
            session_id=session_id,
            messages=prepared,
            actor=self.actor,
            check=self.check_session,
        )
        asked = requests_json(self.caller.tenant_id, turn.forget_requests, self.caller.persona_id)
        return Response(turn_json(turn, asked), status=200 if turn.pause else 201)


class MessageListView(SessionScopedView):
    """`sessions/{id}/messages/`, oldest first."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List messages", Page[MessageFields])}

    def get(self, request: Request, prepared: None, session_id: UUID) -> Response:
        session = self.get_session(session_id)
        rows = list_messages(tenant=self.caller.tenant_id, session_id=session.pk)
        return paginate(rows, request, ordering=("seq",), serialize=message_json)


class MessageRedactionView(SessionScopedView):
    """`sessions/{id}/messages/{message}/redact/`: words, a stretch, or all of it, gone for good."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Redact a message", MessageFields, body=RedactionInput)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(RedactionInput, request.data)

    def post(
        self, request: Request, prepared: dict[str, Any], session_id: UUID, message_id: UUID
    ) -> Response:
        session = self.get_session(session_id)
        redacted = redact_message(
            tenant=self.caller.tenant_id,
            session=session,
            message_id=message_id,
            words=prepared.get("words", ()),
            stretch=(prepared["start"], prepared["end"]) if "end" in prepared else None,
            actor=self.actor,
        )
        return Response(message_json(redacted))


class SessionRedactionView(SessionScopedView):
    """`sessions/{id}/redact/`: all that was said in it, gone for good."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Redact a session", RedactedFields)}

    def post(self, request: Request, prepared: None, session_id: UUID) -> Response:
        session = self.get_session(session_id)
        count = redact_session(tenant=self.caller.tenant_id, session=session, actor=self.actor)
        answer: RedactedFields = {"messages": count}
        return Response(answer)


class ContextView(SessionScopedView):
    """`sessions/{id}/context/`: the query begins to be embedded before the transaction opens; no provider is waited for
    in it.
    """

    scopes = {"POST": "read"}
    reads = ("POST",)
    operations = {"POST": Operation("Build the context of an answer", ContextFields, body=ContextInput)}

    def prepare(self, request: Request, **kwargs: Any) -> Asked:
        fields = parse(ContextInput, request.data)
        return complete_request(
            tenant=self.caller.tenant_id,
            session_id=kwargs["session_id"],
            request=ContextRequest(**fields),
            check=self.check_session,
        )

    def post(self, request: Request, prepared: Asked, session_id: UUID) -> Response:
        inputs = read_inputs(tenant=self.caller.tenant_id, session_id=session_id, key_id=self.caller.key_id)
        self.check_session(inputs.session)
        asked = prepared.wait()
        answer = build_context(tenant=self.caller.tenant_id, inputs=inputs, request=asked, actor=self.actor)
        if answer.get("team"):
            self.show_others()
        return Response(answer)


def job_operations(summary: str) -> dict[str, Operation]:
    """Of a view that schedules a job."""
    return {"POST": Operation(summary, {202: JobAnswerFields, 200: JobAnswerFields}, query=WaitQuery)}


class SessionJobView(SessionScopedView):
    """`sessions/{id}/extract/`, `flush/`, `compact/`, `close/`: a job, waited for up to `?wait=` seconds."""

    scopes = {"POST": "write"}
    kind = ""

    def prepare(self, request: Request, **kwargs: Any) -> float:
        return wait_seconds(request)

    def post(self, request: Request, prepared: float, session_id: UUID) -> Response:
        session = self.get_session(session_id)
        job = schedule(tenant=session.tenant, session=session, kind=self.kind)
        return Response({"job": job_json(job)}, status=202)

    def follow_up(self, request: Request, response: Response, prepared: float, **kwargs: Any) -> Response:
        """After the commit: wait for the job if the caller asked to."""
        if not prepared:
            return response
        job_id = UUID(response.data["job"]["id"])
        job = wait_for_job(tenant=self.caller.tenant_id, job_id=job_id, seconds=prepared)
        ended = job.state in (Job.State.SUCCEEDED, Job.State.DEAD)
        return Response({"job": job_json(job)}, status=200 if ended else 202)


class ActiveTaskView(SessionScopedView):
    """`sessions/{id}/active-task/`."""

    scopes = {"PUT": "write"}
    operations = {
        "PUT": Operation("Set the active task", SessionFields, body=ActiveTaskInput, problems=(409,))
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(ActiveTaskInput, request.data)

    def put(self, request: Request, prepared: dict[str, Any], session_id: UUID) -> Response:
        session = self.get_session(session_id)
        if prepared["text"]:
            check_collecting(
                tenant=session.tenant, person=session.person, actor=self.actor, session_id=session.pk
            )
        return Response(
            session_json(set_active_task(tenant=session.tenant, session=session, text=prepared["text"]))
        )

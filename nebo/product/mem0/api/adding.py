"""`POST v1/memories/`, `v3/memories/add/`, and `memories` of mem0's own server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.models import Memory
from memories.new_memory import NewMemory, NewObservation
from memories.trust import lowest
from nebo.api.pausing import paused_json
from nebo.api.serializers import parse
from nebo.errors import InvalidInput, NotFound
from nebo.product.mem0.adding import Note, add_notes, add_turn, open_run, prepare_notes
from nebo.product.mem0.api.answers import (
    DONE,
    QUEUED,
    Mem0Added,
    learned_json,
    stored_json,
)
from nebo.product.mem0.api.base import Mem0View, body_of, counted
from nebo.product.mem0.api.inputs import AddInput, as_messages
from nebo.product.mem0.filters.reading import ENTITIES, METADATA, read_filters
from nebo.product.mem0.said import NO_RUN, OWN, Said
from nebo.product.mem0.whom import ONE_PERSON, list_named
from nebo.tenants.models import Pause, UserProfile
from nebo.tenants.pauses import explain
from nebo.tenants.scoping import tenant_scope
from personality.personas.selectors import get_persona
from search.embeddings.serving import get_models
from sessions.lifecycle.opening import find_by_key
from sessions.models import Message, Session
from sessions.turns.append import NewMessage, understand

TRUST = {Message.Role.ASSISTANT: Memory.Trust.ASSISTANT, Message.Role.TOOL: Memory.Trust.TOOL}


@dataclass(frozen=True, slots=True)
class Adding:
    """A body, checked: for whom, what was said of it, and the messages or the notes."""

    fields: Mapping[str, Any]
    user: str
    said: Said
    session_id: UUID | None = None
    messages: Sequence[NewMessage] = ()
    notes: Sequence[Note] = ()


class AddView(Mem0View):
    """Learns from messages as a turn of a session does, or stores each as it came (`infer` false)."""

    scopes = {"POST": "write"}
    operations = counted(POST="add memories")

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        """The person and the session are there before the messages are read, which happens beside their memories."""
        fields = parse(AddInput, as_messages(body_of(request)))
        ids = _ids(fields)
        user = self.name_person({name: [value] for name, value in ids.items() if value})
        metadata = {**(fields["filters"] or {}).get(METADATA, {}), **fields["metadata"]}
        said = Said(ids["agent_id"], ids["app_id"], ids["run_id"], metadata)
        adding = Adding(fields, user, said)
        return self._noting(adding) if fields["infer"] is False else self._learning(adding)

    def _learning(self, adding: Adding) -> Adding:
        get_models()  # kept for the transaction, which could not keep what it read itself
        with tenant_scope(self.caller.tenant_id):
            person = self.get_person(adding.user, create=True)
            own = self.caller.persona_id
            persona = get_persona(tenant=self.caller.tenant_id, persona_id=own) if own else None
            session = open_run(tenant=self.tenant, person=person, run_id=adding.said.run_id, persona=persona)
            self._check_session(session)
        at = adding.fields["timestamp"]
        sent = [NewMessage(**message) for message in adding.fields["messages"]]
        messages = [replace(one, created_at=one.created_at or at) for one in sent]
        heard = understand(self.caller.tenant_id, session.pk, messages, self.caller.trust, self.caller.key_id)
        return replace(adding, session_id=session.pk, messages=heard)

    def _check_session(self, session: Session) -> None:
        self.check_person(session.person_id)
        if self.caller.persona_id not in (None, session.persona_id):
            raise NotFound

    def _noting(self, adding: Adding) -> Adding:
        with tenant_scope(self.caller.tenant_id):
            person = self.get_person(adding.user, create=True)
            if self._find_pause(person, adding) is not None:
                return adding
        texts = [one for one in adding.fields["messages"] if one["role"] != Message.Role.SYSTEM]
        news = [self._note_of(adding, message) for message in texts]
        tenant_id = self.caller.tenant_id
        notes = prepare_notes(tenant=tenant_id, person_id=person.pk, trust=self.caller.trust, news=news)
        return replace(adding, notes=notes)

    def _find_pause(self, person: UserProfile, adding: Adding) -> Pause | None:
        """Also one of the run that is named."""
        if not person.has_pause:
            return None
        run = find_by_key(tenant=self.tenant, person=person, key=adding.said.run_id or NO_RUN)
        return self.find_pause(person, run.pk if run else None)

    def _note_of(self, adding: Adding, message: Mapping[str, Any]) -> NewMemory:
        trust = lowest(self.caller.trust, TRUST.get(message["role"], "")) or Memory.Trust.AGENT
        at = message["created_at"] or adding.fields["timestamp"]
        own = adding.said.as_own()
        new = NewMemory(
            value=message["content"],
            persona_id=self.caller.persona_id,
            trust=trust,
            expires_at=adding.fields["expiration_date"],
            metadata={OWN: own} if own else {},
        )
        if at is None:
            return new
        seen = NewObservation(
            Memory.Source.AGENT, new.value, new.confidence, trust, actor=str(self.actor), observed_at=at
        )
        return replace(new, observations=(seen,))

    def post(self, request: Request, prepared: Adding, **kwargs: Any) -> Response:
        if prepared.session_id is not None:
            return self._learn(prepared, prepared.session_id)
        person = self.get_person(prepared.user, create=True)
        pause = self._find_pause(person, prepared)
        return _not_collected(prepared, pause) if pause else self._note(prepared, person)

    def _learn(self, adding: Adding, session_id: UUID) -> Response:
        addition, turn = add_turn(
            tenant=self.caller.tenant_id,
            session_id=session_id,
            messages=adding.messages,
            said=adding.said,
            actor=self.actor,
            check=self._check_session,
        )
        if addition is None:
            return _not_collected(adding, turn.pause)
        goes_on = turn.extraction_due_at is not None
        return self._answer_of(adding, str(addition.pk), learned_json(turn.learned), goes_on=goes_on)

    def _note(self, adding: Adding, person: UserProfile) -> Response:
        addition, kept = add_notes(
            tenant=self.caller.tenant_id,
            person=person,
            notes=adding.notes,
            said=adding.said,
            actor=self.actor,
        )
        return self._answer_of(adding, str(addition.pk), [stored_json(one) for one in kept], goes_on=False)

    def _answer_of(
        self, adding: Adding, event_id: str, results: list[Mem0Added], *, goes_on: bool
    ) -> Response:
        """What is known by now is told, also where a client would wait for it (`async_mode`). v1.0 has a bare list."""
        status = "PENDING" if goes_on else "SUCCEEDED"
        queued = {"message": QUEUED if goes_on else DONE, "status": status, "event_id": event_id}
        if adding.fields.get("output_format") == "v1.0":
            return Response(results)
        return Response({**queued, "results": results})


def _not_collected(adding: Adding, pause: Pause | None) -> Response:
    """Nothing came of it, in the shape that the client reads; and why, for who looks."""
    if pause is None or adding.fields.get("output_format") == "v1.0":
        return Response([])
    return Response({"message": explain(pause), "paused": paused_json(pause), "results": []})


def _ids(fields: Mapping[str, Any]) -> dict[str, str]:
    """Beside the filters or in them: the newest client has only those. Raises InvalidInput for two users."""
    within = list_named(read_filters(fields["filters"] or {}))
    if len(within["user_id"]) > 1:
        raise InvalidInput(ONE_PERSON, field="filters")
    return {name: fields[name] or min(within[name], default="") for name in ENTITIES}

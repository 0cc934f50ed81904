"""Collection off: for a person, in a session, through a key, until a moment or until it is resumed."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import StrictSerializer, parse
from nebo.api.shapes import Id, Moment, Page, like, one_of
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import NotFound
from nebo.product.governance.api.views import check_entitled
from nebo.product.governance.pauses import (
    Wanted,
    get_key_for,
    list_pauses,
    pause_collection,
    read_until,
    resume_collection,
)
from nebo.tenants.models import Pause, UserProfile
from nebo.tenants.pauses import REASON_LIMIT, Thing, find_standing, get_standing
from sessions.api.views import SessionScopedView


class PauseFields(TypedDict):
    """Whether collection is off for this very thing, and since and until when."""

    scope: Annotated[str, one_of(Pause.Scope)]
    paused: Annotated[bool, like(True)]
    since: Moment | None
    until: Annotated[str | None, like("2026-12-03T08:00:00Z", "Null until it is resumed.")]
    reason: Annotated[
        str, like("", "What a key gave; what a person wrote is shown to keys with `admin` alone.")
    ]
    by_hand: Annotated[
        bool, like(False, "Set on the pages: there it ends, or by a key with the scope `admin`.")
    ]
    collected: Annotated[
        bool, like(False, "Whether what the key that asks sends here is collected, all pauses considered.")
    ]


class StandingPauseFields(TypedDict):
    """A pause that concerns a person."""

    id: Id
    scope: Annotated[str, one_of(Pause.Scope)]
    session: Annotated[Id | None, like(None)]
    key: Annotated[Id | None, like(None)]
    everybody: Annotated[bool, like(False, "Of a key: for all people of the team.")]
    since: Moment
    until: Moment | None
    reason: Annotated[str, like("")]
    by_hand: bool


class PauseInput(StrictSerializer):
    example = {"until": "2026-12-03T09:00:00+01:00"}
    until = serializers.CharField(
        max_length=40,
        required=False,
        allow_null=True,
        default=None,
        help_text="ISO 8601; a day, or a time without a zone, is meant in the person's. Null: until it is resumed.",
    )
    reason = serializers.CharField(max_length=REASON_LIMIT, required=False, allow_blank=True, default="")


def _operations(what: str) -> dict[str, Operation]:
    return {
        "GET": Operation(f"See whether {what} is paused", PauseFields),
        "PUT": Operation(f"Pause {what}", PauseFields, body=PauseInput, problems=(403,)),
        "DELETE": Operation(f"Resume {what}", PauseFields, problems=(403,)),
    }


class PauseView(TenantView):
    """What all of them share: which thing it is, is for each to say."""

    subject = "Pauses"
    scopes = {"GET": "read", "PUT": "write", "DELETE": "write"}

    def find_thing(self, **names: Any) -> tuple[Thing, UserProfile | None]:
        """What is paused, and whom it is about; raises NotFound, and Forbidden for who may not decide it."""
        raise NotImplementedError

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(PauseInput, request.data) if request.method == "PUT" else {}

    def get(self, request: Request, prepared: dict[str, Any], **names: Any) -> Response:
        return self._answer_about(*self.find_thing(**names))

    def put(self, request: Request, prepared: dict[str, Any], **names: Any) -> Response:
        thing, person = self.find_thing(**names)
        until = read_until(prepared["until"], zone=person.timezone if person else "")
        pause_collection(
            tenant=self.caller.tenant_id,
            thing=thing,
            wanted=Wanted(until, prepared["reason"]),
            actor=self.actor,
            manages=self.manages,
        )
        return self._answer_about(thing, person)

    def delete(self, request: Request, prepared: dict[str, Any], **names: Any) -> Response:
        thing, person = self.find_thing(**names)
        resume_collection(tenant=self.caller.tenant_id, thing=thing, actor=self.actor, manages=self.manages)
        return self._answer_about(thing, person)

    @property
    def manages(self) -> bool:
        """Whether this key may also change what somebody set by hand."""
        return "admin" in self.caller.scopes

    def _answer_about(self, thing: Thing, person: UserProfile | None) -> Response:
        standing = get_standing(tenant=self.caller.tenant_id, thing=thing)
        pause = self._find_standing(person, thing.session_id)
        answer: PauseFields = {
            "scope": thing.scope.value,
            "paused": standing is not None,
            "since": as_utc(standing.since) if standing else None,
            "until": as_utc(standing.until) if standing else None,
            "reason": shown_reason(standing, self) if standing else "",
            "by_hand": bool(standing and standing.is_by_hand),
            "collected": pause is None,
        }
        return Response(answer)

    def _find_standing(self, person: UserProfile | None, session_id: UUID | None) -> Pause | None:
        """What stands in the way now; what was read with the person may have changed since."""
        return find_standing(
            tenant=self.caller.tenant_id,
            person_id=person.pk if person else None,
            key_id=self.caller.key_id,
            session_id=session_id,
        )


class PersonPauseView(PauseView):
    """`users/{user}/pause/`: nothing about the person is collected, wherever it is told."""

    operations = _operations("collection about a person")

    def find_thing(self, **names: Any) -> tuple[Thing, UserProfile | None]:
        if self.request.method != "GET":
            check_entitled(self)
        person = self.get_person(names["user"])
        return Thing(person_id=person.pk), person


class SessionPauseView(PauseView, SessionScopedView):
    """`sessions/{id}/pause/`: nothing is collected in this conversation."""

    subject = "Pauses"
    operations = _operations("collection in a session")

    def find_thing(self, **names: Any) -> tuple[Thing, UserProfile | None]:
        session = self.get_session(names["session_id"])
        return Thing(person_id=session.person_id, session_id=session.pk), session.person


class PersonKeyPauseView(PauseView):
    """`users/{user}/keys/{key}/pause/`: nothing about the person is collected through that key."""

    operations = _operations("collection about a person through a key")

    def find_thing(self, **names: Any) -> tuple[Thing, UserProfile | None]:
        check_entitled(self)
        person = self.get_person(names["user"])
        key = get_key_for(tenant=self.caller.tenant_id, key_id=names["key_id"], person=person)
        return Thing(person_id=person.pk, key_id=key.pk), person


class KeyPauseView(PauseView):
    """`keys/{key}/pause/`: nothing is collected through that key, about nobody. It is the team's to decide."""

    scopes = {"GET": "admin", "PUT": "admin", "DELETE": "admin"}
    operations = _operations("collection through a key")

    def find_thing(self, **names: Any) -> tuple[Thing, UserProfile | None]:
        if self.caller.person_id is not None or self.caller.persona_id is not None:
            raise NotFound
        key = get_key_for(tenant=self.caller.tenant_id, key_id=names["key_id"])
        return Thing(key_id=key.pk), None


class PauseListView(TenantView):
    """`users/{user}/pauses/`: all in force that concern the person, the newest first."""

    subject = "Pauses"
    scopes = {"GET": "read"}
    operations = {"GET": Operation("List what is paused for a person", Page[StandingPauseFields])}

    def get(self, request: Request, prepared: None, user: str) -> Response:
        check_entitled(self)
        rows = list_pauses(tenant=self.caller.tenant_id, person_id=self.get_person(user).pk)
        return paginate(
            rows, request, ordering=("-since", "-id"), serialize=lambda pause: standing_json(pause, self)
        )


def standing_json(pause: Pause, view: TenantView) -> StandingPauseFields:
    """As callers see it."""
    return {
        "id": str(pause.pk),
        "scope": pause.scope,
        "session": str(pause.session_id) if pause.session_id else None,
        "key": str(pause.key_id) if pause.key_id else None,
        "everybody": pause.person_id is None,
        "since": as_utc(pause.since),
        "until": as_utc(pause.until),
        "reason": shown_reason(pause, view),
        "by_hand": pause.is_by_hand,
    }


def shown_reason(pause: Pause, view: TenantView) -> str:
    """What people write for people isn't for agents."""
    return "" if pause.is_by_hand and "admin" not in view.caller.scopes else pause.reason

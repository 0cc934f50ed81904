"""How a persona is to one person: what was learned, what they wished, and undoing it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.noting import note_memories
from nebo.api.etags import check_if_match, etag
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import parse, parse_query
from nebo.api.shapes import Page
from nebo.tenants.models import UserProfile
from personality.api.answers import (
    CandidateFields,
    OverlayFields,
    PersonalityFields,
    RevisionFields,
    candidate_json,
    overlay_json,
    personality_json,
    revision_json,
)
from personality.api.serializers import CandidateFilters, NamedPersonaFilters, OverlayRollbackInput
from personality.api.views import ACTS, PersonaScopedView
from personality.models import Persona
from personality.overlays.overlay import overlaid
from personality.overlays.selectors import find_overlay
from personality.personas.selectors import DEFAULT_SLUG, get_persona, list_revisions
from personality.styles.selectors import find_directive, list_styles
from personality.wishes.rollback import roll_back_overlay
from personality.wishes.selectors import get_candidate, list_candidates

STYLES_SHOWN = 50


class PersonalView(PersonaScopedView):
    """A view of one person and one persona: the one named, the key's own, or the default one."""

    subject = "Personality"

    def get_own_persona(self, slug: str = "") -> Persona:
        """The persona; raises NotFound."""
        if slug or self.caller.persona_id is None:
            return self.get_persona(slug or DEFAULT_SLUG)
        return get_persona(tenant=self.caller.tenant_id, persona_id=self.caller.persona_id, archived=True)

    def find_named_persona(self, slug: str) -> Persona | None:
        """The persona named or the key's own; None for all of them. Raises NotFound."""
        return self.get_own_persona(slug) if slug or self.caller.persona_id else None


class PersonalityView(PersonalView):
    """`users/{user}/personality/`: the directive, the styles behind it, and the persona as it is to this person."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("Read the personality", PersonalityFields, query=NamedPersonaFilters)}

    def get(self, request: Request, prepared: None, user: str) -> Response:
        person = self.get_person(user)
        persona = self.get_own_persona(parse_query(NamedPersonaFilters, request)["persona"])
        tenant_id = self.caller.tenant_id
        directive = find_directive(tenant=tenant_id, person_id=person.pk, persona_id=persona.pk)
        styles = list_styles(tenant=tenant_id, person_id=person.pk, persona_id=persona.pk)
        shown = list(styles[:STYLES_SHOWN])
        note_memories(
            self,
            "memory.personality_read",
            person.pk,
            [memory.pk for memory in ([directive] if directive else []) + shown],
        )
        overlay = find_overlay(tenant=tenant_id, persona=persona, person_id=person.pk)
        as_theirs = overlaid(persona, overlay.fields if overlay else {})
        tag = etag(overlay.version if overlay else 0)
        return Response(personality_json(directive, shown, as_theirs, overlay), headers={"ETag": tag})


class OwnRevisionListView(PersonalView):
    """`users/{user}/personality/revisions/`: what their wishes changed, the newest first."""

    scopes = {"GET": "read"}
    operations = {
        "GET": Operation("List what wishes changed", Page[RevisionFields], query=NamedPersonaFilters)
    }

    def get(self, request: Request, prepared: None, user: str) -> Response:
        person = self.get_person(user)
        persona = self.get_own_persona(parse_query(NamedPersonaFilters, request)["persona"])
        rows = list_revisions(tenant=self.caller.tenant_id, persona=persona, person_id=person.pk)
        return paginate(rows, request, ordering=("-number",), serialize=revision_json)


class OwnRollbackView(PersonalView):
    """`users/{user}/personality/rollback/`: their wishes as they stood after a revision; 0 for none."""

    scopes = {"POST": "write"}
    operations = {
        "POST": Operation("Roll wishes back", OverlayFields, body=OverlayRollbackInput, if_match=True)
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(OverlayRollbackInput, request.data)

    def post(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person: UserProfile = self.get_person(user)
        persona = self.get_own_persona(prepared.get("persona", ""))
        held = find_overlay(tenant=self.caller.tenant_id, persona=persona, person_id=person.pk)
        check_if_match(request, held.version if held else 0)
        overlay = roll_back_overlay(
            tenant=self.caller.tenant_id,
            persona=persona,
            person=person,
            to=prepared["to"],
            actor=self.actor,
        )
        return Response(overlay_json(overlay), headers={"ETag": etag(overlay.version)})


class OwnCandidateListView(PersonalView):
    """`users/{user}/personality/candidates/`: what they asked, of any persona unless one is named."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List wishes", Page[CandidateFields], query=CandidateFilters)}

    def get(self, request: Request, prepared: None, user: str) -> Response:
        filters = parse_query(CandidateFilters, request)
        person = self.get_person(user)
        rows = list_candidates(
            tenant=self.caller.tenant_id,
            persona=self.find_named_persona(filters["persona"]),
            person_id=person.pk,
            decision=filters["decision"],
        )
        return paginate(rows, request, ordering=("-created_at", "-id"), serialize=candidate_json)


TITLES = {"accept": "Accept a wish", "reject": "Reject a wish", "undo": "Undo a decision about a wish"}


def act_operations(act: str) -> dict[str, Operation]:
    """Of a view that decides about a wish."""
    return {"POST": Operation(TITLES[act], CandidateFields, query=NamedPersonaFilters)}


class OwnCandidateView(PersonalView):
    """`users/{user}/personality/candidates/{id}/accept/`, `reject/` and `undo/`: the last word."""

    scopes = {"POST": "write"}
    act = ""

    def post(self, request: Request, prepared: None, user: str, candidate_id: UUID) -> Response:
        person = self.get_person(user)
        persona = self.find_named_persona(parse_query(NamedPersonaFilters, request)["persona"])
        candidate = get_candidate(
            tenant=self.caller.tenant_id,
            persona=persona,
            candidate_id=candidate_id,
            person_id=person.pk,
        )
        settled = ACTS[self.act](tenant=self.caller.tenant_id, candidate=candidate, actor=self.actor)
        return Response(candidate_json(settled))

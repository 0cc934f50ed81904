"""Personas of the team: parse, one call, answer."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.etags import check_if_match, etag
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import parse, parse_changes, parse_query
from nebo.api.shapes import Page
from nebo.api.views import TenantView
from nebo.errors import NotFound
from personality.api.answers import (
    CandidateFields,
    FileFields,
    PersonaFields,
    PresetFields,
    RevisionFields,
    candidate_json,
    file_json,
    persona_json,
    preset_json,
    revision_json,
)
from personality.api.serializers import (
    CandidateFilters,
    FileInput,
    NewPersonaInput,
    PersonaFilters,
    PersonaInput,
    RollbackInput,
)
from personality.models import Persona
from personality.personas.editing import (
    archive_persona,
    create_persona,
    ensure_default_persona,
    lock_persona,
    restore_persona,
    update_persona,
)
from personality.personas.file_writing import write_files
from personality.personas.files import FileText
from personality.personas.presets import PRESETS
from personality.personas.rollback import roll_back_persona
from personality.personas.selectors import (
    DEFAULT_SLUG,
    get_file,
    list_all_personas,
    list_personas,
    list_revisions,
)
from personality.wishes.candidates import accept_candidate, reject_candidate, undo_candidate
from personality.wishes.selectors import get_candidate, list_candidates

# Endings of a candidate's address, and what each does.
ACTS = {"accept": accept_candidate, "reject": reject_candidate, "undo": undo_candidate}
TITLES = {"accept": "Accept what was asked", "reject": "Reject what was asked", "undo": "Undo a decision"}


class PresetListView(TenantView):
    """`presets/`: the personalities that come along."""

    subject = "Personas"
    scopes = {"GET": "read"}
    operations = {"GET": Operation("List ready-made personalities", Page[PresetFields])}

    def get(self, request: Request, prepared: None) -> Response:
        return Response({"results": [preset_json(name) for name in PRESETS], "next": None})


class PersonaListView(TenantView):
    """`personas/`: a persona speaks to everyone in the tenant, so making one needs `admin`."""

    subject = "Personas"
    scopes = {"GET": "read", "POST": "admin"}
    operations = {
        "GET": Operation("List personas", Page[PersonaFields], query=PersonaFilters),
        "POST": Operation("Make a persona", {201: PersonaFields}, body=NewPersonaInput),
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(NewPersonaInput, request.data) if request.method == "POST" else {}

    def get(self, request: Request, prepared: dict[str, Any]) -> Response:
        if self.caller.persona_id is None:
            ensure_default_persona(tenant=self.caller.tenant_id)
        rows = list_personas(
            tenant=self.caller.tenant_id,
            persona_id=self.caller.persona_id,
            archived=parse_query(PersonaFilters, request)["archived"],
        )
        return paginate(rows, request, ordering=("slug",), serialize=persona_json)

    def post(self, request: Request, prepared: dict[str, Any]) -> Response:
        slug = prepared.pop("slug")
        persona = create_persona(tenant=self.caller.tenant_id, slug=slug, fields=prepared, actor=self.actor)
        return Response(persona_json(persona), status=201, headers={"ETag": etag(persona.version)})


class PersonaScopedView(TenantView):
    """A view of one persona, which must be the key's own if it has one."""

    subject = "Personas"

    def get_persona(self, slug: str) -> Persona:
        """The persona, archived or not; the default one is made when it is first asked for. Raises NotFound."""
        if slug == DEFAULT_SLUG:
            persona: Persona | None = ensure_default_persona(tenant=self.caller.tenant_id)
        else:
            persona = list_all_personas(tenant=self.caller.tenant_id).filter(slug=slug).first()
        if persona is None or self.caller.persona_id not in (None, persona.pk):
            raise NotFound
        return persona


class PersonaDetailView(PersonaScopedView):
    """`personas/{slug}/`."""

    scopes = {"GET": "read", "PATCH": "admin", "DELETE": "admin"}
    operations = {
        "GET": Operation("Read a persona", PersonaFields),
        "PATCH": Operation(
            "Change a persona", PersonaFields, body=PersonaInput, problems=(409,), if_match=True
        ),
        "DELETE": Operation("Archive a persona", PersonaFields, problems=(409,), if_match=True),
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_changes(PersonaInput, request)

    def get(self, request: Request, prepared: dict[str, Any], slug: str) -> Response:
        return self._answer_with(self.get_persona(slug))

    def patch(self, request: Request, prepared: dict[str, Any], slug: str) -> Response:
        persona = self.get_persona(slug)
        check_if_match(request, persona.version)
        updated = update_persona(
            tenant=self.caller.tenant_id, persona=persona, changes=prepared, actor=self.actor
        )
        return self._answer_with(updated)

    def delete(self, request: Request, prepared: dict[str, Any], slug: str) -> Response:
        """Into the archive: what people told it is kept."""
        persona = self.get_persona(slug)
        check_if_match(request, persona.version)
        return self._answer_with(
            archive_persona(tenant=self.caller.tenant_id, persona=persona, actor=self.actor)
        )

    def _answer_with(self, persona: Persona) -> Response:
        return Response(persona_json(persona), headers={"ETag": etag(persona.version)})


class RevisionListView(PersonaScopedView):
    """`personas/{slug}/revisions/`: the newest first."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List revisions", Page[RevisionFields])}

    def get(self, request: Request, prepared: None, slug: str) -> Response:
        rows = list_revisions(tenant=self.caller.tenant_id, persona=self.get_persona(slug))
        return paginate(rows, request, ordering=("-number",), serialize=revision_json)


class FileView(PersonaScopedView):
    """`personas/{slug}/files/{name}.md`: AGENTS, MEMORY, SOUL or HEARTBEAT."""

    scopes = {"GET": "read", "PUT": "admin"}
    operations = {
        "GET": Operation("Read a file", FileFields, problems=(409,)),
        "PUT": Operation("Write a file", FileFields, body=FileInput, problems=(409, 422), if_match=True),
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(FileInput, request.data) if request.method == "PUT" else {}

    def get(self, request: Request, prepared: dict[str, Any], slug: str, name: str) -> Response:
        return self._answer_with(self._file(self.get_persona(slug), name))

    def put(self, request: Request, prepared: dict[str, Any], slug: str, name: str) -> Response:
        persona = lock_persona(tenant=self.caller.tenant_id, persona=self.get_persona(slug))
        check_if_match(request, self._file(persona, name).digest)
        write_files(
            tenant=self.caller.tenant_id,
            persona=persona,
            contents={f"{name}.md": prepared["content"]},
            actor=self.actor,
        )
        return self._answer_with(self._file(persona, name))

    def _file(self, persona: Persona, name: str) -> FileText:
        return get_file(tenant=self.caller.tenant_id, persona=persona, name=f"{name}.md")

    def _answer_with(self, file: FileText) -> Response:
        return Response(file_json(file), headers={"ETag": etag(file.digest)})


class RollbackView(PersonaScopedView):
    """`personas/{slug}/rollback/`: columns and files as they stood after a revision, as a new one."""

    scopes = {"POST": "admin"}
    operations = {"POST": Operation("Roll a persona back", PersonaFields, body=RollbackInput, if_match=True)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(RollbackInput, request.data)

    def post(self, request: Request, prepared: dict[str, Any], slug: str) -> Response:
        persona = lock_persona(tenant=self.caller.tenant_id, persona=self.get_persona(slug))
        check_if_match(request, persona.version)
        rolled = roll_back_persona(
            tenant=self.caller.tenant_id, persona=persona, to=prepared["to"], actor=self.actor
        )
        return Response(persona_json(rolled), headers={"ETag": etag(rolled.version)})


class RestoreView(PersonaScopedView):
    """`personas/{slug}/restore/`: back from the archive."""

    scopes = {"POST": "admin"}
    operations = {"POST": Operation("Restore a persona", PersonaFields)}

    def post(self, request: Request, prepared: None, slug: str) -> Response:
        restored = restore_persona(
            tenant=self.caller.tenant_id, persona=self.get_persona(slug), actor=self.actor
        )
        return Response(persona_json(restored), headers={"ETag": etag(restored.version)})


class CandidateListView(PersonaScopedView):
    """`personas/{slug}/candidates/`: what people asked of it, the newest first; a bound key sees its person's."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List what people asked", Page[CandidateFields], query=CandidateFilters)}

    def get(self, request: Request, prepared: None, slug: str) -> Response:
        filters = parse_query(CandidateFilters, request)
        person_id = self.caller.person_id
        if filters["user"]:
            person_id = self.get_person(filters["user"]).pk
        rows = list_candidates(
            tenant=self.caller.tenant_id,
            persona=self.get_persona(slug),
            person_id=person_id,
            decision=filters["decision"],
        )
        return paginate(rows, request, ordering=("-created_at", "-id"), serialize=candidate_json)


def act_operations(act: str) -> dict[str, Operation]:
    """Of a view that decides what somebody asked of a persona."""
    return {"POST": Operation(TITLES[act], CandidateFields)}


class CandidateView(PersonaScopedView):
    """`personas/{slug}/candidates/{id}/accept/`, `reject/` and `undo/`."""

    scopes = {"POST": "write"}
    act = ""

    def post(self, request: Request, prepared: None, slug: str, candidate_id: UUID) -> Response:
        candidate = get_candidate(
            tenant=self.caller.tenant_id,
            persona=self.get_persona(slug),
            candidate_id=candidate_id,
            person_id=self.caller.person_id,
        )
        settled = ACTS[self.act](tenant=self.caller.tenant_id, candidate=candidate, actor=self.actor)
        return Response(candidate_json(settled))

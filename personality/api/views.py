"""Personas, and the personality learned from one person: parse, one call, answer."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from memories.services import record_read
from nebo.api.etags import check_if_match, etag
from nebo.api.pagination import paginate
from nebo.api.serializers import parse
from nebo.api.views import TenantView
from nebo.errors import InvalidInput, NotFound
from personality.api.serializers import (
    FileInput,
    NewPersonaInput,
    PersonaInput,
    file_json,
    persona_json,
    personality_json,
    revision_json,
)
from personality.files import FileText
from personality.models import Persona
from personality.selectors import (
    DEFAULT_SLUG,
    find_directive,
    get_file,
    get_persona,
    list_personas,
    list_revisions,
    list_styles,
)
from personality.services import (
    create_persona,
    ensure_default_persona,
    lock_persona,
    update_persona,
    write_files,
)

STYLES_SHOWN = 50


class PersonaListView(TenantView):
    """`personas/`: a persona speaks to everyone in the tenant, so making one needs `admin`."""

    scopes = {"GET": "read", "POST": "admin"}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(NewPersonaInput, request.data) if request.method == "POST" else {}

    def get(self, request: Request, prepared: dict[str, Any]) -> Response:
        if self.caller.persona_id is None:
            ensure_default_persona(tenant=self.caller.tenant_id)
        rows = list_personas(tenant=self.caller.tenant_id, persona_id=self.caller.persona_id)
        return paginate(rows, request, ordering=("slug",), serialize=persona_json)

    def post(self, request: Request, prepared: dict[str, Any]) -> Response:
        slug = prepared.pop("slug")
        persona = create_persona(tenant=self.caller.tenant_id, slug=slug, fields=prepared, actor=self.actor)
        return Response(persona_json(persona), status=201, headers={"ETag": etag(persona.version)})


class PersonaScopedView(TenantView):
    """A view of one persona, which must be the key's own if it has one."""

    def get_persona(self, slug: str) -> Persona:
        """The persona; the default one is made when it is first asked for. Raises NotFound."""
        if slug == DEFAULT_SLUG:
            persona = ensure_default_persona(tenant=self.caller.tenant_id)
        else:
            persona = get_persona(tenant=self.caller.tenant_id, slug=slug)
        if self.caller.persona_id not in (None, persona.pk):
            raise NotFound
        return persona


class PersonaDetailView(PersonaScopedView):
    """`personas/{slug}/`."""

    scopes = {"GET": "read", "PATCH": "admin"}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        if request.method != "PATCH":
            return {}
        changes = parse(PersonaInput, request.data, partial=True)
        if not changes:
            raise InvalidInput("Name at least one field to change.")
        return changes

    def get(self, request: Request, prepared: dict[str, Any], slug: str) -> Response:
        return self._answer_with(self.get_persona(slug))

    def patch(self, request: Request, prepared: dict[str, Any], slug: str) -> Response:
        persona = self.get_persona(slug)
        check_if_match(request, persona.version)
        updated = update_persona(
            tenant=self.caller.tenant_id, persona=persona, changes=prepared, actor=self.actor
        )
        return self._answer_with(updated)

    def _answer_with(self, persona: Persona) -> Response:
        return Response(persona_json(persona), headers={"ETag": etag(persona.version)})


class RevisionListView(PersonaScopedView):
    """`personas/{slug}/revisions/`: the newest first."""

    scopes = {"GET": "read"}

    def get(self, request: Request, prepared: None, slug: str) -> Response:
        rows = list_revisions(tenant=self.caller.tenant_id, persona=self.get_persona(slug))
        return paginate(rows, request, ordering=("-number",), serialize=revision_json)


class FileView(PersonaScopedView):
    """`personas/{slug}/files/{name}.md`: AGENTS, MEMORY, SOUL or HEARTBEAT."""

    scopes = {"GET": "read", "PUT": "admin"}
    inputs = {"PUT": FileInput}

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


class PersonalityView(TenantView):
    """`users/{user}/personality/`: the learned directive and the observations behind it."""

    scopes = {"GET": "read"}

    def get(self, request: Request, prepared: None, user: str) -> Response:
        person = self.get_person(user)
        tenant_id, persona_id = self.caller.tenant_id, self.caller.persona_id
        directive = find_directive(tenant=tenant_id, profile_id=person.pk, persona_id=persona_id)
        styles = list_styles(tenant=tenant_id, profile_id=person.pk, persona_id=persona_id)
        shown = list(styles[:STYLES_SHOWN])
        record_read(
            tenant=tenant_id,
            actor=self.actor,
            action="memory.personality_read",
            profile_id=person.pk,
            memory_ids=[memory.pk for memory in ([directive] if directive else []) + shown],
        )
        return Response(personality_json(directive, shown))

"""Memories over HTTP: list, store, read, change, and where each came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.answers import (
    OWN,
    TEAM,
    MemoryFields,
    ObservationFields,
    StoredFields,
    VersionFields,
    memory_json,
    observation_json,
    version_json,
)
from memories.api.looking_ahead import frozen, look_ahead, weigh_own
from memories.api.noting import note_memories
from memories.api.permissions import check_global, check_hearsay, check_mentioned, sees_all
from memories.api.serializers import ChangedMemoryInput, DeleteFilters, MemoryFilters, NewMemoryInput
from memories.entity_refs import find_ref, make_memory_key
from memories.models import Memory
from memories.new_memory import DEFAULT_IMPORTANCE, NewMemory, address_key
from memories.normalize import storage_namespace
from memories.person_columns import find_column
from memories.screening.orders import read_ahead
from memories.selectors import (
    get_memory,
    get_persona_id,
    get_session_id,
    list_memories,
    list_observations,
    list_versions,
)
from memories.storing.comparing import NOT_COMPARED, Comparison
from memories.storing.edit import (
    archive_memory,
    delete_memory,
    pin_memory,
    restore_memory,
    unpin_memory,
    update_memory,
)
from memories.storing.marking import mark_wrong, never_mention
from memories.storing.store import MAX_IMPORTANCE, Stored, store_memory
from memories.storing.usage import note_tool_use
from memories.storing.vectors import embed_pair
from memories.team.rules import read_shared_ahead
from memories.team.sharing import store_for_team, take_back
from nebo.api.etags import check_if_match, etag
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import parse, parse_changes, parse_query
from nebo.api.shapes import Page
from nebo.api.views import TenantView
from nebo.tenants.models import UserProfile
from nebo.tenants.pauses import check_collecting
from nebo.tenants.scoping import tenant_scope


@dataclass(frozen=True, slots=True)
class Prepared:
    """A body, checked, the vector of the memory it speaks of, and what that is to known ones."""

    fields: dict[str, Any]
    vector: list[float] | None = None
    compared: Comparison = NOT_COMPARED


class MemoryListView(TenantView):
    """`users/{user}/memories/`."""

    subject = "Memories"
    scopes = {"GET": "read", "POST": "write"}
    operations = {
        "GET": Operation("List memories", Page[MemoryFields], query=MemoryFilters),
        "POST": Operation(
            "Store a memory", {201: StoredFields, 200: StoredFields}, body=NewMemoryInput, problems=(409,)
        ),
    }

    def prepare(self, request: Request, **kwargs: Any) -> Prepared:
        if request.method != "POST":
            return Prepared(parse_query(MemoryFilters, request))
        fields = parse(NewMemoryInput, request.data)
        if fields.get("visibility") == TEAM:
            fields.setdefault("type", Memory.Type.PROJECT)
        person, pause = look_ahead(self, kwargs["user"], fields.get("session"))
        if pause is not None:
            return Prepared(fields)
        read_ahead(self.caller.trust, fields["value"])
        if fields.get("visibility") == TEAM:
            read_shared_ahead(fields["value"])
        key = address_key(fields.get("key", ""), fields["value"])
        vector = embed_pair(tenant=self.caller.tenant_id, key=key, value=fields["value"])
        compared = weigh_own(self, person, fields) if fields["deduplicate"] else NOT_COMPARED
        return Prepared(fields, vector, compared)

    def get(self, request: Request, prepared: Prepared, user: str) -> Response:
        person = self.get_person(user)
        filters = prepared.fields
        check_hearsay(self, filters)
        slug = filters["persona"]
        named = get_persona_id(tenant=self.caller.tenant_id, slug=slug) if slug else None
        rows = list_memories(
            tenant=self.caller.tenant_id,
            person_id=person.pk,
            filters=filters,
            persona_id=self.bound_persona(named),
        )
        answer = paginate(
            rows,
            request,
            ordering=(filters["ordering"],),
            serialize=partial(memory_json, whole=sees_all(self)),
        )
        shown = [UUID(row["id"]) for row in answer.data["results"]]
        note_memories(self, "memory.listed", person.pk, shown)
        return answer

    def post(self, request: Request, prepared: Prepared, user: str) -> Response:
        fields = dict(prepared.fields)
        check_global(self, fields.get("scope", ""))
        person = self.get_person(user, create=True)
        deduplicate = fields.pop("deduplicate")
        store = self._store_for_team if fields.pop("visibility", OWN) == TEAM else self._store
        resolved = resolve(self, person, fields)
        check_collecting(
            tenant=person.tenant_id,
            person=person,
            actor=self.actor,
            session_id=resolved.get("session_id"),
        )
        if "session_id" in resolved:
            note_tool_use(tenant=self.caller.tenant_id, session_id=resolved["session_id"])
        resolved.setdefault("persona_id", self.caller.persona_id)
        resolved.setdefault("memory_key", _named_key(fields))
        resolved.setdefault("importance", _own_importance(fields))
        stored = store(
            person=person,
            new=NewMemory(**{name: frozen(value) for name, value in resolved.items()}),
            actor=self.actor,
            vector=prepared.vector,
            deduplicate=deduplicate,
            compared=prepared.compared,
        )
        is_new = stored.action in ("created", "superseded") or (
            stored.action == "quarantined" and not stored.deduplicated
        )
        body: StoredFields = {**memory_json(stored.memory), "deduplicated": stored.deduplicated}
        return Response(body, status=201 if is_new else 200, headers=version_tag(stored.memory))

    def _store(self, **what: Any) -> Stored:
        return store_memory(tenant=self.caller.tenant_id, **what)

    def _store_for_team(self, **what: Any) -> Stored:
        return store_for_team(tenant=self.tenant, **what)


class MemoryScopedView(TenantView):
    """A view of one memory, which must be within the key's view."""

    subject = "Memories"

    def get_memory(self, memory_id: UUID, *, write: bool = False) -> Memory:
        """The memory; NotFound for any other, Forbidden to change what is everyone's without `admin`."""
        memory = get_memory(
            tenant=self.caller.tenant_id,
            memory_id=memory_id,
            person_id=self.caller.person_id,
            persona_id=self.caller.persona_id,
        )
        if write:
            check_global(self, memory.scope)
            check_if_match(self.request, memory.version)
        return memory

    def record(self, action: str, memory: Memory) -> None:
        """One line of the log for a read."""
        note_memories(self, action, memory.person_id, [memory.pk])

    def answer(self, memory: Memory) -> Response:
        """The memory with its tag."""
        return Response(memory_json(memory, whole=sees_all(self)), headers=version_tag(memory))


class MemoryDetailView(MemoryScopedView):
    """`memories/{id}/`."""

    scopes = {"GET": "read", "PATCH": "write", "DELETE": "write"}
    operations = {
        "GET": Operation("Read a memory", MemoryFields),
        "PATCH": Operation(
            "Change a memory", MemoryFields, body=ChangedMemoryInput, problems=(409,), if_match=True
        ),
        "DELETE": Operation(
            "Delete a memory", {204: None}, query=DeleteFilters, problems=(409,), if_match=True
        ),
    }

    def prepare(self, request: Request, **kwargs: Any) -> Prepared:
        if request.method == "DELETE":
            return Prepared(parse_query(DeleteFilters, request))
        fields = parse_changes(ChangedMemoryInput, request)
        return Prepared(fields, self._vector(kwargs["memory_id"], fields))

    def _vector(self, memory_id: UUID, fields: dict[str, Any]) -> list[float] | None:
        """Only a new wording or a new key needs a new vector."""
        if not {"value", "key"} & fields.keys():
            return None
        with tenant_scope(self.caller.tenant_id):
            memory = self.get_memory(memory_id)
            if self.find_pause(memory.person, memory.session_id) is not None:
                return None
        value = fields.get("value", memory.value)
        read_ahead(self.caller.trust, value)
        key = address_key(fields.get("key", memory.key), value)
        return embed_pair(tenant=self.caller.tenant_id, key=key, value=value)

    def get(self, request: Request, prepared: Prepared, memory_id: UUID) -> Response:
        memory = self.get_memory(memory_id)
        self.record("memory.read", memory)
        return self.answer(memory)

    def patch(self, request: Request, prepared: Prepared, memory_id: UUID) -> Response:
        memory = self.get_memory(memory_id, write=True)
        changes = resolve(self, memory.person, prepared.fields)
        if changes.pop("visibility", TEAM) == OWN:
            memory = take_back(tenant=self.caller.tenant_id, memory=memory, actor=self.actor)
        updated = update_memory(
            tenant=self.caller.tenant_id,
            memory=memory,
            changes=changes,
            actor=self.actor,
            vector=prepared.vector,
        )
        return self.answer(get_memory(tenant=self.caller.tenant_id, memory_id=updated.pk))

    def delete(self, request: Request, prepared: Prepared, memory_id: UUID) -> Response:
        memory = self.get_memory(memory_id, write=True)
        delete_memory(
            tenant=self.caller.tenant_id,
            memory=memory,
            actor=self.actor,
            purge=prepared.fields["purge"],
            keep_words=prepared.fields["keep_words"],
        )
        return Response(status=204)


def _action(summary: str) -> dict[str, Operation]:
    return {"POST": Operation(summary, MemoryFields, if_match=True)}


class MemoryActionView(MemoryScopedView):
    """`memories/{id}/pin/`, `unpin/`, `archive/`."""

    scopes = {"POST": "write"}
    act: Callable[..., Memory] = staticmethod(pin_memory)

    def post(self, request: Request, prepared: None, memory_id: UUID) -> Response:
        memory = self.get_memory(memory_id, write=True)
        return self.answer(self.act(tenant=self.caller.tenant_id, memory=memory, actor=self.actor))


class PinView(MemoryActionView):
    """`memories/{id}/pin/`: its importance is 3 from then on, and nothing learned writes over it."""

    operations = _action("Pin a memory")
    act = staticmethod(pin_memory)


class UnpinView(MemoryActionView):
    """`memories/{id}/unpin/`."""

    operations = _action("Unpin a memory")
    act = staticmethod(unpin_memory)


class ArchiveView(MemoryActionView):
    """`memories/{id}/archive/`: it is kept, and found only by who asks for the archive."""

    operations = _action("Archive a memory")
    act = staticmethod(archive_memory)


class MarkWrongView(MemoryActionView):
    """`memories/{id}/wrong/`: it isn't true. Nothing says it any more, and it isn't learned again from what was said
    until now; `restore/` undoes it.
    """

    operations = _action("Mark a memory as wrong")

    act = staticmethod(mark_wrong)


class NeverMentionView(MemoryActionView):
    """`memories/{id}/never-mention/`: only the person may see it. No agent is told it or learns it again, in any
    words; `restore/` undoes it. From then on a key without `admin` reads `[withheld]` for its words.
    """

    operations = _action("Never mention a memory again")

    act = staticmethod(never_mention)


class RestoreView(MemoryActionView):
    """`memories/{id}/restore/`: it is as it was, and found again."""

    operations = _action("Restore a memory")

    act = staticmethod(restore_memory)


class HistoryView(MemoryScopedView):
    """`memories/{id}/history/`: the newest change first."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List the versions of a memory", Page[VersionFields])}

    def get(self, request: Request, prepared: None, memory_id: UUID) -> Response:
        memory = self.get_memory(memory_id)
        check_mentioned(self, memory)
        self.record("memory.history_read", memory)
        rows = list_versions(tenant=self.caller.tenant_id, memory=memory)
        return paginate(rows, request, ordering=("-number",), serialize=version_json)


class ProvenanceView(MemoryScopedView):
    """`memories/{id}/provenance/`: why this is known, with the words that say so."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List where a memory comes from", Page[ObservationFields])}

    def get(self, request: Request, prepared: None, memory_id: UUID) -> Response:
        memory = self.get_memory(memory_id)
        check_mentioned(self, memory)
        self.record("memory.provenance_read", memory)
        rows = list_observations(tenant=self.caller.tenant_id, memory=memory)
        return paginate(rows, request, ordering=("-created_at",), serialize=observation_json)


def version_tag(memory: Memory) -> dict[str, str]:
    """The header that a later If-Match names."""
    return {"ETag": etag(memory.version)}


def resolve(view: TenantView, person: UserProfile, fields: dict[str, Any]) -> dict[str, Any]:
    """Names of the API for those of the services: persona and session become ids that exist and are allowed."""
    resolved = {name: value for name, value in fields.items() if name not in ("persona", "session")}
    tenant_id = view.caller.tenant_id
    if "persona" in fields:
        slug = fields["persona"]
        named = get_persona_id(tenant=tenant_id, slug=slug) if slug else None
        resolved["persona_id"] = view.bound_persona(named)
    if fields.get("session"):
        resolved["session_id"] = get_session_id(
            tenant=tenant_id, person_id=person.pk, session_id=fields["session"]
        )
    return resolved


def _named_key(fields: dict[str, Any]) -> str:
    """The memory key that a write names by its fields: who states what kind of fact of whom it is, and no
    key, means the one memory there is of it."""
    if fields.get("key") or "fact_type" not in fields or not fields.get("entity_refs"):
        return ""
    kind = fields.get("type", Memory.Type.PROFILE)
    return make_memory_key(kind, find_ref(fields["entity_refs"][0]), fields["fact_type"])


def _own_importance(fields: dict[str, Any]) -> int:
    """Who the person is counts most: what fills their profile is 3 unless its writer says otherwise."""
    namespace = storage_namespace(fields.get("layer", ""), fields.get("namespace", ""))
    is_core = find_column(namespace, fields.get("key", "")) is not None
    return MAX_IMPORTANCE if is_core else DEFAULT_IMPORTANCE

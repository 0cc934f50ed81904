"""Changing and forgetting, one memory or many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from memories.models import Memory
from memories.new_memory import embedding_text
from memories.screening.orders import read_ahead
from memories.storing.vectors import embed_pairs_now
from nebo.api.serializers import parse
from nebo.errors import InvalidInput
from nebo.product.mem0.api.base import Mem0View, body_of, counted
from nebo.product.mem0.api.inputs import BatchInput, ChangeInput
from nebo.product.mem0.api.reading import MemoryReadView, told
from nebo.product.mem0.keeping import change, forget
from nebo.tenants.pauses import check_collecting
from nebo.tenants.scoping import tenant_scope

NOTHING_CHANGES = "Name text, metadata or expiration_date."


@dataclass(frozen=True, slots=True)
class Changing:
    """One memory's new fields, and the vector of its new words."""

    memory_id: str
    fields: Mapping[str, Any]
    vector: list[float] | None = None


class ChangingView(Mem0View):
    """What changes words needs their vectors first."""

    def with_vectors(self, wanted: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Changing]:
        """Raises NotFound for a memory that isn't there."""
        ids = [memory_id for memory_id, fields in wanted if "value" in fields]
        keys: dict[str, str] = {}
        if ids:
            with tenant_scope(self.caller.tenant_id):
                held = self.get_held(*ids)
                keys = {given: memory.key for given, memory in zip(ids, held, strict=True)}
                for person in {memory.person_id: memory.person for memory in held}.values():
                    check_collecting(tenant=person.tenant_id, person=person, actor=self.actor)
        for _, fields in wanted:
            read_ahead(self.caller.trust, fields.get("value", ""))
        pairs = {one: (keys[one], str(fields["value"])) for one, fields in wanted if one in keys}
        vectors = embed_pairs_now(tenant=self.caller.tenant_id, pairs=list(pairs.values()))
        found = {one: vectors.get(embedding_text(*pair)) for one, pair in pairs.items()}
        return [Changing(memory_id, fields, found.get(memory_id)) for memory_id, fields in wanted]

    def apply(self, changing: Sequence[Changing]) -> list[Memory]:
        """All of them or none."""
        memories = self.get_held(*(one.memory_id for one in changing), write=True)
        return [
            change(
                tenant=self.caller.tenant_id,
                memory=memory,
                fields=one.fields,
                actor=self.actor,
                vector=one.vector,
            )
            for one, memory in zip(changing, memories, strict=True)
        ]


class MemoryView(MemoryReadView, ChangingView):
    """`v1/memories/{id}/`, and `memories/{id}` of mem0's server."""

    scopes = {**MemoryReadView.scopes, "PUT": "write", "DELETE": "write"}
    operations = {
        **MemoryReadView.operations,
        **counted(PUT="change a memory", DELETE="delete a memory"),
    }
    parameters = {"DELETE": ("delete_linked",)}

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        if request.method != "PUT":
            return None
        fields = fields_of_change(parse(ChangeInput, _named_alike(body_of(request))))
        return self.with_vectors([(kwargs["memory_id"], fields)])

    def put(self, request: Request, prepared: list[Changing], memory_id: str) -> Response:
        self.apply(prepared)
        shown = self.get_held(memory_id)
        return Response(told(self, shown)[0])

    def delete(self, request: Request, prepared: None, memory_id: str) -> Response:
        memories = self.get_held(memory_id, write=True)
        forget(tenant=self.caller.tenant_id, memories=memories, actor=self.actor)
        return Response({"message": "Memory deleted successfully!"})


def _named_alike(body: Mapping[str, Any]) -> dict[str, Any]:
    """mem0's server says `data` for the words."""
    renamed = dict(body)
    if "data" in renamed:
        renamed.setdefault("text", renamed.pop("data"))
    return renamed


def fields_of_change(given: Mapping[str, Any]) -> dict[str, Any]:
    """By the names of the services. Raises InvalidInput where nothing changes."""
    fields: dict[str, Any] = {}
    text = given.get("text") or given.get("memory")
    if text is not None:
        fields["value"] = text
    if given.get("metadata") is not None:
        fields["metadata"] = given["metadata"]
    if "expiration_date" in given:
        fields["expires_at"] = given["expiration_date"]
    if not fields:
        raise InvalidInput(NOTHING_CHANGES, field="text")
    return fields


class BatchView(ChangingView):
    """`v1/batch/`: all or nothing."""

    scopes = {"PUT": "write", "DELETE": "write"}
    operations = counted(PUT="change a batch", DELETE="delete a batch")

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        items = parse(BatchInput, request.data)["memories"]
        ids = [item["memory_id"] for item in items]
        if len(set(ids)) < len(ids):
            raise InvalidInput("Each memory once.", field="memories")
        if request.method == "DELETE":
            return ids
        return self.with_vectors([(item["memory_id"], fields_of_change(item)) for item in items])

    def put(self, request: Request, prepared: list[Changing]) -> Response:
        count = len(self.apply(prepared))
        return Response({"message": f"Successfully updated {count} memories"})

    def delete(self, request: Request, prepared: list[str]) -> Response:
        memories = self.get_held(*prepared, write=True)
        count = forget(tenant=self.caller.tenant_id, memories=memories, actor=self.actor)
        return Response({"message": f"Successfully deleted {count} memories"})

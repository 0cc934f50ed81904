"""What was said of a memory when it was added: by which agent, in which app and run, with what metadata.

Of one that was stored as it came, this stands in the memory's own metadata; of one that was learned, with the
addition of the first message it was learned from, and the run is that message's session. What a caller changes
afterwards is the memory's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import F, JSONField, OuterRef, QuerySet, Subquery, TextField, Value
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Coalesce, NullIf

from memories.models import Memory, Observation
from nebo.product.mem0.models import Addition
from nebo.tenants.models import Tenant

OWN = "mem0"  # under which a memory's metadata keep what mem0's callers said
NO_RUN = "mem0"  # the key of the session of messages that came without a run
NAMES = ("agent_id", "app_id", "run_id")


@dataclass(frozen=True, slots=True)
class Said:
    """Empty texts where nothing was said."""

    agent_id: str = ""
    app_id: str = ""
    run_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def as_own(self) -> dict[str, Any]:
        """As a memory's metadata keep it; empty where nothing was said, so that it takes nothing else's place."""
        names = {name: text for name in NAMES if (text := getattr(self, name))}
        return {**names, **({"metadata": dict(self.metadata)} if self.metadata else {})}


NOTHING_SAID = Said()


def list_said(*, tenant: Tenant | UUID, memories: Iterable[Memory]) -> dict[UUID, Said]:
    """Of each of these memories, in two questions however many there are."""
    found = {memory.pk: memory.metadata.get(OWN) for memory in memories}
    rows = _first_heard(tenant).filter(memory_id__in=list(found))
    heard = rows.order_by("memory_id", "created_at", "pk").distinct("memory_id")
    learned = {row["memory_id"]: row for row in heard.values("memory_id", "addition_id", "heard_in")}
    wanted = {row["addition_id"] for row in learned.values() if row["addition_id"]}
    additions = {one.pk: one for one in Addition.objects.for_tenant(tenant).filter(pk__in=wanted)}
    return {pk: _said_of(own or {}, learned.get(pk, {}), additions) for pk, own in found.items()}


def _said_of(own: Mapping[str, Any], heard: Mapping[str, Any], additions: Mapping[UUID, Addition]) -> Said:
    addition = additions.get(heard.get("addition_id") or UUID(int=0))
    run = str(heard.get("heard_in") or "")
    return Said(
        own.get("agent_id") or (addition.agent_id if addition else ""),
        own.get("app_id") or (addition.app_id if addition else ""),
        own.get("run_id") or ("" if run == NO_RUN else run),
        own.get("metadata", addition.metadata if addition else {}),
    )


def _first_heard(tenant: Tenant | UUID) -> QuerySet[Any]:
    """Observations in messages, with the addition that brought the message and the key of its session."""
    brought = Addition.objects.for_tenant(tenant).filter(
        session_id=OuterRef("message__session_id"),
        seq_from__lte=OuterRef("message__seq"),
        seq_to__gte=OuterRef("message__seq"),
    )
    rows = Observation.objects.for_tenant(tenant).filter(message__isnull=False)
    return rows.annotate(
        addition_id=Subquery(brought.values("pk")[:1]),
        heard_in=F("message__session__key"),
    )


def with_said(rows: QuerySet[Memory], *, tenant: Tenant | UUID, names: Iterable[str]) -> QuerySet[Memory]:
    """Memories with what was said of them as `said_agent_id`, `said_app_id`, `said_run_id`, `said_metadata`, as far
    as it is named: for conditions. Texts are "" and metadata {} where nothing was said.
    """
    wanted = set(names)
    if not wanted:
        return rows
    heard = _first_heard(tenant).filter(memory_id=OuterRef("pk")).order_by("created_at", "pk")
    rows = rows.annotate(
        said_in=Subquery(heard.values("addition_id")[:1]), heard_in=Subquery(heard.values("heard_in")[:1])
    )
    addition = Addition.objects.for_tenant(tenant).filter(pk=OuterRef("said_in"))
    return rows.annotate(**{f"said_{name}": _expression(name, addition) for name in wanted})


def _expression(name: str, addition: QuerySet[Addition]) -> Combinable:
    own = KeyTransform(OWN, "metadata")
    if name == "metadata":
        empty = Value({}, JSONField())
        return Coalesce(
            KeyTransform(name, own), Subquery(addition.values(name)[:1]), empty, output_field=JSONField()
        )
    told = KeyTextTransform(name, own)
    if name == "run_id":
        run = NullIf(F("heard_in"), Value(NO_RUN))
        return Coalesce(told, run, Value(""), output_field=TextField())
    return Coalesce(told, Subquery(addition.values(name)[:1]), Value(""), output_field=TextField())

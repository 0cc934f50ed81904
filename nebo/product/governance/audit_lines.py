"""The lines of a team's log: names for the ids in its entries, as far as somebody still has them and may read them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet, TextField, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, NullIf

from memories.models import AuditEntry, Entity
from memories.selectors import list_todos, list_wordings
from nebo.product.events.models import Endpoint
from nebo.product.governance.activity import read_then
from nebo.product.memory_files.models import MemoryFile
from nebo.tenants.models import ApiKey, Membership, Tenant, UserProfile
from nebo.tenants.selectors import is_id
from personality.models import Persona
from sessions.models import Session

SHORT_ID = 8  # the last characters of an id, which differ from row to row


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry, with names for the ids in it; `is_own` says that it is about the person whom the page may show."""

    entry: AuditEntry
    actor: str
    person: str
    thing: str = ""  # its name or wording
    is_own: bool = False
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def short_id(self) -> str:
        """Enough of the thing's id to tell two rows apart; none where a name says more, or stands there already."""
        about = self.entry.object_id
        told = self.thing or (self.person and about == str(self.entry.person_id))
        return "" if told or about == str(self.entry.tenant_id) else about[-SHORT_ID:]

    @property
    def count(self) -> int:
        """How many things it read or changed."""
        found = self.detail.get("count", 0)
        return found if isinstance(found, int) else 0

    @property
    def version(self) -> int:
        """Which version of the thing it made; 0 for none."""
        made = self.detail.get("version", 0)
        return made if isinstance(made, int) else 0

    @property
    def fields(self) -> list[str]:
        """What of the thing was changed."""
        found = self.detail.get("fields", ())
        return [str(one) for one in found] if isinstance(found, list) else []


def describe_log(
    *, tenant: Tenant, entries: Sequence[AuditEntry], person_id: UUID | None = None
) -> list[LogLine]:
    """Lines of a page, with two queries. Words stand only in those about `person_id`, each memory's as it read then."""
    names = _names(tenant, entries, person_id)
    memories = {
        UUID(one.object_id)
        for one in entries
        if one.object_type == "memory" and one.person_id == person_id and is_id(one.object_id)
    }
    wordings = (
        list_wordings(tenant=tenant, person_id=person_id, memory_ids=memories)
        if person_id and memories
        else {}
    )
    return [
        LogLine(
            entry=one,
            actor=names.get(one.actor, ""),
            person=names.get(f"person:{one.person_id}", ""),
            thing=_thing(one, names)
            or (is_id(one.object_id) and read_then(one, wordings.get(UUID(one.object_id), ())))
            or "",
            is_own=person_id is not None and one.person_id == person_id,
            detail=dict(one.detail),
        )
        for one in entries
    ]


def _thing(entry: AuditEntry, names: dict[str, str]) -> str:
    """What an entry is about, unless that is a person: the line says that anyway."""
    return "" if entry.object_type == "person" else names.get(f"{entry.object_type}:{entry.object_id}", "")


def _names(tenant: Tenant, entries: Sequence[AuditEntry], person_id: UUID | None) -> dict[str, str]:
    """By kind and id, as actors name keys and logins; one query."""
    rows = [
        *_of_the_team(tenant, entries),
        *(_of_one_person(tenant, entries, person_id) if person_id else ()),
    ]
    found = reduce(lambda all_of_them, more: all_of_them.union(more, all=True), rows)
    return {f"{kind}{pk}": label for kind, pk, label in found}


def _of_the_team(tenant: Tenant, entries: Sequence[AuditEntry]) -> list[QuerySet[Any, Any]]:
    """Whatever owners and admins see by name on other pages, too."""
    actors = {one.actor for one in entries}
    keys = _ids_of(actors, "key:") | _ids_about(entries, "key")
    logins = _ids_of(actors, "user:") | _ids_about(entries, "user")
    people = {one.person_id for one in entries if one.person_id}
    named = Coalesce(NullIf("name", Value("")), "public_id")
    return [
        _labelled(ApiKey.objects.for_tenant(tenant).filter(pk__in=keys), "key", named),
        _labelled(
            Membership.objects.for_tenant(tenant).filter(user_id__in=logins),
            "user",
            F("user__email"),
            "user_id",
        ),
        _labelled(UserProfile.objects.for_tenant(tenant).filter(pk__in=people), "person", F("external_id")),
        _labelled(_about(Persona, tenant, entries, "persona"), "persona", F("name")),
        _labelled(_about(Endpoint, tenant, entries, "webhook"), "webhook", F("url")),
    ]


def _of_one_person(
    tenant: Tenant, entries: Sequence[AuditEntry], person_id: UUID
) -> list[QuerySet[Any, Any]]:
    """What only that person may read."""
    todos = list_todos(tenant=tenant, person_id=person_id, status="all")
    return [
        _labelled(todos.select_related(None).filter(pk__in=_ids_about(entries, "todo")), "todo", F("text")),
        *(
            _labelled(_about(model, tenant, entries, kind).filter(person_id=person_id), kind, F(label))
            for model, kind, label in (
                (Entity, "entity", "label"),
                (Session, "session", "key"),
                (MemoryFile, "memory_file", "path"),
            )
        ),
    ]


def _about(model: Any, tenant: Tenant, entries: Sequence[AuditEntry], kind: str) -> QuerySet[Any]:
    rows: QuerySet[Any] = model.objects.for_tenant(tenant)
    return rows.filter(pk__in=_ids_about(entries, kind))


def _labelled(rows: QuerySet[Any], kind: str, label: Combinable, pk: str = "pk") -> QuerySet[Any, Any]:
    return rows.order_by().values_list(Value(f"{kind}:", TextField()), F(pk), Cast(label, TextField()))


def _ids_about(entries: Sequence[AuditEntry], kind: str) -> set[str]:
    return {one.object_id for one in entries if one.object_type == kind and is_id(one.object_id)}


def _ids_of(actors: Collection[str], kind: str) -> set[str]:
    found = (actor.removeprefix(kind) for actor in actors if actor.startswith(kind))
    return {one for one in found if is_id(one)}

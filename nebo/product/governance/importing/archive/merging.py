"""Rows for which there is a place already that somebody else's row has: what becomes of those that come."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from memories.models import Entity, Memory
from nebo.reading.relations.same_fact import is_same_text
from nebo.tenants.models import Tenant, UserProfile
from sessions.lifecycle.identity import KEY_LIMIT
from sessions.models import Session, SessionState

Row = dict[str, Any]
Aliases = dict[str, str]
REASON_PLACE = "Came in with a file; something else is known in its place."
MOST_IN_REVIEW = 2  # importance, as of whatever waits in review
TELLING = 8  # characters of an id that tell two sessions of one key apart


def rename_sessions(tenant: Tenant, person: UserProfile, rows: list[Row], aliases: Aliases) -> list[Row]:
    """A session whose key is another's here gets one of its own: no conversation is mixed with another."""
    here = Session.objects.for_tenant(tenant).filter(person=person, key__in=[row["key"] for row in rows])
    taken = set(here.values_list("key", flat=True))
    for row in rows:
        if row["key"] in taken:
            ending = f" ({row['id'][-TELLING:]})"
            row["key"] = row["key"][: KEY_LIMIT - len(ending)] + ending
    return rows


def alias_entities(tenant: Tenant, person: UserProfile, rows: list[Row], aliases: Aliases) -> list[Row]:
    """Somebody of the same reference is the same."""
    here = Entity.objects.for_tenant(tenant).filter(person=person, ref__in=[row["ref"] for row in rows])
    known = {ref: str(pk) for ref, pk in here.values_list("ref", "pk")}
    aliases.update({row["id"]: known[row["ref"]] for row in rows if row["ref"] in known})
    return [row for row in rows if row["ref"] not in known]


def alias_states(tenant: Tenant, person: UserProfile, rows: list[Row], aliases: Aliases) -> list[Row]:
    """There is one with each persona."""
    here = SessionState.objects.for_tenant(tenant).filter(person=person).values_list("persona_id", "pk")
    known = {str(persona_id): str(pk) for persona_id, pk in here}
    aliases.update(
        {row["id"]: known[str(row["persona_id"])] for row in rows if str(row["persona_id"]) in known}
    )
    return [row for row in rows if str(row["persona_id"]) not in known]


def find_places(tenant: Tenant, person: UserProfile, rows: list[Row], aliases: Aliases) -> list[Row]:
    """A live memory whose address is taken: history where the other says the same, else the person decides."""
    live = [row for row in rows if row["status"] == Memory.Status.ACTIVE]
    here = Memory.objects.for_tenant(tenant).filter(
        person=person, status=Memory.Status.ACTIVE, key__in=[row["key"] for row in live]
    )
    held = {_address_of(one.__dict__): one for one in here}
    for row in live:
        other = held.get(_address_of(row))
        if other is not None:
            _give_way(row, other)
    return rows


def _address_of(row: dict[str, Any]) -> tuple[str, ...]:
    names = ("persona_id", "scope", "session_id", "namespace", "key")
    return tuple(str(row[name]) for name in names)


def _give_way(row: Row, held: Memory) -> None:
    if is_same_text(held.value, row["value"]):
        row["status"], row["superseded_by_id"] = Memory.Status.SUPERSEDED, str(held.pk)
        row["valid_to"] = timezone.now().isoformat()
    else:
        put_into_review(row, REASON_PLACE)


def put_into_review(row: Row, reason: str) -> None:
    """Kept for the person to see and decide on."""
    row["status"], row["quarantine_reason"] = Memory.Status.QUARANTINED, reason
    row["pinned"], row["importance"] = False, min(row["importance"], MOST_IN_REVIEW)

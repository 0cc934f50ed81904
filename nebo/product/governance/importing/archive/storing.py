"""Rows of an archive into the database, as this person's: what is there stays as it is, what leads nowhere is left out.

Whose a row is, is asked of the database. A row whose id somebody else has is left out, and so is one that leads to a
row that isn't this person's: nothing in a file can reach another's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import DatabaseError, connection, transaction

from memories.models import Entity, Memory, Version, Withheld
from memories.screening.personal import Policy
from memories.screening.placeholders import shown_instead
from memories.storing.audited_writes import lock_person, policy_of
from memories.team.sharing import ENDED
from memories.withholding.withholding import show_anew
from nebo.postgres.bulk_insert import insert_new
from nebo.product.governance.belongings import PersonalModel
from nebo.product.governance.importing.archive.merging import (
    alias_entities,
    alias_states,
    find_places,
    rename_sessions,
)
from nebo.product.governance.importing.archive.reading import Rows
from nebo.product.governance.importing.archive.screening import hold_back, look_through
from nebo.product.governance.importing.archive.snapshots import list_own_versions
from nebo.product.governance.importing.archive.strangers import without_strangers
from nebo.product.governance.importing.archive.tables import keys_of, owner_of, restored_models
from nebo.product.memory_files.models import MemoryFile
from nebo.tenants.models import Pause, Tenant, UserProfile
from sessions.models import Message, Session, SessionState

Row = dict[str, Any]
Aliases = dict[str, str]
Prepare = Callable[[Tenant, UserProfile, list[Row], Aliases], list[Row]]
LED_ASTRAY = "rows that lead nowhere"
REFUSED = "rows that break a rule"


def store_rows(*, tenant: Tenant, person: UserProfile, batch: Rows, aliases: Aliases) -> Counter[str]:
    """Those that aren't there yet; how many of what. In the tenant's scope.

    `aliases` grows by ids that are others here.
    """
    model = restored_models()[batch.table]
    policy = policy_of(lock_person(tenant=tenant, person=person))
    rows = [_with_aliases(model, dict(row), aliases) for row in batch.rows]
    known, taken = _find_ids(tenant, person, model, rows)
    fresh = [row for row in rows if row["id"] not in known | taken]
    led = _lead_home(tenant, person, model, fresh)
    ready = _prepare(person, batch, without_strangers(tenant, person, model, led), policy)
    prepare = PREPARE.get(model)
    ready = prepare(tenant, person, ready, aliases) if prepare else ready
    stored, refused = _insert(tenant, model, ready)
    if model is Withheld and stored:
        ids = {UUID(row["message_id"]) for row in ready if UUID(row["id"]) in stored}
        show_anew(tenant=tenant, person_id=person.pk, message_ids=ids)
    astray = len(fresh) - len(led) + len(taken)
    return Counter(
        {
            batch.table: len(stored),
            "known": len(rows) - len(stored) - refused - astray,
            REFUSED: refused,
            LED_ASTRAY: astray,
        }
    )


def foresee_rows(*, tenant: Tenant, person: UserProfile | None, batch: Rows) -> Counter[str]:
    """How many aren't there yet; what is decided row by row isn't foreseen. In the tenant's scope."""
    model = restored_models().get(batch.table)
    if model is None or person is None:
        return Counter({batch.table: len(batch)})
    known, taken = _find_ids(tenant, person, model, batch.rows)
    return Counter(
        {batch.table: len(batch) - len(known | taken), "known": len(known), LED_ASTRAY: len(taken)}
    )


def _with_aliases(model: PersonalModel, row: Row, aliases: Aliases) -> Row:
    for key in keys_of(model):
        row[key.attname] = aliases.get(row[key.attname] or "", row[key.attname])
    row["id"] = aliases.get(row["id"], row["id"])
    return row


def _find_ids(
    tenant: Tenant, person: UserProfile, model: PersonalModel, rows: Sequence[Mapping[str, Any]]
) -> tuple[set[str], set[str]]:
    """Ids that are this person's already, and those that are somebody else's."""
    wanted = [row["id"] for row in rows]
    there = {
        str(pk) for pk in model.objects.for_tenant(tenant).filter(pk__in=wanted).values_list("pk", flat=True)
    }
    own = _list_own(tenant, person, model, wanted) if there else set()
    return own, there - own


def _list_own(tenant: Tenant, person: UserProfile, model: PersonalModel, ids: Iterable[str]) -> set[str]:
    rows = model.objects.for_tenant(tenant).filter(pk__in=list(ids), **{owner_of(model): person.pk})
    return {str(pk) for pk in rows.values_list("pk", flat=True)}


def _lead_home(tenant: Tenant, person: UserProfile, model: PersonalModel, rows: list[Row]) -> list[Row]:
    """Without keys, or else rows, that lead to what isn't there, or isn't this person's."""
    restored = set(restored_models().values())
    for key in keys_of(model):
        wanted = {row[key.attname] for row in rows} - {None}
        if key.related_model not in restored or not wanted:
            continue
        own = _list_own(tenant, person, key.related_model, wanted)
        if key.null:
            for row in rows:
                row[key.attname] = row[key.attname] if row[key.attname] in own else None
        else:
            rows = [row for row in rows if row[key.attname] in own]
    return rows


def _prepare(person: UserProfile, batch: Rows, rows: list[Row], policy: Policy) -> list[Row]:
    """What is shown, and who shared it, is made here, not in a file; what others may have written is looked through.
    Keys don't come back, nor do their pauses.
    """
    model = restored_models()[batch.table]
    if model is Pause:
        return [row for row in rows if row["scope"] != Pause.Scope.KEY]
    if model is Message:
        return [{**row, "shown": shown_instead(row["content"])} for row in rows]
    if model is Memory:
        unshared = [{**row, **ENDED} for row in rows]
        return unshared if batch.ours else [look_through(row, policy) for row in unshared]
    if model is Version:
        return list_own_versions(person, rows)
    if model is MemoryFile and not batch.ours:
        return [hold_back(row) for row in rows]
    return rows


PREPARE: Mapping[PersonalModel, Prepare] = {
    Session: rename_sessions,
    Entity: alias_entities,
    SessionState: alias_states,
    Memory: find_places,
}


def _insert(tenant: Tenant, model: PersonalModel, rows: Sequence[Row]) -> tuple[set[UUID], int]:
    """All at once; where one breaks a rule of the table, one by one. The ids stored, and how many broke one."""
    documents = [{**row, "tenant_id": str(tenant.pk)} for row in rows]
    if not documents:
        return set(), 0
    stored = _try(model, documents)
    if stored is not None:
        return stored, 0
    each = [_try(model, [document]) for document in documents]
    return {pk for found in each if found for pk in found}, sum(found is None for found in each)


def _try(model: PersonalModel, documents: Sequence[Row]) -> set[UUID] | None:
    """Without telling other systems what they were told long ago."""
    try:
        with transaction.atomic():
            _set_restoring("on")
            stored = insert_new(model, documents)
            _set_restoring("off")
    except DatabaseError:
        return None
    return stored


def _set_restoring(value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL nebo.restoring = %s", [value])

"""The job of an import. First the file is read as a whole and cut into batches; then each turn stores some of them.

A batch goes in the transaction that stores it: a worker that is killed leaves all the others, and nothing comes twice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from uuid import UUID

from django.utils import timezone

from nebo.errors import NeboError
from nebo.jobs.claims import Claim
from nebo.postgres.bulk_insert import insert_all
from nebo.product.governance.importing.batches import Batch, batch_json, batch_of
from nebo.product.governance.importing.opening import Incoming, Opened, open_incoming
from nebo.product.governance.importing.requests import end_import, note
from nebo.product.governance.importing.storing import foresee_batch, store_batch
from nebo.product.governance.models import Import, ImportBatch, ImportPart
from nebo.tenants.actor import Actor, ActorKind
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope

TURN_S = 1.0  # of storing; then others come first
KEPT_AT_ONCE = 50  # batches a statement
FAULT_CHARS = 500


def run_import(*, claim: Claim) -> None:
    """One turn: reading the file, or storing for a second."""
    incoming = _find(claim)
    if incoming is None or incoming.outcome:
        _publish_nothing(claim)
    elif incoming.read_at is None:
        _read(claim, incoming)
    else:
        _store_for_a_while(claim, incoming)


def _find(claim: Claim) -> Import | None:
    with tenant_scope(claim.tenant_id):
        rows = Import.objects.for_tenant(claim.tenant_id).select_related("person")
        return rows.filter(pk=claim.payload["import_id"]).first()


def _publish_nothing(claim: Claim) -> None:
    """It was stopped or removed meanwhile."""
    with claim.publish() as result:
        result["done"] = 0


def actor_of(incoming: Import) -> Actor:
    """Who brought the file: what comes in is as good as their word."""
    kind, _, actor_id = incoming.requested_by.partition(":")
    kinds: dict[str, ActorKind] = {"key": "key", "user": "user", "operator": "operator"}
    return Actor(kinds.get(kind, "job"), actor_id, trust=incoming.trust)


# --- Reading ------------------------------------------------------------------------------------------------


def _read(claim: Claim, incoming: Import) -> None:
    """The whole file; a fault anywhere, and nothing of it comes in."""
    tenant = Tenant.objects.get(pk=claim.tenant_id)
    file = Incoming(
        source=incoming.source,
        data=_join_parts(incoming),
        name=incoming.name,
        makes=incoming.manages,
        after_erasure=incoming.after_erasure,
    )
    try:
        opened = open_incoming(file, tenant=tenant, person=incoming.person)
    except NeboError as error:
        _refuse(claim, incoming, error)
        return
    if incoming.dry_run:
        _foresee(claim, incoming, opened)
        return
    with claim.publish() as result:
        held = _hold(incoming)
        if held is None:
            return
        held.total = _keep_batches(held, opened.batches)
        held.left_out, held.read_at = dict(opened.left_out), timezone.now()
        held.save(update_fields=["total", "left_out", "read_at"])
        ImportPart.objects.for_tenant(held.tenant_id).filter(incoming=held).delete()
        result["import_id"] = str(held.pk)
        claim.give_way()


def _join_parts(incoming: Import) -> bytes:
    with tenant_scope(incoming.tenant_id):
        parts = ImportPart.objects.for_tenant(incoming.tenant_id).filter(incoming=incoming)
        return b"".join(bytes(data) for data in parts.order_by("number").values_list("data", flat=True))


def _refuse(claim: Claim, incoming: Import, error: NeboError) -> None:
    fault = {"field": error.field, "detail": error.detail[:FAULT_CHARS]}
    with claim.publish() as result:
        held = _hold(incoming)
        if held is not None:
            end_import(held, Import.Outcome.FAILED, fault)
            note(held, actor_of(held), "person.import_refused")
        result.update(import_id=str(incoming.pk), error=fault)


def _hold(incoming: Import) -> Import | None:
    """The row, held; None if it was stopped or removed meanwhile."""
    rows = Import.objects.for_tenant(incoming.tenant_id).select_for_update(no_key=True)
    return rows.filter(pk=incoming.pk, outcome="").first()


def _keep_batches(incoming: Import, batches: Iterable[Batch]) -> int:
    """As rows; how many messages and notes there are in them."""
    total = number = 0
    waiting = iter(batches)
    while some := list(islice(waiting, KEPT_AT_ONCE)):
        rows = [
            ImportBatch(
                tenant_id=incoming.tenant_id, incoming=incoming, number=number + n, content=batch_json(one)
            )
            for n, one in enumerate(some)
        ]
        insert_all(rows)
        number += len(some)
        total += sum(len(one) for one in some)
    return total


def _foresee(claim: Claim, incoming: Import, opened: Opened) -> None:
    """What would come in."""
    counts: Counter[str] = Counter()
    total = 0
    with tenant_scope(claim.tenant_id):
        tenant = Tenant.objects.get(pk=claim.tenant_id)
        for batch in opened.batches:
            counts += foresee_batch(
                tenant=tenant, person=incoming.person, batch=batch, actor=actor_of(incoming)
            )
            total += len(batch)
    with claim.publish() as result:
        held = _hold(incoming)
        if held is None:
            return
        held.total = held.done = total
        held.counts, held.left_out = dict(counts), dict(opened.left_out)
        held.read_at = timezone.now()
        end_import(held, Import.Outcome.DONE)
        result.update(import_id=str(held.pk), dry_run=True, counts=held.counts, left_out=held.left_out)


# --- Storing ------------------------------------------------------------------------------------------------


def _store_for_a_while(claim: Claim, incoming: Import) -> None:
    done = _store_until(incoming, time.monotonic() + TURN_S)
    with claim.publish() as result:
        result["done"] = done
        held = _hold(incoming)
        if held is None:
            return
        if ImportBatch.objects.for_tenant(held.tenant_id).filter(incoming=held).exists():
            claim.give_way()
            return
        end_import(held, Import.Outcome.DONE)
        note(held, actor_of(held), "person.imported")
        result.update(import_id=str(held.pk), counts=held.counts, left_out=held.left_out)


def _store_until(incoming: Import, until: float) -> int:
    """Batch by batch; how much it was."""
    done = 0
    while more := _store_next(incoming):
        done += more
        if time.monotonic() > until:
            break
    return done


def _store_next(incoming: Import) -> int:
    """The next batch, in a transaction with its going; how much it was. 0 where none is left, or it was stopped."""
    with tenant_scope(incoming.tenant_id):
        tenant = Tenant.objects.get(pk=incoming.tenant_id)
        row = _take_batch(incoming.tenant_id, incoming.pk)
        if row is None:
            return 0
        batch = batch_of(row.content)
        held = _hold(incoming)
        if held is None:
            return 0
        counts = store_batch(
            tenant=tenant,
            person=incoming.person,
            batch=batch,
            actor=actor_of(incoming),
            aliases=held.aliases,
        )
        held.done += len(batch)
        held.counts = dict(Counter(held.counts) + counts)
        held.save(update_fields=["done", "counts", "aliases"])
        row.delete()
        return max(len(batch), 1)


def _take_batch(tenant_id: UUID, import_id: UUID) -> ImportBatch | None:
    """Held until it is stored."""
    rows = ImportBatch.objects.for_tenant(tenant_id).select_for_update(no_key=True)
    return rows.filter(incoming_id=import_id, incoming__outcome="").order_by("number").first()

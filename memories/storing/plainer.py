"""What comes back when a fuller memory is deleted alone: the plainer one before it that gave the same answer."""

from __future__ import annotations

from uuid import UUID

from memories.models import Memory
from memories.storing.audited_writes import Change, change_memory
from memories.storing.person_sync import bare_value
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant

ADDRESS = ("person_id", "persona_id", "scope", "session_id", "namespace", "key")
WHY = "The memory that said this more fully was deleted."


def bring_back_plainer(*, tenant: Tenant | UUID, memory: Memory, actor: Actor) -> Memory | None:
    """Make live again what a deleted memory had replaced without contradicting it: "a nurse" of "a nurse in Ely".

    None where there is no such one, or another is live at its address. The person's row must be held.
    """
    address = {name: getattr(memory, name) for name in ADDRESS}
    at_address = Memory.objects.for_tenant(tenant).filter(
        **address, status__in=(Memory.Status.ACTIVE, Memory.Status.SUPERSEDED)
    )
    rows = list(at_address.select_related("person", "persona").order_by("-created_at"))
    if any(one.status == Memory.Status.ACTIVE for one in rows):
        return None
    before = (one for one in rows if one.superseded_by_id == memory.pk)
    plainer = next((one for one in before if _answer(one) == _answer(memory)), None)
    if plainer is None:
        return None
    fields = {"status": Memory.Status.ACTIVE, "valid_to": None, "superseded_by_id": None}
    return change_memory(
        tenant=tenant, memory=plainer, fields=fields, change=Change("restored", actor, reason=WHY)
    )


def _answer(memory: Memory) -> str:
    return bare_value(memory).casefold()

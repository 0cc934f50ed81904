"""Going back to an earlier version of a memory: a new version that says the same again."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from memories.models import Memory, Version
from memories.snapshot import fields_of
from memories.storing.edit import update_memory
from nebo.errors import Conflict, NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant

BROUGHT_BACK = ("value", "tags", "type", "fact_type", "entity_refs", "entity_label", "importance")


def bring_back_version(
    *, tenant: Tenant | UUID, memory: Memory, number: int, seen_version: int, actor: Actor
) -> Memory:
    """What it said and was about at version `number`, chosen by somebody who read version `seen_version`.

    Pin, state and key stay as they are. Raises NotFound for a version that isn't there, and Conflict where the memory
    has changed since, says so already, or can't be corrected as it stands.
    """
    version = Version.objects.for_tenant(tenant).filter(memory=memory, number=number).first()
    if version is None:
        raise NotFound
    if memory.version != seen_version:
        raise Conflict(_("The memory has changed since it was read; look at it again."))
    stood = fields_of(version.after)
    changes = {name: stood[name] for name in BROUGHT_BACK if name in stood}
    changes = {name: value for name, value in changes.items() if value != getattr(memory, name)}
    if memory.pinned:
        changes.pop("importance", None)
    if not changes:
        raise Conflict(_("It says exactly this already."))
    return update_memory(
        tenant=tenant, memory=memory, changes=changes, actor=actor, reason=f"Version {number} brought back."
    )

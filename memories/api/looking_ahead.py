"""What is found out about a memory before the transaction in which it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from memories.new_memory import NewMemory
from memories.storing.comparing import NOT_COMPARED, Comparison, compare_one
from nebo.api.views import TenantView
from nebo.errors import NotFound
from nebo.tenants.models import Pause, UserProfile
from nebo.tenants.scoping import tenant_scope

WEIGHED_FIELDS = (
    "value", "key", "layer", "namespace", "entity_refs", "entity_label", "scope", "expires_at", "metadata",
)  # fmt: skip


def look_ahead(
    view: TenantView, user: str, session_id: UUID | None = None
) -> tuple[UserProfile | None, Pause | None]:
    """Whom a memory would be about, if anybody is known by that name, and why it won't be kept: it is neither read nor
    made a vector of then.
    """
    with tenant_scope(view.caller.tenant_id):
        try:
            person = view.get_person(user)
        except NotFound:
            person = None
        return person, view.find_pause(person, session_id)


def weigh_own(view: TenantView, person: UserProfile | None, fields: Mapping[str, Any]) -> Comparison:
    """What a memory with these fields is to what is known of the person; of somebody unknown nothing is."""
    if not fields.get("value"):
        return NOT_COMPARED
    weighed = {name: frozen(fields[name]) for name in WEIGHED_FIELDS if name in fields}
    person_id = person.pk if person else None
    return compare_one(tenant=view.caller.tenant_id, person_id=person_id, new=NewMemory(**weighed))


def frozen(value: Any) -> Any:
    """A list as a memory holds it."""
    return tuple(value) if isinstance(value, list) else value

"""As whom a call is made: the persona named, that of the session named, the key's own, or the default one."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memories.selectors import find_session_persona, get_persona_scope, get_reader_id
from nebo.api.views import TenantView
from nebo.tenants.ids import default_persona_id

OWN_SCOPE = "own"  # a persona that keeps to itself what it learns


@dataclass(frozen=True, slots=True)
class Speaker:
    """The persona through whose eyes a prompt sees, and whom alone what it stores is for (None: for all)."""

    persona_id: UUID
    audience_id: UUID | None = None


def find_reader_id(view: TenantView, persona: str) -> UUID | None:
    """The persona to look through: the one named, else the key's own, None for all of them; raises NotFound."""
    named = get_reader_id(tenant=view.caller.tenant_id, slug=persona) if persona else None
    return view.bound_persona(named)


def get_speaker(view: TenantView, persona: str | None, session_id: UUID | None = None) -> Speaker:
    """Raises NotFound for a persona there is none of, or that isn't the key's own.

    What a key that is bound to a persona stores is for that persona alone.
    """
    tenant_id, own = view.caller.tenant_id, view.caller.persona_id
    named: UUID | None
    if persona:
        named, scope = get_persona_scope(tenant=tenant_id, slug=persona)
        view.bound_persona(named)
    elif own is None and session_id is not None:
        named, scope = find_session_persona(tenant=tenant_id, session_id=session_id)
    else:
        named, scope = own, ""
    speaks = named or default_persona_id(tenant_id)
    return Speaker(speaks, own or (speaks if scope == OWN_SCOPE else None))

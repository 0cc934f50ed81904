"""Observations of style: the first wording stays, every further observation makes it surer."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from memories.models import Memory
from memories.new_memory import NewMemory
from memories.storing.reinforcement import store_style
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile


def reinforce_style(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    persona_id: UUID | None,
    observation: NewMemory,
    actor: Actor,
) -> Memory:
    """Count one observation of a style, or remember it when it is new; the directive is due anew by that.

    `observation.key` names the trait (`style/humor-dry`; the prefix may be missing). The same message never
    counts twice.
    """
    new = replace(observation, persona_id=persona_id, source=Memory.Source.EXTRACTION)
    return store_style(tenant=tenant, person=person, new=new, actor=actor)

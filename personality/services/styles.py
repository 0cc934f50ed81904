"""Observations of style: the first wording stays, every further sighting makes it surer (seed 000 §4, §14)."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.db.models import Q

from memories.models import Memory
from memories.normalize import normalize_key
from memories.services import NewMemory, lock_person, reinforce_memory, store_memory
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from personality.directive import NAMESPACE, STYLE_PREFIX
from personality.selectors import list_styles
from personality.services.directives import schedule_directive


def reinforce_style(
    *,
    tenant: Tenant | UUID,
    profile: UserProfile,
    persona_id: UUID | None,
    observation: NewMemory,
    actor: Actor,
) -> Memory:
    """Count one sighting of a style, or remember it when it is new; then the directive is due anew.

    `observation.key` names the trait (`style/humor-dry`; the prefix may be missing). The same message never
    counts twice.
    """
    lock_person(tenant=tenant, profile=profile)
    key = style_key(observation.key)
    styles = list_styles(tenant=tenant, profile_id=profile.pk, persona_id=persona_id)
    known = styles.filter(Q(persona_id=persona_id), key=key).select_related("profile").first()
    if known is None:
        memory = _remember(tenant, profile, replace(observation, key=key, persona_id=persona_id), actor)
    else:
        memory = known
        for seen in observation.observations:
            reinforce_memory(tenant=tenant, memory=memory, observation=seen, actor=actor)
    schedule_directive(tenant=tenant, profile=profile, persona_id=persona_id)
    return memory


def style_key(key: str) -> str:
    """`style/` and the trait's name."""
    normal = normalize_key(key)
    return normal if normal.startswith(STYLE_PREFIX) else normalize_key(f"{STYLE_PREFIX}{normal}")


def _remember(tenant: Tenant | UUID, profile: UserProfile, new: NewMemory, actor: Actor) -> Memory:
    layer, _, name = NAMESPACE.partition("/")
    style = replace(new, layer=layer, namespace=name, source=Memory.Source.EXTRACTION)
    return store_memory(
        tenant=tenant, profile=profile, new=style, actor=actor, deduplicate=False
    ).memory

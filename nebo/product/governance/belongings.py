"""Which tables hold a person's data, and how each row is tied to its person: read from the models themselves.

A table made tomorrow is found without a word here, as the function that erases finds it in the catalog.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import cache

from django.db import models

from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import TenantModel
from nebo.tenants.startup import list_tenant_models

PersonalModel = type[TenantModel]
PLURALS = {
    "persona_overlay": "persona_overlays",
    "persona_evidence": "persona_evidence",
    "unmerged_refs": "unmerged_refs",
    "withheld": "withheld",
}


@cache
def personal_models() -> Mapping[PersonalModel, str]:
    """Each model with the shortest lookup from its row to the person's id: `person_id`, `memory__person_id`, …"""
    found: dict[PersonalModel, str] = {
        model: "person_id"
        for model in list_tenant_models()
        if any(field.attname == "person_id" for field in model._meta.local_fields)
        and not _keeps_without(model)
    }
    waiting = deque(found)
    while waiting:
        parent = waiting.popleft()
        for model, field in _children(parent):
            if model not in found:
                found[model] = f"{field.name}__{found[parent]}"
                waiting.append(model)
    return found


def _keeps_without(model: PersonalModel) -> bool:
    """Whether a row outlives its person, without naming them any more."""
    field = next(field for field in model._meta.local_fields if field.attname == "person_id")
    return isinstance(field, TenantForeignKey) and field.database_rule is models.SET_NULL


def _children(parent: PersonalModel) -> list[tuple[PersonalModel, TenantForeignKey]]:
    return [
        (model, field)
        for model in list_tenant_models()
        for field in model._meta.local_fields
        if isinstance(field, TenantForeignKey)
        and field.related_model is parent
        and field.database_rule is models.CASCADE
        and model is not parent
    ]


def plural_of(model: PersonalModel) -> str:
    """`memory entity` as `memory_entities`: the name of its file in an export."""
    name = str(model._meta.verbose_name).lower().replace(" ", "_")
    if name in PLURALS:
        return PLURALS[name]
    return f"{name[:-1]}ies" if name.endswith("y") and not name.endswith("ey") else f"{name}s"

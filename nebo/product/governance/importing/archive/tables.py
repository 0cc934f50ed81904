"""Which tables of an export come back, in which order, and why the others don't."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from nebo.product.governance.belongings import PersonalModel, personal_models, plural_of
from nebo.product.governance.services.export_file import exported_models
from nebo.tenants.isolation import TenantForeignKey

STAYS_BEHIND: Mapping[str, str] = {
    "api_keys": "nobody gets in with what a file says",
    "audit_entries": "the log says what was done here, and nobody may write it; the import has an entry of its own",
    "connect_codes": "they have expired",
    "deliveries": "they were made",
    "events": "they were told",
    "invitations": "nobody gets in with what a file says",
    "jobs": "what is still to be done is found anew",
}


@cache
def restored_models() -> Mapping[str, PersonalModel]:
    """By the name of its file: what a row names comes before it."""
    found = {
        plural_of(model): model for model, _ in exported_models() if plural_of(model) not in STAYS_BEHIND
    }
    ordered: dict[str, PersonalModel] = {}
    while len(ordered) < len(found):
        placed = set(ordered.values())
        free = {
            name: model
            for name, model in found.items()
            if name not in ordered and _parents(model, found) <= placed
        }
        ordered |= dict(sorted(free.items()))
    return ordered


def _parents(model: PersonalModel, among: Mapping[str, PersonalModel]) -> set[PersonalModel]:
    named = {key.related_model for key in keys_of(model)}
    return {one for one in among.values() if one in named and one is not model}


@cache
def keys_of(model: PersonalModel) -> tuple[TenantForeignKey, ...]:
    """Its foreign keys to other tables of a team."""
    return tuple(field for field in model._meta.local_fields if isinstance(field, TenantForeignKey))


@cache
def own_keys_of(model: PersonalModel) -> tuple[TenantForeignKey, ...]:
    """Those that lead to another row of the same table, which may come later."""
    return tuple(key for key in keys_of(model) if key.related_model is model)


def owner_of(model: PersonalModel) -> str:
    """How its rows are tied to their person, as a lookup."""
    return personal_models()[model]

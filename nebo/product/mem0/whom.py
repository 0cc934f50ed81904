"""Whom a call is about: mem0 has four kinds of entities, and Nebo one person a memory.

A `user_id` is the person's external id. A call that names no user is about the agent, the app or the run itself,
which then stands as a person of that name: `agent:travel-planner`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nebo.errors import InvalidInput
from nebo.product.mem0.filters.reading import ANY_OF, ANYTHING, ENTITIES, EQUALS, Part, list_conditions
from nebo.tenants.services import ME

KINDS = ("agent", "app", "run")
ONE_PERSON = "A call is about one person: name one user_id."
NO_ENTITY = "One of user_id, agent_id, app_id and run_id is required."


def name_person(ids: Mapping[str, Iterable[str]], *, is_bound: bool) -> str:
    """The external id, or `me` for a key that is bound to a person and where none is named. Raises InvalidInput."""
    named = {name: {one for one in ids.get(name, ()) if one != ANYTHING} for name in ENTITIES}
    if len(named["user_id"]) > 1:
        raise InvalidInput(ONE_PERSON, field="user_id")
    if named["user_id"]:
        return named["user_id"].pop()
    if is_bound:
        return ME
    alone = [f"{kind}:{one}" for kind in KINDS for one in named[f"{kind}_id"]]
    if not alone:
        raise InvalidInput(NO_ENTITY, field="filters")
    if len(named[alone[0].partition(":")[0] + "_id"]) > 1:
        raise InvalidInput(ONE_PERSON, field="filters")
    return alone[0]


def list_named(filters: Part) -> dict[str, set[str]]:
    """The entities that a filter names."""
    found: dict[str, set[str]] = {name: set() for name in ENTITIES}
    for one in list_conditions(filters):
        if one.name in ENTITIES and one.operator in (EQUALS, ANY_OF):
            found[one.name] |= set(one.value if isinstance(one.value, list) else [one.value])
    return found


def kind_and_name(external_id: str) -> tuple[str, str]:
    """An entity's kind and name, of the person who stands for it."""
    kind, colon, name = external_id.partition(":")
    return (kind, name) if colon and kind in KINDS and name else ("user", external_id)


def external_id_of(kind: str, name: str) -> str:
    """The person who stands for an entity. Raises InvalidInput for a kind there isn't."""
    if kind != "user" and kind not in KINDS:
        raise InvalidInput(f"An entity is a user, an {', an '.join(KINDS)}.", field="entity_type")
    return name if kind == "user" else f"{kind}:{name}"

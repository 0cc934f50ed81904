"""What a model says of a known memory: the same again, changed, or over. Code has checked that the words support it
(`extraction/support_check.py`). Here trust, certainty and what a person decided come first."""

from __future__ import annotations

from memories.models import Memory
from memories.new_memory import NewMemory
from memories.normalize import storage_namespace
from memories.person_columns import find_column
from memories.storing.audited_writes import Change, change_memory, lock_person
from memories.storing.reinforcement import reinforce_memory
from memories.storing.restatements import (
    find_less_plain,
    in_fuller_words,
    list_rule_observations,
    list_told_only_in,
)
from memories.storing.store import Stored
from memories.trust import is_less_sure, is_weaker
from nebo.reading.relations.slots import ONE_OF_OWN
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

WHY = {"changes": "Is another now: “{}”", "ends": "Holds no longer: “{}”"}
WHY_CHARS = 160
PLAINER = "Is told more plainly by what was read in the same words."


def strengthen_known(*, tenant: Tenant, person: UserProfile, new: NewMemory, actor: Actor) -> bool:
    """Whether a proposal says again what is known: then that is strengthened, and nothing else is stored."""
    if new.known is None or new.known[1] != "same":
        return False
    lock_person(tenant=tenant, person=person)
    old = _find_live(tenant, person, new)
    if old is None:
        return False
    if is_weaker(new.trust, old.trust) or is_less_sure(new.confidence, old.confidence):
        return True  # a weaker word adds nothing to it
    for seen in new.observations:
        reinforce_memory(tenant=tenant, memory=old, observation=seen, actor=actor)
    return True


def close_known(
    *, tenant: Tenant, person: UserProfile, new: NewMemory, stored: Stored, actor: Actor
) -> Memory | None:
    """Close what a stored proposal changes or ends, with a link to it."""
    if new.known is None or new.known[1] == "same" or stored.memory.status != Memory.Status.ACTIVE:
        return None
    lock_person(tenant=tenant, person=person)
    old = _find_live(tenant, person, new)
    if old is None or old.pk == stored.memory.pk or old.pinned or old.confirmed_at is not None:
        return None
    messages = [seen.message_id for seen in new.observations if seen.message_id]
    if list_told_only_in(tenant=tenant, memory_ids=[old.pk], messages=messages):
        return None  # the same words don't change what they say
    stated_at = stored.memory.valid_from or stored.memory.first_observed
    if is_weaker(new.trust, old.trust) or is_less_sure(new.confidence, old.confidence):
        return None
    if old.valid_from is not None and stated_at < old.valid_from:
        return None  # read late: what is known was said after it
    fields = {
        "status": Memory.Status.SUPERSEDED,
        "valid_to": stated_at,
        "superseded_by_id": stored.memory.pk,
    }
    quote = next((seen.quote for seen in new.observations if seen.quote), "")
    run_id = next((seen.run_id for seen in new.observations if seen.run_id), None)
    change = Change("superseded", actor, reason=WHY[new.known[1]].format(quote[:WHY_CHARS]), run_id=run_id)
    return change_memory(tenant=tenant, memory=old, fields=fields, change=change)


def let_give_way(*, tenant: Tenant, new: NewMemory, stored: Stored, slot: str, actor: Actor) -> int:
    """What a rule kept of the same words gives way to the plain answer that a model read in them, with what it had
    closed itself; how many.
    """
    plain = stored.memory
    if plain.status != Memory.Status.ACTIVE or not (
        slot in ONE_OF_OWN or find_column(plain.namespace, plain.key)
    ):
        return 0
    observed = list_rule_observations(tenant=tenant, person_id=plain.person_id, news=[new])
    run_id = next((seen.run_id for seen in new.observations if seen.run_id), None)
    change = Change("superseded", actor, reason=PLAINER, run_id=run_id)
    wordy = [one for one in find_less_plain(new, observed, slot=slot) if one.pk != plain.pk]
    closed = Memory.objects.for_tenant(tenant).filter(superseded_by__in=wordy)
    for older in closed.select_related("person", "persona"):
        change_memory(tenant=tenant, memory=older, fields={"superseded_by_id": plain.pk}, change=change)
    fields = {"status": Memory.Status.SUPERSEDED, "valid_to": plain.valid_from, "superseded_by_id": plain.pk}
    for memory in wordy:
        change_memory(tenant=tenant, memory=memory, fields=fields, change=change)
    return len(wordy)


def worded_best(*, tenant: Tenant, person: UserProfile, new: NewMemory) -> NewMemory:
    """A proposal that fills a column of the profile, in the words of the person's sentence where that says more."""
    if find_column(storage_namespace(new.layer, new.namespace), new.key) is None:
        return new
    return in_fuller_words(new, list_rule_observations(tenant=tenant, person_id=person.pk, news=[new]))


def _find_live(tenant: Tenant, person: UserProfile, new: NewMemory) -> Memory | None:
    assert new.known is not None
    rows = Memory.objects.for_tenant(tenant).select_related("person", "persona")
    return rows.filter(pk=new.known[0], person_id=person.pk, status=Memory.Status.ACTIVE).first()

"""What was read in the turn itself, worded again by the model that reads the same words later.

Each has its own wording and key ("Lena has a parrot named Polly.", "Has a pet parrot called Polly"), so neither tells
that the two are one fact. What tells it is that both rest on the same part of the same message.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from uuid import UUID

from django.db.models import QuerySet

from memories.confidence import INFERRED
from memories.models import Memory, Observation
from memories.new_memory import NewMemory, NewObservation
from memories.normalize import storage_namespace
from memories.person_columns import find_column, person_value
from memories.storing.styles import STYLE_NAMESPACE
from nebo.reading.relations.restatement import (
    SourcedStatement,
    likeness,
    restates,
    says_all,
    says_more_than,
    stems,
    telling_stems,
)
from nebo.reading.relations.same_fact import differs_in_number
from nebo.reading.relations.slots import ONE_OF_OWN
from nebo.reading.times.dates import without_times
from nebo.reading.wording.covering import language_of
from nebo.tenants.models import Tenant

SIGNAL = "signal"  # the extractor whose observations are retold
SINGLE_COLUMNS = ("display_name", "location", "timezone", "occupation")  # of which one answer holds
LITTLE = 1  # words that may be lost with a sentence that gives way to a plainer one


def list_rule_observations(
    *, tenant: Tenant | UUID, person_id: UUID, news: Iterable[NewMemory]
) -> QuerySet[Observation]:
    """What was heard in the messages that these proposals cite, with its memories, whatever became of them."""
    messages = {seen.message_id for new in news for seen in new.observations if seen.message_id}
    earlier = Observation.objects.for_tenant(tenant).filter(
        memory__person_id=person_id, message_id__in=messages, extractor=SIGNAL, quote_start__isnull=False
    )
    return earlier.exclude(memory__namespace=STYLE_NAMESPACE).select_related("memory").order_by("created_at")


def find_restated_by(
    *, tenant: Tenant | UUID, person_id: UUID, new: NewMemory, anywhere: bool = False
) -> Memory | None:
    """What a rule read in the same words, if an extraction says it again."""
    if new.source != Memory.Source.EXTRACTION:
        return None
    observed = list_rule_observations(tenant=tenant, person_id=person_id, news=[new])
    return find_restated(new, observed, anywhere=anywhere)


def find_restated(new: NewMemory, earlier: Iterable[Observation], *, anywhere: bool = False) -> Memory | None:
    """The memory whose fact `new` repeats. Only what was read word for word in the turn can be repeated so.

    `anywhere`: also where `new` would fill a column of the profile, and that memory doesn't.
    """
    earlier = list(earlier)
    found = [
        (likeness(_as_statement(one), new.value), one.memory)
        for one, seen in _list_repeated(new, earlier)
        if anywhere or _may_stand_for(one.memory, new)
    ]
    return max(found, key=lambda pair: pair[0], default=(0.0, None))[1] or _find_joined(new, earlier)


def _find_joined(new: NewMemory, earlier: Collection[Observation]) -> Memory | None:
    """The first of several memories, live and about one person or thing, that say all of it together."""
    parts = {
        one.memory_id: one
        for one in earlier
        for seen in new.observations
        if one.memory.persona_id == new.persona_id
        and one.memory.status == Memory.Status.ACTIVE
        and seen.confidence > INFERRED
        and _overlap(one, seen)
        and _may_stand_for(one.memory, new)
    }
    if len(parts) < 2 or len({one.memory.entity_label for one in parts.values()}) > 1:
        return None
    first = next(iter(parts.values()))
    joined = replace(_as_statement(first), value=" ".join(one.value for one in parts.values()), detail="")
    says_so = any(restates(joined, new.value, quote=seen.quote) for seen in new.observations)
    return first.memory if says_so and says_all(joined.value, new.value) else None


def _list_repeated(
    new: NewMemory, earlier: Iterable[Observation]
) -> list[tuple[Observation, NewObservation]]:
    """What says the same as `new` in the very words that it rests on."""
    return [
        (one, seen)
        for one in earlier
        for seen in new.observations
        if one.memory.persona_id == new.persona_id
        and seen.confidence > INFERRED
        and _overlap(one, seen)
        and (restates(_as_statement(one), new.value, quote=seen.quote) or _is_translated(one, seen, new))
    ]


def list_misplaced(new: NewMemory, earlier: Iterable[Observation]) -> list[Memory]:
    """Live memories that say what `new` would fill a column of the profile with, and fill none themselves: the turn
    didn't see that it was the speaker's work, or home. Of them little more is told, or all that `new` says.
    """
    column = find_column(storage_namespace(new.layer, new.namespace), new.key)
    if column not in SINGLE_COLUMNS:
        return []
    return [
        one.memory
        for one, _ in _list_repeated(new, earlier)
        if one.memory.status == Memory.Status.ACTIVE
        and not (one.memory.pinned or one.memory.confirmed_at)
        and not one.memory.metadata.get("detail")
        and not _may_stand_for(one.memory, new)
        and (says_all(one.value, new.value) or _says_little_more(one.value, new.value))
    ]


def in_fuller_words(new: NewMemory, earlier: Iterable[Observation]) -> NewMemory:
    """With the person's own sentence, where that says all of `new` and more, and gives way to it: "out of a shed"."""
    fuller = [one for one in list_misplaced(new, earlier) if says_all(one.value, new.value)]
    if not fuller or not says_more_than(fuller[0].value, new.value):
        return new
    bare = person_value(new.key, new.value)
    small = f"{bare[:1].lower()}{bare[1:]}"
    found = next((text for text in (bare, small) if text in fuller[0].value), "")
    return replace(
        new, value=fuller[0].value, metadata={**new.metadata, **({"detail": found} if found else {})}
    )


def _says_little_more(fuller: str, value: str) -> bool:
    """Whether hardly anything is lost with it, as of "senior surveyor as of today"."""
    return len(telling_stems(without_times(fuller))) <= len(telling_stems(value)) + LITTLE


def find_less_plain(new: NewMemory, earlier: Iterable[Observation], *, slot: str) -> list[Memory]:
    """Live memories in the person's words of these very words that answer the same question as `new`, of which one
    answer holds, and from which no bare value was read; and those that say the same, and miss their place.
    """
    earlier = list(earlier)
    misplaced = list_misplaced(new, earlier)
    if slot not in ONE_OF_OWN:
        return misplaced
    alike = [
        one.memory
        for one in earlier
        for seen in new.observations
        if one.memory.status == Memory.Status.ACTIVE
        and not (one.memory.pinned or one.memory.confirmed_at)
        and one.memory.metadata.get("slot") == slot
        and not one.memory.metadata.get("detail")
        and one.memory.persona_id == new.persona_id
        and _overlap(one, seen)
    ]
    return list({one.pk: one for one in (*alike, *misplaced)}.values())


def list_told_only_in(
    *, tenant: Tenant | UUID, memory_ids: Collection[UUID], messages: Collection[UUID]
) -> set[UUID]:
    """Those of these memories that rest on these messages alone."""
    if not (memory_ids and messages):
        return set()
    seen = Observation.objects.for_tenant(tenant).filter(memory_id__in=memory_ids)
    told = set(seen.filter(message_id__in=messages).values_list("memory_id", flat=True))
    return told - set(seen.exclude(message_id__in=messages).values_list("memory_id", flat=True))


def has_wording(*, tenant: Tenant | UUID, memory: Memory, new: NewMemory) -> bool:
    """Whether this wording of these messages is kept with the memory already."""
    messages = [seen.message_id for seen in new.observations if seen.message_id]
    seen = Observation.objects.for_tenant(tenant).filter(memory=memory, message_id__in=messages)
    return seen.filter(value__iexact=new.value).exists()


def _may_stand_for(memory: Memory, new: NewMemory) -> bool:
    """What belongs into a column of the profile needs a memory that stands there, unless it was forgotten."""
    column = find_column(storage_namespace(new.layer, new.namespace), new.key)
    if column is None or memory.status in Memory.FORGOTTEN:
        return True
    return find_column(memory.namespace, memory.key) == column


def _as_statement(earlier: Observation) -> SourcedStatement:
    """Of a forgotten memory every part was forgotten, not its bare value alone."""
    memory = earlier.memory
    label = memory.entity_label.rpartition("'s ")[2] if memory.type == "people" else ""
    whole = memory.fact_type == "relationship" or memory.status in Memory.FORGOTTEN
    return SourcedStatement(
        earlier.value, "" if whole else str(memory.metadata.get("detail", "")), label, earlier.quote
    )


def _is_translated(earlier: Observation, seen: NewObservation, new: NewMemory) -> bool:
    """Whether it words in another language what stands in a sentence that is kept whole: the sentence says it."""
    statement = _as_statement(earlier)
    if statement.detail or earlier.quote_start is None or seen.quote_start is None or seen.quote_end is None:
        return False
    within = earlier.quote_start <= seen.quote_start and seen.quote_end <= (earlier.quote_end or 0)
    return (
        within
        and language_of(earlier.quote) != language_of(new.value)
        and stems(statement.entity) <= stems(new.value)
        and not differs_in_number(earlier.quote, new.value)
    )


def _overlap(earlier: Observation, seen: NewObservation) -> bool:
    if earlier.message_id != seen.message_id or seen.quote_start is None or seen.quote_end is None:
        return False
    start, end = earlier.quote_start or 0, earlier.quote_end or 0
    return start < seen.quote_end and seen.quote_start < end

"""What was heard in the turn itself, told again by the model that reads the same words later.

Each has its own wording and key ("Lena has a parrot named Polly.", "Has a pet parrot called Polly"), so neither tells
that the two are one fact. That both rest on the same stretch of the same message does.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from memories.confidence import INFERRED
from memories.models import Memory, Observation
from memories.new_memory import NewMemory, NewObservation
from memories.normalize import storage_namespace
from memories.profile_columns import find_column
from memories.services.styles import STYLE_NAMESPACE
from nebo.reading.retelling import Told, likeness, tells_again
from nebo.tenants.models import Tenant

SIGNAL = "signal"  # the extractor whose sightings are retold


def list_heard(
    *, tenant: Tenant | UUID, profile_id: UUID, news: Iterable[NewMemory]
) -> QuerySet[Observation]:
    """What was heard in the messages that these proposals cite, with its memories, whatever became of them."""
    messages = {seen.message_id for new in news for seen in new.observations if seen.message_id}
    heard = Observation.objects.for_tenant(tenant).filter(
        memory__profile_id=profile_id, message_id__in=messages, extractor=SIGNAL, quote_start__isnull=False
    )
    return heard.exclude(memory__namespace=STYLE_NAMESPACE).select_related("memory").order_by("created_at")


def find_retold(new: NewMemory, heard: Iterable[Observation]) -> Memory | None:
    """The memory whose fact `new` tells again; only what was said outright, word for word, is told again."""
    told = [
        (likeness(_told(one), new.value), one.memory)
        for one in heard
        for seen in new.observations
        if one.memory.persona_id == new.persona_id
        and seen.confidence > INFERRED
        and _overlap(one, seen)
        and _may_stand_for(one.memory, new)
        and tells_again(_told(one), new.value, quote=seen.quote)
    ]
    return max(told, key=lambda pair: pair[0], default=(0.0, None))[1]


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


def _told(heard: Observation) -> Told:
    """Of a forgotten memory every part was forgotten, not its bare value alone."""
    memory = heard.memory
    label = memory.entity_label.rpartition("'s ")[2] if memory.type == "people" else ""
    whole = memory.fact_type == "relationship" or memory.status in Memory.FORGOTTEN
    return Told(heard.value, "" if whole else str(memory.metadata.get("detail", "")), label, heard.quote)


def _overlap(heard: Observation, seen: NewObservation) -> bool:
    if heard.message_id != seen.message_id or seen.quote_start is None or seen.quote_end is None:
        return False
    start, end = heard.quote_start or 0, heard.quote_end or 0
    return start < seen.quote_end and seen.quote_start < end

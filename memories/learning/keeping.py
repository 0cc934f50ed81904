"""What a sentence of a turn makes, stored beside what is known."""

from __future__ import annotations

from collections.abc import Sequence

from memories.learning.kept_out import note_refusal
from memories.learning.utterance import Utterance
from memories.models import Memory, Observation
from memories.new_memory import NewMemory
from memories.storing.audited_writes import Change, change_memory, lock_person
from memories.storing.comparing import same_as
from memories.storing.store import store_memory
from nebo.errors import InvalidInput
from nebo.reading.meaning.reader import Sentence
from nebo.reading.relations.restatement import stems

WITH_QUESTION = "Is kept with what was asked."


def keep(turn: Utterance, sentence: Sentence, new: NewMemory) -> list[Memory]:
    """The memory that is new, or another than before. A turn is never refused for what was made of it."""
    try:
        stored = store_memory(
            tenant=turn.tenant,
            person=turn.person,
            new=new,
            actor=turn.actor,
            compared=same_as(turn.understood.list_marked_as(sentence)),
        )
    except InvalidInput as refused:  # raised before anything is written
        note_refusal(tenant=turn.tenant, person=turn.person, new=new, refused=refused, actor=turn.actor)
        return []
    return [] if stored.action == "unchanged" else [stored.memory]


def close_bare(turn: Utterance, sentence: Sentence, kept: Sequence[Memory]) -> list[Memory]:
    """What the turn made of an answer alone, once the answer is kept with what was asked; what was closed."""
    if not kept or not sentence.leans:
        return []
    seen = Observation.objects.for_tenant(turn.tenant).filter(
        message_id=turn.message_id, quote_start=sentence.start, extractor="signal"
    )
    rows = Memory.objects.for_tenant(turn.tenant).filter(
        person_id=turn.person.pk, status=Memory.Status.ACTIVE, pinned=False, confirmed_at=None
    )
    bare = rows.filter(pk__in=seen.values("memory_id"), reinforced_count__lte=1)
    told = stems(" ".join(memory.value for memory in kept))
    lock_person(tenant=turn.tenant, person=turn.person)
    change = Change("superseded", turn.actor, reason=WITH_QUESTION, message_id=turn.message_id)
    fields = {"status": Memory.Status.SUPERSEDED, "valid_to": turn.at, "superseded_by_id": kept[0].pk}
    return [
        change_memory(tenant=turn.tenant, memory=one, fields=fields, change=change)
        for one in bare.exclude(pk__in=[memory.pk for memory in kept]).select_related("person", "persona")
        if stems(one.value) <= told
    ]

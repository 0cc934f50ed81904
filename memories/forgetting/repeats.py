"""An agent that repeats what was just forgotten ("I'll forget that you …"): its sentences are withheld as well.

What the person says again themselves is told anew, and learned anew; but for what is never to be mentioned, which is
looked for in whatever is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from memories.models import Memory, Observation, Withheld
from memories.storing.audited_writes import lock_person
from memories.withholding.withholding import MessageSpan, keep_withheld, schedule_elsewhere
from memories.withholding.word_sets import WordSets, word_sets_of
from nebo.reading.meaning.sentences import list_sentences
from nebo.tenants.models import Tenant, UserProfile
from search.answer_versions import invalidate_answers

REMEMBERED = timedelta(days=7)  # how long after the forgetting a reply is looked at for it
FORGOTTEN = 50  # memories, the last forgotten


def withhold_repeats(*, tenant: Tenant | UUID, person: UserProfile, replies: Sequence[Any]) -> int:
    """Withhold sentences of these messages that have all the telling words of something forgotten; how many."""
    ids = list(_recently_forgotten(tenant, person)[:FORGOTTEN]) if replies else []
    if not ids:
        return 0
    lock_person(tenant=tenant, person=person)
    rows = Memory.objects.for_tenant(tenant).filter(pk__in=ids, status__in=Memory.FORGOTTEN)
    found = {memory: _find(telling, replies) for memory, telling in _tellings(tenant, rows).items()}
    count = sum(map(len, found.values()))
    if count:
        invalidate_answers(tenant=tenant, person_id=person.pk)
    for memory, stretches in found.items():
        keep_withheld(tenant=tenant, memory=memory, stretches=stretches)
    return count


def look_for_unmentioned(*, tenant: Tenant | UUID, person: UserProfile, messages: Sequence[Any]) -> int:
    """Have a job look through what was said, where it has a word of something that is never to be mentioned; how many
    of those there are.
    """
    rows = Memory.objects.for_tenant(tenant).filter(person=person, status=Memory.Status.UNMENTIONED)
    tellings = _tellings(tenant, rows.order_by("-updated_at")[:FORGOTTEN]) if messages else {}
    text = "\n".join(message.content for message in messages)
    touched = [memory for memory, telling in tellings.items() if telling.is_touched_by(text)]
    for memory in touched:
        schedule_elsewhere(tenant=tenant, memory=memory)
    return len(touched)


def _recently_forgotten(tenant: Tenant | UUID, person: UserProfile) -> Any:
    recent = Withheld.objects.for_tenant(tenant).filter(
        person=person, memory__isnull=False, created_at__gt=timezone.now() - REMEMBERED
    )
    return recent.values_list("memory_id", flat=True).distinct()


def _tellings(tenant: Tenant | UUID, rows: Any) -> dict[Memory, WordSets]:
    memories = list(rows.select_related("person"))
    seen: dict[UUID, list[Observation]] = {}
    observations = Observation.objects.for_tenant(tenant).filter(memory_id__in=[m.pk for m in memories])
    for one in observations:
        seen.setdefault(one.memory_id, []).append(one)
    return {memory: word_sets_of(memory, memory.value, seen.get(memory.pk, ())) for memory in memories}


def _find(telling: WordSets, replies: Sequence[Any]) -> list[MessageSpan]:
    return [
        MessageSpan(message, sentence.start, sentence.end, Withheld.Found.WORDS)
        for message in replies
        for sentence in list_sentences(message.content)
        if telling.is_all_in(sentence.text)
    ]

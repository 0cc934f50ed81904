"""An agent that repeats what was just forgotten ("I'll forget that you …"): its sentences are withheld as well.

What the person says again themselves is told anew, and learned anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from memories.models import Memory, Observation
from memories.services.door import lock_person
from memories.services.withholding import Stretch, keep_withheld
from memories.telling_words import Telling, telling_of
from memories.withheld import Withheld
from nebo.reading.sentences import list_sentences
from nebo.tenants.models import Tenant, UserProfile
from search.cached import drop_answers

REMEMBERED = timedelta(days=7)  # how long after the forgetting a reply is looked at for it
FORGOTTEN = 50  # memories, the last forgotten


def withhold_repeats(*, tenant: Tenant | UUID, profile: UserProfile, replies: Sequence[Any]) -> int:
    """Withhold sentences of these messages that have all the telling words of something forgotten; how many."""
    recent = Withheld.objects.for_tenant(tenant).filter(
        profile=profile, memory__isnull=False, created_at__gt=timezone.now() - REMEMBERED
    )
    ids = list(recent.values_list("memory_id", flat=True).distinct()[:FORGOTTEN]) if replies else []
    if not ids:
        return 0
    lock_person(tenant=tenant, profile=profile)
    rows = Memory.objects.for_tenant(tenant).filter(pk__in=ids, status=Memory.Status.DELETED)
    found = {memory: _find(telling, replies) for memory, telling in _tellings(tenant, rows).items()}
    count = sum(map(len, found.values()))
    if count:
        drop_answers(tenant=tenant, profile_id=profile.pk)
    for memory, stretches in found.items():
        keep_withheld(tenant=tenant, memory=memory, stretches=stretches)
    return count


def _tellings(tenant: Tenant | UUID, rows: Any) -> dict[Memory, Telling]:
    memories = list(rows.select_related("profile"))
    seen: dict[UUID, list[Observation]] = {}
    sightings = Observation.objects.for_tenant(tenant).filter(memory_id__in=[m.pk for m in memories])
    for one in sightings:
        seen.setdefault(one.memory_id, []).append(one)
    return {memory: telling_of(memory, memory.value, seen.get(memory.pk, ())) for memory in memories}


def _find(telling: Telling, replies: Sequence[Any]) -> list[Stretch]:
    return [
        Stretch(message, sentence.start, sentence.end, Withheld.Found.WORDS)
        for message in replies
        for sentence in list_sentences(message.content)
        if telling.is_all_in(sentence.text)
    ]

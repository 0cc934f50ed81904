"""Words of a conversation that a request to forget may mean too: asked about, and withheld where somebody says so."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from memories.models import ForgetRequest, Memory, Withheld
from memories.screening.placeholders import shown_instead
from memories.withholding.withholding import (
    MessageSpan,
    keep_withheld,
    list_messages,
    schedule_elsewhere,
    show_anew,
)
from nebo.tenants.ids import uuid7
from nebo.tenants.models import Tenant

ASKED_ABOUT = 10  # passages a request names at most, the newest


@dataclass(frozen=True, slots=True)
class CandidatePassage:
    """What was said, by the id that a request gives it, and the memory that it would be withheld for."""

    pk: UUID
    stretch: MessageSpan
    memory_id: UUID

    @property
    def text(self) -> str:
        """The words, without secrets."""
        text = str(self.stretch.message.content[self.stretch.start : self.stretch.end])
        return shown_instead(text) or text


def passages_of(memory: Memory, stretches: Sequence[MessageSpan]) -> list[dict[str, Any]]:
    """As a request keeps them: places, no words."""
    newest = sorted(stretches, key=lambda one: one.message.recorded_at)[-ASKED_ABOUT:]
    return [
        {
            "id": str(uuid7()),
            "message": str(one.message.pk),
            "start": one.start,
            "end": one.end,
            "memory": str(memory.pk),
        }
        for one in newest
    ]


def list_passages(
    *, tenant: Tenant | UUID, requests: Collection[ForgetRequest], persona_id: UUID | None = None
) -> dict[UUID, list[CandidatePassage]]:
    """What each request names that is still there, and whose memory is still forgotten, as a persona may see it; two
    queries at most.
    """
    kept = [one for request in requests for one in request.passages]
    rows = list_messages(tenant).filter(pk__in={one["message"] for one in kept})
    if persona_id is not None:
        rows = rows.filter(Q(session__persona_id=None) | Q(session__persona_id=persona_id))
    messages = {str(message.pk): message for message in rows} if kept else {}
    forgotten = Memory.objects.for_tenant(tenant).filter(
        pk__in={one["memory"] for one in kept}, status__in=Memory.FORGOTTEN
    )
    known = {str(pk) for pk in forgotten.values_list("pk", flat=True)} if kept else set()
    return {request.pk: list_standing(request, messages, known) for request in requests}


def list_standing(
    request: ForgetRequest, messages: Mapping[str, Any], forgotten: Collection[str]
) -> list[CandidatePassage]:
    """What a request names that is still there, among messages by their ids, and whose memory is still `forgotten`."""
    return [
        _passage(one, messages)
        for one in request.passages
        if one["message"] in messages and one["memory"] in forgotten
    ]


def withhold_passages(*, tenant: Tenant | UUID, passages: Sequence[CandidatePassage]) -> None:
    """No agent is shown them, until the memory that they were withheld for is restored."""
    memories = (
        Memory.objects.for_tenant(tenant)
        .select_related("person")
        .in_bulk({one.memory_id for one in passages})
    )
    for memory in memories.values():
        stretches = [one.stretch for one in passages if one.memory_id == memory.pk]
        keep_withheld(tenant=tenant, memory=memory, stretches=stretches)
        schedule_elsewhere(tenant=tenant, memory=memory)


def show_passages_again(*, tenant: Tenant | UUID, request: ForgetRequest, ids: Collection[str]) -> None:
    """Agents are shown again those of a request's passages that were withheld for it."""
    chosen = [one for one in request.passages if one["id"] in ids]
    for one in chosen:
        rows = Withheld.objects.for_tenant(tenant).filter(
            message_id=one["message"], memory_id=one["memory"], start=one["start"], end=one["end"]
        )
        rows.delete()
    touched = {UUID(one["message"]) for one in chosen}
    if touched:
        show_anew(tenant=tenant, person_id=request.person_id, message_ids=touched)


def _passage(kept: Mapping[str, Any], messages: Mapping[str, Any]) -> CandidatePassage:
    stretch = MessageSpan(messages[kept["message"]], kept["start"], kept["end"], Withheld.Found.MEANING)
    return CandidatePassage(UUID(kept["id"]), stretch, UUID(kept["memory"]))

"""`sessions/{id}/turns/dry-run/`: what would be learned from a turn, with quotes and reasons; nothing is stored."""

from __future__ import annotations

from typing import Annotated, TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.answers import Quote, Value, memory_json
from memories.models import Memory, Version
from nebo.api.operations import Operation
from nebo.api.pausing import PausedFields, paused_json
from nebo.api.shapes import Id, like, one_of
from nebo.reading.sensitive.kinds import CLASSES
from personality.models import PersonaCandidate
from personality.wishes.decisions import DecisionFields
from sessions.api.serializers import TurnInput
from sessions.api.views import TurnView
from sessions.turns.append import NewMessage
from sessions.turns.dry_run import DryRun, dry_run_turn


class WordsFields(TypedDict):
    """The words that lead to a change."""

    message: Annotated[int | None, like(0, "Which of the messages sent; the first is 0.")]
    quote: Quote
    extractor: Annotated[str, like("rules")]


class KeptOutFields(TypedDict):
    """What would not be kept, since the workspace keeps nothing of that class."""

    message: Annotated[int | None, like(0, "Which of the messages sent; the first is 0.")]
    sensitive_class: Annotated[str, one_of(CLASSES)]


class ChangeFields(TypedDict):
    """What would happen to a memory."""

    memory_id: Annotated[Id | None, like(None, "Of one that is known; null for one that would be new.")]
    action: Annotated[str, like("created")]
    reason: Annotated[str, like("", "Why, where there is more to say than the words do.")]
    key: Annotated[str, like("location")]
    namespace: Annotated[str, like("tacit/user")]
    value: Value
    status: Annotated[str, one_of(Memory.Status)]
    quarantine_reason: Annotated[str, like("", "Why it would wait for review.")]
    words: list[WordsFields]


class DecidedFields(TypedDict):
    """What the turn asks of the persona, and what would be decided."""

    field: Annotated[str, like("response_length")]
    value: Annotated[str, like("short")]
    decision: Annotated[str, one_of(PersonaCandidate.Decision)]
    reason: Annotated[str, like("explicit")]


class DryRunFields(TypedDict):
    """What a turn would leave behind at once. What a job or a model would find in it later isn't foreseen."""

    changes: list[ChangeFields]
    paused: Annotated[PausedFields | None, like(None, "Why nothing would be collected.")]
    kept_out: list[KeptOutFields]
    decisions: list[DecidedFields]
    asks_to_forget: Annotated[list[str], like([], "What would wait for a decision.")]


class DryRunView(TurnView):
    """The turn is understood and told as any other, and then taken back."""

    operations = {"POST": Operation("Try a turn without storing it", DryRunFields, body=TurnInput)}

    def post(self, request: Request, prepared: list[NewMessage], session_id: UUID) -> Response:
        found = dry_run_turn(
            tenant=self.caller.tenant_id,
            session_id=session_id,
            messages=prepared,
            actor=self.actor,
            check=self.check_session,
        )
        return Response(dry_run_json(found))


def dry_run_json(found: DryRun) -> DryRunFields:
    """As the API shows it; ids that are gone again are left out."""
    return {
        "changes": [change_json(found, change) for change in found.changes],
        "paused": paused_json(found.turn.pause),
        "kept_out": kept_out_json(found, 0),
        "decisions": [decided_json(decision) for decision in found.turn.decisions],
        "asks_to_forget": [request.what for request in found.turn.forget_requests],
    }


def kept_out_json(found: DryRun, first: int) -> list[KeptOutFields]:
    """Each class once a message; messages are counted from `first` on."""
    places = {str(message.pk): place for place, message in enumerate(found.turn.messages, start=first)}
    told = dict.fromkeys((entry.object_id, entry.detail["class"]) for entry in found.kept_out)
    return [{"message": places.get(key), "sensitive_class": name} for key, name in told]


def decided_json(decision: DecisionFields) -> DecidedFields:
    """A decision without the ids that are gone again."""
    return {
        "field": decision["field"],
        "value": decision["value"],
        "decision": decision["decision"],
        "reason": decision["reason"],
    }


def change_json(found: DryRun, change: Version) -> ChangeFields:
    """A change with its words; messages are counted as the turn has them."""
    memory = memory_json(change.memory)
    places: dict[UUID | None, int] = {message.pk: place for place, message in enumerate(found.turn.messages)}
    new = {one.memory_id for one in found.changes if one.number == 1}
    return {
        "memory_id": None if change.memory_id in new else memory["id"],
        "action": change.action,
        "reason": change.reason,
        "key": memory["key"],
        "namespace": memory["namespace"],
        "value": memory["value"],
        "status": memory["status"],
        "quarantine_reason": memory.get("quarantine_reason", ""),
        "words": [
            {"message": places.get(seen.message_id), "quote": seen.quote, "extractor": seen.extractor}
            for seen in found.observations
            if seen.memory_id == change.memory_id
        ],
    }

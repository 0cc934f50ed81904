"""What the memory endpoints take and give."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from rest_framework import serializers

from memories.agent_tool.actions import ACTIONS
from memories.models import Memory, Observation, Todo, Version
from memories.people.cards import Card
from memories.profile_columns import KEY_OF_COLUMN
from memories.screening.placeholders import WITHHELD
from nebo.api.serializers import StrictSerializer
from nebo.api.times import as_utc
from nebo.tenants.models import UserProfile
from search.selectors import RANKINGS

MAX_QUERY_CHARS = 8_000  # characters of a question
MAX_METADATA_KEYS = 50
TYPE_CHARS = 20  # characters of an entity's type
DECIDED = (Todo.Status.OPEN, Todo.Status.DONE, Todo.Status.DROPPED)  # of a todo; only time makes it expire
SILENT = {
    "key": WITHHELD, "value": WITHHELD, "namespace": WITHHELD, "tags": [], "entity_refs": [], "entity_label": "",
    "memory_key": "",
}  # fmt: skip
ORDERINGS = (
    "updated_at", "created_at", "key", "importance", "confidence", "access_count", "reinforced_count",
    "last_reinforced",
)  # fmt: skip


class MemoryInput(StrictSerializer):
    """The limits of value and key are the service's; here a bound keeps nonsense away from it."""

    value = serializers.CharField(max_length=100_000, trim_whitespace=False)
    key = serializers.CharField(max_length=1_000, required=False, allow_blank=True)
    layer = serializers.ChoiceField(choices=Memory.Layer.values, required=False, allow_blank=True)
    namespace = serializers.CharField(max_length=128, required=False, allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField(max_length=64), max_length=20, required=False)
    type = serializers.ChoiceField(choices=Memory.Type.values, required=False)
    entity_refs = serializers.ListField(
        child=serializers.CharField(max_length=160), max_length=20, required=False
    )
    entity_label = serializers.CharField(max_length=200, required=False, allow_blank=True)
    entity_type = serializers.CharField(max_length=TYPE_CHARS, required=False, allow_blank=True)
    fact_type = serializers.ChoiceField(choices=Memory.FactType.values, required=False)
    memory_key = serializers.CharField(max_length=300, required=False, allow_blank=True)
    importance = serializers.IntegerField(min_value=0, max_value=3, required=False)
    pinned = serializers.BooleanField(required=False)
    persona = serializers.CharField(max_length=63, required=False, allow_null=True)
    scope = serializers.ChoiceField(choices=Memory.Scope.values, required=False)
    session = serializers.UUIDField(required=False, allow_null=True)
    expires_at = serializers.DateTimeField(required=False, allow_null=True, default_timezone=UTC)
    metadata = serializers.DictField(required=False)

    def validate_metadata(self, value: dict[str, Any]) -> dict[str, Any]:
        if len(value) > MAX_METADATA_KEYS:
            raise serializers.ValidationError(f"At most {MAX_METADATA_KEYS} entries.")
        return value


class NewMemoryInput(MemoryInput):
    deduplicate = serializers.BooleanField(required=False, default=True)


class MemoryFilters(serializers.Serializer[Any]):
    persona = serializers.CharField(max_length=63, required=False, default="")
    layer = serializers.ChoiceField(choices=Memory.Layer.values, required=False)
    namespace = serializers.CharField(max_length=160, required=False)
    type = serializers.ChoiceField(choices=Memory.Type.values, required=False)
    status = serializers.ChoiceField(choices=Memory.Status.values, required=False)
    scope = serializers.ChoiceField(choices=Memory.Scope.values, required=False)
    pinned = serializers.BooleanField(required=False, allow_null=True, default=None)
    entity = serializers.CharField(max_length=160, required=False)
    memory_key = serializers.CharField(max_length=300, required=False)
    q = serializers.CharField(max_length=200, required=False)
    ordering = serializers.ChoiceField(
        choices=[sign + name for name in ORDERINGS for sign in ("", "-")], default="-updated_at"
    )


class DeleteFilters(serializers.Serializer[Any]):
    purge = serializers.BooleanField(default=False)
    keep_words = serializers.BooleanField(
        default=False, help_text="Delete the memory alone: agents are shown the words it rests on."
    )


class SearchInput(StrictSerializer):
    query = serializers.CharField(max_length=MAX_QUERY_CHARS)
    limit = serializers.IntegerField(min_value=1, max_value=100, default=10)
    sources = serializers.ListField(
        child=serializers.ChoiceField(choices=("memory", "session")),
        min_length=1,
        max_length=2,
        default=lambda: ["memory", "session"],
    )
    namespace = serializers.CharField(max_length=160, required=False, allow_blank=True, default="")
    layer = serializers.ChoiceField(choices=Memory.Layer.values, required=False, allow_blank=True, default="")
    types = serializers.ListField(
        child=serializers.ChoiceField(choices=Memory.Type.values), max_length=3, required=False, default=list
    )
    persona = serializers.CharField(max_length=63, required=False, allow_null=True, default=None)
    session = serializers.UUIDField(required=False, allow_null=True, default=None)
    min_score = serializers.FloatField(
        min_value=0, max_value=1, required=False, allow_null=True, default=None
    )
    explain = serializers.BooleanField(required=False, default=False)
    ranking = serializers.ChoiceField(choices=RANKINGS, required=False, default=RANKINGS[0])


class RecallInput(StrictSerializer):
    persona = serializers.CharField(max_length=63, required=False, allow_null=True, default=None)
    query = serializers.CharField(max_length=MAX_QUERY_CHARS)
    limit = serializers.IntegerField(min_value=1, max_value=50, default=5)
    min_similarity = serializers.FloatField(min_value=0, max_value=1, default=0.35)
    session = serializers.UUIDField(required=False, allow_null=True, default=None)


class ToolInput(StrictSerializer):
    persona = serializers.CharField(max_length=63, required=False, allow_null=True, default=None)
    action = serializers.ChoiceField(choices=tuple(ACTIONS))
    key = serializers.CharField(max_length=1_000, required=False, allow_blank=True, default="")
    value = serializers.CharField(
        max_length=100_000, required=False, allow_blank=True, default="", trim_whitespace=False
    )
    tags = serializers.ListField(
        child=serializers.CharField(max_length=64), max_length=20, required=False, default=list
    )
    query = serializers.CharField(max_length=MAX_QUERY_CHARS, required=False, allow_blank=True, default="")
    namespace = serializers.CharField(max_length=128, required=False, allow_blank=True, default="")
    layer = serializers.ChoiceField(choices=Memory.Layer.values, required=False, allow_blank=True, default="")
    metadata = serializers.DictField(required=False, default=dict)
    scope = serializers.ChoiceField(choices=Memory.Scope.values, required=False, allow_blank=True, default="")
    due_at = serializers.DateTimeField(
        required=False, allow_null=True, default=None, default_timezone=UTC, help_text="When a todo is due."
    )
    session = serializers.UUIDField(required=False, allow_null=True, default=None)


class TodoInput(StrictSerializer):
    text = serializers.CharField(max_length=500, required=False)
    status = serializers.ChoiceField(choices=DECIDED, required=False)
    kind = serializers.ChoiceField(choices=Todo.Kind.values, required=False)
    due_at = serializers.DateTimeField(required=False, allow_null=True, default_timezone=UTC)


class NewTodoInput(StrictSerializer):
    text = serializers.CharField(max_length=500)
    kind = serializers.ChoiceField(choices=Todo.Kind.values, required=False, default=Todo.Kind.COMMITMENT)
    due_at = serializers.DateTimeField(required=False, allow_null=True, default=None, default_timezone=UTC)
    persona = serializers.CharField(max_length=63, required=False, default="")


class TodoFilters(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=[*Todo.Status.values, "all"], required=False, default="open")
    kind = serializers.ChoiceField(choices=Todo.Kind.values, required=False, default="")
    persona = serializers.CharField(max_length=63, required=False, default="")


class ProfileInput(StrictSerializer):
    display_name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    location = serializers.CharField(max_length=200, required=False, allow_blank=True)
    timezone = serializers.CharField(max_length=64, required=False, allow_blank=True)
    occupation = serializers.CharField(max_length=200, required=False, allow_blank=True)
    interests = serializers.ListField(
        child=serializers.CharField(max_length=200), max_length=50, required=False
    )
    goals = serializers.CharField(max_length=2_048, required=False, allow_blank=True)
    context = serializers.CharField(  # type: ignore[assignment]  # taken off the class by REST framework
        max_length=2_048, required=False, allow_blank=True
    )
    communication_style = serializers.CharField(max_length=2_048, required=False, allow_blank=True)


def memory_json(memory: Memory, *, whole: bool = False) -> dict[str, Any]:
    """A memory as the API shows it, with the reason where it waits for review; `user` is null for everyone's.

    What is never to be mentioned says nothing of itself, unless asked for `whole`.
    """
    plain = (
        "layer", "namespace", "key", "value", "tags", "type", "scope", "entity_refs", "entity_label", "entity_type",
        "fact_type", "memory_key", "importance", "pinned", "status", "source", "trust", "reinforced_count",
        "access_count", "version",
    )  # fmt: skip
    moments = ("valid_from", "valid_to", "expires_at", "created_at", "updated_at")
    is_shared = memory.profile.kind == UserProfile.Kind.SHARED
    why = {"quarantine_reason": memory.quarantine_reason} if memory.quarantine_reason else {}
    silent = {} if whole or memory.status != Memory.Status.UNMENTIONED else SILENT
    return {
        "id": str(memory.pk),
        "user": None if is_shared else memory.profile.external_id,
        "persona": memory.persona.slug if memory.persona else None,
        "session": _id(memory.session_id),
        "superseded_by": _id(memory.superseded_by_id),
        "confidence": round(memory.confidence, 4),
        **{name: getattr(memory, name) for name in plain},
        **{name: as_utc(getattr(memory, name)) for name in moments},
        **why,
        **silent,
    }


def version_json(version: Version) -> dict[str, Any]:
    """One change."""
    return {
        "version": version.number,
        "action": version.action,
        "actor": version.actor,
        "reason": version.reason,
        "before": version.before,
        "after": version.after,
        "run": _id(version.run_id),
        "created_at": as_utc(version.created_at),
    }


def observation_json(seen: Observation) -> dict[str, Any]:
    """One observation, with the message it was read from and the words that say so, unless those are withheld."""
    withheld = seen.message is not None and seen.quote not in seen.message.words
    return {
        "id": str(seen.pk),
        "extractor": seen.extractor,
        "model": seen.model,
        "value": seen.value,
        "quote": WITHHELD if withheld else seen.quote,
        "quote_start": seen.quote_start,
        "quote_end": seen.quote_end,
        "confidence": round(seen.confidence, 4),
        "trust": seen.trust,
        "actor": seen.actor,
        "run": _id(seen.run_id),
        "observed_at": as_utc(seen.observed_at),
        "message": _message_json(seen),
    }


def card_json(card: Card) -> dict[str, Any]:
    """What is known about one entity."""
    return {
        "ref": card.entity.ref,
        "type": card.entity.type,
        "label": card.entity.label,
        "text": card.text,
        "facts": [
            {
                "memory_id": str(fact.pk),
                "value": fact.value,
                "pinned": fact.pinned,
                "importance": fact.importance,
            }
            for fact in card.facts
        ],
    }


def todo_json(todo: Todo) -> dict[str, Any]:
    """Something open."""
    return {
        "id": str(todo.pk),
        "user": todo.profile.external_id,
        "persona": todo.persona.slug if todo.persona else None,
        "session": _id(todo.session_id),
        "message": _id(todo.message_id),
        "kind": todo.kind,
        "text": todo.text,
        "quote": WITHHELD if todo.message and todo.quote not in todo.message.words else todo.quote,
        "status": todo.effective_status,
        "due_at": as_utc(todo.due_at),
        "overdue": todo.is_overdue,
        "expires_at": as_utc(todo.expires_at),
        "closed_at": as_utc(todo.closed_at),
        "closed_by": todo.closed_by,
        "closed_message": _id(todo.closed_message_id),
        "closed_quote": todo.closed_quote,
        "created_at": as_utc(todo.created_at),
        "updated_at": as_utc(todo.updated_at),
        "version": todo.version,
    }


def profile_json(profile: UserProfile) -> dict[str, Any]:
    """A person."""
    columns = {name: getattr(profile, name) for name in KEY_OF_COLUMN}
    return {
        "user": profile.external_id,
        **columns,
        "memory_version": profile.memory_version,
        "created_at": as_utc(profile.created_at),
        "updated_at": as_utc(profile.updated_at),
    }


def _message_json(seen: Observation) -> dict[str, Any] | None:
    message = seen.message
    if message is None:
        return None
    return {
        "id": str(message.pk),
        "external_id": message.external_id,
        "session_id": str(message.session_id),
        "seq": message.seq,
        "role": message.role,
        "name": message.name,
        "content": message.words,
        "created_at": as_utc(message.created_at),
    }


def _id(value: Any) -> str | None:
    return str(value) if value else None

"""What the memory endpoints take."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from rest_framework import serializers

from memories.agent_tool.actions import ACTIONS
from memories.api.answers import OWN, VISIBILITIES
from memories.models import Memory, Todo
from nebo.api.serializers import StrictSerializer
from search.answers.search import RANKINGS

MAX_QUERY_CHARS = 8_000  # characters of a question
MAX_METADATA_KEYS = 50
TYPE_CHARS = 20  # characters of an entity's type
DECIDED = (Todo.Status.OPEN, Todo.Status.DONE, Todo.Status.DROPPED)  # of a todo; only time makes it expire
ORDERINGS = (
    "updated_at", "created_at", "key", "importance", "confidence", "access_count", "reinforced_count",
    "last_reinforced",
)  # fmt: skip


def _trust(**settings: Any) -> serializers.ChoiceField:
    """A key's own word is the most: a call can only say less."""
    return serializers.ChoiceField(
        choices=Memory.Trust.values,
        required=False,
        help_text="Whose words these are, if they are worth less than what the key brings.",
        **settings,
    )


class MemoryInput(StrictSerializer):
    """The limits of value and key are the service's; here a bound keeps nonsense away from it."""

    example = {"value": "Lives in Lisbon.", "key": "location", "tags": ["home"]}

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


class ChangedMemoryInput(MemoryInput):
    visibility = serializers.ChoiceField(
        choices=(OWN,),
        required=False,
        help_text="Takes back what was shared. To share, store it so, or use its page.",
    )


class NewMemoryInput(MemoryInput):
    visibility = serializers.ChoiceField(
        choices=VISIBILITIES,
        required=False,
        help_text="`team`: other people's agents may recall it, as somebody else's words. For decisions and facts "
        "about projects, where the team's settings allow it.",
    )
    deduplicate = serializers.BooleanField(required=False, default=True)
    source = serializers.ChoiceField(  # type: ignore[assignment]  # a field of that name, not DRF's `source`
        choices=(Memory.Source.AGENT, Memory.Source.IMPORT),
        required=False,
        help_text="`import`: brought along from elsewhere, and not written by the agent.",
    )
    trust = _trust()


class MemoryFilters(serializers.Serializer[Any]):
    persona = serializers.CharField(max_length=63, required=False, default="")
    layer = serializers.ChoiceField(choices=Memory.Layer.values, required=False)
    namespace = serializers.CharField(max_length=160, required=False)
    type = serializers.ChoiceField(choices=Memory.Type.values, required=False)
    status = serializers.ChoiceField(choices=Memory.Status.values, required=False)
    scope = serializers.ChoiceField(choices=Memory.Scope.values, required=False)
    pinned = serializers.BooleanField(required=False, allow_null=True, default=None)
    visibility = serializers.ChoiceField(choices=VISIBILITIES, required=False)
    entity = serializers.CharField(max_length=160, required=False)
    memory_key = serializers.CharField(max_length=300, required=False)
    key = serializers.CharField(max_length=1_000, required=False)
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
    example = {"query": "Where does Ana live?", "limit": 5}
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
    example = {"query": "Which ferry should I take?"}
    persona = serializers.CharField(max_length=63, required=False, allow_null=True, default=None)
    query = serializers.CharField(max_length=MAX_QUERY_CHARS)
    limit = serializers.IntegerField(min_value=1, max_value=50, default=5)
    min_similarity = serializers.FloatField(min_value=0, max_value=1, default=0.35)
    session = serializers.UUIDField(required=False, allow_null=True, default=None)


class ToolInput(StrictSerializer):
    example = {"action": "store", "key": "location", "value": "Lives in Lisbon."}
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
    trust = _trust(allow_blank=True, default="")
    session = serializers.UUIDField(required=False, allow_null=True, default=None)


class TodoInput(StrictSerializer):
    example = {"status": "done"}
    text = serializers.CharField(max_length=500, required=False)
    status = serializers.ChoiceField(choices=DECIDED, required=False)
    kind = serializers.ChoiceField(choices=Todo.Kind.values, required=False)
    due_at = serializers.DateTimeField(required=False, allow_null=True, default_timezone=UTC)


class NewTodoInput(StrictSerializer):
    example = {"text": "Send Ana the invoice", "due_at": "2026-03-06T12:00:00Z"}
    text = serializers.CharField(max_length=500)
    kind = serializers.ChoiceField(choices=Todo.Kind.values, required=False, default=Todo.Kind.COMMITMENT)
    due_at = serializers.DateTimeField(required=False, allow_null=True, default=None, default_timezone=UTC)
    persona = serializers.CharField(max_length=63, required=False, default="")


class TodoFilters(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=[*Todo.Status.values, "all"], required=False, default="open")
    kind = serializers.ChoiceField(choices=Todo.Kind.values, required=False, default="")
    persona = serializers.CharField(max_length=63, required=False, default="")


class PersonInput(StrictSerializer):
    example = {"display_name": "Ana", "timezone": "Europe/Lisbon"}
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

"""What the session endpoints take."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from rest_framework import serializers

from nebo.api.serializers import LongTextField, StrictSerializer
from nebo.tenants.services import ME
from sessions.context.budget import DEFAULT_BUDGET, MAX_BUDGET, MIN_BUDGET
from sessions.context.formats import FORMATS
from sessions.lifecycle.identity import KEY_LIMIT
from sessions.models import Message

MAX_MESSAGES = 500  # a turn; docs/security.md#limits
MAX_MESSAGE_BYTES = 100_000  # of UTF-8, a message
MAX_QUERY_CHARS = 8_000
ACTIVE_TASK_CHARS = 2_000


class IdentityInput(StrictSerializer):
    workspace = serializers.CharField(max_length=255)
    channel = serializers.CharField(max_length=255)
    conversation = serializers.CharField(max_length=255)


class SessionInput(StrictSerializer):
    example = {"user": "ana", "key": "chat-42"}
    user = serializers.CharField(max_length=255)
    key = serializers.CharField(max_length=KEY_LIMIT, required=False, default="")
    identity = IdentityInput(required=False, default=None)
    persona = serializers.CharField(max_length=63, required=False, allow_null=True, default=None)
    auto_extract = serializers.BooleanField(required=False, allow_null=True, default=None)
    recall = serializers.BooleanField(required=False, allow_null=True, default=None)
    index_turns = serializers.BooleanField(required=False, default=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs["key"] and not attrs["identity"]:
            raise serializers.ValidationError({"key": "Give a key or an identity."})
        return attrs


class SessionChanges(StrictSerializer):
    example = {"auto_extract": False}
    auto_extract = serializers.BooleanField(
        required=False, help_text="Whether what is said here becomes memories."
    )
    recall = serializers.BooleanField(
        required=False,
        allow_null=True,
        help_text="Whether what fits a question is brought up; null: as the workspace has it.",
    )


class SessionFilters(serializers.Serializer[Any]):
    user = serializers.CharField(
        max_length=255,
        required=False,
        default=ME,
        help_text="Whose; `me` with a key that is bound to one person.",
    )
    key = serializers.CharField(
        max_length=KEY_LIMIT, required=False, help_text="The one that was opened with this key."
    )


class MessageInput(StrictSerializer):
    role = serializers.ChoiceField(choices=Message.Role.values)
    content = LongTextField(trim_whitespace=False)
    name = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    external_id = serializers.CharField(max_length=255, required=False, allow_null=True, default=None)
    created_at = serializers.DateTimeField(
        required=False, allow_null=True, default=None, default_timezone=UTC
    )

    def validate_content(self, value: str) -> str:
        if not value.strip():
            raise serializers.ValidationError("A message needs content.")
        if len(value.encode()) > MAX_MESSAGE_BYTES:
            raise serializers.ValidationError(f"At most {MAX_MESSAGE_BYTES:,} bytes a message.")
        return value


class TurnInput(StrictSerializer):
    example = {
        "messages": [
            {"role": "user", "content": "I moved to Lisbon in March.", "external_id": "msg-17"},
            {"role": "assistant", "content": "How do you like it?"},
        ]
    }
    messages = MessageInput(many=True, min_length=1, max_length=MAX_MESSAGES)  # type: ignore[call-arg]


class PreviewInput(TurnInput):
    user = serializers.CharField(
        max_length=255,
        required=False,
        allow_blank=True,
        default="",
        help_text="Beside whose memories they are read; one whom nobody knows is not made.",
    )


class ContextInput(StrictSerializer):
    example = {"query": "Which ferry should I take?", "token_budget": 4000}
    query = serializers.CharField(max_length=MAX_QUERY_CHARS, required=False, allow_blank=True, default="")
    token_budget = serializers.IntegerField(
        min_value=MIN_BUDGET, max_value=MAX_BUDGET, required=False, default=DEFAULT_BUDGET
    )
    format = serializers.ChoiceField(choices=FORMATS, required=False, default=FORMATS[0])
    lean = serializers.BooleanField(
        required=False, default=False, help_text="Search for nothing and recall nothing."
    )
    recall = serializers.BooleanField(
        required=False,
        default=True,
        help_text="Off: nothing is brought up for this call; on: as session and team have it.",
    )
    own_prompt = serializers.BooleanField(
        required=False,
        default=False,
        help_text="The agent has a prompt of its own and no memory tool: leaves out what Nebo says by default.",
    )


class RedactionInput(StrictSerializer):
    example = {"words": ["Rua Augusta 7"]}
    words = serializers.ListField(
        child=serializers.CharField(max_length=2_000),
        required=False,
        min_length=1,
        max_length=100,
        help_text="What is taken out, wherever the message says it; all of it where nothing is named.",
    )
    start = serializers.IntegerField(
        min_value=0, required=False, help_text="With end: a stretch, in characters."
    )
    end = serializers.IntegerField(min_value=1, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        named = {"start", "end"} & attrs.keys()
        if len(named) == 1:
            missing = ({"start", "end"} - named).pop()
            raise serializers.ValidationError({missing: "A stretch has a start and an end."})
        if named and "words" in attrs:
            raise serializers.ValidationError({"words": "Name words or a stretch, not both."})
        return attrs


class ActiveTaskInput(StrictSerializer):
    example = {"text": "Plan the move to Lisbon"}
    text = serializers.CharField(max_length=ACTIVE_TASK_CHARS, allow_blank=True)

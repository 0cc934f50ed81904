"""What mem0's addresses take. Fields that change nothing here are taken and left alone; those that would promise
something Nebo doesn't do are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from datetime import UTC, datetime, time
from typing import Any

from django.utils.dateparse import parse_date, parse_datetime
from rest_framework import serializers

from memories.api.serializers import MAX_METADATA_KEYS, MAX_QUERY_CHARS
from memories.models.memories import VALUE_LIMIT
from nebo.api.serializers import StrictSerializer
from nebo.product.mem0.models import NAME_CHARS
from sessions.api.serializers import MAX_MESSAGES, MessageInput

MAX_NOTES = 50  # texts stored as they came, in one call
MAX_BATCH = 100  # memories changed or deleted in one call
MAX_PAGE = 100  # memories on a page
MAX_PAGES = 10_000
MAX_FOUND = 1_000  # that may be asked for, as mem0 has it; at most 100 are given
LEFT_ALONE = (
    "org_id", "project_id", "output_format", "version", "api_version", "async_mode", "enable_graph",
    "custom_categories", "rerank", "keyword_search", "reference_date", "latest_only", "filter_memories",
    "only_metadata_based_search", "source", "delete_linked", "explain",
)  # fmt: skip
REFUSED = (
    "includes", "excludes", "custom_instructions", "agent_custom_instructions", "structured_data_schema",
    "immutable", "memory_type", "prompt",
)  # fmt: skip


ENTITY_NAMES = ("user_id", "agent_id", "app_id", "run_id")
PAGE_NAMES = ("page", "page_size")
DELETING = (*ENTITY_NAMES, "filters", "metadata")
LISTING = (
    *DELETING, *PAGE_NAMES, "limit", "top_k", "start_date", "end_date", "categories", "fields", "keywords",
    "show_expired", *LEFT_ALONE,
)  # fmt: skip


def anything() -> serializers.JSONField:
    """A field whose value makes no difference."""
    return serializers.JSONField(required=False, allow_null=True)


TAKEN = {one: anything() for one in (*LEFT_ALONE, *REFUSED)}


def name() -> serializers.CharField:
    """An entity's id."""
    return serializers.CharField(max_length=NAME_CHARS, required=False, allow_null=True, default=None)


class Mem0Input(StrictSerializer):
    """The entities, and what is left alone."""

    user_id = name()
    agent_id = name()
    app_id = name()
    run_id = name()
    filters = serializers.DictField(required=False, allow_null=True, default=None)
    metadata = serializers.DictField(required=False, allow_null=True, default=None)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**{one: copy(field) for one, field in TAKEN.items()}, **super().get_fields()}

    def validate_metadata(self, value: dict[str, Any] | None) -> dict[str, Any]:
        if value and len(value) > MAX_METADATA_KEYS:
            raise serializers.ValidationError(f"At most {MAX_METADATA_KEYS} entries.")
        return value or {}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        refused = {one: "Nebo doesn't support this: see docs/mem0.md." for one in REFUSED if attrs.get(one)}
        if refused:
            raise serializers.ValidationError(refused)
        return attrs


class AddInput(Mem0Input):
    messages = MessageInput(many=True, min_length=1, max_length=MAX_MESSAGES)  # type: ignore[call-arg]
    infer = serializers.BooleanField(required=False, allow_null=True, default=True)
    timestamp = serializers.FloatField(required=False, allow_null=True, default=None, min_value=0)
    expiration_date = serializers.CharField(required=False, allow_null=True, default=None)

    def validate_timestamp(self, value: float | None) -> datetime | None:
        return read_timestamp(value)

    def validate_expiration_date(self, value: str | None) -> datetime | None:
        return read_expiration(value)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        if attrs["infer"] is not False:
            if attrs["expiration_date"]:
                raise serializers.ValidationError({"expiration_date": "Only with infer=false."})
            return attrs
        if len(attrs["messages"]) > MAX_NOTES:
            raise serializers.ValidationError({"messages": f"At most {MAX_NOTES} with infer=false."})
        long = {
            str(place): {"content": [f"At most {VALUE_LIMIT} characters with infer=false."]}
            for place, message in enumerate(attrs["messages"])
            if len(message["content"]) > VALUE_LIMIT
        }
        if long:
            raise serializers.ValidationError({"messages": long})
        return attrs


class ListInput(Mem0Input):
    page = serializers.IntegerField(min_value=1, max_value=MAX_PAGES, required=False, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=MAX_PAGE, required=False, default=MAX_PAGE)
    limit = serializers.IntegerField(min_value=1, max_value=MAX_FOUND, required=False, allow_null=True)
    top_k = serializers.IntegerField(min_value=1, max_value=MAX_FOUND, required=False, allow_null=True)
    start_date = serializers.CharField(max_length=40, required=False, allow_null=True, default=None)
    end_date = serializers.CharField(max_length=40, required=False, allow_null=True, default=None)
    categories = serializers.ListField(
        child=serializers.CharField(max_length=64),
        max_length=20,
        required=False,
        allow_null=True,
        default=None,
    )
    fields_ = serializers.ListField(
        child=serializers.CharField(max_length=64),
        max_length=20,
        required=False,
        allow_null=True,
        default=None,
    )
    keywords = serializers.CharField(max_length=200, required=False, allow_null=True, default=None)
    show_expired = serializers.BooleanField(required=False, allow_null=True, default=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """`fields` is a name of REST framework's own, so it stands here under another."""
        found = super().get_fields()
        found["fields"] = found.pop("fields_")
        return found


class SearchInput(ListInput):
    query = serializers.CharField(max_length=MAX_QUERY_CHARS)
    threshold = serializers.FloatField(
        min_value=0, max_value=1, required=False, allow_null=True, default=None
    )


class ChangeInput(Mem0Input):
    text = serializers.CharField(max_length=100_000, trim_whitespace=False, required=False, allow_null=True)
    memory = serializers.CharField(max_length=100_000, trim_whitespace=False, required=False, allow_null=True)
    metadata = serializers.DictField(required=False, allow_null=True)
    expiration_date = serializers.CharField(required=False, allow_null=True)
    timestamp = anything()

    def validate_expiration_date(self, value: str | None) -> datetime | None:
        return read_expiration(value)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        if attrs.get("timestamp") is not None:
            raise serializers.ValidationError({"timestamp": "When something was said doesn't change."})
        return attrs


class BatchItemInput(StrictSerializer):
    memory_id = serializers.CharField(max_length=100)
    text = serializers.CharField(max_length=100_000, trim_whitespace=False, required=False, allow_null=True)
    metadata = serializers.DictField(required=False, allow_null=True)


class BatchInput(StrictSerializer):
    memories = BatchItemInput(many=True, min_length=1, max_length=MAX_BATCH)  # type: ignore[call-arg]
    org_id = anything()
    project_id = anything()


def read_timestamp(seconds: float | None) -> datetime | None:
    """Of Unix's seconds; raises ValidationError for what is no moment."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise serializers.ValidationError("Seconds since 1970.") from error


def read_expiration(text: str | None) -> datetime | None:
    """The end of a day, or a moment; raises ValidationError."""
    if not text:
        return None
    try:
        day = parse_date(text) if len(text) == len("2026-03-02") else None
        moment = datetime.combine(day, time.max, UTC) if day else parse_datetime(text)
    except ValueError as error:
        raise serializers.ValidationError("A date such as 2026-03-02.") from error
    if moment is None:
        raise serializers.ValidationError("A date such as 2026-03-02.")
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def as_messages(body: Mapping[str, Any]) -> dict[str, Any]:
    """Messages as a list of objects with a text each, however they were sent."""
    given = body.get("messages")
    items = given if isinstance(given, list) else [given]
    spoken = [{"role": "user", "content": one} if isinstance(one, str) else one for one in items]
    return {**body, "messages": [_in_words(one) for one in spoken]} if given is not None else dict(body)


def _in_words(message: Any) -> Any:
    """Parts of text become one; anything else among them is left, and refused as no text."""
    parts = message.get("content") if isinstance(message, dict) else None
    if not isinstance(parts, list) or not all(_is_text(part) for part in parts):
        return message
    return {**message, "content": "\n".join(part["text"] for part in parts)}


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)

"""What the tools take. Names are those of the API, which checks each value once more where it is used."""

from __future__ import annotations

from datetime import UTC

from rest_framework import serializers

from memories.api.answers import OWN, VISIBILITIES
from memories.api.serializers import MAX_QUERY_CHARS
from nebo.api.serializers import StrictSerializer
from sessions.api.serializers import MessageInput
from sessions.context.budget import DEFAULT_BUDGET, MAX_BUDGET, MIN_BUDGET
from sessions.lifecycle.identity import KEY_LIMIT

CONVERSATION = "mcp"  # the key of a session whose client names none
MAX_MESSAGES = 100  # a call


def _query(about: str) -> serializers.CharField:
    return serializers.CharField(max_length=MAX_QUERY_CHARS, help_text=about)


def _memory_id() -> serializers.UUIDField:
    return serializers.UUIDField(help_text="Its id, from search_memories or list_memories.")


class SearchMemoriesInput(StrictSerializer):
    query = _query("A question or key words, in any language.")
    limit = serializers.IntegerField(min_value=1, max_value=50, default=8)
    memories_only = serializers.BooleanField(default=False, help_text="Leave out passages of conversations.")


class GetContextInput(StrictSerializer):
    query = _query("What you are about to answer or do, best in the person's own words.")
    conversation = serializers.CharField(
        max_length=KEY_LIMIT, required=False, help_text="As given to add_messages: adds what was said in it."
    )
    token_budget = serializers.IntegerField(
        min_value=MIN_BUDGET, max_value=MAX_BUDGET, default=DEFAULT_BUDGET
    )


class _Described(StrictSerializer):
    """What may be said of a memory besides its words."""

    key = serializers.CharField(
        max_length=1_000, required=False, help_text="A short name, such as favourite_tea."
    )
    namespace = serializers.CharField(
        max_length=128, required=False, help_text="A path to keep it under, such as work/acme."
    )
    tags = serializers.ListField(child=serializers.CharField(max_length=64), max_length=20, required=False)
    importance = serializers.IntegerField(min_value=0, max_value=3, required=False)
    pinned = serializers.BooleanField(required=False, help_text="Always part of the context.")
    expires_at = serializers.DateTimeField(required=False, default_timezone=UTC)


class AddMemoryInput(_Described):
    value = serializers.CharField(
        max_length=100_000,
        trim_whitespace=False,
        help_text="One fact, as a sentence that is understood without the conversation.",
    )
    visibility = serializers.ChoiceField(
        choices=VISIBILITIES,
        required=False,
        help_text="team: a decision or fact about a project that everybody's agents may recall, with who said so. "
        "Never for what is personal.",
    )


class UpdateMemoryInput(_Described):
    memory_id = _memory_id()
    visibility = serializers.ChoiceField(
        choices=(OWN,), required=False, help_text="own: take back what was shared with the team."
    )
    value = serializers.CharField(
        max_length=100_000, trim_whitespace=False, required=False, help_text="What it says from now on."
    )


class AddMessagesInput(StrictSerializer):
    messages = MessageInput(  # type: ignore[call-arg]
        many=True,
        min_length=1,
        max_length=MAX_MESSAGES,
        help_text="What was said since the last call, oldest first, word for word.",
    )
    conversation = serializers.CharField(
        max_length=KEY_LIMIT,
        default=CONVERSATION,
        help_text="The same for all turns of one conversation, such as its id.",
    )


class ListMemoriesInput(StrictSerializer):
    namespace = serializers.CharField(max_length=160, required=False)
    q = serializers.CharField(max_length=200, required=False, help_text="Words that must occur.")
    limit = serializers.IntegerField(min_value=1, max_value=100, default=20)
    cursor = serializers.CharField(
        max_length=2_000, required=False, help_text="next_cursor of the last page."
    )


class ForgetMemoryInput(StrictSerializer):
    memory_id = _memory_id()


class SearchInput(StrictSerializer):
    query = _query("A question or key words.")


class FetchInput(StrictSerializer):
    id = serializers.CharField(max_length=200, help_text="Of a result of search.")

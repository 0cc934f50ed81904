"""What the persona endpoints take."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from nebo.api.serializers import StrictSerializer
from personality.fields import OVERLAY_FIELDS
from personality.models import Persona, PersonaCandidate
from personality.personas.files import FILE_MAX_CHARS
from personality.personas.presets import DEFAULT_PRESET, PRESETS

MAX_TEXT_CHARS = 20_000  # characters of a personality, of rules, of tool notes


def _line(limit: int) -> serializers.CharField:
    return serializers.CharField(max_length=limit, required=False, allow_blank=True)


class PersonaInput(StrictSerializer):
    example = {"formality": "casual"}
    name = serializers.CharField(max_length=200, required=False)
    preset = serializers.ChoiceField(
        choices=list(PRESETS),
        allow_blank=True,
        required=False,
        error_messages={"invalid_choice": f"One of {', '.join(PRESETS)}, or empty."},
        help_text="A ready-made personality (`presets/`); `custom_personality` goes before it, empty is the default.",
    )
    custom_personality = _line(MAX_TEXT_CHARS)
    voice_style = serializers.CharField(max_length=40, required=False)
    response_length = serializers.CharField(max_length=40, required=False)
    emoji_usage = serializers.CharField(max_length=40, required=False)
    formality = serializers.CharField(max_length=40, required=False)
    proactivity = serializers.CharField(max_length=40, required=False)
    emoji = _line(16)
    creature = _line(200)
    vibe = _line(200)
    role = _line(200)
    language = _line(40)
    rules = _line(MAX_TEXT_CHARS)
    tool_notes = _line(MAX_TEXT_CHARS)
    file_sync = serializers.ChoiceField(choices=Persona.FileSync.values, required=False)
    memory_scope = serializers.ChoiceField(choices=Persona.MemoryScope.values, required=False)
    locked = serializers.ListField(
        child=serializers.ChoiceField(choices=OVERLAY_FIELDS), max_length=len(OVERLAY_FIELDS), required=False
    )


class NewPersonaInput(PersonaInput):
    example = {"slug": "guide", "name": "Guide", "preset": DEFAULT_PRESET}
    slug = serializers.SlugField(max_length=63)


class FileInput(StrictSerializer):
    """An empty content takes the file away."""

    example = {"content": "# Guide\n\nBe kind."}

    content = serializers.CharField(max_length=5 * FILE_MAX_CHARS, allow_blank=True, trim_whitespace=False)


class RollbackInput(StrictSerializer):
    example = {"to": 1}
    to = serializers.IntegerField(min_value=1)


class OverlayRollbackInput(StrictSerializer):
    """0 is the persona as the team made it."""

    example = {"to": 0}

    to = serializers.IntegerField(min_value=0)
    persona = _line(63)


class NamedPersonaFilters(serializers.Serializer[Any]):
    persona = serializers.CharField(
        max_length=63, required=False, allow_blank=True, default="", help_text="A slug; else the key's own."
    )


class CandidateFilters(serializers.Serializer[Any]):
    decision = serializers.ChoiceField(choices=PersonaCandidate.Decision.values, required=False, default="")
    user = serializers.CharField(max_length=255, required=False, default="")
    persona = serializers.CharField(max_length=63, required=False, default="")


class PersonaFilters(serializers.Serializer[Any]):
    archived = serializers.BooleanField(default=False)

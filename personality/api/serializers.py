"""What the persona endpoints take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memories.models import Memory
from nebo.api.serializers import StrictSerializer
from nebo.api.times import as_utc
from personality.files import FILE_MAX_CHARS, FileText
from personality.models import Persona, PersonaRevision
from personality.services.personas import EDITABLE

MAX_TEXT_CHARS = 20_000  # characters of a personality, of rules, of tool notes


def _line(limit: int) -> serializers.CharField:
    return serializers.CharField(max_length=limit, required=False, allow_blank=True)


class PersonaInput(StrictSerializer):
    name = serializers.CharField(max_length=200, required=False)
    preset = _line(40)
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
    rules = _line(MAX_TEXT_CHARS)
    tool_notes = _line(MAX_TEXT_CHARS)
    file_sync = serializers.ChoiceField(choices=Persona.FileSync.values, required=False)


class NewPersonaInput(PersonaInput):
    slug = serializers.SlugField(max_length=63)


class FileInput(StrictSerializer):
    """An empty content takes the file away."""

    content = serializers.CharField(max_length=5 * FILE_MAX_CHARS, allow_blank=True, trim_whitespace=False)


def file_json(file: FileText) -> dict[str, Any]:
    """A persona's file; `updated_at` is null where nothing was written and the persona itself speaks."""
    return {
        "name": file.name,
        "content": file.content,
        "updated_at": as_utc(file.updated_at) if file.updated_at else None,
    }


def persona_json(persona: Persona) -> dict[str, Any]:
    """A persona."""
    return {
        "id": str(persona.pk),
        "slug": persona.slug,
        **{name: getattr(persona, name) for name in EDITABLE},
        "version": persona.version,
        "created_at": as_utc(persona.created_at),
        "updated_at": as_utc(persona.updated_at),
    }


def revision_json(revision: PersonaRevision) -> dict[str, Any]:
    """One change of a persona."""
    return {
        "version": revision.number,
        "before": revision.before,
        "after": revision.after,
        "actor": revision.actor,
        "reason": revision.reason,
        "created_at": as_utc(revision.created_at),
    }


def personality_json(directive: Memory | None, styles: list[Memory]) -> dict[str, Any]:
    """What was learned: the paragraph, and the observations behind it."""
    return {
        "directive": _directive_json(directive) if directive else None,
        "styles": [_style_json(style) for style in styles],
    }


def _directive_json(directive: Memory) -> dict[str, Any]:
    return {
        "memory_id": str(directive.pk),
        "text": directive.value,
        "synthesized_at": directive.metadata.get("synthesized_at"),
        "observation_count": directive.metadata.get("observation_count"),
        "version": directive.version,
    }


def _style_json(style: Memory) -> dict[str, Any]:
    return {
        "memory_id": str(style.pk),
        "key": style.key,
        "value": style.value,
        "confidence": round(style.confidence, 4),
        "reinforced_count": style.reinforced_count,
        "first_observed": as_utc(style.first_observed),
        "last_reinforced": as_utc(style.last_reinforced),
    }

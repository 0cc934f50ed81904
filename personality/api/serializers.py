"""What the persona endpoints take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memories.models import Memory
from nebo.api.serializers import StrictSerializer
from nebo.api.times import as_utc
from personality.decisions import decision_json
from personality.files import FILE_MAX_CHARS, FileText
from personality.models import Persona, PersonaCandidate, PersonaEvidence, PersonaOverlay, PersonaRevision
from personality.overlay import OVERLAY_FIELDS, RULES
from personality.presets import DEFAULT_PRESET, PRESETS
from personality.services.personas import EDITABLE

MAX_TEXT_CHARS = 20_000  # characters of a personality, of rules, of tool notes


def _line(limit: int) -> serializers.CharField:
    return serializers.CharField(max_length=limit, required=False, allow_blank=True)


class PersonaInput(StrictSerializer):
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
    slug = serializers.SlugField(max_length=63)


class FileInput(StrictSerializer):
    """An empty content takes the file away."""

    content = serializers.CharField(max_length=5 * FILE_MAX_CHARS, allow_blank=True, trim_whitespace=False)


class RollbackInput(StrictSerializer):
    to = serializers.IntegerField(min_value=1)


class OverlayRollbackInput(StrictSerializer):
    """0 is the persona as the team made it."""

    to = serializers.IntegerField(min_value=0)
    persona = _line(63)


class CandidateFilters(serializers.Serializer[Any]):
    decision = serializers.ChoiceField(choices=PersonaCandidate.Decision.values, required=False, default="")
    user = serializers.CharField(max_length=255, required=False, default="")
    persona = serializers.CharField(max_length=63, required=False, default="")


class PersonaFilters(serializers.Serializer[Any]):
    archived = serializers.BooleanField(default=False)


def file_json(file: FileText) -> dict[str, Any]:
    """A persona's file; `updated_at` is null where nothing was written and the persona itself speaks."""
    return {
        "name": file.name,
        "content": file.content,
        "updated_at": as_utc(file.updated_at) if file.updated_at else None,
    }


def preset_json(name: str) -> dict[str, Any]:
    """A ready-made personality; `{name}` in its text stands for the persona's."""
    return {"name": name, "text": PRESETS[name], "default": name == DEFAULT_PRESET}


def persona_json(persona: Persona) -> dict[str, Any]:
    """A persona."""
    return {
        "id": str(persona.pk),
        "slug": persona.slug,
        **{name: getattr(persona, name) for name in EDITABLE},
        "version": persona.version,
        "archived_at": as_utc(persona.archived_at) if persona.archived_at else None,
        "created_at": as_utc(persona.created_at),
        "updated_at": as_utc(persona.updated_at),
    }


def revision_json(revision: PersonaRevision) -> dict[str, Any]:
    """One change of a persona, or of a person's overlay of it."""
    return {
        "version": revision.number,
        "before": revision.before,
        "after": revision.after,
        "actor": revision.actor,
        "reason": revision.reason,
        "candidate_id": str(revision.candidate_id) if revision.candidate_id else None,
        "created_at": as_utc(revision.created_at),
    }


def candidate_json(candidate: PersonaCandidate) -> dict[str, Any]:
    """What was asked, what was decided, and the words it rests on."""
    return {
        **decision_json(candidate),
        "persona": candidate.persona.slug,
        "user": candidate.profile.external_id if candidate.profile else None,
        "confidence": candidate.confidence,
        "source": candidate.source,
        "decided_by": candidate.decided_by,
        "evidence": [_evidence_json(one) for one in candidate.evidence.all()],
        "created_at": as_utc(candidate.created_at),
        "updated_at": as_utc(candidate.updated_at),
    }


def _evidence_json(evidence: PersonaEvidence) -> dict[str, Any]:
    return {
        "message_id": str(evidence.message_id) if evidence.message_id else None,
        "quote": evidence.quote,
        "weight": evidence.weight,
        "created_at": as_utc(evidence.created_at),
    }


def overlay_json(overlay: PersonaOverlay | None) -> dict[str, Any]:
    """What a person's wishes made of a persona."""
    return {"fields": overlay.fields if overlay else {}, "version": overlay.version if overlay else 0}


def personality_json(
    directive: Memory | None, styles: list[Memory], persona: Persona, overlay: PersonaOverlay | None
) -> dict[str, Any]:
    """What was learned (the paragraph, the observations behind it), and who the agent is to this person."""
    return {
        "directive": _directive_json(directive) if directive else None,
        "styles": [_style_json(style) for style in styles],
        "persona": {
            "slug": persona.slug,
            **{name: getattr(persona, name) for name in OVERLAY_FIELDS if name != RULES},
        },
        "overlay": overlay_json(overlay),
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

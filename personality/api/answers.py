"""What the persona endpoints give: each shape, and the function that makes it."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from memories.models import Memory
from nebo.api.shapes import Id, Moment, like, one_of
from nebo.api.times import as_utc
from personality.models import Persona, PersonaCandidate, PersonaEvidence, PersonaOverlay, PersonaRevision
from personality.personas.files import FileText
from personality.personas.presets import DEFAULT_PRESET, PRESETS
from personality.wishes.decisions import DecisionFields, decision_json

Slug = Annotated[str, like("guide")]
Entry = Annotated[dict[str, Any], like({"formality": "casual"})]


class FileFields(TypedDict):
    """A file of a persona."""

    name: Annotated[str, like("SOUL.md")]
    content: Annotated[str, like("# Guide\n\nBe kind.")]
    updated_at: Annotated[
        Moment | None, like(None, "Null where nothing was written and the persona itself speaks.")
    ]


class PresetFields(TypedDict):
    """A ready-made personality; `{name}` in its text stands for the persona's."""

    name: Annotated[str, like("warm")]
    text: Annotated[str, like("You are {name}, warm and patient.")]
    default: bool


class MannersFields(TypedDict):
    """Who an agent is, and how it speaks."""

    name: Annotated[str, like("Guide")]
    role: Annotated[str, like("travel guide")]
    creature: Annotated[str, like("")]
    voice_style: Annotated[str, like("neutral")]
    response_length: Annotated[str, like("adaptive")]
    emoji_usage: Annotated[str, like("moderate")]
    formality: Annotated[str, like("adaptive")]
    proactivity: Annotated[str, like("moderate")]
    emoji: Annotated[str, like("")]
    vibe: Annotated[str, like("")]
    language: Annotated[str, like("", "Empty: the person's own.")]


class PersonaFields(MannersFields):
    """A persona of the team."""

    id: Id
    slug: Slug
    preset: Annotated[str, like("warm")]
    custom_personality: Annotated[str, like("")]
    rules: Annotated[str, like("")]
    tool_notes: Annotated[str, like("")]
    file_sync: Annotated[str, one_of(Persona.FileSync)]
    memory_scope: Annotated[str, one_of(Persona.MemoryScope)]
    locked: Annotated[list[str], like([], "Fields that a person's wishes can't change.")]
    version: int
    archived_at: Annotated[Moment | None, like(None)]
    created_at: Moment
    updated_at: Moment


class RevisionFields(TypedDict):
    """A change of a persona, or of how it is to one person."""

    version: int
    before: Annotated[Entry | None, like(None)]
    after: Entry
    actor: Annotated[str, like("key:0199c5a2")]
    reason: Annotated[str, like("")]
    candidate_id: Id | None
    created_at: Moment


class EvidenceFields(TypedDict):
    """Words that a decision rests on."""

    message_id: Id | None
    quote: Annotated[str, like("keep it short, please")]
    weight: Annotated[float, like(0.9)]
    created_at: Moment


class CandidateFields(DecisionFields):
    """What was asked of a persona, what was decided, and the words it rests on."""

    persona: Slug
    user: Annotated[str | None, like("ana")]
    confidence: Annotated[float, like(0.9)]
    source: Annotated[str, one_of(PersonaCandidate.Source)]
    decided_by: Annotated[str, like("")]
    evidence: list[EvidenceFields]
    created_at: Moment
    updated_at: Moment


class OverlayFields(TypedDict):
    """What a person's wishes made of a persona."""

    fields: Annotated[dict[str, str | list[str]], like({"formality": "casual"})]
    version: int


class DirectiveFields(TypedDict):
    """What was learned about how to speak with a person, in a paragraph."""

    memory_id: Id
    text: Annotated[str, like("Prefers short answers.")]
    synthesized_at: Moment | None
    observation_count: Annotated[int | None, like(3)]
    version: int


class StyleFields(TypedDict):
    """One observation behind it."""

    memory_id: Id
    key: Annotated[str, like("style/short-answers")]
    value: Annotated[str, like("Prefers short answers.")]
    confidence: Annotated[float, like(0.8)]
    reinforced_count: int
    first_observed: Moment
    last_reinforced: Moment


class OwnPersonaFields(MannersFields):
    """A persona as it is to one person."""

    slug: Slug


class PersonalityFields(TypedDict):
    """What was learned, and who the agent is to this person."""

    directive: DirectiveFields | None
    styles: list[StyleFields]
    persona: OwnPersonaFields
    overlay: OverlayFields


def file_json(file: FileText) -> FileFields:
    """A persona's file; `updated_at` is null where nothing was written and the persona itself speaks."""
    return {
        "name": file.name,
        "content": file.content,
        "updated_at": as_utc(file.updated_at) if file.updated_at else None,
    }


def preset_json(name: str) -> PresetFields:
    """A ready-made personality; `{name}` in its text stands for the persona's."""
    return {"name": name, "text": PRESETS[name], "default": name == DEFAULT_PRESET}


def persona_json(persona: Persona) -> PersonaFields:
    """A persona."""
    return {
        "id": str(persona.pk),
        "slug": persona.slug,
        "name": persona.name,
        "preset": persona.preset,
        "custom_personality": persona.custom_personality,
        "voice_style": persona.voice_style,
        "response_length": persona.response_length,
        "emoji_usage": persona.emoji_usage,
        "formality": persona.formality,
        "proactivity": persona.proactivity,
        "emoji": persona.emoji,
        "creature": persona.creature,
        "vibe": persona.vibe,
        "role": persona.role,
        "language": persona.language,
        "rules": persona.rules,
        "tool_notes": persona.tool_notes,
        "file_sync": persona.file_sync,
        "memory_scope": persona.memory_scope,
        "locked": persona.locked,
        "version": persona.version,
        "archived_at": as_utc(persona.archived_at) if persona.archived_at else None,
        "created_at": as_utc(persona.created_at),
        "updated_at": as_utc(persona.updated_at),
    }


def revision_json(revision: PersonaRevision) -> RevisionFields:
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


def candidate_json(candidate: PersonaCandidate) -> CandidateFields:
    """What was asked, what was decided, and the words it rests on."""
    return {
        **decision_json(candidate),
        "persona": candidate.persona.slug,
        "user": candidate.person.external_id if candidate.person else None,
        "confidence": candidate.confidence,
        "source": candidate.source,
        "decided_by": candidate.decided_by,
        "evidence": [_evidence_json(one) for one in candidate.evidence.all()],
        "created_at": as_utc(candidate.created_at),
        "updated_at": as_utc(candidate.updated_at),
    }


def _evidence_json(evidence: PersonaEvidence) -> EvidenceFields:
    return {
        "message_id": str(evidence.message_id) if evidence.message_id else None,
        "quote": evidence.quote,
        "weight": evidence.weight,
        "created_at": as_utc(evidence.created_at),
    }


def overlay_json(overlay: PersonaOverlay | None) -> OverlayFields:
    """What a person's wishes made of a persona."""
    return {"fields": overlay.fields if overlay else {}, "version": overlay.version if overlay else 0}


def personality_json(
    directive: Memory | None, styles: list[Memory], persona: Persona, overlay: PersonaOverlay | None
) -> PersonalityFields:
    """What was learned (the paragraph, the observations behind it), and who the agent is to this person."""
    return {
        "directive": _directive_json(directive) if directive else None,
        "styles": [_style_json(style) for style in styles],
        "persona": _own_persona_json(persona),
        "overlay": overlay_json(overlay),
    }


def _own_persona_json(persona: Persona) -> OwnPersonaFields:
    return {
        "slug": persona.slug,
        "name": persona.name,
        "role": persona.role,
        "creature": persona.creature,
        "voice_style": persona.voice_style,
        "response_length": persona.response_length,
        "emoji_usage": persona.emoji_usage,
        "formality": persona.formality,
        "proactivity": persona.proactivity,
        "emoji": persona.emoji,
        "vibe": persona.vibe,
        "language": persona.language,
    }


def _directive_json(directive: Memory) -> DirectiveFields:
    return {
        "memory_id": str(directive.pk),
        "text": directive.value,
        "synthesized_at": directive.metadata.get("synthesized_at"),
        "observation_count": directive.metadata.get("observation_count"),
        "version": directive.version,
    }


def _style_json(style: Memory) -> StyleFields:
    return {
        "memory_id": str(style.pk),
        "key": style.key,
        "value": style.value,
        "confidence": round(style.confidence, 4),
        "reinforced_count": style.reinforced_count,
        "first_observed": as_utc(style.first_observed),
        "last_reinforced": as_utc(style.last_reinforced),
    }

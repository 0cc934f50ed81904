"""Who the agent is: personas, how they change, and on what evidence."""

from __future__ import annotations

from django.db import models

from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import TenantModel, UserProfile


class Persona(TenantModel):
    """A character an agent speaks as; the columns are those of seed 000 §9."""

    class FileSync(models.TextChoices):
        EXPORT_ONLY = "export_only"
        IMPORT_EXPORT = "import_export"
        DISABLED = "disabled"

    slug = models.SlugField(max_length=63)
    name = models.CharField(max_length=200, default="Nebo")
    preset = models.CharField(max_length=40, blank=True)
    custom_personality = models.TextField(blank=True, help_text="{name} stands for the name.")
    voice_style = models.CharField(max_length=40, default="neutral")
    response_length = models.CharField(max_length=40, default="adaptive")
    emoji_usage = models.CharField(max_length=40, default="moderate")
    formality = models.CharField(max_length=40, default="adaptive")
    proactivity = models.CharField(max_length=40, default="moderate")
    emoji = models.CharField(max_length=16, blank=True)
    creature = models.CharField(max_length=200, blank=True)
    vibe = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=200, blank=True)
    rules = models.TextField(blank=True, help_text="Versioned JSON sections, or Markdown.")
    tool_notes = models.TextField(blank=True, help_text="Versioned JSON sections, or Markdown.")
    file_sync = models.CharField(max_length=20, choices=FileSync, default=FileSync.EXPORT_ONLY)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "slug"], name="one_persona_a_slug")]

    def __str__(self) -> str:
        return self.name


class PersonaFile(TenantModel):
    """A file of a persona: AGENTS.md, MEMORY.md, SOUL.md or HEARTBEAT.md."""

    persona = TenantForeignKey(Persona, models.CASCADE, related_name="files", db_index=False)
    name = models.CharField(max_length=40)
    content = models.TextField(blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "persona", "name"], name="one_file_a_name")]


class PersonaCandidate(TenantModel):
    """A change somebody asked of a persona, and what was decided."""

    class Decision(models.TextChoices):
        ACCEPTED = "accepted"
        REJECTED = "rejected"
        DEFERRED = "deferred"

    persona = TenantForeignKey(Persona, models.CASCADE, related_name="candidates", db_index=False)
    profile = TenantForeignKey(UserProfile, models.CASCADE, null=True, related_name="+")
    field = models.CharField(max_length=40)
    value = models.TextField()
    confidence = models.FloatField(default=0.0)
    decision = models.CharField(max_length=10, choices=Decision)
    reason = models.CharField(max_length=60)
    turn_key = models.CharField(max_length=120, blank=True, help_text="Makes a turn's decisions idempotent.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "persona", "-created_at"], name="candidate_newest_first")]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "persona", "turn_key", "field"],
                condition=~models.Q(turn_key=""),
                name="one_decision_a_turn_and_field",
            )
        ]


class PersonaEvidence(TenantModel):
    """A signal that speaks for a candidate: the message and its words."""

    candidate = TenantForeignKey(PersonaCandidate, models.CASCADE, related_name="evidence", db_index=False)
    message = TenantForeignKey("agent_sessions.Message", models.SET_NULL, null=True, related_name="+")
    quote = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "candidate"], name="evidence_by_candidate")]


class PersonaRevision(TenantModel):
    """What a persona was and became; any revision can be rolled back to."""

    persona = TenantForeignKey(Persona, models.CASCADE, related_name="revisions", db_index=False)
    number = models.PositiveIntegerField()
    before = models.JSONField(null=True)
    after = models.JSONField()
    actor = models.CharField(max_length=120)
    reason = models.CharField(max_length=300, blank=True)
    candidate = TenantForeignKey(PersonaCandidate, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "persona", "number"], name="one_revision_a_number")
        ]
